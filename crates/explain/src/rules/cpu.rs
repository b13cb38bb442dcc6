//! The processor was the limit.

use super::{Said, memory};
use crate::decide::Change;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use fathom_core::figure::{iops, percent, time};

/// Percentage of a processor from which there is nothing left.
const FULL: f64 = 92.0;

/// Percentage from which it takes most of the time of a request.
const MOSTLY: f64 = 75.0;

/// Results of a paste that are compared.
const MOST: usize = 32;

/// Requests a second that keep one core busy, by what io_uring and a fast drive reach.
const CORE: f64 = 450e3;

pub(super) fn look(all: &[Evidence], index: usize) -> Option<Said> {
    let evidence = &all[index];
    let (used, words) = match (evidence.cpu, evidence.cpu_all) {
        (Some((user, system)), _) => (
            user + system,
            format!(
                "Each job used {} of a processor ({} in user mode, {} in the kernel).",
                percent(user + system),
                percent(user),
                percent(system)
            ),
        ),
        (None, Some(all)) => (all, format!("The processors were {} busy.", percent(all))),
        _ => return one_core(evidence),
    };
    if used < MOSTLY || used < FULL && memory::look(evidence).is_some() {
        return None;
    }
    // One of several results has a name.
    let of = match evidence.title.as_str() {
        title if all.len() > 1 && !title.is_empty() => format!(" of {title}"),
        _ => String::new(),
    };
    let (certainty, mut headline) = if used < FULL {
        (
            Certainty::Suspected,
            format!("The processor takes most of the time{of}, not the storage"),
        )
    } else {
        (
            Certainty::Shown,
            format!("The processor was the limit{of}, not the storage"),
        )
    };
    if let Some(other) = lighter(all, evidence) {
        headline += &format!(
            ": {} requests a second, where {} made {} with less of it",
            iops(evidence.iops()?),
            other.title,
            iops(other.iops()?)
        );
    }
    Some(
        Said::new(certainty, Effect::Limit, headline + ".")
            .because(words + &submissions(all, evidence))
            .remedy(
                "Use more jobs on more cores, larger batches, or larger requests. Memory and \
                page-cache copies cost processor time too.",
            )
            .by(&["cpu"])
            .decide(evidence, &[Change::Direct]),
    )
}

/// The same load in another group of jobs, which made twice as many requests or more with less
/// processor time.
fn lighter<'a>(all: &'a [Evidence], slow: &Evidence) -> Option<&'a Evidence> {
    let key = |one: &Evidence| {
        (
            one.load.block,
            one.load.random,
            one.load.read_percent,
            one.total_depth(),
        )
    };
    let used = |one: &Evidence| one.cpu.map(|(user, system)| user + system);
    let others = all
        .iter()
        .take(MOST)
        .filter(|other| other.tool == slow.tool);
    let others = others.filter(|other| !other.title.is_empty() && other.title != slow.title);
    let mut others = others.filter(|other| key(other) == key(slow) && used(other) < used(slow));
    others.find(|other| {
        other
            .iops()
            .zip(slow.iops())
            .is_some_and(|(fast, slow)| fast >= slow * 2.0)
    })
}

/// What the submission of a request takes in both groups.
fn submissions(all: &[Evidence], slow: &Evidence) -> String {
    let mean = |one: &Evidence| one.sides.first()?.submission.as_ref()?.mean;
    let pair = lighter(all, slow).and_then(|other| Some((other, mean(other)?, mean(slow)?)));
    pair.map_or_else(String::new, |(other, less, more)| {
        format!(
            " It takes {} to submit a request, and {} in {}: what lies between the job and the \
             drives does more work, or waits for a lock.",
            time(more),
            time(less),
            other.title
        )
    })
}

/// As many requests of one job as its core can make, where nothing says how busy it was.
fn one_core(evidence: &Evidence) -> Option<Said> {
    let jobs = evidence.load.jobs.filter(|jobs| *jobs > 0.0)?;
    let each = evidence.iops()? / jobs;
    let is_memory = memory::look(evidence).is_some();
    (each >= CORE && !is_memory).then(|| {
        let headline = format!(
            "{} requests a second of one job are about what its core can make.",
            iops(each)
        );
        Said::new(Certainty::Suspected, Effect::Limit, headline)
            .because("The kernel needs 1 to 2 µs of a core for each request, whatever the drive.")
            .remedy("Add jobs on other cores; polling and registered buffers make it cheaper.")
            .by(&["rate"])
    })
}
