//! Rules of a job: numbers that cannot be, settings that contradict each other.

use super::{Findings, access, apart, data, files, priority};
use crate::engine::{Choice, EngineKind};
use crate::op::Op;
use crate::spec::fields::JOB;
use crate::spec::{Arrivals, Bursts, IoKind, Job, Pacing, PauseLength, Verify};
use crate::units::{Bytes, Nanos};

const MAX_IO_BYTES: u64 = 1 << 30;
/// A trim moves nothing; its length has 32 bits.
const MAX_TRIM_BYTES: u64 = u32::MAX as u64;

/// Offsets are signed 64-bit numbers in every interface of the kernel.
const MAX_OFFSET: u64 = i64::MAX as u64;

pub(super) fn check(job: &Job, findings: &mut Findings<'_>) {
    if job.name.trim().is_empty() {
        findings.add("name", "the job has no name", "name it");
    }
    let threads = JOB.field("threads");
    if !threads.allows(job.threads.into()) {
        findings.add(
            "threads",
            format!("{} threads are not possible", job.threads),
            format!("choose {}", threads.range_in_words()),
        );
    }
    let queue_depth = JOB.field("queue_depth");
    if !queue_depth.allows(job.queue_depth.into()) {
        findings.add(
            "queue_depth",
            format!("a queue depth of {} is not possible", job.queue_depth),
            format!("choose {}", queue_depth.range_in_words()),
        );
    }
    check_batches(job, findings);
    check_engine(job, findings);
    priority::check(job, findings);
    apart::check_turns(job, findings);
    check_replay(job, findings);
    if job.kinds.is_empty() && job.replay.is_some() {
        return;
    }
    if job.kinds.is_empty() {
        findings.add(
            "io",
            "the job has no kind of request",
            "give `block_size` and `read`, or an `io` list",
        );
        return;
    }
    files::check(job, findings);
    if job.files.is_some() {
        check_weights(job, findings);
        check_pacing(job, findings);
        data::check(job, findings);
        check_stop(job, findings);
        return;
    }
    check_window(job, findings);
    check_fresh(job, findings);
    check_uncut(job, findings);
    check_warm(job, findings);
    for (index, kind) in job.kinds.iter().enumerate() {
        check_kind(kind, job, &mut findings.below(&format!("io[{index}]")));
    }
    check_weights(job, findings);
    access::check(job, findings);
    check_pacing(job, findings);
    check_durability(job, findings);
    data::check(job, findings);
    data::check_block_form(job, findings);
    apart::check_backlog(job, findings);
    check_stop(job, findings);
}

/// What the engine of the job cannot do for it.
fn check_engine(job: &Job, findings: &mut Findings<'_>) {
    let name = job.engine.map_or("", EngineKind::name);
    match job.engine.map(|kind| kind.row().choice) {
        Some(Choice::Run) => {
            let message = format!("`{name}` makes the requests of a whole run");
            findings.add(
                "engine",
                message,
                format!("--engine {name}, without it here"),
            );
        }
        Some(Choice::Implied) => {
            let message = format!("`{name}` is chosen for jobs with `files`, and for no other");
            findings.add("engine", message, "drop `engine`");
        }
        Some(Choice::RunOrJob) | None => {}
    }
    if job.compat().read_ahead.is_some() && !job.is_read_ahead() {
        let message = "nothing is read ahead for the job";
        findings.add(
            "compat.read_ahead",
            message,
            "drop `read_ahead`, or read without `direct`",
        );
    }
}

fn check_batches(job: &Job, findings: &mut Findings<'_>) {
    for (key, batch) in [
        ("submit_batch", job.submit_batch),
        ("complete_batch", job.complete_batch),
    ] {
        let field = JOB.field(key);
        if let Some(batch) = batch.filter(|batch| !field.allows((*batch).into())) {
            findings.add(
                key,
                format!("a batch of {batch} is not possible"),
                format!("choose {}", field.range_in_words()),
            );
        }
    }
}

fn check_window(job: &Job, findings: &mut Findings<'_>) {
    let largest = job.largest_io();
    for (key, value) in [("size", job.size), ("window", job.window)] {
        let Some(value) = value else { continue };
        if value < largest {
            findings.add(
                key,
                format!("{value} does not hold one request of {largest}"),
                format!("make it at least {largest}"),
            );
        }
    }
    if job.durability.direct && !job.offset.0.is_multiple_of(512) {
        findings.add(
            "offset",
            format!("direct I/O cannot begin at {}", job.offset),
            "use a multiple of 512B, or `direct = false`",
        );
    }
    let end = job
        .offset
        .0
        .saturating_add(job.window.map_or(largest.0, |window| window.0));
    if end.max(job.size.unwrap_or_default().0) > MAX_OFFSET {
        findings.add(
            match job.size {
                Some(size) if size.0 > MAX_OFFSET => "size",
                _ if job.offset.0 > MAX_OFFSET => "offset",
                _ => "window",
            },
            "no target reaches beyond 8 EiB",
            "choose less",
        );
        return;
    }
    let Some(size) = job.size else { return };
    if size >= largest && end > size.0 {
        findings.add(
            if job.window.is_some() {
                "window"
            } else {
                "offset"
            },
            format!("the window ends at {} in a target of {size}", Bytes(end)),
            "make `size` larger, or `offset` and `window` smaller",
        );
    }
}

/// Files that do not begin empty are not cut off anyway.
fn check_uncut(job: &Job, findings: &mut Findings<'_>) {
    if job.compat().uncut && !job.fresh {
        findings.add(
            "compat.uncut",
            "only a file that begins empty otherwise can be left whole",
            "add `fresh = true`, or drop `uncut`",
        );
    }
}

/// Nothing but writes in order, or of each block once, can fill a file that begins empty without
/// leaving holes.
fn check_fresh(job: &Job, findings: &mut Findings<'_>) {
    if !job.fresh {
        return;
    }
    let is_each_once = |kind: &IoKind| job.access.without_repetition && kind.random.0 >= 100.0;
    let fills =
        |kind: &IoKind| kind.op == Op::Write && (kind.random.0 <= 0.0 || is_each_once(kind));
    if !job.kinds.iter().all(fills) {
        findings.add(
            "fresh",
            "a fresh file has nothing to read or to trim, and writes at random leave holes in it",
            "write only, with `random = 0` or each block once (`random = 100` and \
             `without_repetition`), or drop `fresh`",
        );
    }
    if job.compat().idle {
        findings.add(
            "fresh",
            "an idle job writes nothing, so that a fresh file would stay empty",
            "drop `fresh` or `idle`",
        );
    }
    if job.size.is_none() && job.window.is_none() {
        findings.add(
            "fresh",
            "a fresh file has no size of its own",
            "give `size`",
        );
    }
    if matches!(job.verify, Verify::Check | Verify::ReadBack) {
        findings.add(
            "fresh",
            "a fresh file has no blocks to check before they are written",
            "use `verify = \"stamp\"`, or drop `fresh`",
        );
    }
}

/// Only buffered reads meet what the page cache holds.
fn check_warm(job: &Job, findings: &mut Findings<'_>) {
    if let Some(again) = job.compat().cold_again {
        if !job.cold {
            let message = "what is not dropped before the job is not dropped again";
            findings.add("compat.cold_again", message, "add `cold = true`");
        }
        if again == Bytes(0) {
            let message = "no bytes lie between one drop and the next";
            findings.add("compat.cold_again", message, "the bytes of a pass");
        }
    }
    if !job.warm {
        return;
    }
    if job.cold {
        let message = "what the page cache holds cannot be dropped and meant";
        findings.add("warm", message, "choose `cold` or `warm`");
    }
    if job.durability.direct || !job.reads() {
        findings.add(
            "warm",
            "only reads through the page cache meet what it holds",
            "read, with `direct = false`, or drop `warm`",
        );
    }
}

fn check_kind(kind: &IoKind, job: &Job, findings: &mut Findings<'_>) {
    if kind.op == Op::Flush {
        findings.add(
            "op",
            "a flush is not drawn by weight",
            "use `durability.sync = { writes = N, data_only = true }`",
        );
    }
    let is_trim = kind.op == Op::Trim;
    let most = if is_trim {
        MAX_TRIM_BYTES
    } else {
        MAX_IO_BYTES
    };
    if kind.block_size.0 == 0 || kind.block_size.0 > most {
        findings.add(
            "block_size",
            format!("a block size of {} is not possible", kind.block_size),
            "choose 1B to 1GiB, of a trim below 4GiB; direct I/O needs a multiple of the sector \
             size",
        );
    } else if job.durability.direct && !kind.block_size.0.is_multiple_of(512) {
        findings.add(
            "block_size",
            format!("direct I/O cannot move {}", kind.block_size),
            "use a multiple of 512B, or `direct = false`",
        );
    }
    // Of an alignment that is the block size, the block size has been reported already.
    let odd = job.durability.direct && !kind.align.0.is_multiple_of(512);
    if kind.align.0 == 0 && kind.block_size.0 != 0 || odd && kind.align != kind.block_size {
        findings.add(
            "align",
            format!("offsets cannot be a multiple of {}", kind.align),
            "use the block size, or for direct I/O a multiple of 512B",
        );
    }
}

/// How often each kind of request comes, and where it goes.
fn check_weights(job: &Job, findings: &mut Findings<'_>) {
    for (index, kind) in job.kinds.iter().enumerate() {
        let mut findings = findings.below(&format!("io[{index}]"));
        if !kind.random.is_valid() {
            findings.add(
                "random",
                format!("{} is not a share", kind.random),
                "give 0 to 100",
            );
        }
        if !(kind.weight.is_finite() && kind.weight > 0.0) {
            findings.add(
                "weight",
                format!("a weight of {} is not possible", kind.weight),
                "give a positive number, or leave the kind out",
            );
        }
    }
}

fn check_pacing(job: &Job, findings: &mut Findings<'_>) {
    check_pauses(job, findings);
    check_curve(job, findings);
    let mut findings = findings.below("pacing");
    match &job.pacing {
        Pacing::Closed { burst, think } => {
            if *burst == 0 {
                findings.add(
                    "burst",
                    "a burst of 0 requests never ends",
                    "give at least 1",
                );
            }
            if *burst > 1 && *think == Nanos::ZERO {
                findings.add(
                    "burst",
                    "a burst without `think` is no burst",
                    "add `think`",
                );
            }
        }
        Pacing::Open { rate, arrivals } => {
            if let Arrivals::Bursts(bursts) = arrivals {
                check_arrivals(bursts, &mut findings);
            }
            if !(rate.per_second().is_finite() && rate.per_second() > 0.0) {
                findings.add(
                    "rate",
                    format!("a rate of {rate} is not possible"),
                    "give a positive rate, as in `1000 IOPS`",
                );
            }
        }
        Pacing::Cyclic { every, bytes } => {
            if *every == Nanos::ZERO {
                findings.add(
                    "every",
                    "a period of 0 is no period",
                    "as in `every = \"80s\"`",
                );
            }
            check_burst(job, *bytes, &mut findings);
        }
        Pacing::Triggered { bytes } => check_burst(job, *bytes, &mut findings),
    }
}

fn check_arrivals(bursts: &Bursts, findings: &mut Findings<'_>) {
    if !bursts.share.is_valid() || bursts.share.0 <= 0.0 {
        findings.add(
            "arrivals.share",
            format!("bursts cannot add {} of the requests", bursts.share),
            "give a share above 0 and up to 100",
        );
    }
    if bursts.length == Nanos::ZERO || bursts.length >= bursts.every {
        findings.add(
            "arrivals.length",
            format!(
                "a burst of {} every {} never ends or never begins",
                bursts.length, bursts.every
            ),
            "give a length above 0 and below `every`",
        );
    }
}

/// Lengths of pauses at most.
const MOST_PAUSES: usize = 100;

fn check_pauses(job: &Job, findings: &mut Findings<'_>) {
    if job.pauses.is_empty() {
        return;
    }
    if !job.pacing.thinks() || job.replay.is_some() {
        findings.add(
            "pauses",
            "only a closed load with `think` has pauses",
            "add `think`, their mean length, or drop `pauses`",
        );
    }
    let weight = |one: &PauseLength| one.share.0 * f64::from(one.length);
    let is_bad = |one: &PauseLength| !(one.share.0 > 0.0 && one.share.0 <= 100.0);
    let sum: f64 = job.pauses.iter().map(weight).sum();
    if job.pauses.iter().any(is_bad) {
        let words = "a length of pauses has a share that is not above 0 and at most 100 %";
        findings.add("pauses", words, "give each length a share of the pauses");
    } else if sum <= 0.0 {
        findings.add("pauses", "no pause lasts", "give one `length` above 0");
    }
    if job.pauses.len() > MOST_PAUSES {
        let words = format!("{} lengths of pauses are too many", job.pauses.len());
        findings.add("pauses", words, format!("give {MOST_PAUSES} at most"));
    }
}

/// Shortest interval of a curve.
const SHORTEST_LEVEL: Nanos = Nanos::from_millis(1);
/// Levels of a curve at most.
const MOST_LEVELS: usize = 1000;

fn check_curve(job: &Job, findings: &mut Findings<'_>) {
    let Some(curve) = &job.rate_curve else { return };
    let mut findings = findings.below("rate_curve");
    if !(job.pacing.is_open() || job.pacing.thinks()) || job.replay.is_some() {
        findings.add(
            "levels",
            "only an open load has a rate that can change, and only a closed one with `think` \
             has pauses that can",
            "add `rate` or `think`, or drop `rate_curve`",
        );
    }
    if curve.every < SHORTEST_LEVEL {
        findings.add(
            "every",
            format!("intervals of {} are too short", curve.every),
            format!("give {SHORTEST_LEVEL} or more; `arrivals` describes shorter bursts"),
        );
    }
    if let Pacing::Open {
        arrivals: Arrivals::Bursts(bursts),
        ..
    } = &job.pacing
        && bursts.clocked
        && !curve.every.0.is_multiple_of(bursts.every.0.max(1))
    {
        findings.add(
            "every",
            "bursts by the clock do not fit the intervals, so the mean rate would change",
            format!("make it a multiple of {}", bursts.every),
        );
    }
    if curve.levels.len() > MOST_LEVELS || curve.levels.iter().all(|level| *level == 0) {
        findings.add(
            "levels",
            format!(
                "{} levels, of which none or too many are used",
                curve.levels.len()
            ),
            format!("give 1 to {MOST_LEVELS}, one of them above 0"),
        );
    }
}

fn check_burst(job: &Job, bytes: Bytes, findings: &mut Findings<'_>) {
    let least = job
        .largest_io()
        .0
        .saturating_mul(u64::from(job.threads.max(1)));
    if bytes.0 < least {
        findings.add(
            "bytes",
            format!("a burst of {bytes} gives not every thread a request"),
            format!("make it at least {}", Bytes(least)),
        );
    }
}

/// Numbers of writes between flushes at most.
const MOST_PATTERN: usize = 1000;

fn check_pattern(job: &Job, findings: &mut Findings<'_>) {
    let pattern = &job.sync_pattern;
    if pattern.is_empty() {
        return;
    }
    if job.durability.sync.is_none() {
        let remedy = "add `fdatasync_every` or `fsync_every`, or drop `sync_pattern`";
        findings.add(
            "sync_pattern",
            "no flush follows a write of the job",
            remedy,
        );
    }
    if pattern.iter().all(|writes| *writes == 0) {
        let remedy = "give one number above 0";
        findings.add("sync_pattern", "flushes follow no write at all", remedy);
    }
    if pattern.len() > MOST_PATTERN {
        let words = format!("{} numbers of writes are too many", pattern.len());
        findings.add(
            "sync_pattern",
            words,
            format!("give {MOST_PATTERN} at most"),
        );
    }
}

fn check_durability(job: &Job, findings: &mut Findings<'_>) {
    check_pattern(job, findings);
    let writes = job.kinds.iter().any(|kind| kind.op == Op::Write);
    let mut findings = findings.below("durability");
    if let Some(sync) = job.durability.sync {
        if sync.writes == 0 {
            findings.add(
                "sync",
                "a flush after every 0 writes is not possible",
                "give 1 or more",
            );
        }
        if !writes {
            findings.add("sync", "the job writes nothing to flush", "drop `sync`");
        }
    }
    if job.durability.write_through && !writes {
        findings.add(
            "write_through",
            "the job writes nothing to write through",
            "drop `write_through`",
        );
    }
}

/// A trace has its own requests, order and instants.
fn check_replay(job: &Job, findings: &mut Findings<'_>) {
    let Some(replay) = &job.replay else { return };
    let mut findings = findings.below("replay");
    if replay.trace.trim().is_empty() {
        findings.add("trace", "the trace has no path", "name a file");
    }
    if !replay
        .speed
        .is_none_or(|speed| speed.0.is_finite() && speed.0 > 0.0)
    {
        findings.add("speed", "a trace cannot stand still", "give more than 0");
    }
    if replay.shrink == 0 {
        findings.add("shrink", "offsets cannot be divided by 0", "give 1 or more");
    }
    if replay.region().is_some_and(|region| region.is_empty()) {
        findings.add(
            "region_end",
            "the region of the replay is empty",
            "give an offset after `region_start`",
        );
    }
    if replay.unordered && replay.speed.is_some() {
        findings.add(
            "unordered",
            "requests that wait for their recorded times keep their order",
            "drop `unordered` or `speed`",
        );
    }
    let has_own_pace = job.pacing != Pacing::CLOSED || job.durability.sync.is_some();
    if has_own_pace {
        findings.add(
            "trace",
            "the pace and the flushes of a replay are those of its trace",
            "drop `pacing` and `sync`",
        );
    }
}

fn check_stop(job: &Job, findings: &mut Findings<'_>) {
    let mut findings = findings.below("stop");
    if job.stop.bytes == Some(Bytes(0)) {
        findings.add(
            "bytes",
            "a job that ends after 0B does nothing",
            "give a positive size",
        );
    }
    if job.stop.ios == Some(0) {
        findings.add(
            "ios",
            "a job that ends after 0 requests does nothing",
            "give at least 1",
        );
    }
    if job.stop.when_full && !job.writes() {
        findings.add(
            "when_full",
            "a job that writes nothing fills nothing",
            "write, or drop it",
        );
    }
    if job.stop.time == Some(Nanos::ZERO) {
        findings.add(
            "time",
            "a job that ends after 0s does nothing",
            "give a positive time",
        );
    }
}
