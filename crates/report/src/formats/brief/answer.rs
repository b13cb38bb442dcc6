//! The answer in words, where the command asked a question.

use super::lines::Lines;
use super::shape::is_commit;
use crate::figure::{iops, percent, time};
use crate::formats::text::ramp_entries;
use fathom_core::result::{ProbeKind, RampReport, RateAnswer, RunResult};
use fathom_tools::iotest::sas_sentence;
use fathom_verdict::Code;

/// Lines of one answer.
const LINES: usize = 2;

pub(super) fn write(lines: &mut Lines, result: &RunResult) {
    if let Some(ramp) = &result.ramp {
        of_ramp(lines, ramp);
    }
    if let Some(course) = course(result) {
        lines.sentence(&course, LINES + 1);
    }
    if let Some(honoured) = flush(result) {
        lines.sentence(&honoured, LINES + 1);
    }
    if let Some(verdict) = sas_sentence(result) {
        lines.sentence(&verdict, LINES);
    }
    for sentence in commits(result) {
        lines.sentence(&sentence, LINES);
    }
}

fn of_ramp(lines: &mut Lines, ramp: &RampReport) {
    if let Some(answer) = &ramp.answer {
        lines.sentence(&rate(answer), LINES);
    }
    // The label stands at the first sentence of its kind.
    let curve = ramp_entries(ramp).into_iter();
    let curve = curve.skip_while(|entry| entry.label != "curve");
    let most = if ramp.answer.is_some() { 1 } else { LINES + 1 };
    for entry in curve.take(most) {
        lines.sentence(&entry.text, LINES);
    }
}

/// The rate with the lowest and the highest that the searches found.
fn rate(answer: &RateAnswer) -> String {
    let asked = answer.objectives.join(" and ");
    let Some(rate) = answer.rate else {
        return format!("no rate is shown to keep {asked}: {}", answer.reason);
    };
    let mut text = format!("{} IOPS keep {asked}", iops(rate));
    if answer.rates.len() > 1 {
        let lowest = answer.rates.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = answer.rates.iter().copied().fold(0.0, f64::max);
        if iops(lowest) != iops(highest) {
            text += &format!(" [{}, {}]", iops(lowest), iops(highest));
        }
    }
    if let Some(share) = answer.share_percent {
        text += &format!("; {} of the maximum", percent(share));
    }
    if let Some(broken) = answer.broken_at {
        text += &format!("; {} are not shown to", iops(broken));
    }
    text
}

/// What becomes of the load on a simulated volume.
pub(super) fn course(result: &RunResult) -> Option<String> {
    let mut caveats = result.caveats.iter();
    let course = caveats.find(|caveat| Code::Course.is(caveat))?;
    Some(course.message.clone())
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
        "the device says that it has no volatile cache, and a flush has nothing to do".to_owned()
    } else {
        "a write with a flush takes about as long as one without".to_owned()
    }
}

/// What a commit costs.
fn commits(result: &RunResult) -> Vec<String> {
    let mut all = Vec::new();
    for phase in &result.phases {
        for job in &phase.jobs {
            let (Some(write), Some(flush)) = (&job.write, &job.flush) else {
                continue;
            };
            if !is_commit(result, &phase.name, job) || flush.ios == 0 {
                continue;
            }
            // Means add up, percentiles do not.
            let mean = write.service_ns.mean + flush.service_ns.mean;
            all.push(format!(
                "{}: {} a second, {} each on average: a write, then fdatasync",
                phase.name,
                iops(flush.iops),
                time(mean)
            ));
        }
    }
    all.truncate(1);
    all
}
