//! What is seen in the steps of a search on which its answer does not rest.
//!
//! A search goes beyond what the storage keeps up with, on purpose and more than once: what is seen
//! there says nothing against the rate that a longer run has verified.

use fathom_core::result::{RampReport, RunResult, StepPurpose};
use fathom_core::{Caveat, Level};

/// Makes notes of all that is about single steps but those that verified the answer.
pub(crate) fn lower(result: &RunResult, caveats: &mut [Caveat]) {
    let Some(ramp) = result.ramp.as_ref().filter(|ramp| is_answered(ramp)) else {
        return;
    };
    for caveat in caveats {
        if is_beside(ramp, &caveat.subject) {
            caveat.level = caveat.level.min(Level::Note);
        }
    }
}

fn is_answered(ramp: &RampReport) -> bool {
    ramp.answer
        .as_ref()
        .is_some_and(|answer| answer.rate.is_some())
}

/// Whether a subject, `phase` or `phase/job`, is a step that verified nothing.
fn is_beside(ramp: &RampReport, subject: &str) -> bool {
    let (phase, _) = subject.split_once('/').unwrap_or((subject, ""));
    let mut of_phase = ramp.steps.iter().filter(|step| step.phase == phase);
    of_phase.any(|step| {
        step.purpose != StepPurpose::Verify || step.objectives.as_deref() != Some("pass")
    })
}

#[cfg(test)]
mod tests {
    use crate::check::judge;
    use fathom_core::fixture::{self, JobPlan, Stream};
    use fathom_core::result::{RampAxis, RampReport, RampStep, RateAnswer, StepPurpose};
    use fathom_core::{Level, Op, State};

    fn step(phase: &str, purpose: StepPurpose, objectives: &str) -> RampStep {
        RampStep {
            phase: phase.to_owned(),
            purpose,
            value: 10_000.0,
            iops: 10_000.0,
            bytes_per_second: 0.0,
            outstanding: 1.0,
            overloaded: false,
            mean_ns: None,
            p99_ns: None,
            objectives: Some(objectives.to_owned()),
        }
    }

    /// Of two steps of 10 s at 10,000 a second, the one of this name has a growing backlog.
    fn overloads(behind: &str) -> Vec<(String, Level)> {
        let phases = ["search", "verify"].map(|name| {
            let stream = Stream::random(Op::Read, 4096, vec![10_000; 10]);
            (name, vec![JobPlan::closed("read", 32, vec![stream])])
        });
        let mut result = fixture::run("ramp", &phases);
        let mut of_name = result
            .phases
            .iter_mut()
            .filter(|phase| phase.name == behind);
        let job = &mut of_name.next().expect("it is one of both").jobs[0];
        job.due = Some(job.completed * 102 / 100);
        result.ramp = Some(RampReport {
            axis: RampAxis::Rate,
            steps: vec![
                step("search", StepPurpose::Search, "fail"),
                step("verify", StepPurpose::Verify, "pass"),
            ],
            knee: None,
            law: None,
            least_outstanding: None,
            answer: Some(RateAnswer {
                decides_s: None,
                objectives: vec!["p99<=2ms".to_owned()],
                rates: vec![10_000.0],
                rate: Some(10_000.0),
                broken_at: Some(10_300.0),
                share_percent: None,
                outstanding: None,
                reason: String::new(),
            }),
        });
        judge(&mut result);
        assert_eq!(result.state == State::Suspect, behind == "verify");
        let of_code = result
            .caveats
            .iter()
            .filter(|one| one.code.as_str() == "overloaded");
        of_code
            .map(|one| (one.subject.clone(), one.level))
            .collect()
    }

    #[test]
    fn what_was_overshot_on_purpose_doubts_nothing() {
        assert_eq!(
            overloads("search"),
            [("search/read".to_owned(), Level::Note)]
        );
        assert_eq!(
            overloads("verify"),
            [("verify/read".to_owned(), Level::Suspect)]
        );
    }
}
