//! Rules of the priorities of a job and of its kinds of requests.

use super::Findings;
use crate::op::Op;
use crate::spec::fields::{IO, JOB};
use crate::spec::{IoClass, IoKind, Job, Walk};
use std::ops::RangeInclusive;

/// Most priorities of the requests of a job, each of which has histograms of its own.
const MOST: usize = 32;

/// What the kernel has.
const NICE: RangeInclusive<i32> = -20..=19;

/// A level is one of a class, of which only two have levels.
pub(super) fn check(job: &Job, findings: &mut Findings<'_>) {
    for (index, kind) in job.kinds.iter().enumerate() {
        check_kind(kind, job, &mut findings.below(&format!("io[{index}]")));
    }
    if job.priorities().len() > MOST {
        findings.add(
            "io",
            format!("more than {MOST} different priorities"),
            "fewer classes, levels and hints",
        );
    }
    check_hint(job, findings);
    let is_name = |name: &str| {
        let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        !name.is_empty() && name.len() < 16 && name.chars().all(is_letter)
    };
    if let Some(name) = job.scheduler.as_deref().filter(|name| !is_name(name)) {
        findings.add(
            "scheduler",
            format!("`{name}` is no name of an I/O scheduler"),
            "as in `none` or `mq-deadline`; /sys/block/DEVICE/queue/scheduler has those there are",
        );
    }
    if let Some(nice) = job.nice.filter(|nice| !NICE.contains(nice)) {
        findings.add(
            "nice",
            format!("{nice} is not possible"),
            "choose -20 to 19",
        );
    }
    let Some(level) = job.io_level else {
        return;
    };
    let field = JOB.field("io_level");
    if !field.allows(level.into()) {
        findings.add(
            "io_level",
            format!("a level of {level} is not possible"),
            format!("choose {}", field.range_in_words()),
        );
    }
    if !matches!(job.io_class, Some(IoClass::RealTime | IoClass::BestEffort)) {
        findings.add(
            "io_level",
            "only requests in real time and by best effort have levels",
            "add `io_class = \"best_effort\"`, or drop `io_level`",
        );
    }
}

/// A hint stands beside a class.
fn check_hint(job: &Job, findings: &mut Findings<'_>) {
    let Some(hint) = job.io_hint else { return };
    let field = JOB.field("io_hint");
    if !field.allows(hint.into()) {
        findings.add(
            "io_hint",
            format!("a hint of {hint} is not possible"),
            format!("choose {}", field.range_in_words()),
        );
    }
    if job.io_class.is_none() {
        findings.add(
            "io_hint",
            "it belongs to a class of priority",
            "add `io_class = \"best_effort\"`, or drop `io_hint`",
        );
    }
}

/// Only engines that hand each request over by itself can say how urgent it is.
fn check_kind(kind: &IoKind, job: &Job, findings: &mut Findings<'_>) {
    for (key, number) in [("io_level", kind.io_level), ("io_hint", kind.io_hint)] {
        let Some(number) = number else { continue };
        let field = IO.field(key);
        if !field.allows(number.into()) {
            findings.add(
                key,
                format!("{number} is not possible"),
                format!("choose {}", field.range_in_words()),
            );
        }
        if kind.io_class.is_none() {
            findings.add(
                key,
                "it belongs to a class of priority",
                format!("add `io_class = \"best_effort\"`, or drop `{key}`"),
            );
        }
    }
    if kind.io_class.is_none() {
        return;
    }
    if let Some(engine) = job.engine.filter(|engine| !engine.has_priorities()) {
        findings.add(
            "io_class",
            format!(
                "requests of {} have no priority of their own",
                engine.name()
            ),
            "`engine = \"io_uring\"` or \"libaio\", or `io_class` of the job",
        );
    }
    if !matches!(kind.op, Op::Read | Op::Write) {
        findings.add(
            "io_class",
            format!("the kernel takes no priority of a {}", kind.op.name()),
            "`io_class` of reads and writes, or of the job",
        );
    }
    let is_drawn = job.files.is_none() && job.replay.is_none();
    if !is_drawn || job.access.walk == Walk::TrimFirst || job.access.walk.is_at_write_pointers() {
        findings.add(
            "io_class",
            "only requests that are drawn one by one have a priority of their own",
            "`io_class` of the job",
        );
    }
}
