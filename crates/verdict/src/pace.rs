//! The pace of a closed load over the measured time: times without completions, levels, and how
//! much it varies.
//!
//! The variation that counts is what neighbouring slices share. Independent scatter of slices is
//! no change of pace; it is taken away by the mean square of successive differences (J. von
//! Neumann, "Distribution of the ratio of the mean square successive difference to the variance",
//! Annals of Mathematical Statistics 1941).

use crate::pauses;
use crate::stats::{level_shifts, median, segments, von_neumann_ratio};
use crate::threshold::thresholds;
use fathom_core::Op;
use fathom_core::result::{LoadModel, OpResult, PhaseResult};

thresholds! {
    /// Standard deviation of the pace, without independent scatter, from which the mean is not
    /// enough: of the mean
    UNEVEN: f64 = 0.10, Share, Decided,
        calibrated "docs/calibration.md, uneven";
    /// The same, from which the mean is no level that the storage held
    UNEVEN_GROSS: f64 = 0.50, Share, Decided,
        calibrated "docs/calibration.md, uneven";
    /// Share of the measured time without a completion from which the result is suspect
    STANDSTILL: f64 = 0.05, Share, Decided,
        calibrated "docs/calibration.md, standstill";
    /// Completions that are missing in a standstill at least, at the pace of the slow slices
    STANDSTILL_MISSED: f64 = 20.0, Count, Decided,
        calibrated "docs/calibration.md, standstill";
    /// Length of a standstill, as a multiple of the slowest operation's median service time
    STANDSTILL_TIMES: f64 = 4.0, Times, Decided,
        calibrated "docs/calibration.md, standstill";
    /// Requests in a slice of the series at least, in the mean
    SLICE_IOS: f64 = 20.0, Count, Decided,
        calibrated "docs/calibration.md, uneven";
    /// The same of the finest slices, which see a pace that changes too fast for the others; slices
    /// of twice the length, and so on, see one that changes between bursts of completions
    FINE_IOS: f64 = 5.0, Count, Decided,
        calibrated "docs/calibration.md, uneven";
    /// Share of the variance that neighbours have in common in fine slices, in standard errors of
    /// independent values
    FINE_CERTAIN: f64 = 3.5, Sigmas, Decided,
        calibrated "docs/calibration.md, uneven";
    /// Slices that a series has at least
    SLICES: usize = 8, Count, Decided;
    /// Share of the variance that neighbours have in common, in standard errors of independent
    /// values: p < 0.002
    SHARED_CERTAIN: f64 = 3.0, Sigmas, Decided,
        calibrated "docs/calibration.md, uneven";
    /// Share of a slice for which the generator had no processor, from which the slice is left out:
    /// its pace is the generator's. The pace of the others is looked at as it was and over the rest
    /// of the time, and counts as uneven if both are
    HELD_UP: f64 = 0.20, Share, Decided,
        calibrated "docs/calibration.md, runs on real storage";
    /// Distance of the mean from the median, of the median, below which the mean describes most
    /// slices, where the 10th and the 90th percentile lie closer together than the deviation
    NEAR: f64 = 0.05, Share, Decided,
        calibrated "docs/calibration.md, uneven";
    /// Levels that are stated one by one; more are a pace that varies
    LEVELS: usize = 3, Count, Decided;
    /// Share of the variance that levels explain, so that they are stated
    LEVELS_EXPLAIN: f64 = 0.70, Share, Decided;
}

/// Median service times in a slice at least, and flushes of each thread, so that a slice has
/// several rounds of writes and their flush; and the same of a fine one.
const TURNS: f64 = 3.0;
const FINE_TURNS: f64 = 1.0;

/// Completions in slices.
#[derive(Clone, Debug)]
pub(crate) struct Pace {
    /// Start of the first slice and length of each, seconds.
    start_s: f64,
    slice_s: f64,
    /// None where the generator was held up.
    ios: Vec<Option<f64>>,
    /// Rates in longer slices, and in fine ones that double in length.
    coarse: Rates,
    fine: Vec<Rates>,
    /// Median service time of the slowest operation, seconds.
    service_s: f64,
}

/// Of slices that are long enough to have a rate, without those in which the generator was held up.
#[derive(Clone, Debug)]
struct Rates {
    /// As counted.
    counted: Vec<f64>,
    /// Over the time in which the generator had a processor.
    own: Vec<f64>,
    /// Their ends, seconds.
    ends_s: Vec<f64>,
    rate_s: f64,
}

/// Times without a completion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Standstill {
    /// All of them together, seconds.
    pub(crate) total_s: f64,
    /// Of the measured time.
    pub(crate) share: f64,
    /// Start and end of the longest one, seconds after the start of the measured time.
    pub(crate) longest_s: (f64, f64),
    /// How many there were.
    pub(crate) count: usize,
    /// Requests a second in the rest of the time.
    pub(crate) outside: f64,
    /// Requests a second in all of it.
    pub(crate) mean: f64,
}

/// One level of the pace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Level {
    /// Its end, seconds after the start of the measured time.
    pub(crate) end_s: f64,
    /// Requests a second.
    pub(crate) iops: f64,
}

/// A pace of which the mean says little.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Unevenness {
    /// Standard deviation without independent scatter, of the mean.
    pub(crate) share: f64,
    /// Share of the variance that neighbours have in common, in standard errors.
    pub(crate) certainty: f64,
    /// Requests a second in the mean.
    pub(crate) mean: f64,
    /// The levels, if a few explain it; empty otherwise.
    pub(crate) levels: Vec<Level>,
    /// Requests a second in the slices of the 10th, the 50th and the 90th percentile.
    pub(crate) spread: [f64; 3],
    /// Standard deviation of the slices, of the mean.
    pub(crate) variation: f64,
    /// Length of a slice, seconds.
    pub(crate) slice_s: f64,
}

impl Unevenness {
    fn counts(&self, certain: f64) -> bool {
        self.share >= UNEVEN && self.certainty >= certain && (self.is_wide() || self.is_off())
    }

    /// Whether the pace has a range, and not a few slices far from all others.
    pub(crate) fn is_wide(&self) -> bool {
        self.spread[2] - self.spread[0] >= self.variation * self.mean
    }

    fn is_off(&self) -> bool {
        (self.mean - self.spread[1]).abs() >= self.spread[1] * NEAR
    }

    /// Whether the mean is no level that the storage held.
    pub(crate) fn is_gross(&self) -> bool {
        self.share >= UNEVEN_GROSS
    }
}

impl Pace {
    /// The pace of a closed load; none of other loads and of those that a steady-state rule has
    /// evaluated.
    pub(crate) fn of(phase: &PhaseResult) -> Option<Self> {
        let closed = phase
            .jobs
            .iter()
            .all(|job| job.load_model == LoadModel::Closed);
        if phase.steady.is_some() || !closed {
            return None;
        }
        let (start_s, slice_s, ios) = if let Some(pace) = &phase.pace {
            let ios = pace.ios.iter().map(|ios| *ios as f64).collect();
            (pace.start_ns as f64 / 1e9, pace.slice_ns as f64 / 1e9, ios)
        } else {
            let seconds = phase.interval_s()?;
            let ios = phase.rates().into_iter().map(|rate| rate * seconds);
            (0.0, seconds, ios.collect())
        };
        Some(Self::new((start_s, slice_s), ios, phase))
    }

    fn new((start_s, slice_s): (f64, f64), ios: Vec<f64>, phase: &PhaseResult) -> Self {
        let ops = || phase.jobs.iter().flat_map(|job| job.ops.present());
        let middle = |op: &OpResult| op.service_ns.percentile("50").unwrap_or(0);
        let service_s = ops().map(|(_, op)| middle(op)).max().unwrap_or(0) as f64 / 1e9;
        let flushes: u64 = ops()
            .filter(|(op, _)| *op == Op::Flush)
            .map(|(_, op)| op.ios)
            .sum();
        let threads: u32 = phase.jobs.iter().map(|job| job.threads).sum();
        let measured_s = phase.measured_ns as f64 / 1e9;
        let round_s = match flushes {
            0 => 0.0,
            flushes => f64::from(threads) * measured_s / flushes as f64,
        };
        let mean = ios.iter().sum::<f64>() / ios.len().max(1) as f64;
        let origin_s = pauses::window(phase).0 as f64 / 1e9 + start_s;
        let held_up = |first: usize, slices: usize| {
            let at_ns = |slice: usize| ((origin_s + slice as f64 * slice_s) * 1e9) as u64;
            phase.held_up_share(at_ns(first), at_ns(first + slices))
        };
        let group = |least_ios: f64, turns: f64| {
            let least_s = round_s.max(service_s) * turns;
            let by_count = (least_ios / mean.max(f64::MIN_POSITIVE)).ceil();
            by_count.max((least_s / slice_s).ceil()).clamp(1.0, 1e6) as usize
        };
        let rates = |group: usize| {
            let rate_s = slice_s * group as f64;
            let (mut rates, mut own, mut ends_s) = (Vec::new(), Vec::new(), Vec::new());
            for (number, slices) in ios.chunks_exact(group).enumerate() {
                let share = held_up(number * group, group);
                if share < HELD_UP {
                    let rate = slices.iter().sum::<f64>() / rate_s;
                    rates.push(rate);
                    own.push(rate / (1.0 - share));
                    ends_s.push(start_s + (number + 1) as f64 * rate_s);
                }
            }
            Rates {
                counted: rates,
                own,
                ends_s,
                rate_s,
            }
        };
        let coarse = rates(group(SLICE_IOS, TURNS));
        let fine = std::iter::successors(Some(group(FINE_IOS, FINE_TURNS)), |last| Some(last * 2));
        let fine = fine.take_while(|group| ios.len() / group >= SLICES);
        let fine = fine.map(rates).collect();
        let ios = ios.into_iter().enumerate();
        Self {
            start_s,
            slice_s,
            ios: ios
                .map(|(at, ios)| (held_up(at, 1) < HELD_UP).then_some(ios))
                .collect(),
            coarse,
            fine,
            service_s,
        }
    }

    /// Times without a completion that are longer than the pace explains; none below
    /// [`STANDSTILL`].
    pub(crate) fn standstill(&self) -> Option<Standstill> {
        let slices = self.ios.iter().flatten().count();
        let gaps = self.gaps();
        let longest = gaps.iter().map(|(from, to)| to - from).max()?;
        let ios: f64 = self.ios.iter().flatten().sum();
        let known = self.ios.iter().flatten().copied();
        let mut busy: Vec<f64> = known.filter(|ios| *ios > 0.0).collect();
        busy.sort_by(f64::total_cmp);
        let slow = busy.get(busy.len() / 4)?;
        let pace = slow.min(ios / (slices - longest) as f64);
        let counts = |(from, to): &&(usize, usize)| {
            let length = (to - from) as f64;
            length >= 2.0
                && length * pace >= STANDSTILL_MISSED
                && length * self.slice_s >= self.service_s * STANDSTILL_TIMES
        };
        let gaps: Vec<&(usize, usize)> = gaps.iter().filter(counts).collect();
        let still: usize = gaps.iter().map(|(from, to)| to - from).sum();
        let share = still as f64 / slices as f64;
        if share < STANDSTILL {
            return None;
        }
        let (from, to) = gaps.iter().max_by_key(|(from, to)| to - from)?;
        let at = |slice: usize| self.start_s + slice as f64 * self.slice_s;
        Some(Standstill {
            total_s: still as f64 * self.slice_s,
            share,
            longest_s: (at(*from), at(*to)),
            count: gaps.len(),
            outside: ios / ((slices - still) as f64 * self.slice_s),
            mean: ios / (slices as f64 * self.slice_s),
        })
    }

    /// First slice without a completion and the next one with one, of each time between
    /// completions.
    fn gaps(&self) -> Vec<(usize, usize)> {
        let mut gaps: Vec<(usize, usize)> = Vec::new();
        let slices = self.ios.iter().enumerate();
        for (slice, _) in slices.filter(|(_, ios)| **ios == Some(0.0)) {
            match gaps.last_mut() {
                Some((_, end)) if *end == slice => *end += 1,
                _ => gaps.push((slice, slice + 1)),
            }
        }
        gaps
    }

    /// How uneven the pace is; none below [`UNEVEN`] and for a series that is too short, without
    /// the slices in which the generator was held up.
    pub(crate) fn unevenness(&self) -> Option<Unevenness> {
        let found = |rates: &Rates, certain: f64| {
            let found = rates.unevenness(&rates.counted)?;
            let own = rates.unevenness(&rates.own)?;
            (found.counts(certain) && own.counts(certain)).then_some(found)
        };
        let fine = || {
            self.fine
                .iter()
                .find_map(|rates| found(rates, FINE_CERTAIN))
        };
        found(&self.coarse, SHARED_CERTAIN).or_else(fine)
    }
}

impl Rates {
    /// How uneven they are, or those over the time with a processor, however small that is.
    fn unevenness(&self, rates: &[f64]) -> Option<Unevenness> {
        let mean = rates.iter().sum::<f64>() / rates.len().max(1) as f64;
        if rates.len() < SLICES || mean <= 0.0 {
            return None;
        }
        let n = rates.len() as f64;
        let of_mean = |values: f64| values / n / (mean * mean);
        let variance = of_mean(rates.iter().map(|rate| (rate - mean).powi(2)).sum());
        let in_common = 1.0 - von_neumann_ratio(rates) / 2.0;
        let shared = variance * in_common;
        let mut sorted = rates.to_vec();
        sorted.sort_by(f64::total_cmp);
        let at = |share: f64| sorted[((n - 1.0) * share).round() as usize];
        Some(Unevenness {
            share: shared.max(0.0).sqrt(),
            certainty: in_common * n.sqrt(),
            mean,
            levels: self.levels(mean, variance * n * mean * mean),
            spread: [0.1, 0.5, 0.9].map(at),
            variation: variance.sqrt(),
            slice_s: self.rate_s,
        })
    }

    /// The levels, if a few of them explain the sum of squares.
    fn levels(&self, mean: f64, squares: f64) -> Vec<Level> {
        // A slice without a completion has no logarithm: half a request stands for none.
        let least = 0.5 / self.rate_s;
        let rates: Vec<f64> = self.counted.iter().map(|rate| rate.max(least)).collect();
        let parts = segments(rates.len(), &level_shifts(&rates));
        let mut explained = 0.0;
        let levels: Vec<Level> = parts
            .into_iter()
            .map(|(from, to)| {
                let part = &self.counted[from..to];
                let of_part = part.iter().sum::<f64>() / part.len() as f64;
                explained += (of_part - mean).powi(2) * part.len() as f64;
                Level {
                    end_s: self.ends_s[to - 1],
                    iops: median(part),
                }
            })
            .collect();
        let few = (2..=LEVELS).contains(&levels.len());
        if few && explained >= squares * LEVELS_EXPLAIN {
            levels
        } else {
            Vec::new()
        }
    }
}
