//! How long a job lasts, and what ends it.

use super::section::{Section, size, time};
use crate::losses::Losses;
use crate::translation::Standing;
use crate::writers::largest;
use fathom_core::Nanos;
use fathom_core::spec::{Job, Pacing, Phase, Steady, SteadyMetric, Walk};

pub(super) fn write(
    phase: &Phase,
    job: &Job,
    clones: u64,
    section: &mut Section,
    losses: &mut Losses,
) {
    if phase.warm_up > Nanos::ZERO {
        section.put("ramp_time", time(phase.warm_up.0));
    }
    losses.say_if(
        phase.cool_down > Nanos::ZERO,
        Standing::Approximated,
        "cool_down",
        "fio's jobs end with the measured time",
    );
    let most = phase.steady.as_ref().map(longest);
    let duration = phase.duration.or(most);
    if let Some(duration) = duration {
        section.put("runtime", time(duration.0));
    }
    let odd = |nanos: Nanos| !nanos.0.is_multiple_of(1_000);
    losses.say_if(
        odd(phase.warm_up) || duration.is_some_and(odd),
        Standing::Approximated,
        "duration",
        "fio counts microseconds; rounded up",
    );
    if let Some(rule) = &phase.steady {
        steady(rule, section, losses);
    }
    stop(job, duration.is_some(), clones, section, losses);
}

fn stop(job: &Job, timed: bool, clones: u64, section: &mut Section, losses: &mut Losses) {
    floor(job, clones, section, losses);
    // fio counts writes, not the trims before them.
    let pairs = u64::from(job.access.walk == Walk::TrimFirst);
    let shares = clones * (1 + pairs);
    let each = |amount: u64| amount.div_ceil(shares);
    let odd = |amount: u64| !amount.is_multiple_of(shares);
    if let Some(ios) = job.stop.ios {
        section.put("number_ios", each(ios).min(i64::MAX as u64));
    }
    let whole =
        job.stop.ios.is_none_or(|ios| !odd(ios)) && job.stop.bytes.is_none_or(|b| !odd(b.0));
    losses.say_if(
        !whole,
        Standing::Approximated,
        "stop",
        "each clone does its part, rounded up",
    );
    losses.say_if(
        clones > 1 && job.stop.is_set() && whole,
        Standing::Kept,
        "stop",
        "each clone does its part of the amount",
    );
    match (job.stop.bytes, job.stop.ios, timed) {
        (Some(bytes), ..) => section.put("io_size", size(each(bytes.0).min(i64::MAX as u64))),
        (None, _, true) => section.flag("time_based"),
        // Never the first to end the job.
        (None, Some(ios), false) => {
            let enough = each(ios).saturating_mul(largest(job)).min(i64::MAX as u64);
            section.put("io_size", size(enough));
        }
        (None, None, false) if job.pacing.search().is_some() => {
            let message = "fio ends the search after one pass, whether it has settled or not";
            losses.say(Standing::Approximated, "duration", message);
        }
        (None, None, false) => {
            let message = "a job of fio without an amount or a time does one pass; this one goes \
                           on until those beside it are done";
            losses.say(Standing::Refused, "stop", message);
        }
    }
}

/// What a job must not be slower than.
fn floor(job: &Job, clones: u64, section: &mut Section, losses: &mut Losses) {
    let Some(floor) = &job.stop.floor else { return };
    let message = if matches!(job.pacing, Pacing::Closed { .. } | Pacing::Steered(_)) {
        if let Some(ios) = floor.ios {
            section.put("rate_iops_min", ios.div_ceil(clones));
        }
        if let Some(bytes) = floor.bytes {
            section.put("rate_min", size(bytes.0.div_ceil(clones)));
        }
        section.put("rate_cycle", floor.over.0.div_ceil(1_000_000).min(1 << 32));
        "each clone has its part of the floor; fio takes rates by its own clock"
    } else {
        "a floor beside a rate is left out: fio wants it below the rate of each clone"
    };
    losses.say(Standing::Approximated, "stop", message);
}

/// The time after which the rule gives up.
fn longest(rule: &Steady) -> Nanos {
    Nanos(rule.round.0.saturating_mul(u64::from(rule.max_rounds)))
}

fn steady(rule: &Steady, section: &mut Section, losses: &mut Losses) {
    let metric = match rule.metric {
        SteadyMetric::Iops => "iops",
        SteadyMetric::Throughput => "bw",
        SteadyMetric::ServiceTime => "lat",
    };
    let seconds = rule
        .round
        .0
        .saturating_mul(u64::from(rule.rounds))
        .div_ceil(1_000_000_000);
    let seconds = seconds.max(3);
    let (limit, kind) = if let Some(deviation) = rule.deviation {
        (deviation.0, "")
    } else if rule.range.0 < 100.0 || rule.slope.0 >= 100.0 {
        (rule.range.0 / 2.0, "")
    } else {
        (rule.slope.0 / (seconds - 1) as f64, "_slope")
    };
    section.put("steadystate", format!("{metric}{kind}:{limit}%"));
    section.put("steadystate_duration", format!("{seconds}s"));
    let message = "fio looks at each second in place of rounds, has one limit, on the deviation \
                   from the mean or on the slope, and reports the whole run";
    losses.say(Standing::Approximated, "steady", message);
}
