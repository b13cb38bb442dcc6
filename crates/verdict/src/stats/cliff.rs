//! Where the rate of writes falls for good.

use super::{level_shifts, median, segments};
use fathom_core::result::Cliff;

/// Least ratio of two rates that is a cliff: as of a burst bucket.
const LEAST_RATIO: f64 = super::bucket::LEAST_RATIO;
/// Fewest points of the last level.
const FEWEST_POINTS: usize = super::bucket::FEWEST_POINTS;

/// Intervals in which a fall may lie.
const TRANSITION: usize = super::bucket::TRANSITION;
/// A rate that is lower than the burst by this factor may be one of them.
const NEAR_BURST: f64 = 1.1;

/// The cliff of a series of rates in intervals of `interval_ns`, if its last level is lower
/// than its first.
pub fn find_cliff(rates: &[f64], interval_ns: u64) -> Option<Cliff> {
    let parts = segments(rates.len(), &level_shifts(rates));
    let middle = |part: &(usize, usize)| median(&rates[part.0..part.1]);
    let (first, last) = (middle(parts.first()?), middle(parts.last()?));
    // Noise of its own time scale splits a level in several that lie near each other.
    let near = |part: &(usize, usize), level: f64| {
        let ratio = middle(part) / level;
        ratio < LEAST_RATIO && ratio > 1.0 / LEAST_RATIO
    };
    let fast_until = parts.iter().take_while(|part| near(part, first)).last()?.1;
    let slow_from = parts
        .iter()
        .rev()
        .take_while(|part| near(part, last))
        .last()?
        .0;
    if fast_until > slow_from || rates.len() - slow_from < FEWEST_POINTS {
        return None;
    }
    let (fast, slow) = (&rates[..fast_until], &rates[slow_from..]);
    let burst = median(fast);
    // An interval in which the fall lies belongs to neither, but may be counted to the last.
    let settled = &slow[1..];
    let drain = settled.iter().sum::<f64>() / settled.len() as f64;
    if drain <= 0.0 || burst / drain < LEAST_RATIO {
        return None;
    }
    let seconds = interval_ns as f64 / 1e9;
    let sum = |rates: &[f64], less: f64| {
        let all = rates.iter().map(|rate| (rate - less) * seconds);
        all.sum::<f64>()
    };
    // What lies between both levels was fast for a part of its interval.
    let is_between = |rate: &&f64| **rate < burst / NEAR_BURST;
    let edge = fast.iter().rev().take(TRANSITION).take_while(is_between);
    let whole = fast_until - edge.count();
    let rest = &rates[whole..];
    let (between, later) = rest.split_at(rest.len().min(TRANSITION));
    let later = median(&later[..later.len().min(FEWEST_POINTS)]).min(burst);
    let share = |rate: &f64| ((rate - later) / (burst - later)).clamp(0.0, 1.0);
    let part: f64 = between.iter().map(share).sum();
    Some(Cliff {
        burst_bytes_per_second: burst,
        drain_bytes_per_second: drain,
        accepted_bytes: sum(&rates[..whole], 0.0) + part * burst * seconds,
        after_ns: ((whole as f64 + part) * interval_ns as f64).round() as u64,
        capacity_bytes: sum(&rates[..=slow_from], drain),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!(
            (found / expected - 1.0).abs() < 1e-9,
            "{found} is not {expected}"
        );
    }

    #[test]
    fn what_was_taken_fast_is_told_from_what_was_held() {
        // 10 s at 4 GB/s, half a second of each, then 0.5 GB/s: 40 GB, of which 5 were drained.
        let mut rates = vec![4e9; 100];
        rates.push(2.25e9);
        rates.extend([0.5e9; 60]);
        let cliff = find_cliff(&rates, 100_000_000).expect("it falls");
        close(cliff.burst_bytes_per_second, 4e9);
        close(cliff.drain_bytes_per_second, 0.5e9);
        close(cliff.capacity_bytes, 35e9 + 0.175e9);
        assert_eq!(cliff.after_ns, 10_050_000_000);
        close(cliff.accepted_bytes, 40.2e9);
    }

    #[test]
    fn a_level_rate_and_one_that_rises_are_no_cliff() {
        assert_eq!(find_cliff(&[1e9; 100], 100_000_000), None);
        let mut rates = vec![0.5e9; 50];
        rates.extend([4e9; 50]);
        assert_eq!(find_cliff(&rates, 100_000_000), None);
        assert_eq!(find_cliff(&[], 100_000_000), None);
    }
}
