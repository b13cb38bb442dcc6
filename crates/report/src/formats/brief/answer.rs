//! The answer in words, where the command asked a question.

use super::lines::Lines;
use super::shape::is_commit;
use crate::figure::{iops, percent, plural, time};
use crate::formats::text::ramp_entries;
use fathom_core::result::{ProbeKind, RampReport, RateAnswer, RunResult, StepPurpose};
use fathom_core::{Caveat, Op};
use fathom_programs::sentence;
use fathom_verdict::Code;
use std::fmt::Write as _;

/// Courses of phases after the first.
const COURSES: usize = 3;
/// Lines of one answer.
const LINES: usize = 2;

/// The answer of a command that asks one question, for the first line.
pub(super) fn headline(result: &RunResult) -> Option<String> {
    let searched = result.ramp.as_ref().and_then(|ramp| {
        let answer = ramp.answer.as_ref()?;
        Some(rate(ramp, answer))
    });
    searched
        .or_else(|| Some(courses(result).into_iter().next()?.words))
        .or_else(|| sentence(result))
}

pub(super) fn write(lines: &mut Lines, result: &RunResult) {
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
    for sentence in commits(result) {
        lines.sentence(&sentence, LINES);
    }
}

fn of_ramp(lines: &mut Lines, ramp: &RampReport) {
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

/// The rate with its interval: from the lowest that a longer run has verified to the lowest that
/// was not shown to keep the objectives, or the highest of a search that went beyond it.
fn rate(ramp: &RampReport, answer: &RateAnswer) -> String {
    let asked: Vec<String> = answer.objectives.iter().map(|one| spaced(one)).collect();
    let asked = asked.join(" and ");
    let Some(rate) = answer.rate else {
        return format!("no rate is proven to meet {asked}: {}", answer.reason);
    };
    let found = answer.rates.iter().copied();
    let lowest = verified(ramp).chain(found.clone()).fold(rate, f64::min);
    let highest = found.chain(answer.broken_at).fold(rate, f64::max);
    let mut text = format!("{} IOPS meet {asked}", iops(rate));
    if iops(lowest) != iops(highest) {
        let _ = write!(text, " [{}, {}]", iops(lowest), iops(highest));
    }
    text
}

/// On what the rate rests.
fn shown(ramp: &RampReport, answer: &RateAnswer) -> Option<String> {
    answer.rate?;
    let lowest = verified(ramp).reduce(f64::min);
    let highest = verified(ramp).reduce(f64::max);
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

/// The rates of the longer runs that kept the objectives.
fn verified(ramp: &RampReport) -> impl Iterator<Item = f64> {
    let steps = ramp.steps.iter();
    let kept = steps.filter(|step| {
        step.purpose == StepPurpose::Verify && step.objectives.as_deref() == Some("pass")
    });
    kept.map(|step| step.value)
}

/// An objective as people write it: `p99 ≤ 2 ms`.
fn spaced(objective: &str) -> String {
    let Some((quantity, limit)) = objective.split_once("<=") else {
        return objective.to_owned();
    };
    let unit = limit.find(|sign: char| sign.is_alphabetic());
    let (number, unit) = limit.split_at(unit.unwrap_or(limit.len()));
    format!(
        "{quantity} ≤ {} {}",
        number.trim(),
        unit.replace("us", "µs")
    )
}

/// What becomes of the load of a phase.
#[derive(Debug)]
pub(crate) struct PhaseCourse {
    /// In a line, with the name of the phase where there are several.
    pub(crate) words: String,
    /// Whether it ever gets another rate than at first.
    pub(crate) changes: bool,
}

/// The courses of all phases on a simulated volume.
pub(crate) fn courses(result: &RunResult) -> Vec<PhaseCourse> {
    let caveats = result.caveats.iter();
    let told: Vec<&Caveat> = caveats.filter(|caveat| Code::Course.is(caveat)).collect();
    let phases = told.chunk_by(|one, other| one.subject == other.subject);
    let course = |sentences: &[&Caveat]| {
        let first = sentences.first()?;
        Some(PhaseCourse {
            words: match first.subject.as_str() {
                "" => first.message.clone(),
                phase => format!("{phase}: {}", first.message),
            },
            // All of it, and what lasts.
            changes: sentences.len() > 2,
        })
    };
    phases.filter_map(course).collect()
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

/// What a commit costs.
fn commits(result: &RunResult) -> Vec<String> {
    let mut all = Vec::new();
    for phase in &result.phases {
        for job in &phase.jobs {
            let (Some(write), Some(flush)) = (&job.ops[Op::Write], &job.ops[Op::Flush]) else {
                continue;
            };
            if !is_commit(result, &phase.name, job) || flush.ios == 0 {
                continue;
            }
            // Means add up, percentiles do not.
            let mean = write.service_ns.mean + flush.service_ns.mean;
            // By the word of a file system alone nothing is durable.
            let is_unconfirmed = result.caveats.iter().any(|one| Code::NoDevice.is(one));
            let limit = if is_unconfirmed {
                "; whether they are durable is unknown"
            } else {
                ""
            };
            all.push(format!(
                "{}: {} per second, {} each on average: a write, then fdatasync{limit}",
                phase.name,
                iops(flush.iops),
                time(mean)
            ));
        }
    }
    all.truncate(1);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_objective_reads_as_people_write_it() {
        let cases = [
            ("p99<=2ms", "p99 ≤ 2 ms"),
            ("p99.9<=1.5s", "p99.9 ≤ 1.5 s"),
            ("mean<=500us", "mean ≤ 500 µs"),
        ];
        for (objective, expected) in cases {
            assert_eq!(spaced(objective), expected);
        }
    }
}
