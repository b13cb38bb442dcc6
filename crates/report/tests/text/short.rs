//! Little was measured: no more is said than that.

use crate::text;
use fathom_core::Op;
use fathom_core::fixture::{self, JobPlan, Stream, series};
use fathom_core::result::{EndReason, RunResult};

fn read(per_second: u64, seconds: usize) -> RunResult {
    let stream = Stream::random(Op::Read, 4096, series(per_second, seconds));
    let job = JobPlan::closed("read", 1, vec![stream]);
    fixture::run("short", &[("measure", vec![job])])
}

#[test]
fn a_tiny_sample_has_no_nines() {
    insta::assert_snapshot!(text(read(120, 3)));
}

#[test]
fn an_interrupted_run_still_reports() {
    let mut result = read(9_600, 12);
    result.phases[0].ended_by = EndReason::Interrupted;
    result.provenance.workload.phases[0].duration = Some(fathom_core::Nanos::from_secs(60));
    insta::assert_snapshot!(text(result));
}

#[test]
fn a_run_without_a_phase_is_a_report_too() {
    let mut result = read(120, 3);
    result.phases.clear();
    insta::assert_snapshot!(text(result));
}

#[test]
fn a_phase_without_measured_time_has_no_figures() {
    let stream = || Stream::random(Op::Read, 4096, series(9_600, 5));
    let jobs = |name| vec![JobPlan::closed(name, 1, vec![stream()])];
    let mut result = fixture::run("two", &[("first", jobs("one")), ("second", jobs("two"))]);
    let second = &mut result.phases[1];
    second.ended_by = EndReason::Interrupted;
    second.measured_ns = 0;
    second.jobs[0].ops[Op::Read] = None;
    second.intervals.clear();
    second.process = fathom_core::result::ProcessUse::default();
    insta::assert_snapshot!(text(result));
}
