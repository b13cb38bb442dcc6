//! Rules of the priority of a job.

use super::Findings;
use crate::spec::fields::JOB;
use crate::spec::{IoClass, Job};

/// A level is one of a class, of which only two have levels.
pub(super) fn check(job: &Job, findings: &mut Findings<'_>) {
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
