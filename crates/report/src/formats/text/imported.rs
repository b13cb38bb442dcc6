//! What another program measured: only what it said, and what it did not say.

use super::load_words;
use crate::figure::{count, duration, percent, plural, time};
use crate::page::{HARD_SPACE, Page};
use fathom_core::result::{JobResult, Origin, PhaseResult, ResultField, RunResult, TargetInfo};
use fathom_core::spec::Job;
use fathom_core::summary::{LatencySummary, PERCENTILES, Spread};

/// Targets that are listed; the others are counted.
const LISTED: usize = 4;

/// Tool and format.
pub(super) fn source(result: &RunResult) -> Option<(&str, &str)> {
    match &result.provenance.origin {
        Origin::Imported { tool, format, .. } => Some((tool, format)),
        Origin::Measured | Origin::Simulated { .. } => None,
    }
}

/// What was measured on what, as far as the source says.
pub(super) fn setup(page: &mut Page, result: &RunResult, (tool, _): (&str, &str)) {
    let provenance = &result.provenance;
    page.entry("origin", &provenance.origin.words());
    let targets = &provenance.targets;
    for target in targets.iter().take(LISTED) {
        page.entry(
            "target",
            &self::target(target, provenance.origin.knows(ResultField::Workload)),
        );
    }
    if targets.len() > LISTED {
        page.entry("target", &format!("and {} more", targets.len() - LISTED));
    }
    if !provenance.engine.name.is_empty() {
        page.entry("engine", &format!("{} of {tool}", provenance.engine.name));
    }
    match result.phases.as_slice() {
        [] => page.entry("load", "it contains no phase"),
        [phase] => load(page, result, phase),
        phases => {
            let measured = phases.iter().map(|phase| phase.measured_ns);
            let text = format!(
                "{}, {} measured in all",
                plural(phases.len() as u64, "phase"),
                duration(measured.fold(0, u64::saturating_add))
            );
            page.entry("load", &text);
        }
    }
}

fn target(target: &TargetInfo, is_known: bool) -> String {
    if target.direct && is_known {
        format!("{}, direct I/O", target.path)
    } else {
        target.path.clone()
    }
}

/// The load of one phase and its length.
pub(super) fn load(page: &mut Page, result: &RunResult, phase: &PhaseResult) {
    for (job, spec) in result.job_specs(phase) {
        let words = super::job_prefix(phase, &job.name) + &words(result, job, spec);
        page.entry("load", &words);
    }
    let mut text = format!("{} measured", duration(phase.measured_ns));
    if phase.warm_up_ns > 0 {
        text += &format!(" after {} of warm-up", duration(phase.warm_up_ns));
    }
    page.entry("time", &text);
}

fn words(result: &RunResult, job: &JobResult, spec: Option<&Job>) -> String {
    let knows = |field: ResultField| result.provenance.origin.knows(field);
    let mut parts = Vec::new();
    if knows(ResultField::LoadModel) {
        parts.push(load_words::model(job.load_model).to_owned());
    }
    if job.threads > 0 {
        parts.push(plural(u64::from(job.threads), "thread"));
    }
    if job.queue_depth > 0 {
        let possible = job.queue_depth_possible.min(job.queue_depth);
        parts.push(format!("{} outstanding", count(possible)));
    }
    let mut text = parts.join(", ");
    if let Some(kinds) = spec
        .map(|spec| &spec.kinds)
        .filter(|kinds| !kinds.is_empty())
    {
        if !text.is_empty() {
            text += "; ";
        }
        text += &load_words::kinds(kinds);
    }
    if text.is_empty() {
        text += "not known";
    }
    text
}

/// One phase: its load, where there are several, and its evidence.
pub(super) fn detail(page: &mut Page, result: &RunResult, phase: &PhaseResult) {
    if result.phases.len() == 1 {
        page.blank();
    } else {
        page.heading(&phase.name);
        load(page, result, phase);
    }
    evidence(page, result, phase);
}

/// The evidence of one phase.
pub(super) fn evidence(page: &mut Page, result: &RunResult, phase: &PhaseResult) {
    let knows = |field: ResultField| result.provenance.origin.knows(field);
    for job in &phase.jobs {
        let prefix = super::job_prefix(phase, &job.name);
        for (op, found) in job
            .ops
            .present()
            .filter(|(_, found)| found.service_ns.count > 0)
        {
            let words = distribution(&found.service_ns, &knows);
            page.entry("service", &format!("{prefix}{}: {words}", op.name()));
        }
    }
    if !knows(ResultField::Ios) {
        means(page, result, phase);
    }
    if knows(ResultField::Ios) {
        for job in &phase.jobs {
            let mut text = format!("{} completed", count(job.completed));
            if knows(ResultField::Failed) {
                text += &format!(", {} failed", count(job.failed));
            }
            page.entry("requests", &(super::job_prefix(phase, &job.name) + &text));
        }
    }
    if let Some(text) = processor(phase) {
        page.entry("processor", &text);
    }
}

/// The means over spans of time, of a log that does not say how many requests they are over.
fn means(page: &mut Page, result: &RunResult, phase: &PhaseResult) {
    let length = duration(result.provenance.workload.interval.0);
    for (index, job) in phase.jobs.iter().enumerate() {
        for (op, _) in job.ops.present() {
            let jobs = phase.intervals.iter().flat_map(|interval| &interval.jobs);
            let ours = jobs.filter(|entry| entry.job as usize == index);
            let found = ours.filter_map(|entry| entry.ops.get(op));
            let means: Vec<f64> = found.map(|found| found.service_ns.mean).collect();
            let spread = Spread::of(&means);
            if spread.max > 0.0 {
                let text = format!(
                    "{}{}: {} of {length}, their means from {} to {}",
                    super::job_prefix(phase, &job.name),
                    op.name(),
                    plural(spread.count, "span"),
                    time(spread.min),
                    time(spread.max)
                );
                page.entry("service", &text);
            }
        }
    }
}

fn distribution(summary: &LatencySummary, knows: &dyn Fn(ResultField) -> bool) -> String {
    let mut parts = Vec::new();
    if knows(ResultField::ServiceNsMin) {
        parts.push(format!("min {}", time(summary.min as f64)));
    }
    let mut mean = format!("mean {}", time(summary.mean));
    if knows(ResultField::ServiceNsStddev) {
        mean += &format!(" ± {}", time(summary.stddev));
    }
    parts.push(mean);
    for (name, _) in PERCENTILES {
        if let Some(value) = summary.percentile(name) {
            parts.push(format!("p{name} {}", time(value as f64)));
        }
    }
    if knows(ResultField::ServiceNsMax) {
        parts.push(format!("max {}", time(summary.max as f64)));
    }
    let whole = parts.iter().map(|part| part.replace(' ', HARD_SPACE));
    whole.collect::<Vec<_>>().join(", ")
}

/// What the program or the whole machine used, whichever the source says.
fn processor(phase: &PhaseResult) -> Option<String> {
    let process = &phase.process;
    let (user, system) = (process.user_ns as f64, process.system_ns as f64);
    if user + system > 0.0 {
        let busy = (user + system) / phase.measured_ns.max(1) as f64 * 100.0;
        return Some(format!("{} of one CPU busy, by the program", percent(busy)));
    }
    let all = &process.processors;
    let used = all
        .iter()
        .map(|one| one.user_percent + one.kernel_percent)
        .sum::<f64>();
    (!all.is_empty()).then(|| {
        format!(
            "{} of {} busy, including other programs",
            percent(used / all.len() as f64),
            plural(all.len() as u64, "processor")
        )
    })
}

/// How the result came about, and what is not known of it.
pub(super) fn origin(page: &mut Page, result: &RunResult) {
    let provenance = &result.provenance;
    page.heading("run");
    let mut text = result.run_id.clone();
    if !provenance.started_at.is_empty() {
        text += &format!(", started {}", provenance.started_at);
    }
    page.entry("id", &text);
    if !provenance.host.hostname.is_empty() {
        page.entry("host", &provenance.host.hostname);
    }
    page.entry("fathom", &format!("{}, which read it", provenance.version));
    if !provenance.command_line.is_empty() {
        page.entry("asked as", &provenance.command_line.join(" "));
    }
    if let Origin::Imported { unknown, .. } = &provenance.origin {
        page.entry("not known", &unknown.to_string());
    }
}
