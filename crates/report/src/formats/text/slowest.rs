//! What the slowest requests were: single ones, or a few stalls.

use crate::formats::slowest;
use crate::page::Page;
use fathom_core::result::PhaseResult;

pub(super) fn write(page: &mut Page, phase: &PhaseResult) {
    for job in &phase.jobs {
        let prefix = super::job_prefix(phase, &job.name);
        for (op, result) in job.ops.present() {
            if let Some(words) = slowest::sentence(result) {
                page.entry("slowest", &format!("{prefix}{}: {words}", op.name()));
            }
        }
    }
}
