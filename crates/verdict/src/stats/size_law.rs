//! The two limits of a storage, of requests and of bytes, from rates at several sizes of request.
//!
//! `1/X = max(1/I, bs/T)`: below the corner `T/I` requests limit, above it bytes. The corner is
//! tried between any two of the sizes, and the one is taken that leaves the least squares of the
//! logarithms. Methodology 5.7.

use fathom_core::SmallSort as _;
/// Fewest sizes of a fit.
pub const SIZE_LAW_FEWEST: usize = 4;
/// Largest residual with which the law is believed.
pub const SIZE_LAW_RESIDUAL: f64 = 0.05;

/// A rate at a size of request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SizePoint {
    /// Bytes of each request.
    pub bytes: f64,
    /// Requests a second.
    pub iops: f64,
}

/// The limits that explain rates at several sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SizeLaw {
    /// Limit of requests a second, if any size lies at it.
    pub iops: Option<f64>,
    /// Limit of bytes a second, if any size lies at it.
    pub bytes_per_second: Option<f64>,
    /// Largest relative deviation of a rate from the law.
    pub worst_residual: f64,
}

impl SizeLaw {
    /// Requests a second at a size.
    pub fn at(&self, bytes: f64) -> f64 {
        let by_requests = self.iops.unwrap_or(f64::INFINITY);
        let by_bytes = self
            .bytes_per_second
            .map_or(f64::INFINITY, |rate| rate / bytes);
        by_requests.min(by_bytes)
    }

    /// Bytes of a request at which both limit, if both are known.
    pub fn corner_bytes(&self) -> Option<f64> {
        Some(self.bytes_per_second? / self.iops?)
    }

    /// The same with its largest residual.
    fn judged(self, points: &[SizePoint]) -> Self {
        let residuals = points
            .iter()
            .map(|one| (one.iops / self.at(one.bytes) - 1.0).abs());
        Self {
            worst_residual: residuals.fold(0.0, f64::max),
            ..self
        }
    }

    /// Whether the law explains the rates: no residual of more than 5 %.
    pub fn is_good(&self) -> bool {
        self.worst_residual <= SIZE_LAW_RESIDUAL
    }
}

/// The law of rates at four sizes or more; none with fewer, or where nothing moved.
pub fn fit_sizes(points: &[SizePoint]) -> Option<SizeLaw> {
    if points.len() < SIZE_LAW_FEWEST || points.iter().any(|one| one.iops <= 0.0) {
        return None;
    }
    let mut points = points.to_vec();
    points.small_sort_by(|a, b| a.bytes.total_cmp(&b.bytes));
    let law = |split: usize| {
        let (small, large) = points.split_at(split);
        let mean = |part: &[SizePoint], of: fn(&SizePoint) -> f64| {
            let logarithms = part.iter().map(|one| of(one).ln()).sum::<f64>();
            (!part.is_empty()).then(|| (logarithms / part.len() as f64).exp())
        };
        SizeLaw {
            iops: mean(small, |one| one.iops),
            bytes_per_second: mean(large, |one| one.iops * one.bytes),
            worst_residual: 0.0,
        }
        .judged(&points)
    };
    // One size alone on its side of the corner fits whatever it is: one limit, if it does.
    let alone = [law(points.len()), law(0)]
        .into_iter()
        .find(SizeLaw::is_good);
    if alone.is_some() {
        return alone;
    }
    let squares = |law: &SizeLaw| {
        let each = points
            .iter()
            .map(|one| (one.iops / law.at(one.bytes)).ln().powi(2));
        each.sum::<f64>()
    };
    let laws = (0..=points.len()).map(law);
    laws.min_by(|a, b| squares(a).total_cmp(&squares(b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::{Rng as _, SeedableRng as _};
    use rand_xoshiro::Xoshiro256PlusPlus;

    const KIB: f64 = 1024.0;
    const SIZES: [f64; 4] = [4.0 * KIB, 16.0 * KIB, 64.0 * KIB, 256.0 * KIB];

    fn points(iops: f64, rate: f64, sizes: &[f64]) -> Vec<SizePoint> {
        let at = |bytes: f64| SizePoint {
            bytes,
            iops: iops.min(rate / bytes),
        };
        sizes.iter().map(|bytes| at(*bytes)).collect()
    }

    #[test]
    fn the_published_volume_comes_back() {
        // gp3 of 16,000 IOPS and 125 MiB/s.
        let points = points(16_000.0, 125.0 * KIB * KIB, &SIZES);
        let rates: Vec<f64> = points.iter().map(|one| one.iops).collect();
        assert_eq!(rates, [16_000.0, 8_000.0, 2_000.0, 500.0]);
        let law = fit_sizes(&points).expect("four sizes");
        let near = |found: Option<f64>, truth: f64| {
            assert!(
                (found.expect("a limit") / truth - 1.0).abs() < 1e-9,
                "{law:?}"
            );
        };
        near(law.iops, 16_000.0);
        near(law.bytes_per_second, 131_072_000.0);
        near(law.corner_bytes(), 8192.0);
        assert!(law.worst_residual < 1e-9 && law.is_good());
        let eight = [SIZES.as_slice(), &[8.0 * KIB]].concat();
        let law = fit_sizes(&self::points(16_000.0, 125.0 * KIB * KIB, &eight)).expect("five");
        assert!((law.corner_bytes().expect("both") - 8192.0).abs() < 1e-6);
    }

    #[test]
    fn one_limit_alone_is_one() {
        let law = fit_sizes(&points(100.0, 1e12, &SIZES)).expect("a law");
        assert_eq!(
            (law.iops.map(f64::round), law.bytes_per_second),
            (Some(100.0), None)
        );
        let law = fit_sizes(&points(1e9, 1e8, &SIZES)).expect("a law");
        assert_eq!(
            (law.iops, law.bytes_per_second.map(f64::round)),
            (None, Some(1e8))
        );
        assert_eq!(fit_sizes(&points(100.0, 1e8, &SIZES[..3])), None);
    }

    #[test]
    fn what_neither_limits_is_not_believed() {
        // A fixed time for each request and another for each byte: no corner.
        let slope = SIZES.map(|bytes| SizePoint {
            bytes,
            iops: 1.0 / (1e-4 + bytes * 2e-9),
        });
        assert!(!fit_sizes(&slope).expect("a law").is_good());
    }

    #[test]
    fn two_percent_of_noise_move_both_by_less_than_five() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut unit = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        for _ in 0..1000 {
            let iops = 1000.0 * 100_f64.powf(unit());
            let corner = SIZES[0] * (SIZES[3] / SIZES[0]).powf(0.1 + 0.8 * unit());
            let mut noisy = points(iops, iops * corner, &SIZES);
            for point in &mut noisy {
                // As good as normal, over the mean of a few seconds.
                let sum: f64 = (0..12).map(|_| unit()).sum();
                point.iops *= 1.0 + 0.009 * (sum - 6.0);
            }
            let law = fit_sizes(&noisy).expect("a law");
            assert!(law.is_good(), "{law:?}");
            let off = |found: Option<f64>, truth: f64| (found.expect("both") / truth - 1.0).abs();
            assert!(off(law.iops, iops) < 0.05, "{law:?} of {iops}");
            assert!(off(law.bytes_per_second, iops * corner) < 0.05, "{law:?}");
        }
    }
}
