//! How long a job lasts, and what ends it.

use super::pen::Pen;
use super::section::{size, time};
use super::subject::OfJob;
use fathom_core::spec::{Distribution, Job, Phase, Steady, SteadyMetric, Walk};
use fathom_core::{Nanos, Op, Percent};
use fathom_tools::translation::Standing;
use fathom_tools::writers::{largest, used_bytes};

/// Whether a time is not of whole microseconds, which fio counts in.
pub(crate) const fn is_odd(time: Nanos) -> bool {
    !time.0.is_multiple_of(1_000)
}

/// The time after which a job ends, if any. That of a steady state is its rounds alone: what is
/// written for the warm-up before them is not in fio's `runtime`.
fn longest(phase: &Phase) -> Option<Nanos> {
    let most = |rule: &Steady| Nanos(rule.round.0.saturating_mul(u64::from(rule.max_rounds)));
    let rounds = phase.steady.as_ref().map(most);
    [phase.duration, rounds].into_iter().flatten().min()
}

/// Bytes of a pass of a clone that makes several: of one that goes by a clock, or does more.
pub(crate) fn pass_bytes(of: &OfJob<'_>) -> Option<u64> {
    pass(of).filter(|_| is_timed(of) || makes_several(of))
}

/// Bytes of a pass of a clone.
fn pass(of: &OfJob<'_>) -> Option<u64> {
    let used = used_bytes(of.job)?;
    let sizes = of.job.kinds.iter().map(|kind| kind.block_size.0.max(1));
    let unit = sizes.min()?;
    let step = of
        .job
        .access
        .stride
        .map_or(unit, |stride| stride.0.max(unit));
    let pass = if keeps_no_map(of.job) {
        used
    } else {
        used / step * unit
    };
    Some(pass.saturating_mul(of.files()))
}

/// Whether fio notes nothing of the places that requests at random have had: it goes on then until
/// it has had all bytes.
fn keeps_no_map(job: &Job) -> bool {
    let is_random = job.kinds.iter().all(|kind| kind.random == Percent::ALL);
    let is_plain = job.access.stride.is_none() && job.access.walk == Walk::Free;
    let trims = job.kinds.iter().any(|kind| kind.op == Op::Trim);
    let smallest = job.kinds.iter().map(|kind| kind.block_size).min();
    let is_between = job.kinds.iter().any(|kind| Some(kind.align) < smallest);
    let is_skewed = job.access.distribution != Distribution::Uniform;
    let is_noted = job.access.without_repetition && !is_between && !is_skewed;
    is_random && is_plain && !trims && !is_noted
}

/// Whether a clone does more than a pass, and then stops.
fn makes_several(of: &OfJob<'_>) -> bool {
    let amount = of.job.stop.bytes.map(|bytes| each(of, bytes.0));
    amount.is_some_and(|bytes| pass(of).is_some_and(|pass| bytes > pass))
}

/// Writes `runtime`.
pub(crate) fn write_runtime(of: &OfJob<'_>, pen: &mut Pen<'_>) {
    let duration = longest(of.phase);
    pen.put_some(duration.map(|duration| time(duration.0)));
    pen.lose_if(
        is_odd(of.phase.warm_up) || duration.is_some_and(is_odd),
        Standing::Approximated,
        "duration",
        "fio counts microseconds; rounded up",
    );
}

/// The part of an amount that each clone does.
fn each(of: &OfJob<'_>, amount: u64) -> u64 {
    amount.div_ceil(shares(of))
}

/// In how many parts amounts are done.
fn shares(of: &OfJob<'_>) -> u64 {
    // fio counts writes, not the trims before them.
    let pairs = u64::from(of.job.access.walk == Walk::TrimFirst);
    of.clones.count * (1 + pairs)
}

/// `number_ios`.
pub(crate) fn requests(of: &OfJob<'_>) -> Option<u64> {
    let ios = of.job.stop.ios?;
    Some(each(of, ios).min(i64::MAX as u64))
}

/// Whether only the clock ends the job.
pub(crate) fn is_timed(of: &OfJob<'_>) -> bool {
    let stop = &of.job.stop;
    stop.bytes.is_none() && stop.ios.is_none() && longest(of.phase).is_some()
}

/// `io_size`, and what becomes of amounts.
pub(crate) fn write_amount(of: &OfJob<'_>, pen: &mut Pen<'_>) {
    let stop = &of.job.stop;
    let odd = |amount: u64| !amount.is_multiple_of(shares(of));
    let whole = stop.ios.is_none_or(|ios| !odd(ios)) && stop.bytes.is_none_or(|b| !odd(b.0));
    pen.lose_if(
        !whole,
        Standing::Approximated,
        "stop",
        "each clone does its part, rounded up",
    );
    pen.lose_if(
        of.clones.count > 1 && stop.is_set() && whole,
        Standing::Kept,
        "stop",
        "each clone does its part of the amount",
    );
    let is_plain = matches!(of.job.access.walk, Walk::Free | Walk::TrimFirst);
    pen.lose_if(
        makes_several(of) || stop.bytes.is_some() && !is_plain,
        Standing::Approximated,
        "stop",
        "fio ends with a pass where no whole request would be left",
    );
    match (stop.bytes, stop.ios, longest(of.phase)) {
        (Some(bytes), ..) => pen.put(size(each(of, bytes.0).min(i64::MAX as u64))),
        (None, None, Some(_)) => {}
        // Never the first to end the job.
        (None, Some(ios), _) => {
            pen.lose(
                Standing::Kept,
                "stop",
                "bytes that these requests do not exceed",
            );
            let enough = each(of, ios)
                .saturating_mul(largest(of.job))
                .min(i64::MAX as u64);
            pen.put(size(enough));
        }
        (None, None, None) => {
            let message = "a fio job without an amount or a time makes one pass over the file; \
                           this job runs until the others have finished";
            pen.lose(Standing::Refused, "stop", message);
        }
    }
}

/// Seconds of the window in which a load is steady.
fn window_seconds(rule: &Steady) -> u64 {
    let window = rule.round.0.saturating_mul(u64::from(rule.rounds));
    window.div_ceil(1_000_000_000).max(3)
}

/// `steadystate`.
pub(crate) fn criterion(rule: &Steady) -> String {
    let metric = match rule.metric {
        SteadyMetric::Iops => "iops",
        SteadyMetric::Throughput => "bw",
        SteadyMetric::ServiceTime => "lat",
    };
    let most = [("", rule.deviation_most), ("_slope", rule.slope_most)];
    if let Some((kind, most)) = most.iter().find_map(|(kind, most)| Some((kind, (*most)?))) {
        match rule.metric {
            SteadyMetric::Iops => return format!("iops{kind}:{most}"),
            SteadyMetric::Throughput => return format!("bw{kind}:{:.0}", most.ceil()),
            SteadyMetric::ServiceTime => {}
        }
    }
    let (limit, kind) = if let Some(deviation) = rule.deviation {
        (deviation.0, "")
    } else if rule.range.0 < 100.0 || rule.slope.0 >= 100.0 {
        (rule.range.0 / 2.0, "")
    } else {
        (rule.slope.0 / (window_seconds(rule) - 1) as f64, "_slope")
    };
    format!("{metric}{kind}:{limit}%")
}

/// `steadystate_duration`.
pub(crate) fn write_window(of: &OfJob<'_>, pen: &mut Pen<'_>) {
    let Some(rule) = &of.phase.steady else { return };
    pen.put(format_args!("{}s", window_seconds(rule)));
    let message = "fio looks at each second in place of rounds and has one limit, on the deviation \
                   from the mean or on the slope; it reports the whole run";
    pen.lose(Standing::Approximated, "steady", message);
}
