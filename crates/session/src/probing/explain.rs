//! Short runs with more load after a phase: what limited it.

use fathom_core::Nanos;
use fathom_core::Op;
use fathom_core::result::{PhaseResult, ProbeKind};
use fathom_core::spec::{Pacing, Phase, Verify, Workload};
use fathom_verdict::stats::{BucketFit, FALL_LEAST_RATIO, find_fall, fit_bucket};

/// Measured time of a probe.
const PROBE: Nanos = Nanos::from_secs(5);
/// Load before it.
const SETTLE: Nanos = Nanos::from_secs(1);
/// Burst that a rest is to buy.
const RECOVERED: Nanos = Nanos::from_secs(5);
/// No rest is longer.
const LONGEST_REST: Nanos = Nanos::from_secs(60);
/// Factor between the sizes of requests.
const OTHER_SIZE: u64 = 4;
/// Requests are not made larger than this.
const LARGEST: u64 = 4 << 20;

/// The probes of a phase. One that no probe can explain (open loads, bursts, jobs that end by
/// amount) has none.
pub(super) fn probes(phase: &Phase, is_synchronous: bool) -> Vec<(ProbeKind, Phase)> {
    let closed = phase.jobs.iter().all(|job| {
        matches!(job.pacing, Pacing::Closed { think, .. } if think == Nanos::ZERO)
            && !job.stop.is_set()
    });
    if !closed {
        return Vec::new();
    }
    let mut all = vec![
        (ProbeKind::Same, short(phase, "same")),
        (ProbeKind::DoubleDepth, depth_doubled(phase, is_synchronous)),
        // What changed meanwhile by itself is not the doubling's doing.
        (ProbeKind::SameAgain, short(phase, "again")),
    ];
    let threads = threads_doubled(phase).filter(|_| !is_synchronous);
    all.extend(threads.map(|probe| (ProbeKind::DoubleThreads, probe)));
    all.extend(other_size(phase).map(|probe| (ProbeKind::OtherBlockSize, probe)));
    all.extend(single(phase).map(|probe| (ProbeKind::Single, probe)));
    all
}

/// What to try right after the load was run again where the rate fell, in the phase or since.
///
/// A rest and a second burst, where the fall was a bucket's and the rest is short: its credit comes
/// back at the later rate. And reads, where nothing was read: a credit that both directions share
/// holds them as well; a cache for writes does not.
pub(super) fn after_a_fall(
    phase: &Phase,
    done: &PhaseResult,
    same: &PhaseResult,
) -> Vec<(ProbeKind, Phase)> {
    let rates = done.rates();
    let Some(interval_s) = done.interval_s() else {
        return Vec::new();
    };
    let mean = |rates: &[f64]| rates.iter().sum::<f64>() / rates.len() as f64;
    let fell_since = mean(&rates) >= FALL_LEAST_RATIO * mean(&same.rates());
    if !fell_since && find_fall(&rates, interval_s).is_none() {
        return Vec::new();
    }
    let rest = fit_bucket(&rates, interval_s).and_then(|fit| rested(phase, &fit));
    let mut all: Vec<(ProbeKind, Phase)> = Vec::new();
    all.extend(rest.map(|probe| (ProbeKind::Recovery, probe)));
    let only_writes = phase.jobs.iter().all(|job| {
        let mut kinds = job.kinds.iter();
        kinds.all(|kind| kind.op == Op::Write) && !job.fresh && job.verify == Verify::Off
    });
    if only_writes {
        all.push((ProbeKind::Reads, reads(phase)));
    }
    all
}

/// The load after the rest that buys five seconds of burst, and as long again as that should last;
/// none where the rest is longer than a minute.
fn rested(phase: &Phase, fit: &BucketFit) -> Option<Phase> {
    let ratio = fit.burst / fit.baseline;
    let wait_s = (RECOVERED.as_secs_f64() * (ratio - 1.0)).ceil();
    if wait_s > LONGEST_REST.as_secs_f64() || phase.jobs.iter().any(|job| job.fresh) {
        return None;
    }
    let wait = Nanos((wait_s * 1e9) as u64);
    let mut probe = short(phase, "rested");
    probe.warm_up = Nanos::ZERO;
    probe.duration = Some(wait + RECOVERED + RECOVERED);
    for job in &mut probe.jobs {
        job.delay = wait;
    }
    Some(probe)
}

/// One outstanding request: what a single one takes. None where there is no other.
fn single(phase: &Phase) -> Option<Phase> {
    let mut probe = short(phase, "single");
    let jobs = &mut probe.jobs;
    if jobs
        .iter()
        .all(|job| job.queue_depth == 1 && job.threads == 1)
    {
        return None;
    }
    for job in jobs {
        job.queue_depth = 1;
        job.threads = 1;
    }
    valid(probe)
}

fn reads(phase: &Phase) -> Phase {
    let mut probe = short(phase, "reads");
    for job in &mut probe.jobs {
        job.durability.sync = None;
        job.sync_pattern.clear();
        for kind in &mut job.kinds {
            kind.op = Op::Read;
        }
    }
    probe
}

fn short(phase: &Phase, word: &str) -> Phase {
    let mut probe = phase.clone();
    probe.name = format!("{}-probe-{word}", phase.name);
    probe.warm_up = SETTLE;
    probe.duration = Some(PROBE);
    probe.cool_down = Nanos::ZERO;
    probe.steady = None;
    probe
}

/// Of an engine whose threads have one request each, twice the threads.
fn depth_doubled(phase: &Phase, is_synchronous: bool) -> Phase {
    let mut probe = short(phase, "depth");
    for job in &mut probe.jobs {
        let doubled = if is_synchronous {
            &mut job.threads
        } else {
            &mut job.queue_depth
        };
        *doubled = doubled.saturating_mul(2);
    }
    probe
}

/// The same outstanding requests on twice the threads, where they can be halved.
fn threads_doubled(phase: &Phase) -> Option<Phase> {
    let mut probe = short(phase, "threads");
    for job in &mut probe.jobs {
        if !job.queue_depth.is_multiple_of(2) {
            return None;
        }
        job.queue_depth /= 2;
        job.threads = job.threads.saturating_mul(2);
    }
    Some(probe)
}

/// Requests four times as large, or as small where they are large already.
fn other_size(phase: &Phase) -> Option<Phase> {
    let mut probe = short(phase, "size");
    let kinds = || phase.jobs.iter().flat_map(|job| &job.kinds);
    let largest = kinds().map(|kind| kind.block_size.0).max()?;
    let larger = largest * OTHER_SIZE <= LARGEST;
    for job in &mut probe.jobs {
        for kind in &mut job.kinds {
            let size = kind.block_size.0;
            let other = if larger {
                size * OTHER_SIZE
            } else {
                size / OTHER_SIZE
            };
            if other < 4096 || !other.is_multiple_of(4096) {
                return None;
            }
            kind.block_size.0 = other;
            if kind.align.0 < other || !larger {
                kind.align.0 = other;
            }
        }
    }
    valid(probe)
}

/// The probe, if it can be: a stride, a window or a share of a thread may not fit requests of
/// another size.
fn valid(probe: Phase) -> Option<Phase> {
    let mut workload = Workload {
        name: "probe".to_owned(),
        phases: vec![probe],
        ..Workload::plain()
    };
    let fits = fathom_core::spec::validate::validate(&workload).is_empty();
    workload.phases.pop().filter(|_| fits)
}
