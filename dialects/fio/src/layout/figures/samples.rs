//! Rates by interval of the measured time, as fio samples them.

use crate::layout::stage::Stage;
use fathom_core::Op;
use fathom_core::interval::Part;
use fathom_core::result::{IntervalJob, IntervalResult};
use fathom_core::summary::Spread;

/// The least time of a sample: fio's own, less what it allows for a clock that is late.
const LEAST_NS: u64 = 490_000_000;

/// KiB/s and requests a second over a number of nanoseconds.
#[derive(Clone, Debug, Default)]
struct Samples {
    ios: u64,
    bytes: u64,
    time_ns: u64,
    bw: Vec<f64>,
    iops: Vec<f64>,
}

impl Samples {
    /// Short times are put together until they are long enough.
    fn add(&mut self, ios: u64, bytes: u64, time_ns: u64) {
        self.ios += ios;
        self.bytes += bytes;
        self.time_ns += time_ns;
        if self.time_ns < LEAST_NS {
            return;
        }
        let seconds = self.time_ns as f64 / 1e9;
        self.iops.push(self.ios as f64 / seconds);
        self.bw.push(self.bytes as f64 / 1024.0 / seconds);
        (self.ios, self.bytes, self.time_ns) = (0, 0, 0);
    }
}

/// KiB/s and requests a second by interval of the measured time, and of what was read back behind
/// it.
pub(super) fn series(stage: &Stage<'_>, indices: &[usize], ops: &[Op]) -> (Spread, Spread) {
    let measured = stage
        .intervals(indices)
        .filter(|(interval, _)| interval.part == Part::Measure && interval.length_ns > 0);
    let mut measured: Vec<(&IntervalResult, Vec<&IntervalJob>)> = measured.collect();
    // What is in flight of a job that only reads back is of the other direction.
    let mut entries = measured.iter().flat_map(|(_, entries)| entries);
    let asks = entries.any(|entry| has_done(entry, ops));
    // What began later or ended before was not slow then.
    let is_at_work = |(_, entries): &(_, Vec<&IntervalJob>)| {
        let mut entries = entries.iter();
        asks && entries.any(|entry| entry.queue_depth_held > 0.0 || has_done(entry, ops))
    };
    let end = measured
        .iter()
        .rposition(is_at_work)
        .map_or(0, |last| last + 1);
    measured.truncate(end);
    let first = measured.iter().position(is_at_work).unwrap_or(0);
    // Nor was a job that was done within the interval.
    let jobs = || indices.iter().map(|index| &stage.phase.jobs[*index]);
    let active_ns = jobs().map(|job| job.active_ns).max().unwrap_or(0);
    let mut samples = Samples::default();
    for (interval, entries) in measured.into_iter().skip(first) {
        let (ios, bytes) = entries
            .into_iter()
            .flat_map(|entry| ops.iter().filter_map(move |op| entry.ops.get(*op)))
            .fold((0, 0), |(ios, bytes), op| (ios + op.ios, bytes + op.bytes));
        let time_ns = match active_ns {
            0 => interval.length_ns,
            active_ns => interval.length_ns.min(active_ns),
        };
        samples.add(ios, bytes, time_ns);
    }
    // A time that was too short until now is no part of another.
    samples = Samples {
        bw: samples.bw,
        iops: samples.iops,
        ..Samples::default()
    };
    let backs = jobs().filter_map(|job| job.read_back.as_deref());
    let backs = backs.filter(|_| ops.contains(&Op::Read));
    let (ios, bytes, time_ns) = backs.fold((0, 0, 0), |(ios, bytes, time_ns), back| {
        let read = &back.read;
        (
            ios + read.ios,
            bytes + read.bytes,
            time_ns.max(back.active_ns),
        )
    });
    if ios > 0 {
        samples.add(ios, bytes, time_ns);
    }
    (Spread::of(&samples.bw), Spread::of(&samples.iops))
}

/// Whether any of these operations completed.
fn has_done(entry: &IntervalJob, ops: &[Op]) -> bool {
    let done = |op: &Op| entry.ops.get(*op).is_some_and(|op| op.ios + op.errors > 0);
    ops.iter().any(done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::result::{IntervalOp, JobResult, OpResult, PhaseResult, ReadBackResult};

    const MS: u64 = 1_000_000;

    /// A phase whose one job made so many requests of 4 KiB in each interval, whose lengths are in
    /// milliseconds.
    fn phase(op: Op, intervals: &[(u64, u64)], active_ms: u64) -> PhaseResult {
        let interval = |(length_ms, ios): &(u64, u64)| {
            let done = IntervalOp {
                ios: *ios,
                bytes: ios * 4096,
                ..IntervalOp::default()
            };
            IntervalResult {
                part: Part::Measure,
                start_ns: 0,
                length_ns: length_ms * MS,
                jobs: vec![IntervalJob {
                    ops: [(op, done)].into(),
                    ..IntervalJob::default()
                }],
            }
        };
        PhaseResult {
            jobs: vec![JobResult {
                active_ns: active_ms * MS,
                ..JobResult::default()
            }],
            intervals: intervals.iter().map(interval).collect(),
            ..PhaseResult::empty("a")
        }
    }

    fn of(phase: &PhaseResult, op: Op) -> (u64, u64, u64) {
        let (bw, iops) = series(&Stage::new(phase), &[0], &[op]);
        assert_eq!(bw.count, iops.count);
        (bw.count, bw.min.round() as u64, bw.max.round() as u64)
    }

    #[test]
    fn what_was_too_short_is_no_sample() {
        let reads = |intervals: &[(u64, u64)], active_ms| {
            of(&phase(Op::Read, intervals, active_ms), Op::Read)
        };
        assert_eq!(reads(&[(300, 100)], 300), (0, 0, 0));
        // Job that ended long before its phase did.
        assert_eq!(reads(&[(1000, 100), (1000, 0)], 300), (0, 0, 0));
        assert_eq!(reads(&[(1000, 100), (200, 90)], 1200), (1, 400, 400));
        assert_eq!(reads(&[(1000, 100)], 800), (1, 500, 500));
        // Intervals of `--status-interval`.
        assert_eq!(reads(&[(250, 10), (250, 30), (250, 5)], 750), (1, 320, 320));
        // A stall between is one.
        assert_eq!(reads(&[(1000, 9), (1000, 0), (1000, 9)], 3000), (3, 0, 36));
    }

    #[test]
    fn what_is_read_back_is_a_sample_of_its_own() {
        let with_back = |active_ms| {
            let mut phase = phase(Op::Write, &[(1000, 100), (1000, 50)], 2000);
            phase.jobs[0].read_back = Some(Box::new(ReadBackResult {
                active_ns: active_ms * MS,
                read: OpResult {
                    ios: 150,
                    bytes: 150 * 4096,
                    ..OpResult::default()
                },
            }));
            phase
        };
        assert_eq!(of(&with_back(200), Op::Read), (0, 0, 0));
        assert_eq!(of(&with_back(500), Op::Read), (1, 1200, 1200));
        assert_eq!(of(&with_back(500), Op::Write), (2, 200, 400));
    }
}
