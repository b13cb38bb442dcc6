//! Rules of a job: numbers that cannot be, settings that contradict each other.

use super::Findings;
use crate::op::Op;
use crate::spec::{Cursor, Distribution, Fill, IoKind, Job, Pacing, VERIFY_UNIT_BYTES, Verify};
use crate::units::{Bytes, Nanos};

const MAX_IO_BYTES: u64 = 1 << 30;

pub(super) fn check(job: &Job, findings: &mut Findings<'_>) {
    if job.name.trim().is_empty() {
        findings.add("name", "the job has no name", "name it");
    }
    if job.threads == 0 || job.threads > 4096 {
        findings.add(
            "threads",
            format!("{} threads are not possible", job.threads),
            "choose 1 to 4096",
        );
    }
    if job.queue_depth == 0 || job.queue_depth > 32_768 {
        findings.add(
            "queue_depth",
            format!("a queue depth of {} is not possible", job.queue_depth),
            "choose 1 to 32768",
        );
    }
    if job.kinds.is_empty() {
        findings.add(
            "io",
            "the job has no kind of request",
            "give `block_size` and `read`, or a `[[phase.job.io]]` list",
        );
        return;
    }
    check_window(job, findings);
    for (index, kind) in job.kinds.iter().enumerate() {
        check_kind(kind, job, &mut findings.below(&format!("io[{index}]")));
    }
    check_access(job, findings);
    check_pacing(job, findings);
    check_durability(job, findings);
    check_data(job, findings);
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
    let Some(size) = job.size else { return };
    let end = job
        .offset
        .0
        .saturating_add(job.window.map_or(largest.0, |window| window.0));
    if end > size.0 {
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

fn check_kind(kind: &IoKind, job: &Job, findings: &mut Findings<'_>) {
    if kind.op == Op::Flush {
        findings.add(
            "op",
            "a flush is not drawn by weight",
            "use `durability.sync = { writes = N, data_only = true }`",
        );
    }
    if kind.block_size.0 == 0 || kind.block_size.0 > MAX_IO_BYTES {
        findings.add(
            "block_size",
            format!("a block size of {} is not possible", kind.block_size),
            "choose 1B to 1GiB; direct I/O needs a multiple of the sector size",
        );
    } else if job.durability.direct && !kind.block_size.0.is_multiple_of(512) {
        findings.add(
            "block_size",
            format!("direct I/O cannot move {}", kind.block_size),
            "use a multiple of 512B, or `direct = false`",
        );
    }
    if kind.align.0 == 0 || (job.durability.direct && !kind.align.0.is_multiple_of(512)) {
        findings.add(
            "align",
            format!("offsets cannot be a multiple of {}", kind.align),
            "use the block size, or for direct I/O a multiple of 512B",
        );
    }
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

fn check_access(job: &Job, findings: &mut Findings<'_>) {
    let access = &job.access;
    let random = job.kinds.iter().any(|kind| kind.random.0 > 0.0);
    let sequential = job.kinds.iter().any(|kind| kind.random.0 < 100.0);
    let mut findings = findings.below("access");
    if access.without_repetition {
        let first = &job.kinds[0];
        if job
            .kinds
            .iter()
            .any(|k| k.block_size != first.block_size || k.align != first.align)
        {
            findings.add(
                "without_repetition",
                "a pass over each block once needs one block size",
                "give all kinds the same `block_size` and `align`",
            );
        }
        if access.distribution != Distribution::Uniform {
            findings.add(
                "without_repetition",
                "a pass over each block once has no hot blocks",
                "drop `without_repetition` or the distribution",
            );
        }
        if !random {
            findings.add(
                "without_repetition",
                "no request of the job is random",
                "set `random = 100`, or drop `without_repetition`",
            );
        }
    }
    if access.stride.is_some() && !sequential {
        findings.add(
            "stride",
            "no request of the job is sequential",
            "set `random = 0`",
        );
    }
    if access.stride == Some(Bytes(0)) {
        findings.add(
            "stride",
            "a stride of 0 stays at one place",
            "give it a positive size",
        );
    }
    if let (Some(stride), true) = (access.stride, job.durability.direct)
        && !stride.0.is_multiple_of(512)
    {
        findings.add(
            "stride",
            "direct I/O needs aligned offsets",
            "use a multiple of 512B",
        );
    }
    if access.cursor == Cursor::Shared && !sequential {
        findings.add(
            "cursor",
            "no request of the job is sequential, so there is no position to share",
            "set `random` below 100, or drop the cursor",
        );
    }
    check_distribution(&access.distribution, random, &mut findings);
}

fn check_distribution(distribution: &Distribution, random: bool, findings: &mut Findings<'_>) {
    if *distribution != Distribution::Uniform && !random {
        findings.add(
            "distribution",
            "no request of the job is random",
            "set `random = 100`, or drop the distribution",
        );
    }
    match distribution {
        Distribution::Uniform => {}
        Distribution::Zipf { theta } => {
            if !(theta.is_finite() && *theta > 0.0 && *theta <= 10.0) {
                findings.add(
                    "distribution",
                    format!("a zipf theta of {theta} is not possible"),
                    "choose one above 0, usually 0.8 to 1.2",
                );
            }
        }
        Distribution::Pareto { h } => {
            if !(*h > 0.0 && *h < 1.0) {
                findings.add(
                    "distribution",
                    format!("a pareto power of {h} is not possible"),
                    "choose one between 0 and 1, as in 0.9",
                );
            }
        }
        Distribution::Normal { deviation } => {
            if !deviation.is_valid() || deviation.0 == 0.0 {
                findings.add(
                    "distribution",
                    format!("a deviation of {deviation} of the window is not possible"),
                    "choose one above 0 and up to 100",
                );
            }
        }
        Distribution::Hot { ranges } => {
            let ios: f64 = ranges.iter().map(|range| range.ios.0).sum();
            let of: f64 = ranges.iter().map(|range| range.of.0).sum();
            let valid = ranges
                .iter()
                .all(|r| r.ios.is_valid() && r.of.is_valid() && r.of.0 > 0.0);
            let fits = ios <= 100.0 + 1e-9 && of <= 100.0 + 1e-9;
            let rest = of < 100.0 - 1e-9 || ios >= 100.0 - 1e-9;
            if ranges.is_empty() || !valid || !fits || !rest {
                findings.add(
                    "distribution",
                    format!("the ranges take {ios} % of the requests over {of} % of the window"),
                    "keep both sums at 100 or below, and leave space for what is left",
                );
            }
        }
    }
}

fn check_pacing(job: &Job, findings: &mut Findings<'_>) {
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
        Pacing::Open { rate, .. } => {
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

fn check_durability(job: &Job, findings: &mut Findings<'_>) {
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

fn check_data(job: &Job, findings: &mut Findings<'_>) {
    let data = &job.data;
    {
        let mut findings = findings.below("data");
        let shares = [
            ("compressible_to", data.compressible_to),
            ("duplicate", data.duplicate),
        ];
        for (key, percent) in shares {
            if !percent.is_valid() {
                findings.add(key, format!("{percent} is not a share"), "give 0 to 100");
            }
        }
        let plain = data.compressible_to.0 >= 100.0 && data.duplicate.0 <= 0.0;
        if data.fill == Fill::Zero && !plain {
            findings.add(
                "fill",
                "zeros are fully compressible and duplicate already",
                "use `fill = \"random\"` with `compressible_to` or `duplicate`",
            );
        }
        if job.verify.stamps() && (data.duplicate.0 > 0.0 || data.fill == Fill::Zero) {
            findings.add(
                "fill",
                "self-describing blocks are neither zero nor duplicate",
                "use `fill = \"random\"` without `duplicate`, or `verify = \"off\"`",
            );
        }
    }
    if job.verify == Verify::Off {
        return;
    }
    let odd = |kind: &IoKind| {
        !kind.block_size.0.is_multiple_of(VERIFY_UNIT_BYTES)
            || !kind.align.0.is_multiple_of(VERIFY_UNIT_BYTES)
    };
    if job.kinds.iter().any(odd) {
        findings.add(
            "verify",
            "self-describing blocks are 512B each",
            "use block sizes and alignments that are a multiple of 512B",
        );
    }
    if job.kinds.iter().any(|kind| kind.op == Op::Trim) {
        findings.add(
            "verify",
            "a trimmed block has no content to check",
            "drop the trims",
        );
    }
}
