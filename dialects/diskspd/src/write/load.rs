//! What the requests of a job are, and when they go.

use crate::profile::{Target, Throttle};
use fathom_core::spec::{Arrivals, IoKind, Job, Pacing};
use fathom_core::{Nanos, Op, Rate};
use fathom_tools::losses::Losses;
use fathom_tools::translation::{Note, Standing};
use fathom_tools::writers::{Bursts, begin_and_end, rounded_rate, same};

/// Size, direction and random share of the requests.
///
/// # Errors
///
/// A job that only trims.
pub(super) fn write(job: &Job, target: &mut Target, losses: &mut Losses) -> Result<(), Note> {
    let kept = |kind: &&IoKind| kind.op == Op::Read || kind.op == Op::Write;
    let kinds: Vec<&IoKind> = job.kinds.iter().filter(kept).collect();
    let Some(heaviest) = kinds.iter().max_by(|a, b| a.weight.total_cmp(&b.weight)) else {
        let message = format!("the job `{}` only trims, which DISKSPD cannot", job.name);
        return Err(Note::new(Standing::Refused, "op", message));
    };
    losses.say_if(
        kinds.len() < job.kinds.len(),
        Standing::Refused,
        "op",
        "DISKSPD does not trim; the trims are left out",
    );
    let block = heaviest.block_size.0;
    losses.say_if(
        kinds.iter().any(|kind| kind.block_size.0 != block),
        Standing::Refused,
        "block_size",
        "DISKSPD has one block size for a target; it is that of most requests",
    );
    target.block_bytes = block;
    let all: f64 = kinds.iter().map(|kind| kind.weight).sum();
    let share = |of: &dyn Fn(&IoKind) -> f64| {
        kinds.iter().map(|kind| kind.weight * of(kind)).sum::<f64>() / all
    };
    let writes = share(&|kind| if kind.op == Op::Write { 100.0 } else { 0.0 });
    target.write_percent = whole(writes, "read", losses);
    let random = share(&|kind| kind.random.0);
    losses.say_if(
        kinds
            .iter()
            .any(|kind| !same(kind.random.0, kinds[0].random.0)),
        Standing::Refused,
        "random",
        "DISKSPD has one random share for all requests of a target; it is the mean",
    );
    target.order.random_percent = whole(random, "random", losses);
    if random > 0.0 {
        align(&kinds, block, target, losses);
    } else {
        target.order.stride_bytes = block;
    }
    Ok(())
}

fn align(kinds: &[&IoKind], block: u64, target: &mut Target, losses: &mut Losses) {
    let of_block = kinds.iter().filter(|kind| kind.block_size.0 == block);
    let aligns: Vec<u64> = of_block.map(|kind| kind.align.0).collect();
    let least = aligns.iter().copied().min().unwrap_or(block);
    target.order.stride_bytes = least;
    losses.say_if(
        aligns.iter().any(|align| *align != least),
        Standing::Approximated,
        "align",
        "DISKSPD aligns all requests of a target alike; it is the finest",
    );
}

/// A whole percent, which is 0 or 100 only where the share is.
fn whole(share: f64, what: &'static str, losses: &mut Losses) -> u32 {
    let whole = match share {
        none if none <= 0.0 => 0.0,
        all if all >= 100.0 - 1e-9 => 100.0,
        part => part.round().clamp(1.0, 99.0),
    };
    losses.say_if(
        !same(whole, share),
        Standing::Approximated,
        what,
        "DISKSPD has whole percents, and none below 1; rounded",
    );
    whole as u32
}

/// When the requests of a job over `targets` targets are due.
pub(super) fn pacing(
    bursts: &Bursts<'_>,
    job: &Job,
    targets: usize,
    target: &mut Target,
    losses: &mut Losses,
) {
    let shares = f64::from(job.threads) * targets as f64;
    begin_and_end(job, losses);
    match &job.pacing {
        Pacing::Closed { think, .. } if *think == Nanos::ZERO => {}
        Pacing::Closed { think, burst } => {
            let ms = think.0.div_ceil(1_000_000);
            target.think_ms = Some(u32::try_from(ms).unwrap_or(u32::MAX));
            target.burst = Some(u32::try_from(*burst).unwrap_or(u32::MAX));
            losses.say_if(
                Nanos::from_millis(ms) != *think,
                Standing::Approximated,
                "think",
                "DISKSPD counts milliseconds; rounded up",
            );
        }
        Pacing::Open { rate, arrivals } => {
            let message = "DISKSPD holds requests back and counts their time from then on, so \
                           what waiting costs is not in its latencies";
            losses.say(Standing::Approximated, "rate", message);
            losses.say_if(
                *arrivals != Arrivals::Constant,
                Standing::Refused,
                "arrivals",
                "DISKSPD's rate is even; random arrivals are not supported",
            );
            throttle(*rate, shares, target, losses);
        }
        Pacing::Cyclic { .. } | Pacing::Triggered { .. } => {
            let message = "DISKSPD has no bursts by the clock or after those of another job; \
                           their mean rate stands for them";
            losses.say(Standing::Refused, "pacing", message);
            if let Some(rate) = bursts.rate(job) {
                throttle(Rate::BytesPerSecond(rate), shares, target, losses);
            }
        }
    }
}

fn throttle(rate: Rate, shares: f64, target: &mut Target, losses: &mut Losses) {
    let each = rate.per_second() / shares;
    let (exact, throttle): (f64, fn(u32) -> Throttle) = match rate {
        Rate::Iops(_) => (each, Throttle::Iops),
        Rate::BytesPerSecond(_) => (each / 1000.0, Throttle::BytesPerMs),
    };
    let written = throttle(exact.round().clamp(1.0, f64::from(u32::MAX)) as u32);
    target.throttle = Some(written);
    // As DISKSPD reckons: whole bytes a millisecond.
    let got = written.bytes_per_ms(target.block_bytes) as f64 * 1000.0;
    let asked = match rate {
        Rate::Iops(_) => each * target.block_bytes as f64,
        Rate::BytesPerSecond(_) => each,
    };
    let error = (got / asked - 1.0).abs();
    let message = "DISKSPD's rates are whole numbers for each thread and target";
    rounded_rate(error, message, losses);
}
