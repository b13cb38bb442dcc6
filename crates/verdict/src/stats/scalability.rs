//! Throughput against concurrency: the Universal Scalability Law, and a plain cap for comparison.
//!
//! The law: N. J. Gunther, "Guerrilla Capacity Planning" (2007), chapter 4. A hard limit (a
//! volume's IOPS, a link) is no contention, and the law fits it badly: a linear rise with
//! contention that ends at a cap is fitted as well, and the corrected information criterion of
//! Akaike chooses.

use fathom_core::SmallSort as _;
/// Fewest points a fit is made from.
const FEWEST_POINTS: usize = 6;
/// Largest residual, relative to the observation, with which parameters may be shown.
const WORST_RESIDUAL: f64 = 0.10;

/// One measured point of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoadPoint {
    /// Concurrency: outstanding requests or threads.
    pub n: f64,
    /// Throughput, any unit.
    pub throughput: f64,
}

/// `X(N) = gamma N / (1 + alpha (N - 1) + beta N (N - 1))`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Usl {
    /// Throughput at one.
    pub gamma: f64,
    /// Contention: the share that is done one at a time.
    pub alpha: f64,
    /// Coherency: the cost of each pair.
    pub beta: f64,
}

impl Usl {
    /// Throughput at concurrency `n`.
    pub fn at(&self, n: f64) -> f64 {
        self.gamma * n / (1.0 + self.alpha * (n - 1.0) + self.beta * n * (n - 1.0))
    }

    /// Concurrency and throughput of the peak; none where throughput never falls.
    pub fn peak(&self) -> Option<LoadPoint> {
        if self.beta <= 0.0 || self.alpha >= 1.0 {
            return None;
        }
        let n = ((1.0 - self.alpha) / self.beta).sqrt();
        Some(LoadPoint {
            n,
            throughput: self.at(n),
        })
    }
}

/// `X(N) = min(gamma N / (1 + alpha (N - 1)), cap)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capped {
    /// Throughput at one.
    pub gamma: f64,
    /// Contention below the cap.
    pub alpha: f64,
    /// Throughput that is never exceeded.
    pub cap: f64,
}

impl Capped {
    /// Throughput at concurrency `n`.
    pub fn at(&self, n: f64) -> f64 {
        (self.gamma * n / (1.0 + self.alpha * (n - 1.0))).min(self.cap)
    }
}

/// The law that describes a curve best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScalabilityLaw {
    /// Contention and coherency.
    Usl(Usl),
    /// A linear rise that ends at a cap.
    Capped(Capped),
}

impl ScalabilityLaw {
    /// Throughput at concurrency `n`.
    pub fn at(&self, n: f64) -> f64 {
        match self {
            Self::Usl(law) => law.at(n),
            Self::Capped(law) => law.at(n),
        }
    }
}

/// A law fitted to a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScalabilityFit {
    /// The fitted coefficients.
    pub law: ScalabilityLaw,
    /// Sum of squared residuals.
    pub sse: f64,
    /// Largest residual relative to its observation.
    pub worst_residual: f64,
}

impl ScalabilityFit {
    /// Whether the law describes every point well enough for its parameters to be shown.
    pub fn is_good(&self) -> bool {
        self.worst_residual <= WORST_RESIDUAL
    }
}

/// The better of both laws; none with fewer than six points or without throughput.
pub fn fit_scalability(points: &[LoadPoint]) -> Option<ScalabilityFit> {
    let usable = |point: &LoadPoint| point.n >= 1.0 && point.throughput > 0.0;
    if points.len() < FEWEST_POINTS || !points.iter().all(usable) {
        return None;
    }
    let usl = fit_usl(points);
    let capped = fit_capped(points);
    let of = |law: ScalabilityLaw| ScalabilityFit {
        sse: sse(points, |n| law.at(n)),
        worst_residual: points
            .iter()
            .map(|point| (point.throughput - law.at(point.n)).abs() / point.throughput)
            .fold(0.0, f64::max),
        law,
    };
    let usl = of(ScalabilityLaw::Usl(usl));
    let capped = of(ScalabilityLaw::Capped(capped));
    // Both have three parameters, so the criterion is decided by the residuals alone.
    Some(if capped.sse < usl.sse { capped } else { usl })
}

/// Least squares of the law on the throughput itself: Levenberg and Marquardt's iteration from
/// the linearised form's answer, with contention and coherency not below zero.
fn fit_usl(points: &[LoadPoint]) -> Usl {
    let start = linearised(points);
    let residuals = |p: [f64; 3]| {
        let law = Usl {
            gamma: p[0],
            alpha: p[1],
            beta: p[2],
        };
        sse(points, |n| law.at(n))
    };
    let gradient = |p: [f64; 3], n: f64| {
        let below = 1.0 + p[1] * (n - 1.0) + p[2] * n * (n - 1.0);
        let whole = p[0] * n / below;
        [
            n / below,
            -whole * (n - 1.0) / below,
            -whole * n * (n - 1.0) / below,
        ]
    };
    let p = descend(
        points,
        [start.gamma, start.alpha, start.beta],
        residuals,
        gradient,
    );
    Usl {
        gamma: p[0],
        alpha: p[1],
        beta: p[2],
    }
}

/// Least squares of the cap: for each number of points on the plateau, their mean is the cap and
/// the rest is fitted with contention alone.
fn fit_capped(points: &[LoadPoint]) -> Capped {
    let mut sorted = points.to_vec();
    sorted.small_sort_by(|a, b| a.n.total_cmp(&b.n));
    let mut best: Option<(f64, Capped)> = None;
    for rising in 1..sorted.len() {
        let (rise, plateau) = sorted.split_at(rising);
        let cap = plateau.iter().map(|point| point.throughput).sum::<f64>() / plateau.len() as f64;
        let (gamma, alpha) = contention(rise);
        let law = Capped { gamma, alpha, cap };
        let error = sse(points, |n| law.at(n));
        if best.is_none_or(|(least, _)| error < least) {
            best = Some((error, law));
        }
    }
    best.map_or(
        Capped {
            gamma: 0.0,
            alpha: 0.0,
            cap: 0.0,
        },
        |(_, law)| law,
    )
}

/// `N / X = (1 + alpha (N - 1)) / gamma` by a line; one point or a falling line has no contention.
fn contention(points: &[LoadPoint]) -> (f64, f64) {
    let count = points.len() as f64;
    let x = |point: &LoadPoint| point.n - 1.0;
    let y = |point: &LoadPoint| point.n / point.throughput;
    let mean_x = points.iter().map(x).sum::<f64>() / count;
    let mean_y = points.iter().map(y).sum::<f64>() / count;
    let sxx: f64 = points.iter().map(|point| (x(point) - mean_x).powi(2)).sum();
    let sxy: f64 = points
        .iter()
        .map(|point| (x(point) - mean_x) * (y(point) - mean_y))
        .sum();
    let slope = if sxx > 0.0 { (sxy / sxx).max(0.0) } else { 0.0 };
    let intercept = mean_y - slope * mean_x;
    if intercept <= 0.0 {
        return (1.0 / mean_y, 0.0);
    }
    (1.0 / intercept, slope / intercept)
}

/// `N / X = (1 + alpha (N - 1) + beta N (N - 1)) / gamma` by ordinary least squares; a negative
/// coefficient is set to zero and the rest fitted again.
fn linearised(points: &[LoadPoint]) -> Usl {
    let mut use_alpha = true;
    let mut use_beta = true;
    loop {
        let row = |point: &LoadPoint| {
            let n = point.n;
            [
                1.0,
                if use_alpha { n - 1.0 } else { 0.0 },
                if use_beta { n * (n - 1.0) } else { 0.0 },
            ]
        };
        let mut normal = [[0.0; 3]; 3];
        let mut right = [0.0; 3];
        for point in points {
            let row = row(point);
            let value = point.n / point.throughput;
            for i in 0..3 {
                right[i] += row[i] * value;
                for j in 0..3 {
                    normal[i][j] += row[i] * row[j];
                }
            }
        }
        // A column that is left out is all zeros: its coefficient is then nought.
        for (i, line) in normal.iter_mut().enumerate() {
            if line[i] == 0.0 {
                line[i] = 1.0;
            }
        }
        let [a, b, c] = solve(normal, right).unwrap_or([right[0] / points.len() as f64, 0.0, 0.0]);
        if b < 0.0 && use_alpha {
            use_alpha = false;
        } else if c < 0.0 && use_beta {
            use_beta = false;
        } else {
            let a = if a > 0.0 {
                a
            } else {
                points[0].n / points[0].throughput
            };
            return Usl {
                gamma: 1.0 / a,
                alpha: (b / a).max(0.0),
                beta: (c / a).max(0.0),
            };
        }
    }
}

fn descend(
    points: &[LoadPoint],
    start: [f64; 3],
    error: impl Fn([f64; 3]) -> f64,
    gradient: impl Fn([f64; 3], f64) -> [f64; 3],
) -> [f64; 3] {
    let model = |p: [f64; 3], n: f64| p[0] * n / (1.0 + p[1] * (n - 1.0) + p[2] * n * (n - 1.0));
    let mut at = start;
    let mut least = error(at);
    let mut damping = 1e-3;
    for _ in 0..500 {
        let mut normal = [[0.0; 3]; 3];
        let mut right = [0.0; 3];
        for point in points {
            let slope = gradient(at, point.n);
            let rest = point.throughput - model(at, point.n);
            for i in 0..3 {
                right[i] += slope[i] * rest;
                for j in 0..3 {
                    normal[i][j] += slope[i] * slope[j];
                }
            }
        }
        for (i, line) in normal.iter_mut().enumerate() {
            line[i] *= 1.0 + damping;
        }
        let Some(step) = solve(normal, right) else {
            break;
        };
        let next = [
            at[0] + step[0],
            (at[1] + step[1]).max(0.0),
            (at[2] + step[2]).max(0.0),
        ];
        let reached = error(next);
        if next[0] > 0.0 && reached < least {
            let gain = (least - reached) / least.max(f64::MIN_POSITIVE);
            (at, least, damping) = (next, reached, damping / 3.0);
            if gain < 1e-14 {
                break;
            }
        } else {
            damping *= 4.0;
            if damping > 1e15 {
                break;
            }
        }
    }
    at
}

fn sse(points: &[LoadPoint], model: impl Fn(f64) -> f64) -> f64 {
    points
        .iter()
        .map(|point| (point.throughput - model(point.n)).powi(2))
        .sum()
}

/// Three equations by elimination with the largest pivot; none when they do not decide.
fn solve(mut a: [[f64; 3]; 3], mut b: [f64; 3]) -> Option<[f64; 3]> {
    for column in 0..3 {
        let pivot =
            (column..3).max_by(|i, j| a[*i][column].abs().total_cmp(&a[*j][column].abs()))?;
        if a[pivot][column] == 0.0 || !a[pivot][column].is_finite() {
            return None;
        }
        a.swap(column, pivot);
        b.swap(column, pivot);
        let (pivot_row, pivot_right) = (a[column], b[column]);
        for row in column + 1..3 {
            let factor = a[row][column] / pivot_row[column];
            for (value, pivot_value) in a[row].iter_mut().zip(pivot_row).skip(column) {
                *value -= factor * pivot_value;
            }
            b[row] -= factor * pivot_right;
        }
    }
    let z = b[2] / a[2][2];
    let y = (b[1] - a[1][2] * z) / a[1][1];
    let x = (b[0] - a[0][1] * y - a[0][2] * z) / a[0][0];
    [x, y, z]
        .iter()
        .all(|value| value.is_finite())
        .then_some([x, y, z])
}

/// Position of the saturation point: the largest ratio of throughput to response time, Kleinrock's
/// power ("Power and deterministic rules of thumb", ICC 1979). Points are (throughput, response
/// time).
pub fn power_knee(points: &[(f64, f64)]) -> Option<usize> {
    let power = |(throughput, response): (f64, f64)| throughput / response;
    (0..points.len())
        .filter(|index| points[*index].1 > 0.0)
        .max_by(|a, b| power(points[*a]).total_cmp(&power(points[*b])))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(pairs: &[(f64, f64)]) -> Vec<LoadPoint> {
        pairs
            .iter()
            .map(|(n, throughput)| LoadPoint {
                n: *n,
                throughput: *throughput,
            })
            .collect()
    }

    fn near(value: f64, expected: f64, relative: f64) {
        assert!(
            (value - expected).abs() <= relative * expected.abs(),
            "{value} is not {expected}"
        );
    }

    #[test]
    fn the_published_benchmark_is_fitted_as_published() {
        let curve = points(&[
            (1.0, 64.9),
            (18.0, 995.9),
            (36.0, 1652.4),
            (72.0, 1853.2),
            (108.0, 1828.9),
            (144.0, 1775.0),
            (216.0, 1702.2),
        ]);
        let law = fit_usl(&curve);
        near(law.gamma, 89.9952, 1e-4);
        near(law.alpha, 0.027_728_5, 1e-4);
        near(law.beta, 0.000_104_365, 1e-4);
        near(sse(&curve, |n| law.at(n)), 27_453.7, 1e-5);
        let peak = law.peak().unwrap();
        near(peak.n, 96.52, 1e-4);
        near(peak.throughput, 1883.90, 1e-4);
        let residuals: Vec<f64> = curve
            .iter()
            .map(|point| ((point.throughput - law.at(point.n)) * 10.0).round() / 10.0)
            .collect();
        assert_eq!(residuals, [-25.1, -81.7, 111.1, 3.1, -50.0, -46.6, 56.0]);
    }

    #[test]
    fn an_exact_curve_gives_its_own_parameters() {
        let law = Usl {
            gamma: 10_000.0,
            alpha: 0.02,
            beta: 0.0001,
        };
        let curve: Vec<LoadPoint> = (0..8)
            .map(|power| f64::from(1 << power))
            .map(|n| LoadPoint {
                n,
                throughput: law.at(n),
            })
            .collect();
        near(curve[7].throughput, 247_793.09, 1e-7);
        let fit = fit_scalability(&curve).unwrap();
        let ScalabilityLaw::Usl(found) = fit.law else {
            panic!("{fit:?}");
        };
        near(found.gamma, 10_000.0, 1e-6);
        near(found.alpha, 0.02, 1e-5);
        near(found.beta, 0.0001, 1e-5);
        let peak = found.peak().unwrap();
        near(peak.n, 98.995, 1e-5);
        near(peak.throughput, 251_895.58, 1e-6);
        let with_response: Vec<(f64, f64)> = curve
            .iter()
            .map(|point| (point.throughput, point.n / point.throughput))
            .collect();
        assert_eq!(power_knee(&with_response), Some(5));
    }

    #[test]
    fn a_hard_cap_is_told_from_contention() {
        let curve: Vec<LoadPoint> = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0]
            .map(|n: f64| LoadPoint {
                n,
                throughput: (1000.0 * n).min(16_000.0),
            })
            .to_vec();
        let fit = fit_scalability(&curve).unwrap();
        let ScalabilityLaw::Capped(found) = fit.law else {
            panic!("{fit:?}");
        };
        near(found.gamma, 1000.0, 1e-9);
        near(found.cap, 16_000.0, 1e-9);
        assert!(fit.is_good());
    }

    #[test]
    fn too_few_points_say_nothing() {
        let curve = points(&[
            (1.0, 10.0),
            (2.0, 19.0),
            (4.0, 35.0),
            (8.0, 60.0),
            (16.0, 80.0),
        ]);
        assert_eq!(fit_scalability(&curve), None);
        assert_eq!(power_knee(&[]), None);
    }
}
