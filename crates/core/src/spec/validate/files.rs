//! Rules of jobs whose requests are of files.

use super::Findings;
use crate::op::Op;
use crate::spec::fields::FILES;
use crate::spec::{
    Access, BlockForm, Cursor, FileKind, Files, IoKind, Job, Pacing, QueueScope, Verify,
};
use crate::units::Bytes;

/// Files of all threads: a byte is kept of each.
const MOST_FILES: u64 = 1 << 32;
/// Directories of all threads: each is held open.
const MOST_DIRECTORIES: u64 = 1 << 18;
/// The largest file.
const MOST_BYTES: u64 = 1 << 30;

/// What only a job without files may ask of files, and what a job with them may not have.
pub(super) fn check(job: &Job, findings: &mut Findings<'_>) {
    let Some(files) = &job.files else {
        for (index, kind) in job.kinds.iter().enumerate() {
            if kind.op.is_of_files() {
                findings.below(&format!("io[{index}]")).add(
                    "op",
                    format!("only files can be asked to {}", kind.op.name()),
                    "give the job files, as in `files = { count = 1000 }`",
                );
            }
        }
        return;
    };
    check_numbers(files, job.threads, &mut findings.below("files"));
    check_end(files, job, findings);
    for (index, kind) in job.kinds.iter().enumerate() {
        check_kind(kind, files, &mut findings.below(&format!("io[{index}]")));
    }
    for (key, is_plain, remedy) in without(job) {
        if !is_plain {
            let message = "a job of files deals with each as a whole, one at a time of a thread";
            findings.add(key, message, remedy);
        }
    }
}

fn check_numbers(files: &Files, threads: u32, findings: &mut Findings<'_>) {
    let shape = files.shape(threads.max(1));
    for (key, value) in [
        ("count", files.count),
        ("depth", files.depth.into()),
        ("branches", files.branches.into()),
    ] {
        let field = FILES.field(key);
        if !field.allows(value) {
            findings.add(
                key,
                format!("{value} is not possible"),
                format!("choose {}", field.range_in_words()),
            );
            return;
        }
    }
    if shape.files() > MOST_FILES {
        let message = format!("{} files are more than can be kept", shape.files());
        findings.add("count", message, format!("{MOST_FILES} at most"));
    }
    if shape.all_directories() > MOST_DIRECTORIES {
        let message = format!("{} directories cannot all be open", shape.all_directories());
        let remedy = format!("a smaller `depth` or fewer `branches`: {MOST_DIRECTORIES} at most");
        findings.add("depth", message, remedy);
    }
    if files.shift != 0 && files.shift >= threads {
        let message = format!("there is no thread {} after the first", files.shift);
        findings.add("shift", message, "choose less than `threads`");
    }
    if files.present.is_some_and(|share| !share.is_valid()) {
        findings.add("present", "it is a share of the files", "give 0 to 100");
    }
    if files.of == FileKind::Directory && files.sync {
        findings.add("sync", "nothing is written to a directory", "drop `sync`");
    }
}

fn check_end(files: &Files, job: &Job, findings: &mut Findings<'_>) {
    let first = job.kinds.first().map(|kind| kind.op);
    let is_alike = job.kinds.iter().all(|kind| Some(kind.op) == first);
    if files.once && !is_alike {
        findings.below("files").add(
            "once",
            "each file is dealt with once by one operation, and the job has several",
            "use `once = false`, and give the phase a `duration` or the job a `stop`",
        );
    }
    if files.once && (job.stop.ios.is_some() || job.stop.bytes.is_some()) {
        findings.below("files").add(
            "once",
            "each file once is an amount already",
            "use `once = false` with `stop`",
        );
    }
    let is_empty = job.kinds.iter().all(|kind| kind.block_size == Bytes(0));
    if is_empty && job.stop.bytes.is_some() {
        findings
            .below("stop")
            .add("bytes", "the job moves none", "use `stop = { ios = … }`");
    }
    let share = job.kinds.iter().all(|kind| kind.random.0 >= 100.0);
    if files.once
        && job.kinds.iter().any(|kind| kind.random.0 > 0.0)
        && !(share && job.access.without_repetition)
    {
        findings.below("files").add(
            "once",
            "random places come again before all have been",
            "use `random = 0`, or `random = 100` with `without_repetition = true`",
        );
    }
}

fn check_kind(kind: &IoKind, files: &Files, findings: &mut Findings<'_>) {
    match kind.op {
        Op::Trim | Op::Flush => findings.add(
            "op",
            "a file is not asked for this",
            "create, stat, read, write, rename or unlink",
        ),
        Op::Read | Op::Write if files.of == FileKind::Directory => findings.add(
            "op",
            "a directory has no bytes",
            "create, stat, rename or unlink, or `of = \"file\"`",
        ),
        Op::Create if files.of == FileKind::Directory => {}
        Op::Create | Op::Read | Op::Write => {
            if kind.block_size.0 > MOST_BYTES {
                let message = format!("a file of {} is too large", kind.block_size);
                findings.add("block_size", message, "choose at most 1GiB");
            }
            return;
        }
        Op::Stat | Op::Rename | Op::Unlink => {}
    }
    if kind.block_size != Bytes(0) {
        findings.add(
            "block_size",
            "nothing is moved by this",
            "drop `block_size`",
        );
    }
}

/// The keys of which a job of files has only the plain value.
fn without(job: &Job) -> [(&'static str, bool, &'static str); 19] {
    let plain = Access {
        distribution: job.access.distribution.clone(),
        without_repetition: job.access.without_repetition,
        cursor: Cursor::Own { stride: None },
        cursor_scope: job.access.cursor_scope,
        ..Access::PLAIN
    };
    let open = matches!(job.pacing, Pacing::Closed { .. } | Pacing::Open { .. });
    let placed = job.kinds.iter().all(|kind| kind.align == kind.block_size);
    let (durability, access) = (&job.durability, &job.access);
    [
        ("engine", job.engine.is_none(), "drop it"),
        ("queue_depth", job.queue_depth == 1, "more `threads`"),
        (
            "queue_scope",
            job.queue_scope == QueueScope::PerTarget,
            "drop it",
        ),
        ("submit_batch", job.submit_batch.is_none(), "drop it"),
        ("complete_batch", job.complete_batch.is_none(), "drop it"),
        ("size", job.size.is_none(), "`block_size` of `create`"),
        ("offset", job.offset == Bytes(0), "drop it"),
        ("window", job.window.is_none(), "`files.count`"),
        ("fresh", !job.fresh, "`create`"),
        ("cold", !job.cold, "drop it"),
        (
            "compat.cold_again",
            job.compat().cold_again.is_none(),
            "drop it",
        ),
        ("warm", !job.warm, "drop it"),
        ("compat.idle", !job.compat().idle, "drop it"),
        (
            "access",
            *access == plain,
            "an order and a distribution alone",
        ),
        ("pacing", open, "`closed` or `open`"),
        ("replay", job.replay.is_none(), "drop it"),
        (
            "durability",
            !durability.direct && !durability.write_through && durability.sync.is_none(),
            "`direct = false`, and `files.sync` for durable writes",
        ),
        (
            "verify",
            job.verify == Verify::Off
                && job.compat().verify_as == BlockForm::Fathom
                && job.compat().verify_interval.is_none()
                && job.compat().verify_backlog.is_none(),
            "drop it",
        ),
        ("io", placed, "no `align` of its own"),
    ]
}
