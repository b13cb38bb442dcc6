//! Where the requests of a job go: files, the used part, order, distribution, clones.

use super::pen::Pen;
use super::section::size;
use super::subject::OfJob;
use fathom_core::spec::{Cursor, Distribution, Job, QueueScope, Walk};
use fathom_tools::losses::Losses;
use fathom_tools::translation::{Note, Standing};
use fathom_tools::writers::{is_device, is_sequential, largest, paths, same, used_bytes, zones};

/// Signs that mean something else in a job file: comments, variables, words of the machine.
const SIGNS: [&str; 9] = [
    ";",
    "#",
    "\n",
    "\r",
    "\\",
    "${",
    "$pagesize",
    "$ncpus",
    "$mb_memory",
];

/// The names of the targets as fio has them.
///
/// # Errors
///
/// A path that fio cannot name.
pub(crate) fn names(job: &Job, losses: &mut Losses) -> Result<Vec<String>, Note> {
    let paths = paths(job, losses);
    for path in &paths {
        let sign = SIGNS.iter().find(|sign| path.contains(**sign));
        if sign.is_some() || path.trim() != path || path.is_empty() {
            let why = sign.map_or_else(
                || "of blanks at an end".to_owned(),
                |sign| format!("of {sign:?}"),
            );
            let message = format!("fio cannot name the target {path:?} because {why}; rename it");
            return Err(Note::new(Standing::Refused, "targets", message));
        }
    }
    Ok(paths.iter().map(|path| path.replace(':', "\\:")).collect())
}

/// The part of the targets that a clone uses.
pub(crate) fn write_size(of: &OfJob<'_>, pen: &mut Pen<'_>) {
    let job = of.job;
    if let Parts::Apart(share) = of.parts {
        return pen.put(size(share));
    }
    let Some(used) = used_bytes(job) else {
        let message = "without one the target has to be there";
        return pen.lose(Standing::Kept, "size", message);
    };
    pen.put(size(used.saturating_mul(of.files())));
    if is_device(job) {
        return;
    }
    let end = job.offset.0.saturating_add(used);
    pen.lose_if(
        job.size.is_some_and(|size| size.0 > end),
        Standing::Approximated,
        "size",
        "the file is made no larger than the part of it that is used",
    );
    pen.lose_if(
        job.size.is_none(),
        Standing::Kept,
        "size",
        "a file that is missing or smaller is made as large as the part of it that is used",
    );
}

/// How several threads share the targets out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parts {
    /// All begin at the same place, or there is nothing to share.
    Together,
    /// One position for all of them.
    Interlocked,
    /// Each has a part of its own of this number of bytes.
    Apart(u64),
    /// In a way that fio does not have.
    Elsewhere,
}

impl Parts {
    pub(crate) fn of(job: &Job) -> Self {
        let threads = u64::from(job.threads);
        if threads < 2 || !is_sequential(job) {
            return Self::Together;
        }
        let share = used_bytes(job).map(|used| used / threads / largest(job) * largest(job));
        match (job.access.cursor, share) {
            (Cursor::Shared, _) => Self::Interlocked,
            (Cursor::Own { stride: None }, Some(share)) if share > 0 && job.targets.len() < 2 => {
                Self::Apart(share)
            }
            (Cursor::Own { stride: Some(gap) }, _) if gap.0 == 0 => Self::Together,
            (Cursor::Own { stride: Some(gap) }, Some(share))
                if gap.0 == share && job.targets.len() < 2 =>
            {
                Self::Apart(share)
            }
            (Cursor::Own { .. }, _) => Self::Elsewhere,
        }
    }

    /// Bytes of the part of each clone, if each has one of its own.
    pub(crate) const fn apart(self) -> Option<u64> {
        match self {
            Self::Apart(share) => Some(share),
            Self::Together | Self::Interlocked | Self::Elsewhere => None,
        }
    }
}

/// Clones and the depth of their queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clones {
    pub(crate) count: u64,
    pub(crate) depth: u64,
}

impl Clones {
    pub(crate) fn of(job: &Job, losses: &mut Losses) -> Self {
        let mut count = u64::from(job.threads);
        let mut depth = u64::from(job.queue_depth);
        let files = job.targets.len().max(1) as u64;
        if job.queue_scope == QueueScope::PerTarget && files > 1 {
            depth *= files;
            let message = "fio counts outstanding requests over all files: iodepth is the sum";
            losses.say(Standing::Approximated, "queue_scope", message);
        }
        match Parts::of(job) {
            Parts::Together => {}
            Parts::Interlocked => {
                depth *= count;
                count = 1;
                let message = "fio's clones have a position each: one thread makes the requests \
                               of all, as many outstanding";
                losses.say(Standing::Approximated, "cursor", message);
            }
            Parts::Apart(_) => {
                let message = "each clone keeps to its part of the window, where Fathom's threads \
                               go on into that of the next";
                losses.say(Standing::Approximated, "cursor", message);
            }
            Parts::Elsewhere => {
                let message = "fio's clones cannot begin apart in one part of the target; all \
                               begin at its start";
                losses.say(Standing::Refused, "cursor", message);
            }
        }
        Self { count, depth }
    }
}

/// The length that the zones of a zoned device are expected to have, if any.
pub(crate) fn expected_zone(of: &OfJob<'_>) -> Option<String> {
    match of.job.access.walk {
        Walk::WritePointers { zone, .. } => zone.map(|zone| size(zone.0)),
        _ => None,
    }
}

/// How many zones may be open: for all threads, and for each.
pub(crate) fn open_zones(of: &OfJob<'_>) -> (Option<u32>, Option<u32>) {
    match of.job.access.walk {
        Walk::WritePointers {
            open, of_thread, ..
        } => (open, of_thread),
        _ => (None, None),
    }
}

/// Whether a fresh file is one that fio does not let grow from nothing, or not in our reading.
pub(crate) fn parts_of_fresh(job: &Job) -> bool {
    let amount = used_bytes(job)
        .unwrap_or(0)
        .saturating_mul(job.targets.len().max(1) as u64);
    let filled = job.stop.bytes.is_some_and(|bytes| bytes.0 >= amount);
    !filled || job.threads > 1 || job.offset.0 > 0 || job.stop.ios.is_some() || job.verify.stamps()
}

/// Where random requests go, where it is not everywhere alike.
pub(crate) fn write_distribution(of: &OfJob<'_>, pen: &mut Pen<'_>) {
    if !of.is_random() {
        return;
    }
    match &of.job.access.distribution {
        Distribution::Uniform => {}
        Distribution::Zipf { theta } => {
            // fio has none of exactly 1.
            let near = same(*theta, 1.0);
            let written = if near { 1.0001 } else { *theta };
            pen.put(format_args!("zipf:{written}"));
            pen.lose_if(
                near,
                Standing::Approximated,
                "distribution",
                "fio refuses a zipf theta of 1; it is 1.0001",
            );
        }
        Distribution::Pareto { h } => pen.put(format_args!("pareto:{h}")),
        Distribution::Normal { deviation } => {
            let written = deviation.0.min(99.0);
            pen.put(format_args!("normal:{written}"));
            pen.lose_if(
                written < deviation.0,
                Standing::Approximated,
                "distribution",
                "fio's deviation is below 100 %; it is 99 %",
            );
            let message = "fio scatters the blocks around the middle that are asked for most";
            pen.lose(Standing::Approximated, "distribution", message);
        }
        Distribution::Hot { ranges } => {
            let (zones, exact) = zones(ranges);
            let zone = |(ios, of): &(u32, u32)| format!("{ios}/{of}");
            let zones: Vec<String> = zones.iter().map(zone).collect();
            pen.put(format_args!("zoned:{}", zones.join(":")));
            pen.lose_if(
                !exact,
                Standing::Approximated,
                "distribution",
                "fio's zones have whole percents; rounded",
            );
        }
    }
}
