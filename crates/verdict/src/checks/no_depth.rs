//! A queue whose depth was steered by the time that requests take, without success.

use crate::check::{Check, Code, Effect, Entry, Example, Group, Needs};
use crate::samples;
use crate::subject;
use fathom_core::figure::{duration, percent, plural};
use fathom_core::result::{EndReason, PhaseResult, RunResult, SteeredDepth};
use fathom_core::spec::{Pacing, Steering};
use fathom_core::{Caveat, Level, Nanos, Percent};

pub(crate) const CHECK: Check = Check {
    purpose: "whether a search for a queue depth found one",
    needs: Needs::OurRun(&[]),
    codes: &[Entry {
        code: Code::NoDepth,
        group: Group::Load,
        effect: Effect::Number,
        point: "",
        level: "suspect; qualified where one outstanding request is too slow",
        when: "a search for a queue depth was asked for and found none",
        thresholds: &[],
        example: Example::Run(samples::reads, |r| {
            samples::spec(r).pacing = Pacing::Steered(Steering {
                within: Nanos::from_micros(300),
                share: Percent(99.0),
                window: Nanos::from_secs(1),
                follow: false,
            });
            samples::phase(r).ended_by = EndReason::NoDepth;
            samples::phase(r).jobs[0].steered = Some(SteeredDepth {
                found: false,
                depths: vec![1],
                windows: 2,
                within_percent: 12.5,
            });
        }),
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for (phase, job, spec) in subject::jobs(result) {
        let missed = job.steered.as_ref().filter(|steered| !steered.found);
        if let (Some(steered), Some(Pacing::Steered(steering))) =
            (missed, spec.map(|spec| &spec.pacing))
        {
            let caveat = judge(phase, steered, steering);
            caveats.push(caveat.about(subject::job(result, phase, job)));
        }
    }
}

fn judge(phase: &PhaseResult, steered: &SteeredDepth, steering: &Steering) -> Caveat {
    let aim = format!(
        "{} of the requests within {}",
        percent(steering.share.0),
        duration(steering.within.0)
    );
    let last = percent(steered.within_percent);
    if steering.follow || phase.ended_by == EndReason::NoDepth {
        let message = format!(
            "even one outstanding request does not keep {aim}: in the last window {last} did; what \
             is reported was measured all the same"
        );
        return Code::NoDepth
            .caveat(Level::Qualified, message)
            .remedy("a longer time, a smaller share of the requests, or a faster storage");
    }
    let message = format!(
        "the phase was over before a queue depth was found that keeps {aim}: {} were judged, and \
         what is reported was measured at different depths",
        plural(steered.windows, "window")
    );
    Code::NoDepth
        .caveat(Level::Suspect, message)
        .remedy("a longer `duration`, none at all, or a shorter `window`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::{Nanos, Percent, fixture};

    fn searched(steered: SteeredDepth, ended_by: EndReason) -> RunResult {
        let mut result = fixture::random_read();
        result.provenance.workload.phases[0].jobs[0].pacing = Pacing::Steered(Steering {
            within: Nanos::from_micros(300),
            share: Percent(99.0),
            window: Nanos::from_secs(1),
            follow: false,
        });
        result.phases[0].ended_by = ended_by;
        result.phases[0].jobs[0].steered = Some(steered);
        result
    }

    #[test]
    fn a_search_without_success_is_told() {
        let mut steered = SteeredDepth {
            found: true,
            depths: vec![1],
            windows: 2,
            within_percent: 12.5,
        };
        let result = searched(steered.clone(), EndReason::DepthFound);
        let about = format!("measure/{}", result.phases[0].jobs[0].name);
        assert_eq!(found(&CHECK, &result), []);
        steered.found = false;
        let result = searched(steered.clone(), EndReason::NoDepth);
        let expected = Code::NoDepth.caveat(Level::Qualified,
            "even one outstanding request does not keep 99.0 % of the requests within 300 µs: in \
             the last window 12.5 % did; what is reported was measured all the same",
        )
        .remedy("a longer time, a smaller share of the requests, or a faster storage")
        .about(about.clone());
        assert_eq!(found(&CHECK, &result), [expected]);
        let result = searched(steered, EndReason::Duration);
        let expected = Code::NoDepth.caveat(Level::Suspect,
            "the phase was over before a queue depth was found that keeps 99.0 % of the requests \
             within 300 µs: 2 windows were judged, and what is reported was measured at different \
             depths",
        )
        .remedy("a longer `duration`, none at all, or a shorter `window`")
        .about(about.clone());
        assert_eq!(found(&CHECK, &result), [expected]);
    }
}
