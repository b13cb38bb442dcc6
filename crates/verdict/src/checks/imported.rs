//! A result that another program measured.

use crate::check::{Check, Code, Example, Needs, entry};
use crate::samples;
use fathom_core::result::{Origin, RunResult, Unknown};
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    purpose: "whether another program made the measurement",
    needs: Needs::AnySource,
    codes: &[entry! { Imported: Subject, Nothing, "qualified",
        "another program measured; checks whose evidence an import lacks do not run",
        [],
        Example::Run(samples::reads, |r| {
            r.provenance.origin = Origin::Imported {
                tool: "fio-3.33".into(),
                format: "fio-json".into(),
                unknown: Unknown::default(),
            };
        })
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let Origin::Imported { tool, format, .. } = &result.provenance.origin else {
        return;
    };
    let message = format!(
        "measured by {tool}, read from its {format}. Checks that need evidence from the run \
         (caches, achieved queue depth, CPU time, schedule) were skipped"
    );
    caveats.push(
        Code::Imported
            .caveat(Level::Qualified, message)
            .remedy("run the same load with fathom, which records the evidence"),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{found, judge};
    use fathom_core::State;
    use fathom_core::result::ResultField;
    use fathom_core::{CodeWord, fixture};

    fn imported() -> RunResult {
        let mut result = fixture::random_read();
        result.provenance.origin = Origin::Imported {
            tool: "fio-3.33".to_owned(),
            format: "fio-json".to_owned(),
            unknown: Unknown::from([ResultField::QueueDepthHeld]),
        };
        result
    }

    fn caveat() -> Caveat {
        let message = "measured by fio-3.33, read from its fio-json. Checks that need evidence \
                       from the run (caches, achieved queue depth, CPU time, schedule) were \
                       skipped";
        Code::Imported
            .caveat(Level::Qualified, message)
            .remedy("run the same load with fathom, which records the evidence")
    }

    #[test]
    fn only_what_others_measured_is_imported() {
        assert_eq!(found(&CHECK, &fixture::random_read()), []);
        assert_eq!(found(&CHECK, &imported()), [caveat()]);
    }

    #[test]
    fn what_the_source_does_not_say_raises_no_alarm() {
        let mut result = imported();
        let phase = &mut result.phases[0];
        phase.devices.clear();
        phase.intervals.clear();
        phase.process = fathom_core::result::ProcessUse::default();
        phase.jobs[0].queue_depth_held = 0.0;
        phase.jobs[0].submitted = 0;
        phase.jobs[0].workers.clear();
        result.provenance.targets.clear();
        result.provenance.engine = fathom_core::result::EngineInfo::default();
        judge(&mut result);
        assert_eq!(
            (result.state, result.caveats),
            (State::Qualified, vec![caveat()])
        );
    }

    #[test]
    fn failures_and_emptiness_are_seen_in_an_import_too() {
        let codes = |result: &mut RunResult| -> Vec<CodeWord> {
            judge(result);
            result
                .caveats
                .iter()
                .map(|caveat| caveat.code.clone())
                .collect()
        };
        let mut failed = imported();
        failed.phases[0].jobs[0].failed = 3;
        assert_eq!(codes(&mut failed), [Code::IoErrors, Code::Imported]);
        let mut empty = imported();
        empty.phases[0].jobs[0].completed = 0;
        assert_eq!(codes(&mut empty), [Code::NothingMeasured, Code::Imported]);
        let Origin::Imported { unknown, .. } = &mut empty.provenance.origin else {
            panic!("it is imported");
        };
        unknown.extend([ResultField::Ios]);
        assert_eq!(codes(&mut empty), [Code::Imported]);
    }
}
