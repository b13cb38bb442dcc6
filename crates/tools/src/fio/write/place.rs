//! Where the requests of a job go: files, the used part, order, distribution, clones.

use super::kinds::Mix;
use super::section::{Section, size};
use crate::losses::Losses;
use crate::translation::{Note, Standing};
use crate::writers::{
    is_device, is_random, is_sequential, largest, paths, same, used_bytes, whole_percents,
};
use fathom_core::spec::{Cursor, CursorScope, Distribution, HotRange, Job, QueueScope, Walk};

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

/// Files and the part of them that is used.
///
/// # Errors
///
/// A path that fio cannot name.
pub(super) fn target(job: &Job, section: &mut Section, losses: &mut Losses) -> Result<(), Note> {
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
    let names: Vec<String> = paths.iter().map(|path| path.replace(':', "\\:")).collect();
    section.put("filename", names.join(":"));
    let files = paths.len() as u64;
    if matches!(parts(job), Parts::Apart(_)) {
        // The clones say which part is theirs.
        return Ok(());
    }
    let Some(used) = used_bytes(job) else {
        if job.offset.0 > 0 {
            section.put("offset", size(job.offset.0));
        }
        losses.say(
            Standing::Kept,
            "size",
            "without one the target has to be there",
        );
        return Ok(());
    };
    section.put("size", size(used.saturating_mul(files)));
    if job.offset.0 > 0 {
        section.put("offset", size(job.offset.0));
    }
    size_notes(job, used, losses);
    Ok(())
}

fn size_notes(job: &Job, used: u64, losses: &mut Losses) {
    if is_device(job) {
        return;
    }
    let end = job.offset.0.saturating_add(used);
    losses.say_if(
        job.size.is_some_and(|size| size.0 > end),
        Standing::Approximated,
        "size",
        "the file is made no larger than the part of it that is used",
    );
    losses.say_if(
        job.size.is_none(),
        Standing::Kept,
        "size",
        "a file that is missing or smaller is made as large as the part of it that is used",
    );
}

/// How several threads share the targets out.
enum Parts {
    /// All begin at the same place, or there is nothing to share.
    Together,
    /// One position for all of them.
    Interlocked,
    /// Each has a part of its own of so many bytes.
    Apart(u64),
    /// In a way that fio does not have.
    Elsewhere,
}

fn parts(job: &Job) -> Parts {
    let threads = u64::from(job.threads);
    if threads < 2 || !is_sequential(job) {
        return Parts::Together;
    }
    let share = used_bytes(job).map(|used| used / threads / largest(job) * largest(job));
    match (job.access.cursor, share) {
        (Cursor::Shared, _) => Parts::Interlocked,
        (Cursor::Own { stride: None }, Some(share)) if share > 0 && job.targets.len() < 2 => {
            Parts::Apart(share)
        }
        (Cursor::Own { stride: Some(gap) }, _) if gap.0 == 0 => Parts::Together,
        (Cursor::Own { stride: Some(gap) }, Some(share))
            if gap.0 == share && job.targets.len() < 2 =>
        {
            Parts::Apart(share)
        }
        (Cursor::Own { .. }, _) => Parts::Elsewhere,
    }
}

/// Clones and their queues; gives the number of clones.
pub(super) fn clones(job: &Job, section: &mut Section, losses: &mut Losses) -> u64 {
    let mut threads = u64::from(job.threads);
    let mut depth = u64::from(job.queue_depth);
    let files = job.targets.len().max(1) as u64;
    if job.queue_scope == QueueScope::PerTarget && files > 1 {
        depth *= files;
        let message = "fio counts outstanding requests over all files: iodepth is the sum";
        losses.say(Standing::Approximated, "queue_scope", message);
    }
    match parts(job) {
        Parts::Together => {}
        Parts::Interlocked => {
            depth *= threads;
            threads = 1;
            let message = "fio's clones have a position each: one thread makes the requests of \
                           all, as many outstanding";
            losses.say(Standing::Approximated, "cursor", message);
        }
        Parts::Apart(share) => {
            if job.offset.0 > 0 {
                section.put("offset", size(job.offset.0));
            }
            section.put("size", size(share));
            section.put("offset_increment", size(share));
            let message = "each clone keeps to its part of the window, where Fathom's threads go \
                           on into that of the next";
            losses.say(Standing::Approximated, "cursor", message);
        }
        Parts::Elsewhere => {
            let message = "fio's clones cannot begin apart in one part of the target; all begin \
                           at its start";
            losses.say(Standing::Refused, "cursor", message);
        }
    }
    if threads > 1 {
        section.put("numjobs", threads);
    }
    if depth > 32_768 {
        losses.say(
            Standing::Refused,
            "queue_depth",
            "fio's iodepth ends at 32768",
        );
    }
    section.put("iodepth", depth.min(32_768));
    if let Some(batch) = job.submit_batch {
        section.put("iodepth_batch_submit", batch);
    }
    if let Some(batch) = job.complete_batch {
        section.put("iodepth_batch_complete_min", batch);
    }
    threads
}

/// Order and distribution of the requests.
pub(super) fn order(job: &Job, mix: &Mix, section: &mut Section, losses: &mut Losses) {
    if let Walk::Zones { done, length, skip } = job.access.walk {
        section.put("zonemode", "strided");
        for (key, bytes) in [
            ("zonesize", done),
            ("zonerange", length),
            ("zoneskip", skip),
        ] {
            section.put(key, size(bytes.0.min(i64::MAX as u64)));
        }
    }
    let access = &job.access;
    if is_random(job) {
        distribution(&access.distribution, section, losses);
        if !access.without_repetition {
            section.flag("norandommap");
        } else if !mix.has_one_block() {
            let message = "fio keeps no account of the blocks visited unless requests are aligned \
                           to their size; blocks may come again within a pass";
            losses.say(Standing::Approximated, "without_repetition", message);
        }
    }
    let both = mix.reads() && mix.writes();
    losses.say_if(
        access.cursor_scope == CursorScope::Shared && both && is_sequential(job),
        Standing::Approximated,
        "cursor_scope",
        "fio's reads and writes keep a position each: a write does not move the next read",
    );
    losses.say_if(
        job.fresh && parts_of_fresh(job),
        Standing::Approximated,
        "fresh",
        "fio lays the file out before, where several clones or a clock write it",
    );
}

/// Whether a fresh file is one that fio does not let grow from nothing, or not in our reading.
fn parts_of_fresh(job: &Job) -> bool {
    let amount = used_bytes(job)
        .unwrap_or(0)
        .saturating_mul(job.targets.len().max(1) as u64);
    let filled = job.stop.bytes.is_some_and(|bytes| bytes.0 >= amount);
    !filled || job.threads > 1 || job.offset.0 > 0 || job.stop.ios.is_some() || job.verify.stamps()
}

fn distribution(distribution: &Distribution, section: &mut Section, losses: &mut Losses) {
    const KEY: &str = "random_distribution";
    match distribution {
        Distribution::Uniform => {}
        Distribution::Zipf { theta } => {
            // fio has none of exactly 1.
            let near = same(*theta, 1.0);
            let written = if near { 1.0001 } else { *theta };
            section.put(KEY, format!("zipf:{written}"));
            losses.say_if(
                near,
                Standing::Approximated,
                "distribution",
                "fio refuses a zipf theta of 1; it is 1.0001",
            );
        }
        Distribution::Pareto { h } => section.put(KEY, format!("pareto:{h}")),
        Distribution::Normal { deviation } => {
            let written = deviation.0.min(99.0);
            section.put(KEY, format!("normal:{written}"));
            losses.say_if(
                written < deviation.0,
                Standing::Approximated,
                "distribution",
                "fio's deviation is below 100 %; it is 99 %",
            );
            let message = "fio scatters the blocks around the middle that are asked for most";
            losses.say(Standing::Approximated, "distribution", message);
        }
        Distribution::Hot { ranges } => {
            let (zones, exact) = zones(ranges);
            let zone = |(ios, of): &(u32, u32)| format!("{ios}/{of}");
            let zones: Vec<String> = zones.iter().map(zone).collect();
            section.put(KEY, format!("zoned:{}", zones.join(":")));
            losses.say_if(
                !exact,
                Standing::Approximated,
                "distribution",
                "fio's zones have whole percents; rounded",
            );
        }
    }
}

/// Ranges in whole percents, the one for what they leave among them, and whether that is exact.
pub(crate) fn zones(ranges: &[HotRange]) -> (Vec<(u32, u32)>, bool) {
    let ios: f64 = ranges.iter().fold(0.0, |sum, range| sum + range.ios.0);
    let of: f64 = ranges.iter().fold(0.0, |sum, range| sum + range.of.0);
    let mut all: Vec<(f64, f64)> = ranges
        .iter()
        .map(|range| (range.ios.0, range.of.0))
        .collect();
    if of < 100.0 - 1e-6 {
        all.push(((100.0 - ios).max(0.0), 100.0 - of));
    }
    let column = |pick: fn(&(f64, f64)) -> f64| -> Vec<f64> { all.iter().map(pick).collect() };
    let (ios, of) = (column(|pair| pair.0), column(|pair| pair.1));
    let whole: Vec<(u32, u32)> = whole_percents(&ios)
        .into_iter()
        .zip(whole_percents(&of))
        .collect();
    let exact = whole.iter().zip(&all).all(|(whole, exact)| {
        same(f64::from(whole.0), exact.0) && same(f64::from(whole.1), exact.1)
    });
    (merged(whole), exact)
}

/// Without ranges that rounding has left without a place: their requests go to the next.
fn merged(zones: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    let mut kept: Vec<(u32, u32)> = Vec::new();
    let mut homeless = 0;
    for (ios, of) in zones {
        if of == 0 {
            homeless += ios;
        } else {
            kept.push((ios + homeless, of));
            homeless = 0;
        }
    }
    if let Some(last) = kept.last_mut() {
        last.0 += homeless;
    }
    kept
}
