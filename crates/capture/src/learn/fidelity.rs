//! How near a twin is to its original, and how near the original is to itself.

use super::axes::{Axes, CACHES, Windows};
use super::demerit::demerit;
use fathom_core::Op;
use serde::Serialize;

/// Position of the cache whose hit ratio is shown.
const SHOWN_CACHE: usize = 2;
/// An index of dispersion below is as good as this one: equal gaps.
const LEAST_DISPERSION: f64 = 0.1;
/// Requests without which nothing is claimed.
const LEAST_REQUESTS: u64 = 1000;
/// Standard errors by which two loads of the same kind differ at most in 19 cases of 20.
const CHANCE_ERRORS: f64 = 2.0;

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Share of reads among reads and writes.
    ReadShare,
    /// Sizes of requests.
    Sizes,
    /// Requests per second.
    Rate,
    /// Index of dispersion of arrivals at 10 ms.
    #[serde(rename = "dispersion_10_ms")]
    Dispersion10Ms,
    /// At 100 ms.
    #[serde(rename = "dispersion_100_ms")]
    Dispersion100Ms,
    /// At 1 s.
    #[serde(rename = "dispersion_1_s")]
    Dispersion1S,
    /// Share of requests that continue another one.
    SequentialShare,
    /// Hit ratios of caches.
    HitRatio,
    /// Flushes per second.
    Flushes,
    /// Service times.
    ServiceTime,
}

impl Measure {
    /// All, in the order of the table.
    const ALL: [Self; 10] = [
        Self::ReadShare,
        Self::Sizes,
        Self::Rate,
        Self::Dispersion10Ms,
        Self::Dispersion100Ms,
        Self::Dispersion1S,
        Self::SequentialShare,
        Self::HitRatio,
        Self::Flushes,
        Self::ServiceTime,
    ];

    /// The number that is shown of a load.
    fn value(self, axes: &Axes) -> Option<f64> {
        let moved = axes.of(Op::Read) + axes.of(Op::Write);
        match self {
            Self::ReadShare => (moved > 0).then(|| axes.of(Op::Read) as f64 / moved as f64),
            Self::Sizes => (axes.requests() > 0).then(|| axes.mean_bytes()),
            Self::Rate => Some(axes.per_second(axes.requests())),
            Self::Dispersion10Ms => axes.dispersion(0),
            Self::Dispersion100Ms => axes.dispersion(1),
            Self::Dispersion1S => axes.dispersion(2),
            Self::SequentialShare => (axes.requests() > 0).then(|| axes.sequential()),
            Self::HitRatio => axes.hit_ratios().map(|ratios| ratios[SHOWN_CACHE]),
            Self::Flushes => Some(axes.per_second(axes.flushes)),
            Self::ServiceTime => (!axes.service.is_empty()).then(|| axes.service.mean_ns()),
        }
    }

    /// How far two loads are apart: shares as their difference, rates as the share that one is
    /// larger, dispersions as a factor less one, distributions as their largest distance.
    fn distance(self, one: &Axes, two: &Axes) -> Option<f64> {
        let (a, b) = (self.value(one)?, self.value(two)?);
        Some(match self {
            Self::ReadShare | Self::SequentialShare => (a - b).abs(),
            Self::Sizes => sizes_apart(one, two),
            Self::Rate | Self::Flushes => ratio(a, b),
            Self::Dispersion10Ms | Self::Dispersion100Ms | Self::Dispersion1S => {
                ratio(a.max(LEAST_DISPERSION), b.max(LEAST_DISPERSION))
            }
            Self::HitRatio => {
                let (a, b) = (one.hit_ratios()?, two.hit_ratios()?);
                let apart = a.iter().zip(b).map(|(a, b)| (a - b).abs());
                apart.fold(0.0, f64::max)
            }
            Self::ServiceTime => demerit(&one.service, &two.service)?,
        })
    }

    /// A distance that nobody would notice: nearer is near, however alike the windows are.
    const fn resolution(self) -> f64 {
        match self {
            Self::ReadShare | Self::Sizes | Self::SequentialShare | Self::Rate => 0.01,
            Self::HitRatio | Self::Flushes => 0.02,
            Self::Dispersion10Ms | Self::Dispersion100Ms | Self::Dispersion1S => 0.1,
            Self::ServiceTime => 0.05,
        }
    }

    /// How far two loads of random arrivals are apart by chance.
    fn chance(self, one: &Axes, two: &Axes) -> f64 {
        let error = |one: u64, two: u64| (1.0 / one as f64 + 1.0 / two as f64).sqrt();
        let index = |scale| {
            let less_one = |axes: &Axes| axes.intervals(scale).saturating_sub(1);
            2.0_f64.sqrt() * error(less_one(one), less_one(two))
        };
        CHANCE_ERRORS
            * match self {
                Self::Rate => error(one.requests(), two.requests()),
                Self::Flushes => error(one.flushes, two.flushes),
                Self::Dispersion10Ms => index(0),
                Self::Dispersion100Ms => index(1),
                Self::Dispersion1S => index(2),
                _ => 0.0,
            }
    }

    /// Whether a load without it has nothing to compare.
    fn is_absent(self, original: &Axes, twin: &Axes) -> bool {
        self == Self::Flushes && original.flushes + twin.flushes == 0
    }
}

/// One row of the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Axis {
    /// What is compared.
    pub measure: Measure,
    /// The number of the original.
    pub original: Option<f64>,
    /// The number of the twin.
    pub twin: Option<f64>,
    /// Between both; none where one is too short to have it.
    pub distance: Option<f64>,
    /// Median distance of neighbouring windows of the original; none where windows are too short.
    pub floor: Option<f64>,
    /// Whether the twin is as near to the original as windows of the original are to each other,
    /// or nearer than matters or than chance decides; none if one of both cannot be evaluated.
    pub is_near: Option<bool>,
}

impl Axis {
    /// The distance as a multiple of the floor; none without a floor, or where that is nothing.
    pub fn multiple(&self) -> Option<f64> {
        let floor = self.floor.filter(|floor| *floor > 0.0)?;
        Some(self.distance? / floor)
    }
}

/// Why nothing is claimed of a twin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Obstacle {
    /// The trace or the capture of the twin has less than 1,000 requests.
    TooFewRequests,
    /// More than 1 % of the requests of one are out of order.
    OutOfOrder,
}

impl Obstacle {
    fn of(axes: &Axes) -> Option<Self> {
        if axes.requests() < LEAST_REQUESTS {
            return Some(Self::TooFewRequests);
        }
        axes.is_out_of_order().then_some(Self::OutOfOrder)
    }
}

/// A twin compared with its original.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fidelity {
    /// The rows.
    pub axes: Vec<Axis>,
    /// Why no axis is near or far, if that is so.
    pub obstacle: Option<Obstacle>,
    /// Windows of the original that were compared.
    pub windows: usize,
    /// Length of a window, nanoseconds.
    pub window_ns: u64,
    /// Hit ratios of the original and the twin at the shares of the space in `caches`.
    pub hit_ratios: Option<[[f64; CACHES.len()]; 2]>,
    /// Sizes of caches, as shares of the space that is used.
    pub caches: [f64; CACHES.len()],
}

impl Fidelity {
    /// Axes on which the twin is near, and those that could be compared.
    pub fn near(&self) -> (usize, usize) {
        let known = self.axes.iter().filter_map(|axis| axis.is_near);
        let (near, all) = known.fold((0, 0), |(near, all), one| {
            (near + usize::from(one), all + 1)
        });
        (near, all)
    }
}

/// Compares a twin with its original. Service times are compared only if they were measured.
pub fn fidelity(original: &Windows, twin: &Axes, is_measured: bool) -> Fidelity {
    let whole = &original.whole;
    let obstacle = Obstacle::of(whole).or_else(|| Obstacle::of(twin));
    let row = |measure: Measure| {
        let apart = original.parts.windows(2);
        let apart = apart.filter_map(|pair| measure.distance(&pair[0], &pair[1]));
        let distance = measure.distance(whole, twin);
        let floor = median(apart.collect());
        Axis {
            measure,
            original: measure.value(whole),
            twin: measure.value(twin),
            distance,
            floor,
            is_near: distance
                .zip(floor.filter(|_| obstacle.is_none()))
                .map(|(distance, floor)| {
                    let least = measure.resolution().max(measure.chance(whole, twin));
                    distance <= floor.max(least)
                }),
        }
    };
    let is_compared = |measure: &Measure| {
        let is_service = *measure == Measure::ServiceTime;
        !measure.is_absent(whole, twin) && (is_measured || !is_service)
    };
    Fidelity {
        axes: Measure::ALL
            .into_iter()
            .filter(is_compared)
            .map(row)
            .collect(),
        obstacle,
        windows: original.count(),
        window_ns: original.window_ns(),
        hit_ratios: whole
            .hit_ratios()
            .zip(twin.hit_ratios())
            .map(|(a, b)| [a, b]),
        caches: CACHES,
    }
}

/// The largest distance of the distributions of sizes, the larger of reads and of writes
/// (Kolmogorov and Smirnov).
fn sizes_apart(one: &Axes, two: &Axes) -> f64 {
    let of = |op: Op| {
        let mut sizes: Vec<u64> = Vec::new();
        for axes in [one, two] {
            let own = axes.counts.range((op, 0)..=(op, u64::MAX));
            sizes.extend(own.map(|((_, size), _)| *size));
        }
        sizes.sort_unstable();
        sizes.dedup();
        let all = (one.of(op), two.of(op));
        if all.0 == 0 || all.1 == 0 {
            return 0.0;
        }
        let (mut sums, mut most) = ((0, 0), 0.0_f64);
        for size in sizes {
            let count = |axes: &Axes| axes.counts.get(&(op, size)).copied().unwrap_or(0);
            sums = (sums.0 + count(one), sums.1 + count(two));
            let apart = sums.0 as f64 / all.0 as f64 - sums.1 as f64 / all.1 as f64;
            most = most.max(apart.abs());
        }
        most
    };
    of(Op::Read).max(of(Op::Write))
}

/// The share by which the larger number is larger; 1 if only one is nothing.
fn ratio(one: f64, two: f64) -> f64 {
    let (low, high) = (one.min(two), one.max(two));
    if high <= 0.0 {
        0.0
    } else if low <= 0.0 {
        1.0
    } else {
        high / low - 1.0
    }
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        odd if odd % 2 == 1 => Some(values[middle]),
        _ => Some(f64::midpoint(values[middle - 1], values[middle])),
    }
}

#[cfg(test)]
mod tests {
    use super::super::reuse::hash;
    use super::*;
    use crate::flags::Flags;
    use crate::request::Early;
    use crate::request::Request;

    fn requests(seed: u64, bytes: u64, count: u64) -> Vec<Request> {
        let request = |number: u64| Request {
            at_ns: number * (20_000_000_000 / count),
            service_ns: Some(100_000),
            device: 0,
            offset: hash(number ^ seed << 32) % 20_000 * 8192,
            bytes,
            flags: if number.is_multiple_of(4) {
                Flags::WRITE
            } else {
                Flags::READ
            },
            task: 0,
            early: Early::default(),
        };
        (0..count).map(request).collect()
    }

    fn compared(bytes: u64, count: u64) -> Fidelity {
        compared_with(&requests(1, 8192, 20_000), &requests(2, bytes, count))
    }

    fn compared_with(one: &[Request], other: &[Request]) -> Fidelity {
        let length_ns = 20_000_000_000;
        let mut original = Windows::new(length_ns, 163_840_000, u64::MAX);
        original.add(one);
        let mut twin = Axes::new(0, length_ns, 163_840_000, u64::MAX);
        for request in other {
            twin.add(request);
        }
        fidelity(&original, &twin, true)
    }

    #[test]
    fn the_same_load_is_near_on_all_axes() {
        let found = compared(8192, 20_000);
        assert_eq!((found.near(), found.windows), ((9, 9), 2));
    }

    #[test]
    fn nothing_is_claimed_of_few_requests_or_without_order() {
        let (few, all) = (requests(1, 8192, 999), requests(1, 8192, 20_000));
        let backwards: Vec<Request> = all.iter().rev().copied().collect();
        let found = [
            (&few, &few),
            (&all, &few),
            (&backwards, &all),
            (&all, &backwards),
        ]
        .map(|(one, other)| {
            let found = compared_with(one, other);
            (found.near(), found.obstacle)
        });
        let expected = [
            ((0, 0), Some(Obstacle::TooFewRequests)),
            ((0, 0), Some(Obstacle::TooFewRequests)),
            ((0, 0), Some(Obstacle::OutOfOrder)),
            ((0, 0), Some(Obstacle::OutOfOrder)),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn chance_is_no_difference() {
        // Of 20,000 random requests, 1.5 % more are 1.5 standard errors.
        let found = compared(8192, 20_300);
        assert_eq!(
            (found.axes[2].measure, found.axes[2].is_near),
            (Measure::Rate, Some(true))
        );
    }

    #[test]
    fn another_size_and_rate_are_seen() {
        let found = compared(4096, 10_000);
        let far: Vec<Measure> = found
            .axes
            .iter()
            .filter(|axis| axis.is_near == Some(false))
            .map(|axis| axis.measure)
            .collect();
        // Requests of half the size touch one page of two.
        let expected = [Measure::Sizes, Measure::Rate, Measure::HitRatio];
        assert_eq!(far, expected);
        let rate = found.axes[2];
        assert_eq!((rate.original, rate.twin), (Some(1000.0), Some(500.0)));
        assert_eq!(rate.distance, Some(1.0));
    }
}
