//! What DISKSPD was asked to do, as the one job of a time span: its percentiles are over all
//! threads and targets together.

use crate::profile::{Cache, Order, Ranges, Target, TimeSpan};
use fathom_core::Op;
use fathom_core::result::ResultField;
use fathom_core::spec::{IoKind, Job, Phase};
use fathom_core::units::{Bytes, Nanos, Percent};
use fathom_tools::plain_job;
use fathom_tools::results::draft::{self, Draft};

/// Name of the job.
pub(super) const JOB: &str = "all";

/// Name of the time span with this number, from 1.
pub(super) fn name(number: usize) -> String {
    format!("timespan {number}")
}

/// The phase of a time span; without its profile only that it is there.
pub(super) fn phase(number: usize, span: Option<&TimeSpan>, draft: &mut Draft) -> Phase {
    let Some(span) = span else {
        draft.unknown([
            ResultField::Threads,
            ResultField::QueueDepth,
            ResultField::LoadModel,
            ResultField::Workload,
            ResultField::WarmUpNs,
        ]);
        return plain_job::phase(name(number), vec![draft::unknown_load(JOB)]);
    };
    let seconds = |seconds: u32| Nanos::from_secs(seconds.into());
    Phase {
        warm_up: seconds(span.warm_up_s),
        duration: Some(seconds(span.duration_s)),
        cool_down: seconds(span.cool_down_s),
        ..plain_job::phase(name(number), vec![job(span, draft)])
    }
}

fn job(span: &TimeSpan, draft: &mut Draft) -> Job {
    let mut job = plain_job::job(JOB);
    let threads = span.thread_count();
    job.threads = u32::try_from(threads).unwrap_or(u32::MAX);
    let allowed = allowed(span);
    let each = allowed
        .checked_div(threads)
        .filter(|each| each * threads == allowed);
    if let Some(each) = each.and_then(|each| u32::try_from(each).ok()) {
        job.queue_depth = each;
    } else {
        job.queue_depth = 0;
        draft.unknown([ResultField::QueueDepth]);
    }
    job.targets = span
        .targets
        .iter()
        .map(|target| target.path.clone())
        .collect();
    let Some(first) = span.targets.first() else {
        draft.unknown([ResultField::Workload]);
        return job;
    };
    job.durability.direct = first.cache == Cache::Uncached;
    job.durability.write_through = first.write_through;
    let is_paced = |target: &Target| target.throttle.is_some() || target.think_ms.is_some();
    if span.targets.iter().any(is_paced) {
        draft.unknown([ResultField::LoadModel]);
    }
    let is_alike = |target: &Target| {
        (target.block_bytes, target.write_percent) == (first.block_bytes, first.write_percent)
            && target.order == first.order
    };
    if span.targets.iter().all(is_alike) && first.order.ranges == Ranges::Uniform {
        job.kinds = kinds(first);
    } else {
        draft.unknown([ResultField::Workload]);
    }
    job
}

/// Outstanding requests of all threads on all targets.
fn allowed(span: &TimeSpan) -> u64 {
    if span.has_shared_queue() {
        return span.thread_count().saturating_mul(span.outstanding.into());
    }
    let targets = span.targets.iter();
    let each = targets
        .map(|target| u64::from(span.threads_of(target)).saturating_mul(target.outstanding.into()));
    each.fold(0, u64::saturating_add)
}

fn kinds(target: &Target) -> Vec<IoKind> {
    let Order {
        random_percent,
        stride_bytes,
        ..
    } = target.order;
    let write = f64::from(target.write_percent);
    let shares = [(Op::Read, 100.0 - write), (Op::Write, write)];
    let shares = shares.into_iter().filter(|(_, share)| *share > 0.0);
    let kind = |(op, weight): (Op, f64)| IoKind {
        op,
        block_size: Bytes(target.block_bytes),
        random: Percent(f64::from(random_percent)),
        align: Bytes(stride_bytes),
        weight,
    };
    shares.map(kind).collect()
}
