//! The rows of fio's reports as jobs, whatever form they were written in.

mod figures;

use super::options::Options;
use super::shape::{Job, OptionMap};
use fathom_core::result::PhaseResult;
use fathom_core::spec::Job as JobSpec;
use fathom_tools::own_names::{OwnNames, in_parentheses};
use fathom_tools::results::draft::Draft;
use std::collections::HashMap;

/// Jobs that ran at the same time: fio begins a group at a `stonewall`, and at a `new_group`
/// without waiting.
pub(super) fn groups(jobs: &[Job]) -> Vec<&[Job]> {
    let mut groups = Vec::new();
    let mut from = 0;
    for index in 1..=jobs.len() {
        let is_end = jobs.get(index).is_none_or(|job| {
            let has = |name: &str| {
                job.options
                    .as_ref()
                    .is_some_and(|all| all.contains_key(name))
            };
            job.groupid != jobs[index - 1].groupid && (!has("new_group") || has("stonewall"))
        });
        if is_end {
            groups.push(&jobs[from..index]);
            from = index;
        }
    }
    groups
}

/// A group as a phase, and its jobs as far as they are known.
pub(super) fn phase(
    group: &[Job],
    global: &OptionMap,
    draft: &mut Draft,
    notes: &mut Vec<String>,
) -> (PhaseResult, Vec<JobSpec>) {
    let first = group.first().map_or("", |job| job.jobname.as_str());
    let name = match group {
        [_] => first.to_owned(),
        _ => format!("group {}", group.first().map_or(0, |job| job.groupid)),
    };
    let mut phase = PhaseResult::empty(&name);
    let mut specs: Vec<JobSpec> = Vec::new();
    let mut names = OwnNames::default();
    let mut rows: HashMap<&str, usize> = HashMap::new();
    for job in group {
        *rows.entry(job.jobname.as_str()).or_default() += 1;
    }
    for job in group {
        let options = Options::of(global, job.options.as_ref());
        let name = names.own(&job.jobname, in_parentheses);
        let rows = rows.get(job.jobname.as_str()).copied().unwrap_or_default();
        let spec = options.spec(&name, &job.done(rows), draft);
        name_engine(&options.engine(), &mut draft.engine);
        phase.warm_up_ns = phase.warm_up_ns.max(options.ramp_ns());
        let result = figures::job(job, &spec, &options, notes);
        phase.measured_ns = phase.measured_ns.max(result.active_ns);
        figures::processor(job, &mut phase.process);
        phase.jobs.push(result);
        specs.push(spec);
    }
    (phase, specs)
}

/// Adds an engine to the list of those that were used.
fn name_engine(engine: &str, all: &mut String) {
    if all.split(", ").all(|known| known != engine) {
        if !all.is_empty() {
            all.push_str(", ");
        }
        all.push_str(engine);
    }
}
