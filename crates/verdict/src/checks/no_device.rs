//! Where no block device counts, nothing can be compared with what it counted.

use crate::check::{Check, Code, Effect, Entry, Example, Group, Look, Needs};
use crate::checks::memory_target;
use crate::fitness::Facts;
use crate::samples;
use crate::subject;
use crate::traffic::Traffic;
use fathom_core::result::{PhaseResult, RunResult};
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    purpose: "whether there is a device whose counters can confirm the result",
    needs: Needs::OurRun(&[]),
    codes: &[Entry {
        code: Code::NoDevice,
        group: Group::Subject,
        effect: Effect::Number,
        point: "4.1",
        level: "note",
        when: "no block device is known below the targets, or it counts nothing",
        thresholds: &[],
        example: Example::Run(samples::reads, |r| samples::phase(r).devices.clear()),
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    if !subject::touches_storage(result) || result.phases.is_empty() {
        return;
    }
    // Without measured time there was nothing to count.
    let measured = result.phases.iter().filter(|phase| phase.measured_ns > 0);
    // When the process was gone, nobody looked at what the devices had counted.
    let is_cut_off = |phase: &PhaseResult| result.provenance.rebuilt && phase.devices.is_empty();
    let measured = measured.filter(|phase| !is_cut_off(phase));
    let all = measured.map(|phase| Traffic::of(result, phase));
    let all: Vec<Option<Traffic>> = all.collect();
    if all.iter().any(Option::is_none) {
        let message = "no block device is known below the targets: that the bytes reached a \
                       medium cannot be confirmed";
        caveats.push(Code::NoDevice.caveat(Level::Note, message).remedy(REMEDY));
    } else if let Some(silent) = all.iter().flatten().find(|one| one.is_silent(result)) {
        let message = format!(
            "{} counted nothing at all: that the bytes reached it cannot be confirmed",
            silent.devices()
        );
        let remedy = "turn its statistics on: write 1 to queue/iostats of the device";
        caveats.push(Code::NoDevice.caveat(Level::Note, message).remedy(remedy));
    }
}

/// What to do about it; the same before a run and after it.
pub(crate) const REMEDY: &str = "a target on a local disk, if the medium is what is meant";

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: Entry {
        code: Code::NoDevice,
        group: Group::Before,
        effect: Effect::Number,
        point: "4.1",
        level: "qualified",
        when: "no block device is known below it",
        thresholds: &[],
        example: Example::Target(Facts::default),
    },
    run: before,
};

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    if memory_target::of_facts(facts).is_none() && facts.leaves.is_empty() {
        let message = "no block device is known below the target: that the bytes reach a medium \
                       cannot be confirmed";
        found.push(
            Code::NoDevice
                .caveat(Level::Qualified, message)
                .remedy(REMEDY),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;
    use fathom_core::result::DeviceUse;

    #[test]
    fn a_file_system_without_a_device_is_noted_once() {
        let mut result = fixture::random_read();
        assert_eq!(found(&CHECK, &result), []);
        result.phases[0].devices.clear();
        let expected = Code::NoDevice.caveat(Level::Note,
            "no block device is known below the targets: that the bytes reached a medium cannot \
             be confirmed",
        )
        .remedy(REMEDY);
        assert_eq!(found(&CHECK, &result), [expected]);
        result.phases[0].measured_ns = 0;
        assert_eq!(found(&CHECK, &result), []);
        result.phases[0].measured_ns = 1;
        result.provenance.engine.name = "sim".to_owned();
        assert_eq!(found(&CHECK, &result), []);
    }

    #[test]
    fn a_device_that_does_not_count_is_told_from_one_that_does_nothing() {
        let mut result = fixture::random_read();
        result.phases[0].devices[0] = DeviceUse {
            device: "vda".to_owned(),
            ..DeviceUse::default()
        };
        assert_eq!(found(&CHECK, &result), []);
        result.provenance.targets[0].kind = "block device".to_owned();
        let expected = Code::NoDevice
            .caveat(
                Level::Note,
                "vda counted nothing at all: that the bytes reached it cannot be confirmed",
            )
            .remedy("turn its statistics on: write 1 to queue/iostats of the device");
        assert_eq!(found(&CHECK, &result), [expected]);
    }
}
