//! Rows added up to one: of hosts that measured together.
//!
//! Amounts and times at work are sums, rates are over the longest time of any row, shares are
//! weighted by requests or by time. What was done in each interval is that of the common time
//! series, since intervals of different hosts do not begin together.

use super::{Direction, Figures, Latency, NAMES, OF_FILES, OPS, counted, series};
use crate::FioJob;
use crate::layout::stage::Stage;
use fathom_core::Op;
use fathom_core::result::{PhaseResult, RunResult};
use fathom_core::summary::Spread;

/// All of these rows, as one that is reported as `row`; `result` has the time series of all.
pub(in crate::layout) fn added_up<'a>(
    rows: &[Figures<'_>],
    row: &'a FioJob,
    result: &RunResult,
) -> Figures<'a> {
    let names = rows.first().map_or(&[][..], |first| &first.directions);
    let directions = names.iter().map(|(name, _)| {
        let parts = rows.iter().flat_map(|row| &row.directions);
        let parts = parts.filter(|(other, _)| other == name);
        let parts: Vec<&Direction> = parts.map(|(_, direction)| direction).collect();
        (*name, direction(&parts, &ops(name), &result.phases))
    });
    let times = rows.iter().map(|row| row.runtime_ms as f64);
    let times: Vec<f64> = times.collect();
    let requests = rows.iter().map(|row| row.all.count as f64);
    let requests: Vec<f64> = requests.collect();
    let total = |of: fn(&Figures<'_>) -> u64| rows.iter().map(of).sum::<u64>();
    let mean = |of: fn(&Figures<'_>) -> f64| weighted(rows.iter().map(of), &times);
    let shares = |of: fn(&Figures<'_>) -> [f64; 7]| {
        std::array::from_fn(|at| weighted(rows.iter().map(|row| of(row)[at]), &requests))
    };
    let errors = rows.iter().map(|row| row.error);
    Figures {
        row,
        directions: directions.collect(),
        sync: Latency::sum(rows.iter().map(|row| row.sync.clone())),
        sync_ios: total(|row| row.sync_ios),
        error: errors.into_iter().find(|error| *error != 0).unwrap_or(0),
        is_failed: rows.iter().any(|row| row.is_failed),
        errors: None,
        elapsed_s: rows.iter().map(|row| row.elapsed_s).max().unwrap_or(0),
        runtime_ms: total(|row| row.runtime_ms),
        user_percent: mean(|row| row.user_percent),
        system_percent: mean(|row| row.system_percent),
        switches: total(|row| row.switches),
        major_faults: total(|row| row.major_faults),
        minor_faults: total(|row| row.minor_faults),
        depth_shares: shares(|row| row.depth_shares),
        submitted_shares: shares(|row| row.submitted_shares),
        completed_shares: shares(|row| row.completed_shares),
        all: Latency::sum(rows.iter().map(|row| row.all.clone())),
        depth: rows.first().map_or(0, |row| row.depth),
        steady: None,
    }
}

/// The operations of a direction of this name.
fn ops(name: &str) -> Vec<Op> {
    let named = NAMES.iter().position(|known| *known == name);
    named.map_or_else(|| [&OPS[..], &OF_FILES].concat(), |at| counted(OPS[at]))
}

fn direction(parts: &[&Direction], ops: &[Op], phases: &[PhaseResult]) -> Direction {
    let total = |of: fn(&Direction) -> u64| parts.iter().map(|part| of(part)).sum::<u64>();
    let (ios, bytes) = (total(|part| part.ios), total(|part| part.bytes));
    // Finer than milliseconds, which a short job has one or two of.
    let seconds = parts.iter().map(|part| match part.iops {
        0.0 => 0.0,
        iops => part.ios as f64 / iops,
    });
    let seconds = seconds.fold(1e-9, f64::max);
    let latency = |of: fn(&Direction) -> &Latency| {
        let all = parts.iter().map(|part| of(part).clone());
        Latency::sum(all)
    };
    let is_busy = |phase: &&PhaseResult| {
        let done = phase.intervals.iter().flat_map(|interval| &interval.jobs);
        let mut done = done.flat_map(|entry| ops.iter().filter_map(|op| entry.ops.get(*op)));
        done.any(|op| op.ios > 0)
    };
    let samples: Vec<(Spread, Spread)> = phases
        .iter()
        .filter(is_busy)
        .map(|phase| {
            let all: Vec<usize> = (0..phase.jobs.len()).collect();
            series(&Stage::new(phase), &all, ops)
        })
        .collect();
    let bw = together(samples.iter().map(|(bw, _)| *bw));
    Direction {
        ios,
        bytes,
        short: total(|part| part.short),
        iops: ios as f64 / seconds,
        bytes_per_second: bytes as f64 / seconds,
        runtime_ms: parts.iter().map(|part| part.runtime_ms).max().unwrap_or(0),
        submission: latency(|part| &part.submission),
        latency: latency(|part| &part.latency),
        total: latency(|part| &part.total),
        bw,
        iops_samples: together(samples.iter().map(|(_, iops)| *iops)),
        of_group: if bw.mean > 0.0 { 100.0 } else { 0.0 },
    }
}

/// Samples that follow one another, as one series.
fn together(parts: impl Iterator<Item = Spread>) -> Spread {
    let mut all = Spread::default();
    let mut squares = 0.0;
    for part in parts.filter(|part| part.count > 0) {
        let count = part.count as f64;
        all.min = if all.count == 0 {
            part.min
        } else {
            all.min.min(part.min)
        };
        all.max = all.max.max(part.max);
        all.mean += part.mean * count;
        squares += (part.stddev.powi(2) + part.mean.powi(2)) * count;
        all.count += part.count;
    }
    if all.count > 0 {
        let count = all.count as f64;
        all.mean /= count;
        all.stddev = (squares / count - all.mean.powi(2)).max(0.0).sqrt();
    }
    all
}

/// The mean of values, each with its weight.
fn weighted(values: impl Iterator<Item = f64>, weights: &[f64]) -> f64 {
    let all: f64 = weights.iter().sum();
    let sum: f64 = values
        .zip(weights)
        .map(|(value, weight)| value * weight)
        .sum();
    if all > 0.0 { sum / all } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_that_follow_one_another_are_one_series() {
        let (first, second) = ([10.0, 20.0, 40.0], [5.0, 25.0]);
        let joined = together([&first[..], &[], &second].map(Spread::of).into_iter());
        let whole = Spread::of(&[10.0, 20.0, 40.0, 5.0, 25.0]);
        let rounded = |one: Spread| {
            let parts = [one.mean, one.stddev, one.min, one.max];
            (one.count, parts.map(|number| (number * 1e6).round() as u64))
        };
        assert_eq!(rounded(joined), rounded(whole));
    }

    #[test]
    fn a_mean_has_the_weight_of_each() {
        assert_eq!(
            weighted([10.0, 40.0].into_iter(), &[2.0, 1.0]).round() as u64,
            20
        );
        assert_eq!(weighted([10.0].into_iter(), &[0.0]).round() as u64, 0);
    }

    #[test]
    fn rates_are_over_the_longest_row() {
        let row = |ios: u64, seconds: f64| Direction {
            ios,
            bytes: ios * 4096,
            iops: ios as f64 / seconds,
            runtime_ms: (seconds * 1e3) as u64,
            ..Direction::default()
        };
        let (short, long) = (row(100, 0.5), row(300, 2.0));
        let nothing = Direction::default();
        let all = direction(&[&short, &long, &nothing], &[Op::Read], &[]);
        let rounded = (all.iops.round() as u64, all.bytes_per_second.round() as u64);
        assert_eq!(
            (all.ios, all.bytes, all.runtime_ms),
            (400, 400 * 4096, 2000)
        );
        assert_eq!(rounded, (200, 200 * 4096));
    }
}
