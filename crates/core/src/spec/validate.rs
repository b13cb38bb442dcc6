//! All rules of a specification that need no system to decide.
//!
//! A violation names the place by a path (`phase[0].job[1].random`), so that the dialect that
//! read the text can show the line.

mod access;
mod apart;
mod data;
mod files;
mod job;
mod phase;
mod priority;

use super::fields::WORKLOAD;
use super::{Phase, Workload};
use std::collections::HashSet;

/// Something in a workload that contradicts itself or cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {message}")]
pub struct Violation {
    /// Where: keys and indices from the root, as in `phase[0].job[1].threads`.
    pub path: String,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub remedy: String,
}

/// Collects violations below a path.
pub(crate) struct Findings<'a> {
    path: String,
    list: &'a mut Vec<Violation>,
}

impl Findings<'_> {
    fn below(&mut self, key: &str) -> Findings<'_> {
        let path = if self.path.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        };
        Findings {
            path,
            list: self.list,
        }
    }

    /// Whether to look for more is of no use.
    fn is_full(&self) -> bool {
        self.list.len() >= MOST_VIOLATIONS
    }

    fn add(&mut self, key: &str, message: impl Into<String>, remedy: impl Into<String>) {
        let path = match (self.path.is_empty(), key.is_empty()) {
            (_, true) => self.path.clone(),
            (true, false) => key.to_owned(),
            (false, false) => format!("{}.{key}", self.path),
        };
        self.list.push(Violation {
            path,
            message: message.into(),
            remedy: remedy.into(),
        });
    }
}

/// Most jobs of a workload, those of all phases together. Each is a thread at least, and Linux has
/// as many by default (`kernel.pid_max`); a text of some megabytes could ask for a million.
pub const MOST_JOBS: usize = 32_768;

/// What is wrong with this number of jobs, for those who know how many there are before they are
/// read.
pub fn check_jobs(jobs: usize) -> Option<Violation> {
    (jobs > MOST_JOBS).then(|| Violation {
        path: "phase".to_owned(),
        message: format!("the workload has {jobs} jobs"),
        remedy: format!("{MOST_JOBS} at most, in all phases together; a job can have many threads"),
    })
}

/// Violations after which no more are looked for: nobody reads as many, and a workload may have
/// them in each of its jobs.
const MOST_VIOLATIONS: usize = 1000;

/// Every violation in `workload`, in reading order, up to some thousand; none means that it can be
/// run.
pub fn validate(workload: &Workload) -> Vec<Violation> {
    let jobs = workload.phases.iter().map(|phase| phase.jobs.len().max(1));
    if let Some(violation) = check_jobs(jobs.sum()) {
        return vec![violation];
    }
    let mut list = Vec::new();
    let mut findings = Findings {
        path: String::new(),
        list: &mut list,
    };
    if workload.name.trim().is_empty() {
        findings.add(
            "name",
            "the workload has no name",
            "name it, as in `name = \"oltp\"`",
        );
    }
    let interval = WORKLOAD.field("interval");
    if !interval.allows(workload.interval.0) {
        findings.add(
            "interval",
            format!("an interval of {} is out of range", workload.interval),
            format!("choose one from {}", interval.range_in_words()),
        );
    }
    if !WORKLOAD.field("repeat").allows(workload.repeat.into()) {
        findings.add("repeat", "zero repeats measure nothing", "give at least 1");
    }
    if workload.phases.is_empty() {
        findings.add(
            "phase",
            "the workload has no phase",
            "add a `[[phase]]` with a job",
        );
    }
    let mut names = HashSet::new();
    let mut earlier = HashSet::new();
    for (index, phase) in workload.phases.iter().enumerate() {
        if findings.is_full() {
            break;
        }
        let mut findings = findings.below(&format!("phase[{index}]"));
        if !names.insert(phase.name.as_str()) {
            findings.add(
                "name",
                format!("two phases are called `{}`", phase.name),
                "give each phase a name of its own",
            );
        }
        phase::check(phase, &mut findings);
        check_as_before(&earlier, phase, &mut findings);
        earlier.extend(phase.jobs.iter().map(|job| job.name.as_str()));
    }
    list
}

/// A job that does as much as before has been there before, in one of the phases whose jobs have
/// these names.
fn check_as_before(earlier: &HashSet<&str>, phase: &Phase, findings: &mut Findings<'_>) {
    for (index, job) in phase.jobs.iter().enumerate() {
        if findings.is_full() {
            return;
        }
        if job.stop.as_before && !earlier.contains(job.name.as_str()) {
            findings.below(&format!("job[{index}].stop")).add(
                "as_before",
                format!("no earlier phase has a job `{}`", job.name),
                "give both jobs one name, or drop it",
            );
        }
    }
}
