//! A run that ended before it measured anything.

use crate::check::{Check, Code, Example, Needs, entry};
use crate::samples;
use crate::subject;
use fathom_core::figure::{duration, iops};
use fathom_core::result::{EndReason, PhaseResult, ResultField, RunResult};
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    purpose: "whether there is a result to evaluate",
    needs: Needs::AnySource,
    codes: &[entry! { NothingMeasured: Number, Elsewhere, "invalid",
        "no phase ran, or no request completed in a phase; not raised if the user stopped it and \
         another phase was complete",
        [],
        Example::Run(samples::reads, |r| samples::phase(r).jobs[0].completed = 0)
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    if result.phases.is_empty() {
        let message = "the run ended before its first phase";
        caveats.push(
            Code::NothingMeasured
                .caveat(Level::Invalid, message)
                .remedy("see the error message of the run, and run it again"),
        );
    }
    let is_empty = |phase: &PhaseResult| phase.jobs.iter().all(|job| job.completed == 0);
    // Logs of latency alone have no counts.
    if !result.provenance.origin.knows(ResultField::Ios) {
        return;
    }
    let was_meant = |phase: &&PhaseResult| {
        let mut phases = result.provenance.workload.phases.iter();
        let planned = phases.find(|planned| planned.name == phase.name);
        planned.is_some_and(|planned| planned.jobs.iter().all(|job| job.compat().idle))
    };
    let has_others = !result.phases.iter().all(is_empty);
    for phase in result.phases.iter().filter(|phase| !was_meant(phase)) {
        // What was complete before the user had seen enough stays as good as it was; `interrupted`
        // says what is missing.
        let is_cut_off = phase.ended_by == EndReason::Interrupted && has_others;
        if is_empty(phase) && !is_cut_off {
            caveats.push(empty(phase).about(subject::phase(result, phase)));
        }
    }
}

/// What is wrong with a phase without a completed request.
fn empty(phase: &PhaseResult) -> Caveat {
    let invalid = |message: &str| Code::NothingMeasured.caveat(Level::Invalid, message);
    let late = phase.jobs.iter().filter_map(|job| {
        let offered = job.offered_iops?;
        Some((job, offered, job.max_lag_ns?))
    });
    let latest = late.max_by_key(|(_, _, lag_ns)| *lag_ns);
    match latest.filter(|_| phase.ended_by == EndReason::Overloaded) {
        Some((job, offered, lag_ns)) => invalid(&format!(
            "the load was too high from the start: {}, at an offered {} IOPS, was {} late before \
             the measured time",
            job.name,
            iops(offered),
            duration(lag_ns)
        ))
        .remedy("use a lower rate, or faster storage"),
        None => invalid("no request completed in the measured time")
            .remedy("run longer; check the errors, if any"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    #[test]
    fn neither_a_run_nor_a_phase_may_be_empty() {
        let mut result = fixture::random_read();
        assert_eq!(found(&CHECK, &result), []);
        result.phases[0].jobs[0].completed = 0;
        let message = "no request completed in the measured time";
        let expected = Code::NothingMeasured
            .caveat(Level::Invalid, message)
            .remedy("run longer; check the errors, if any")
            .about("measure");
        assert_eq!(found(&CHECK, &result), std::slice::from_ref(&expected));
        let mut cut_off = fixture::random_read();
        let mut second = result.phases[0].clone();
        cut_off.phases.push(second.clone());
        assert_eq!(found(&CHECK, &cut_off), std::slice::from_ref(&expected));
        second.ended_by = EndReason::Interrupted;
        cut_off.phases[1] = second;
        assert_eq!(found(&CHECK, &cut_off), []);
        cut_off.phases.remove(0);
        assert_eq!(found(&CHECK, &cut_off), [expected]);
        let mut late = result.clone();
        late.phases[0].ended_by = EndReason::Overloaded;
        late.phases[0].jobs[0].offered_iops = Some(200.0);
        late.phases[0].jobs[0].max_lag_ns = Some(10_397_673_489);
        let message = "the load was too high from the start: read, at an offered 200.0 IOPS, was \
                       10.4 s late before the measured time";
        let expected = Code::NothingMeasured
            .caveat(Level::Invalid, message)
            .remedy("use a lower rate, or faster storage")
            .about("measure");
        assert_eq!(found(&CHECK, &late), [expected]);
        result.phases.clear();
        let message = "the run ended before its first phase";
        let expected = Code::NothingMeasured
            .caveat(Level::Invalid, message)
            .remedy("see the error message of the run, and run it again");
        assert_eq!(found(&CHECK, &result), [expected]);
    }
}
