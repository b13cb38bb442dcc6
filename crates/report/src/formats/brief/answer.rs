//! The answer in words, where the command asked a question.

use super::lines::BriefLines;
use super::shape::is_commit;
use crate::figure::{iops, percent, plural, time};
use crate::first_line::{PhaseCourse, courses};
use crate::formats::text::ramp_entries;
use fathom_core::Op;
use fathom_core::result::{LoadModel, ProbeKind, RampReport, RateAnswer, RunResult};
use fathom_verdict::Code;

/// Courses of phases after the first.
const COURSES: usize = 3;
/// Lines of one answer.
const LINES: usize = 2;

pub(super) fn write(lines: &mut BriefLines, result: &RunResult) {
    if let Some(ramp) = &result.ramp {
        of_ramp(lines, ramp);
    }
    // Of a load that goes on as it began the row says enough.
    let courses = courses(result);
    let falls: Vec<&PhaseCourse> = courses.iter().skip(1).filter(|one| one.changes).collect();
    for course in falls.iter().take(COURSES) {
        lines.sentence(&course.words, LINES);
    }
    if falls.len() > COURSES {
        let more = plural((falls.len() - COURSES) as u64, "more phase");
        lines.sentence(&format!("{more} with changes: --full"), 1);
    }
    if let Some(honoured) = flush(result) {
        lines.sentence(&honoured, LINES + 1);
    }
    if let Some(sentence) = commit(result) {
        lines.sentence(&sentence, LINES);
    }
}

fn of_ramp(lines: &mut BriefLines, ramp: &RampReport) {
    if let Some(evidence) = ramp.answer.as_ref().and_then(|answer| shown(ramp, answer)) {
        lines.sentence(&evidence, LINES);
    }
    // The label stands at the first sentence of its kind.
    let curve = ramp_entries(ramp).into_iter();
    let curve = curve.skip_while(|entry| entry.label != "curve");
    let most = if ramp.answer.is_some() { 1 } else { LINES + 1 };
    for entry in curve.take(most) {
        lines.sentence(&entry.text, LINES);
    }
}

/// On what the rate rests.
fn shown(ramp: &RampReport, answer: &RateAnswer) -> Option<String> {
    answer.rate?;
    let lowest = ramp.verified().reduce(f64::min);
    let highest = ramp.verified().reduce(f64::max);
    let mut parts = Vec::new();
    match (lowest.map(iops), highest.map(iops)) {
        (Some(lowest), Some(highest)) if lowest == highest => {
            parts.push(format!("verified at {lowest}"));
        }
        (Some(lowest), Some(highest)) => {
            parts.push(format!("verified at {lowest} to {highest}"));
        }
        _ => {}
    }
    if let Some(broken) = answer.broken_at {
        parts.push(format!("limit exceeded at {}", iops(broken)));
    }
    if let Some(share) = answer.share_percent {
        parts.push(format!("{} of a closed load's maximum", percent(share)));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Whether a flush is honoured, with what was seen; nothing where nobody asked.
fn flush(result: &RunResult) -> Option<String> {
    let asked = |kind| result.micro_probes.iter().any(|probe| probe.kind == kind);
    if !asked(ProbeKind::WriteFlush) {
        return None;
    }
    let of = |code: Code| {
        let mut caveats = result.caveats.iter();
        let found = caveats.find(|caveat| code.is(caveat));
        found.map(|caveat| caveat.message.as_str())
    };
    let seen = (
        of(Code::FlushReal),
        of(Code::FlushFree),
        of(Code::FlushMissing),
    );
    let words = match seen {
        (_, _, Some(why)) => ("no", why.to_owned()),
        (Some(why), _, _) => ("yes", why.to_owned()),
        (_, Some(why), _) => ("cannot tell", why.to_owned()),
        _ => ("cannot tell", unclear(result)),
    };
    Some(format!("is a flush honoured? {}: {}", words.0, words.1))
}

/// Why a flush says nothing.
fn unclear(result: &RunResult) -> String {
    let mut devices = result
        .provenance
        .targets
        .iter()
        .flat_map(|target| &target.devices)
        .filter(|device| device.leaf);
    let through =
        devices.clone().count() > 0 && devices.all(|device| device.write_cache == "write through");
    if through {
        "the device reports no volatile cache, so a flush has nothing to do".to_owned()
    } else {
        "a write with a flush takes about as long as a write without".to_owned()
    }
}

/// What a commit costs. Of several jobs that commit, the one whose commits are smallest is shown:
/// that of a log, not that of the pages.
fn commit(result: &RunResult) -> Option<String> {
    let mut all = Vec::new();
    for phase in &result.phases {
        for job in &phase.jobs {
            let (Some(write), Some(flush)) = (&job.ops[Op::Write], &job.ops[Op::Flush]) else {
                continue;
            };
            if !is_commit(result, &phase.name, job) || flush.ios == 0 {
                continue;
            }
            let is_open = job.load_model == LoadModel::Open;
            // Means add up, percentiles do not. Of a commit that is late, the write waited.
            let first = if is_open {
                write.response_ns.mean
            } else {
                write.service_ns.mean
            };
            let mean = first + flush.service_ns.mean;
            // By the word of a file system alone nothing is durable.
            let is_unconfirmed = result.caveats.iter().any(|one| Code::NoDevice.is(one));
            let limit = if is_unconfirmed {
                "; whether they are durable is unknown"
            } else {
                ""
            };
            let name = match phase.jobs.len() {
                1 => &phase.name,
                _ => &job.name,
            };
            let set = if is_open { "at the set rate of " } else { "" };
            let rate = format!("{set}{} per second", iops(flush.iops));
            let text = format!(
                "{name}: a write and its fdatasync take {} on average, {rate}{limit}",
                time(mean)
            );
            all.push((write.bytes / write.ios.max(1), text));
        }
    }
    let smallest = all.into_iter().min_by_key(|(bytes, _)| *bytes);
    smallest.map(|(_, text)| text)
}
