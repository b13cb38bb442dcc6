//! Writes at full rate, one after another, until a buffer is full: how much the storage takes fast.
//! No place is written twice.

use super::micro::requests;
use fathom_core::interval::Part;
use fathom_core::result::{CliffReport, IntervalResult, JobResult, PhaseResult};
use fathom_core::spec::{JobStop, Phase};
use fathom_core::{Bytes, Nanos, Op, Percent};
use fathom_load::course::Leg;
use fathom_verdict::stats::find_cliff;

/// Length of its intervals: short enough for the cache of a disk.
pub(super) const INTERVAL: Nanos = Nanos::from_millis(100);
/// It takes no longer, whatever it has written by then.
const LONGEST: Nanos = Nanos::from_secs(600);
/// Its requests, and how many are outstanding: full rate on any device.
const REQUEST: Bytes = Bytes(1 << 20);
const DEPTH: u32 = 16;
/// Points that are kept; neighbours are merged beyond.
const MOST_POINTS: usize = 1000;

/// The phase, from that by which its targets are prepared.
pub(super) fn phase(template: &Phase, limit: Bytes) -> Phase {
    let mut phase = template.clone();
    phase.name = format!("{}-cliff", phase.name);
    phase.warm_up = Nanos::ZERO;
    phase.duration = Some(LONGEST);
    for job in &mut phase.jobs {
        let mut kind = requests(Op::Write, REQUEST, REQUEST);
        kind.random = Percent::ZERO;
        job.kinds = vec![kind];
        job.queue_depth = DEPTH;
        job.stop = JobStop {
            bytes: Some(limit),
            ..JobStop::default()
        };
    }
    phase
}

/// Lowers the limit to the room there is: what is written twice may be in a cache.
pub(super) fn fit(phase: &mut Phase, room_bytes: u64) {
    let whole = room_bytes / REQUEST.0 * REQUEST.0;
    for job in &mut phase.jobs {
        if let Some(limit) = &mut job.stop.bytes {
            limit.0 = limit.0.min(whole.max(REQUEST.0));
        }
    }
}

/// Bytes a second of an interval of the measured time.
fn rate(interval: &IntervalResult) -> Option<f64> {
    let writes = interval
        .jobs
        .iter()
        .filter_map(|job| job.ops.get(Op::Write));
    let bytes: u64 = writes.map(|one| one.bytes).sum();
    let is_measured = interval.part == Part::Measure && interval.length_ns > 0;
    is_measured.then(|| bytes as f64 * 1e9 / interval.length_ns as f64)
}

/// What it showed.
pub(super) fn report(leg: &Leg, phase: &PhaseResult, asked: Bytes) -> CliffReport {
    let stop = leg.phase.jobs.iter().filter_map(|job| job.stop.bytes);
    let writes = phase.jobs.iter().filter_map(|job| job.ops.get(Op::Write));
    let mut rates: Vec<f64> = phase.intervals.iter().filter_map(rate).collect();
    // In the last one the writing ended.
    rates.pop();
    let active = phase.jobs.iter().map(|job: &JobResult| job.active_ns).max();
    let together = rates.len().div_ceil(MOST_POINTS).max(1);
    let mean = |some: &[f64]| some.iter().sum::<f64>() / some.len() as f64;
    CliffReport {
        asked_bytes: asked.0,
        limit_bytes: stop.map(|limit| limit.0).sum(),
        written_bytes: writes.map(|one| one.bytes).sum(),
        measured_ns: active.unwrap_or(phase.measured_ns),
        interval_ns: INTERVAL.0 * together as u64,
        cliff: find_cliff(&rates, INTERVAL.0),
        bytes_per_second: rates.chunks_exact(together).map(mean).collect(),
    }
}
