//! When the requests of a job go.

use super::kinds::{Direction, Mix};
use super::section::{Section, time};
use crate::losses::Losses;
use crate::translation::Standing;
use crate::writers::{begin_and_end, burst_rate, rounded_rate};
use fathom_core::spec::{Arrivals, Job, Pacing, Phase, Steering};
use fathom_core::{Nanos, Op, Rate};

pub(super) fn write(
    phase: &Phase,
    job: &Job,
    mix: &Mix,
    clones: u64,
    section: &mut Section,
    losses: &mut Losses,
) {
    begin_and_end(job, losses);
    match &job.pacing {
        Pacing::Closed { think, .. } if *think == Nanos::ZERO => {}
        Pacing::Closed { think, burst } => {
            section.put("thinktime", time(think.0));
            if *burst > 1 {
                section.put("thinktime_blocks", (*burst).min(1 << 40));
            }
            losses.say_if(
                !think.0.is_multiple_of(1_000),
                Standing::Approximated,
                "think",
                "fio counts microseconds; rounded up",
            );
            losses.say_if(
                *burst > 1 << 40,
                Standing::Approximated,
                "burst",
                "it is 2^40 requests",
            );
        }
        Pacing::Open { rate, arrivals } => {
            if *arrivals == Arrivals::Poisson {
                section.put("rate_process", "poisson");
            }
            let message = "fio holds requests back while its queue is full and counts their time \
                           from then on, so what waiting costs is not in its latencies";
            losses.say(Standing::Approximated, "rate", message);
            limits(*rate, mix, clones, section, losses);
        }
        Pacing::Steered(steering) => steered(steering, section, losses),
        Pacing::Cyclic { .. } | Pacing::Triggered { .. } => {
            let message = "fio has no bursts by the clock or after those of another job; their \
                           mean rate stands for them";
            losses.say(Standing::Refused, "pacing", message);
            if let Some(rate) = burst_rate(phase, job) {
                limits(Rate::BytesPerSecond(rate), mix, clones, section, losses);
            }
        }
    }
}

/// The latency that a depth is looked for.
fn steered(steering: &Steering, section: &mut Section, losses: &mut Losses) {
    let odd = |nanos: Nanos| !nanos.0.is_multiple_of(1_000);
    section.put("latency_target", time(steering.within.0));
    section.put("latency_window", time(steering.window.0));
    section.put("latency_percentile", steering.share.0);
    if steering.follow {
        section.put("latency_run", 1);
    }
    losses.say_if(
        odd(steering.within) || odd(steering.window),
        Standing::Approximated,
        "pacing",
        "fio counts microseconds; rounded up",
    );
}

/// The rate of each clone and direction.
fn limits(rate: Rate, mix: &Mix, clones: u64, section: &mut Section, losses: &mut Losses) {
    let (key, part): (_, fn(&Direction) -> f64) = match rate {
        Rate::Iops(_) => ("rate_iops", |direction| f64::from(direction.share)),
        Rate::BytesPerSecond(_) => ("rate", |direction| {
            f64::from(direction.share) * Mix::mean_bytes(direction)
        }),
    };
    let all: f64 = mix.directions.iter().map(part).sum();
    let mut error = 0.0_f64;
    let mut of = |op: Op| {
        let direction = mix.directions.iter().find(|direction| direction.op == op)?;
        let exact = rate.per_second() * part(direction) / all / clones as f64;
        let whole = exact.round().clamp(1.0, f64::from(u32::MAX));
        error = error.max((whole / exact - 1.0).abs());
        Some(whole)
    };
    let values = [Op::Read, Op::Write, Op::Trim].map(&mut of);
    let text = match (values, mix.directions.len()) {
        ([Some(read), Some(write), None], _) => format!("{read},{write}"),
        ([read, write, trim], _) => read
            .or(write)
            .or(trim)
            .map_or_else(String::new, |v| v.to_string()),
    };
    section.put(key, text);
    let message = "fio's rates are whole numbers for each clone and direction";
    rounded_rate(error, message, losses);
}
