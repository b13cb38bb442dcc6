//! Rules of where requests go: order, position, distribution.

use super::Findings;
use crate::op::Op;
use crate::spec::{Cursor, Distribution, IoKind, Job, Verify, Walk};
use crate::units::Bytes;

pub(super) fn check(job: &Job, findings: &mut Findings<'_>) {
    let access = &job.access;
    let random = job.kinds.iter().any(|kind| kind.random.0 > 0.0);
    let sequential = job.kinds.iter().any(|kind| kind.random.0 < 100.0);
    let mut findings = findings.below("access");
    check_repetition(job, random, &mut findings);
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
    if let (Cursor::Own { stride: Some(gap) }, true) = (access.cursor, job.durability.direct)
        && !gap.0.is_multiple_of(512)
    {
        findings.add(
            "cursor",
            "direct I/O needs aligned offsets",
            "start the threads a multiple of 512B apart",
        );
    }
    check_walk(job, &mut findings);
    check_distribution(&access.distribution, random, &mut findings);
}

fn check_walk(job: &Job, findings: &mut Findings<'_>) {
    let access = &job.access;
    if access.walk == Walk::Free {
        return;
    }
    if access.cursor == Cursor::Shared {
        findings.add(
            "walk",
            "threads that share a position do not walk together",
            "drop `walk`, or the shared cursor",
        );
    }
    match access.walk {
        Walk::Free => {}
        Walk::TrimFirst => {
            let (trims, writes) = job.kinds.split_at(job.kinds.len() / 2);
            let is_pair = |(trim, write): (&IoKind, &IoKind)| {
                (trim.op, write.op) == (Op::Trim, Op::Write)
                    && (trim.block_size, trim.align) == (write.block_size, write.align)
            };
            let alike = trims.len() == writes.len() && !trims.is_empty();
            if !alike || !trims.iter().zip(writes).all(is_pair) {
                findings.add(
                    "walk",
                    "a write can only go where a trim of its own size went",
                    "give the job two kinds, a trim and then a write, of one size and `align`; or \
                     several trims, and then as many writes of the same sizes in the same order",
                );
            }
        }
        Walk::ToTheEnd => check_end(job, findings),
        Walk::WritePointers {
            open, of_thread, ..
        } => check_write_pointers(job, [open, of_thread], findings),
        Walk::Zones { done, length, skip } => {
            let sizes = [("done", done), ("length", length)];
            for (what, size) in sizes {
                if size < job.largest_io() {
                    findings.add(
                        "walk",
                        format!("a zone's {what} of {size} is less than a request"),
                        format!("give it at least {}", job.largest_io()),
                    );
                }
            }
            let odd = |size: Bytes| !size.0.is_multiple_of(512);
            if job.durability.direct && (odd(length) || odd(skip)) {
                findings.add(
                    "walk",
                    "direct I/O needs aligned offsets",
                    "use multiples of 512B",
                );
            }
            if access.distribution != Distribution::Uniform {
                findings.add(
                    "walk",
                    "hot blocks of the window are not those of its zones",
                    "drop `walk` or the distribution",
                );
            }
        }
    }
}

/// Rules of writes to the zones of a zoned device.
fn check_write_pointers(job: &Job, most: [Option<u32>; 2], findings: &mut Findings<'_>) {
    let access = &job.access;
    let only_writes = matches!(job.kinds.as_slice(), [one] if one.op == Op::Write);
    if !only_writes || job.files.is_some() || job.replay.is_some() {
        findings.add(
            "walk",
            "only writes of one size go to the write pointers of zones",
            "give the job one kind, `op = \"write\"`, and reads a job of their own",
        );
    }
    if access.stride.is_some()
        || access.without_repetition
        || access.distribution != Distribution::Uniform
    {
        findings.add(
            "walk",
            "where a write goes in a zone is said by its write pointer",
            "drop `stride`, `without_repetition` and `distribution`",
        );
    }
    if !job.durability.direct {
        findings.add(
            "walk",
            "the page cache does not keep the order of writes to a zone",
            "set `direct = true`",
        );
    }
    if job.verify != Verify::Off {
        findings.add(
            "walk",
            "what was written is gone when its zone is reset, and cannot be verified",
            "drop `verify`",
        );
    }
    if most.contains(&Some(0)) {
        findings.add(
            "walk",
            "without an open zone nothing can be written",
            "give `open` and `of_thread` at least 1, or leave them out",
        );
    }
}

/// Rules of requests that go on to the last byte.
fn check_end(job: &Job, findings: &mut Findings<'_>) {
    let in_order = matches!(job.kinds.as_slice(), [one] if one.random.0 == 0.0);
    if !in_order || job.access.stride.is_some() || job.threads > 1 || job.files.is_some() {
        findings.add(
            "walk",
            "only requests that one thread makes in order come to an end",
            "give the job one thread and one kind that is never random, without a stride",
        );
    }
    let rest = job.window.or(job
        .size
        .map(|size| Bytes(size.0.saturating_sub(job.offset.0))));
    if job.durability.direct && rest.is_some_and(|rest| !rest.0.is_multiple_of(512)) {
        findings.add(
            "walk",
            "direct I/O needs aligned lengths, the last one's too",
            "use multiples of 512B",
        );
    }
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
            // Not `sum`, whose neutral element is -0.
            let ios = ranges.iter().fold(0.0, |sum, range| sum + range.ios.0);
            let of = ranges.iter().fold(0.0, |sum, range| sum + range.of.0);
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

fn check_repetition(job: &Job, random: bool, findings: &mut Findings<'_>) {
    let access = &job.access;
    if !access.without_repetition {
        return;
    }
    let align = job.smallest_align();
    let alike = |kind: &IoKind| {
        kind.align == align && kind.block_size.0.is_multiple_of(align.0) && kind.random.0 >= 100.0
    };
    let each_fits = |kind: &IoKind| {
        let of_op = job.kinds.iter().filter(|other| other.op == kind.op);
        of_op.map(|other| other.block_size).min() == Some(align)
    };
    let alone = job.threads == 1
        && job.files.is_none()
        && matches!(access.walk, Walk::Free | Walk::TrimFirst);
    let covers = alone && job.kinds.iter().all(|kind| alike(kind) && each_fits(kind));
    let first = &job.kinds[0];
    let differs = |kind: &IoKind| kind.block_size != first.block_size || kind.align != first.align;
    if job.kinds.iter().any(differs) && !covers {
        findings.add(
            "without_repetition",
            "a pass over each block once needs one block size, or one thread and sizes that are \
             multiples of the smallest",
            "give all kinds the same `block_size` and `align`; or one thread, `random = 100`, and \
             the smallest size as `align` of all",
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
