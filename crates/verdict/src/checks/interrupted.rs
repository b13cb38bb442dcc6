//! A measurement that the user ended early, or whose process was gone before its end.

use crate::check::{Check, Code, Example, Needs, entry};
use crate::samples;
use crate::subject;
use fathom_core::figure::duration;
use fathom_core::result::{EndReason, RunResult};
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    purpose: "whether the measured time is the requested time",
    needs: Needs::OurRun(&[]),
    codes: &[
        entry! { Interrupted: Number, Number, "qualified; suspect if the process was killed",
            "the user stopped the measurement, hosts were missing before its next phase, or the \
             process ended early and the history had only a partial result",
            [],
            Example::Run(samples::reads, |r| {
                samples::phase(r).ended_by = EndReason::Interrupted;
                samples::phase(r).measured_ns = 12_300_000_000;
            })
        },
    ],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let rebuilt = result.provenance.rebuilt;
    if rebuilt {
        let message = "the process ended before its report. The history had only this part of the \
                       run";
        caveats.push(
            Code::Interrupted
                .caveat(Level::Suspect, message)
                .remedy("run it again to the end"),
        );
    }
    // What is missing whole comes first; a run that ends between two phases has no phase to say so.
    caveats.extend(left_out(result));
    let interrupted = result
        .phases
        .iter()
        .filter(|one| one.ended_by == EndReason::Interrupted);
    for phase in interrupted {
        let mut specs = result.provenance.workload.phases.iter();
        let asked = specs
            .find(|spec| spec.name == phase.name)
            .and_then(|spec| spec.duration);
        let of = asked.map_or(String::new(), |asked| format!(" of {}", duration(asked.0)));
        let whom = if rebuilt {
            "cut off"
        } else {
            "stopped by the user"
        };
        let message = format!("{whom} after {}{of}", duration(phase.measured_ns));
        caveats.push(
            Code::Interrupted
                .caveat(Level::Qualified, message)
                .remedy("run it again to the end if the full length matters")
                .about(subject::phase(result, phase)),
        );
    }
}

fn left_out(result: &RunResult) -> Option<Caveat> {
    let left = result.not_run();
    if left.is_empty() {
        return None;
    }
    let workload = &result.provenance.workload;
    let all = workload.phases.len() * workload.repeat as usize;
    let were = if left.len() == 1 { "was" } else { "were" };
    let message = format!(
        "{} of {all} phases {were} not run: {}",
        left.len(),
        left.join(", ")
    );
    Some(
        Code::Interrupted
            .caveat(Level::Qualified, message)
            .remedy("run it again to the end"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::Op;
    use fathom_core::fixture::{self, JobPlan, Stream};

    #[test]
    fn phases_that_were_not_run_are_counted() {
        let jobs = |name: &str| {
            let stream = Stream::random(Op::Read, 4096, vec![10_000; 5]);
            vec![JobPlan::closed(name, 32, vec![stream])]
        };
        let phases = ["one", "two", "three"].map(|name| (name, jobs(name)));
        let mut result = fixture::run("three", &phases);
        assert_eq!(found(&CHECK, &result), []);
        result.phases.truncate(1);
        let messages = |result: &RunResult| -> Vec<String> {
            let found = found(&CHECK, result).into_iter();
            found.map(|caveat| caveat.message).collect()
        };
        let not_run = "2 of 3 phases were not run: two, three";
        assert_eq!(messages(&result), [not_run], "stopped between two phases");
        result.phases[0].ended_by = EndReason::Interrupted;
        let ended = "stopped by the user after 5.0 s of 5.0 s";
        assert_eq!(messages(&result), [not_run, ended]);
    }

    #[test]
    fn the_time_that_is_missing_is_said() {
        let mut result = fixture::random_read();
        result.phases[0].measured_ns = 12_300_000_000;
        assert_eq!(found(&CHECK, &result), []);
        result.phases[0].ended_by = EndReason::Interrupted;
        let message = "stopped by the user after 12.3 s of 60.0 s";
        let expected = Code::Interrupted
            .caveat(Level::Qualified, message)
            .remedy("run it again to the end if the full length matters")
            .about("measure");
        assert_eq!(found(&CHECK, &result), [expected]);
    }

    #[test]
    fn a_killed_run_is_suspect() {
        let mut result = fixture::random_read();
        result.phases[0].measured_ns = 12_300_000_000;
        result.phases[0].ended_by = EndReason::Interrupted;
        result.provenance.rebuilt = true;
        let message = "the process ended before its report. The history had only this part of the \
                       run";
        let whole = Code::Interrupted
            .caveat(Level::Suspect, message)
            .remedy("run it again to the end");
        let message = "cut off after 12.3 s of 60.0 s";
        let phase = Code::Interrupted
            .caveat(Level::Qualified, message)
            .remedy("run it again to the end if the full length matters")
            .about("measure");
        assert_eq!(found(&CHECK, &result), [whole, phase]);
    }
}
