//! When an open load has more requests than on average.

use super::role::INTERVALS_NS;
use fathom_core::spec::Bursts;
use fathom_core::{Nanos, Percent};

/// Requests are counted in intervals of this length.
const BIN_NS: u64 = 10_000_000;
/// Counts at most: two hours. What comes later is as what came before.
const MOST_BINS: usize = 720_000;
/// Above this index of dispersion, at any interval, arrivals are bursty.
const BURSTY: f64 = 2.0;
/// And farther from 1 than chance by this number of deviations.
const SIGMAS: f64 = 4.0;
/// A burst has at least this many times the mean rate.
const BUSY: f64 = 2.0;
/// Quiet intervals that end a burst.
const QUIET: usize = 3;
/// Least number of bursts by a clock; this share of the times between them is within this
/// share of their median.
const CLOCK: (usize, f64, f64) = (8, 0.7, 0.2);
/// Least share of the requests in bursts.
const LEAST_SHARE: f64 = 0.05;
/// Minimum number of bursts in a trace; fewer show no distribution.
const LEAST_BURSTS: f64 = 3.0;
/// Lengths that are tried for each factor of ten.
const PER_DECADE: f64 = 24.0;

/// Counts of requests over time.
#[derive(Clone, Debug, Default)]
pub(super) struct Bins {
    counts: Vec<u32>,
}

impl Bins {
    pub(super) fn add(&mut self, at_ns: u64) {
        let bin = usize::try_from(at_ns / BIN_NS).unwrap_or(usize::MAX);
        if bin >= MOST_BINS {
            return;
        }
        if self.counts.len() <= bin {
            self.counts.resize(bin + 1, 0);
        }
        self.counts[bin] = self.counts[bin].saturating_add(1);
    }

    /// The bursts whose index of dispersion is nearest to that of the trace; none if it is not
    /// bursty.
    pub(super) fn bursts(
        &self,
        iops: f64,
        length_ns: u64,
        dispersion: [Option<f64>; 3],
    ) -> Option<Bursts> {
        let mut each = INTERVALS_NS.iter().zip(dispersion);
        let is_bursty = each.any(|(interval_ns, index)| {
            // Of independent arrivals the index of n intervals varies by the root of 2 / (n - 1).
            let intervals = (length_ns / interval_ns).max(2) as f64;
            let chance = 1.0 + SIGMAS * (2.0 / (intervals - 1.0)).sqrt();
            index.is_some_and(|index| index > BURSTY.max(chance))
        });
        if !is_bursty || iops <= 0.0 {
            return None;
        }
        let whole_bins = usize::try_from(length_ns / BIN_NS).unwrap_or(usize::MAX);
        let mut counts = self.counts.clone();
        counts.resize(whole_bins.clamp(1, MOST_BINS), 0);
        let base = base(&counts) / (BIN_NS as f64 / 1e9);
        let share = (1.0 - base / iops).clamp(LEAST_SHARE, 1.0);
        let of = |every_s: f64, length_s: f64, clocked| Bursts {
            share: Percent((share * 1000.0).round() / 10.0),
            every: nanos(every_s),
            length: nanos(length_s),
            clocked,
        };
        let error = |bursts: &Bursts| error(bursts, iops, dispersion);
        if let Some(every_s) = period(&counts) {
            let each = lengths(every_s).map(|length_s| of(every_s, length_s, true));
            return each.min_by(|a, b| error(a).total_cmp(&error(b)));
        }
        let longest_s = length_ns as f64 / 1e9 / LEAST_BURSTS;
        let each = lengths(longest_s)
            .flat_map(|every_s| lengths(every_s).map(move |length_s| of(every_s, length_s, false)));
        each.min_by(|a, b| error(a).total_cmp(&error(b)))
    }
}

/// The median of the counts: the requests between bursts.
fn base(counts: &[u32]) -> f64 {
    let mut sorted = counts.to_vec();
    let middle = sorted.len() / 2;
    let (_, median, _) = sorted.select_nth_unstable(middle);
    f64::from(*median)
}

/// Seconds from one burst to the next, if they come by a clock.
fn period(counts: &[u32]) -> Option<f64> {
    let mean = counts.iter().map(|count| f64::from(*count)).sum::<f64>() / counts.len() as f64;
    let busy = counts.iter().enumerate();
    let busy = busy.filter(|(_, count)| f64::from(**count) > BUSY * mean.max(0.5));
    let busy: Vec<usize> = busy.map(|(at, _)| at).collect();
    let pairs = busy.windows(2);
    let follows = pairs
        .filter(|two| two[1] - two[0] > QUIET)
        .map(|two| two[1]);
    let starts: Vec<usize> = busy.first().copied().into_iter().chain(follows).collect();
    if starts.len() < CLOCK.0 {
        return None;
    }
    let mut gaps: Vec<f64> = starts
        .windows(2)
        .map(|two| (two[1] - two[0]) as f64)
        .collect();
    gaps.sort_by(f64::total_cmp);
    let median = gaps[gaps.len() / 2];
    let near = gaps
        .iter()
        .filter(|gap| (**gap - median).abs() <= CLOCK.2 * median);
    let near: Vec<f64> = near.copied().collect();
    let mean = near.iter().sum::<f64>() / near.len() as f64;
    let is_clocked = near.len() as f64 >= CLOCK.1 * gaps.len() as f64;
    is_clocked.then_some(mean * BIN_NS as f64 / 1e9)
}

/// Lengths below a limit, in equal factors, from a millisecond.
fn lengths(below_s: f64) -> impl Iterator<Item = f64> {
    let steps = ((below_s / 1e-3).log10() * PER_DECADE).ceil().max(0.0) as i32;
    (0..steps).map(|step| 1e-3 * 10_f64.powf(f64::from(step) / PER_DECADE))
}

/// Sum of the squared logarithms of the factors between both.
fn error(bursts: &Bursts, iops: f64, dispersion: [Option<f64>; 3]) -> f64 {
    let each = INTERVALS_NS.iter().zip(dispersion);
    let squares = each.filter_map(|(interval_ns, index)| {
        let own = bursts.dispersion(iops, *interval_ns as f64 / 1e9);
        Some((own / index?.max(f64::MIN_POSITIVE)).ln().powi(2))
    });
    squares.sum()
}

/// Whole units of a tenth of a millisecond.
fn nanos(seconds: f64) -> Nanos {
    Nanos((seconds * 1e4).round() as u64 * 100_000)
}

#[cfg(test)]
mod tests {
    use super::super::dispersion::Dispersion;
    use super::*;
    use crate::Request;
    use crate::flags::Flags;
    use crate::learn::{Census, Loop, Roles, Survey};
    use crate::request::{Early, Task};
    use fathom_core::Op;
    use fathom_core::spec::Arrivals;

    const LENGTH_NS: u64 = 20_000_000_000;

    fn request(task: u32, op: Op, at_ns: u64, block: u64) -> Request {
        Request {
            at_ns,
            service_ns: Some(200_000),
            device: 0,
            offset: (block * 7919 % 100_000) * 8192,
            bytes: 8192,
            flags: Flags::of_op(op),
            task,
            early: Early::default(),
        }
    }

    /// A backend that reads one page after the other, and a writer of 32 pages each 100 ms.
    fn server() -> Vec<Request> {
        let reads = (0..6000).map(|number| request(0, Op::Read, number * 3_300_000, number));
        let writes = (0..6400).map(|number| {
            let at_ns = number / 32 * 100_000_000 + number % 32 * 300_000;
            request(1, Op::Write, at_ns, number)
        });
        let mut all: Vec<Request> = reads.chain(writes).collect();
        all.sort_by_key(|request| request.at_ns);
        all
    }

    #[test]
    fn a_writer_by_the_clock_is_a_role_of_its_own() {
        let tasks = [11, 12].map(|thread| Task {
            thread,
            name: "server".to_owned(),
            process: Some(thread),
            process_name: Some("server".to_owned()),
        });
        let requests = server();
        let mut census = Census::default();
        census.add(&requests, &tasks);
        let roles = Roles::of(census, LENGTH_NS, None);
        let mut survey = Survey::new(&roles);
        survey.add(&roles, &requests);
        let found = survey.finish(&roles);
        let shares: Vec<(u64, f64)> = found
            .iter()
            .map(|role| (role.requests, role.read_share))
            .collect();
        assert_eq!(shares, [(6400, 0.0), (6000, 1.0)]);
        let paces: Vec<&str> = found
            .iter()
            .map(|role| match role.pace {
                Loop::Open {
                    arrivals: Arrivals::Bursts(bursts),
                } if bursts.clocked && bursts.every == Nanos::from_millis(100) => "clocked",
                Loop::Open { .. } => "open",
                Loop::Closed { .. } => "closed",
            })
            .collect();
        assert_eq!(paces, ["clocked", "closed"]);
    }

    #[test]
    fn independent_arrivals_have_no_bursts() {
        let mut bins = Bins::default();
        let mut dispersion = INTERVALS_NS.map(|one| Dispersion::new(0, one));
        for number in 0..20_000 {
            let at_ns = number * 1_000_000;
            bins.add(at_ns);
            for one in &mut dispersion {
                one.add(at_ns);
            }
        }
        let indexes = dispersion.map(|one| one.index(LENGTH_NS));
        assert_eq!(bins.bursts(1000.0, LENGTH_NS, indexes), None);
        // Six intervals of a second say nothing about an index of 3.
        let short = [Some(1.0), Some(1.1), Some(3.0)];
        assert_eq!(bins.bursts(1000.0, 6_000_000_000, short), None);
    }
}
