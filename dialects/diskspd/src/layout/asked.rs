//! What a run that was not asked for in DISKSPD's terms would have been called in them.
//!
//! DISKSPD's forms begin with what was asked for. A time span stands for a phase, a target for a
//! job; what DISKSPD has no word for (several request sizes, trims, skewed places, bursts by the
//! clock) is reported as the nearest that it has.

use crate::Profile;
use crate::profile::{Cache, Content, Order, Ranges, Target, Throttle, TimeSpan};
use crate::write::source;
use fathom_core::Op;
use fathom_core::result::{JobResult, PhaseResult, RunResult};
use fathom_core::spec::{Cursor, Distribution, Fill, IoKind, Job, Pacing};
use fathom_core::units::{Nanos, Rate};

/// The profile of a result: a time span for each phase that ran.
pub fn asked(result: &RunResult) -> Profile {
    Profile {
        spans: result
            .phases
            .iter()
            .map(|phase| span(result, phase))
            .collect(),
        ..Profile::default()
    }
}

fn span(result: &RunResult, phase: &PhaseResult) -> TimeSpan {
    let workload = &result.provenance.workload;
    TimeSpan {
        duration_s: seconds(phase.measured_ns),
        warm_up_s: seconds(phase.warm_up_ns),
        cool_down_s: seconds(phase.cool_down_ns),
        seed: workload.seed(),
        measure_latency: true,
        iops_bucket_ms: Some((workload.interval.0 / 1_000_000) as u32),
        targets: phase
            .jobs
            .iter()
            .map(|job| target(job, result.job_spec(&phase.name, &job.name)))
            .collect(),
        ..TimeSpan::default()
    }
}

fn seconds(ns: u64) -> u32 {
    ((ns + 500_000_000) / 1_000_000_000) as u32
}

fn target(job: &JobResult, spec: Option<&Job>) -> Target {
    let threads = job.threads.max(1);
    let plain = Target {
        path: job.targets.join(", "),
        threads,
        outstanding: (job.queue_depth / u64::from(threads)) as u32,
        ..Target::default()
    };
    let Some(spec) = spec else {
        return plain;
    };
    let largest = spec
        .kinds
        .iter()
        .max_by(|a, b| a.weight.total_cmp(&b.weight));
    let block_bytes = largest.map_or(0, |kind| kind.block_size.0);
    let (burst, think_ms) = pauses(&spec.pacing);
    Target {
        block_bytes,
        base_bytes: spec.offset.0,
        max_bytes: spec.window.map(|window| spec.offset.0 + window.0),
        cache: if spec.durability.direct {
            Cache::Uncached
        } else {
            Cache::Cached
        },
        write_through: spec.durability.write_through,
        content: match spec.data.fill {
            Fill::Zero => Content::Zero,
            Fill::File => source(spec).unwrap_or_default(),
            Fill::Random | Fill::Scrambled => Content::Random,
            // The one other content that DISKSPD has a word for.
            Fill::Counting | Fill::Pattern(_) | Fill::Ior(_) => Content::Counting,
        },
        burst,
        think_ms,
        file_bytes: spec.size.map(|size| size.0),
        order: order(spec, block_bytes),
        thread_stride_bytes: match spec.access.cursor {
            Cursor::Own { stride } => stride.map_or(0, |stride| stride.0),
            Cursor::Shared => 0,
        },
        write_percent: share(&spec.kinds, |kind| kind.op == Op::Write),
        throttle: throttle(&spec.pacing, threads),
        ..plain
    }
}

/// Requests of a burst, and milliseconds between two.
fn pauses(pacing: &Pacing) -> (Option<u32>, Option<u32>) {
    match pacing {
        Pacing::Closed { think, burst } if *think > Nanos::ZERO => {
            (Some(*burst as u32), Some((think.0 / 1_000_000) as u32))
        }
        _ => (None, None),
    }
}

fn throttle(pacing: &Pacing, threads: u32) -> Option<Throttle> {
    let Pacing::Open { rate, .. } = pacing else {
        return None;
    };
    let each = rate.per_second() / f64::from(threads);
    Some(match rate {
        Rate::Iops(_) => Throttle::Iops(each.round() as u32),
        Rate::BytesPerSecond(_) => Throttle::BytesPerMs((each / 1e3).round() as u32),
    })
}

fn order(spec: &Job, block_bytes: u64) -> Order {
    let stride = spec.access.stride.map_or(block_bytes, |stride| stride.0);
    let random: f64 = spec.kinds.iter().map(|k| k.weight * k.random.0).sum();
    let total: f64 = spec.kinds.iter().map(|kind| kind.weight).sum();
    let random_percent = (random / total.max(f64::MIN_POSITIVE)).round() as u32;
    let ranges = match &spec.access.distribution {
        Distribution::Hot { ranges } => Ranges::Percent(
            ranges
                .iter()
                .map(|range| (range.ios.0.round() as u32, range.of.0.round() as u64))
                .collect(),
        ),
        _ => Ranges::Uniform,
    };
    Order {
        random_percent,
        stride_bytes: if random_percent > 0 {
            spec.smallest_align().0
        } else {
            stride
        },
        interlocked: spec.access.cursor == Cursor::Shared,
        ranges,
    }
}

/// The share of the requests that `wanted` picks, in whole percent.
fn share(kinds: &[IoKind], wanted: fn(&IoKind) -> bool) -> u32 {
    let total: f64 = kinds.iter().map(|kind| kind.weight).sum();
    let picked = kinds.iter().filter(|kind| wanted(kind));
    let picked: f64 = picked.map(|kind| kind.weight).sum();
    (picked / total.max(f64::MIN_POSITIVE) * 100.0).round() as u32
}
