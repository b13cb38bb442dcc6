//! A job's load in words: when requests go, what they are, where they go.

use crate::figure::{decimal, duration, iops, plural, size};
use fathom_core::result::{JobResult, LoadModel};
use fathom_core::spec::{Access, Arrivals, Distribution, IoKind, Job, Pacing, PauseLength};
use fathom_core::spec::{Replay, Verify};
use fathom_core::{Bytes, Nanos, Op};

pub(super) fn job(job: &JobResult, spec: Option<&Job>) -> String {
    let mut parts = vec![pacing(job, spec)];
    if let Some(spec) = spec {
        parts.push(kinds(&spec.kinds));
        parts.extend(places(&spec.access));
        parts.extend(durability(spec));
        match spec.verify {
            Verify::Off => {}
            Verify::Stamp => parts.push("blocks stamped".to_owned()),
            Verify::Check => parts.push("reads verified".to_owned()),
            Verify::ReadBack => parts.push("reads verified, all read back".to_owned()),
            Verify::ReadWritten => {
                parts.push("reads verified, written blocks read back".to_owned());
            }
        }
    }
    parts.join("; ")
}

/// The part of a trace that is replayed.
fn selected(replay: &Replay) -> String {
    let roles = replay.roles.iter().map(|role| format!("role {role}"));
    let names: Vec<String> = replay.processes.iter().cloned().chain(roles).collect();
    let region = replay.region().map(|region| match region.end {
        u64::MAX => format!("offsets from {}", Bytes(region.start)),
        end => format!("offsets {} to {}", Bytes(region.start), Bytes(end)),
    });
    let parts: Vec<String> = names.into_iter().chain(region).collect();
    match parts.as_slice() {
        [] => replay.trace.clone(),
        parts => format!("{} in {}", parts.join(", "), replay.trace),
    }
}

fn pacing(job: &JobResult, spec: Option<&Job>) -> String {
    let threads = plural(u64::from(job.threads), "thread");
    if let Some(replay) = spec.and_then(|spec| spec.replay.as_ref()) {
        let pace = match replay.speed {
            Some(speed) => format!("at {} % of its speed", trimmed(speed.0)),
            None if replay.unordered => "as fast as slots are free".to_owned(),
            None => "as fast as completions allow".to_owned(),
        };
        let of = selected(replay);
        return format!(
            "replay of {of} {pace}, {threads}, at most {} outstanding",
            job.queue_depth
        );
    }
    let curve = spec.and_then(|spec| spec.rate_curve.as_ref());
    let curve = curve.map(|curve| format!(", {curve}")).unwrap_or_default();
    match spec.map(|spec| &spec.pacing) {
        Some(Pacing::Closed { think, burst }) => {
            let mut text = format!("closed loop, {threads}, {} outstanding", job.queue_depth);
            if *think > Nanos::ZERO {
                let burst = plural(*burst, "request");
                text += &format!(", pausing {} after every {burst}", duration(think.0));
                text += &spec.map_or(String::new(), |spec| PauseLength::spread(&spec.pauses));
                text += &curve;
            }
            text
        }
        Some(Pacing::Open { rate, arrivals }) => {
            let arrivals = match arrivals {
                Arrivals::Constant => "equal gaps".to_owned(),
                Arrivals::Poisson => "Poisson arrivals".to_owned(),
                Arrivals::Bursts(bursts) => bursts.to_string(),
            };
            let offered = job.offered_iops.unwrap_or(rate.per_second());
            format!(
                "open, {arrivals}{curve}, {} IOPS offered, {threads}, at most {} outstanding",
                iops(offered),
                job.queue_depth
            )
        }
        Some(Pacing::Cyclic { every, bytes }) => format!(
            "bursts of {} every {}, {threads}, {} outstanding within",
            size(bytes.0),
            duration(every.0),
            job.queue_depth
        ),
        Some(Pacing::Triggered { bytes }) => format!(
            "bursts of {} after those of {}, {threads}, {} outstanding within",
            size(bytes.0),
            spec.and_then(|spec| spec.after.as_deref())
                .unwrap_or("another job"),
            job.queue_depth
        ),
        None => format!(
            "{}, {threads}, {} outstanding",
            model(job.load_model),
            job.queue_depth
        ),
    }
}

/// The load model in words.
pub(super) const fn model(model: LoadModel) -> &'static str {
    match model {
        LoadModel::Closed => "closed loop",
        LoadModel::Open => "open",
        LoadModel::Bursts => "bursts",
    }
}

/// The requests in words.
/// Kinds of requests that are named; the others are counted. Iometer has a hundred at most.
const MOST_KINDS: usize = 100;

pub(super) fn kinds(kinds: &[IoKind]) -> String {
    let total: f64 = kinds.iter().map(|kind| kind.weight).sum();
    let words = kinds.iter().take(MOST_KINDS).map(|kind| {
        let share = kind.weight / total * 100.0;
        let share = if kinds.len() > 1 {
            format!("{} % ", trimmed(share))
        } else {
            String::new()
        };
        share + &request(kind)
    });
    let mut words: Vec<String> = words.collect();
    if let more @ 1.. = kinds.len().saturating_sub(MOST_KINDS) {
        words.push(format!("{more} more"));
    }
    words.join(", ")
}

fn request(kind: &IoKind) -> String {
    if kind.op == Op::Flush {
        return "flush".to_owned();
    }
    let order = match kind.random.0 {
        0.0 => "sequential".to_owned(),
        100.0 => "random".to_owned(),
        share => format!("{} % random", trimmed(share)),
    };
    format!("{order} {} {}", kind.op.name(), size(kind.block_size.0))
}

fn places(access: &Access) -> Option<String> {
    let distribution = match &access.distribution {
        Distribution::Uniform => None,
        Distribution::Zipf { theta } => Some(format!("zipf, skew {theta}")),
        Distribution::Pareto { h } => Some(format!("pareto, h {h}")),
        Distribution::Normal { deviation } => {
            Some(format!("normal, deviation {} % of the window", deviation.0))
        }
        Distribution::Hot { ranges } => {
            let ranges = ranges
                .iter()
                .map(|range| format!("{} % of the I/Os in {} %", range.ios.0, range.of.0));
            Some(ranges.collect::<Vec<_>>().join(", "))
        }
    };
    match (distribution, access.without_repetition) {
        (Some(text), true) => Some(text + ", without repetition"),
        (None, true) => Some("without repetition".to_owned()),
        (text, false) => text,
    }
}

fn durability(spec: &Job) -> Vec<String> {
    let mut parts = Vec::new();
    if spec.durability.write_through {
        parts.push("every write durable (O_DSYNC)".to_owned());
    }
    if let Some(sync) = spec.durability.sync {
        let call = if sync.data_only { "fdatasync" } else { "fsync" };
        let writes = match spec.writes_per_flush() {
            Some(mean) if !spec.sync_pattern.is_empty() => {
                format!("{} writes on average", trimmed(mean))
            }
            _ => plural(u64::from(sync.writes), "write"),
        };
        parts.push(format!("{call} every {writes}"));
    }
    if spec.sync_at_end {
        parts.push("a flush at the end".to_owned());
    }
    parts
}

/// A share with one decimal, without it when it is zero.
fn trimmed(share: f64) -> String {
    let text = decimal(share, 1);
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}
