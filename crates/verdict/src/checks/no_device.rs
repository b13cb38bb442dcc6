//! Where no block device counts, nothing can be compared with what it counted.

use crate::check::{Check, Code, Example, Look, Needs, entry};
use crate::checks::memory_target;
use crate::fitness::Facts;
use crate::samples;
use crate::subject;
use crate::traffic::Traffic;
use fathom_core::figure::plural;
use fathom_core::result::{PhaseResult, RunResult};
use fathom_core::{Caveat, Level, Op};

pub(crate) const CHECK: Check = Check {
    purpose: "whether device counters can confirm the result",
    needs: Needs::OurRun(&[]),
    codes: &[entry! { NoDevice: Subject, Number,
        "note; qualified if the run made flushes or durable writes",
        "no block device is known below the targets, or it counts nothing; the effect of \
         flushes cannot be checked either",
        [],
        Example::Run(samples::reads, |r| samples::phase(r).devices.clear())
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
    let (level, limit) = match promised(result) {
        Some(what) => (Level::Qualified, format!("; {what}")),
        None => (Level::Note, String::new()),
    };
    if all.iter().any(Option::is_none) {
        let message = format!(
            "no block device is known below the targets. That the bytes reached a medium is not \
             confirmed{limit}"
        );
        caveats.push(Code::NoDevice.caveat(level, message).remedy(REMEDY));
    } else if let Some(silent) = all.iter().flatten().find(|one| one.is_silent(result)) {
        let message = format!(
            "{} counted nothing at all. That the bytes reached it is not confirmed{limit}",
            silent.devices()
        );
        let remedy = "enable its statistics: write 1 to queue/iostats of the device";
        caveats.push(Code::NoDevice.caveat(level, message).remedy(remedy));
    }
}

/// What was reported as durable, and is by the word of the file system alone.
fn promised(result: &RunResult) -> Option<String> {
    let jobs = || result.phases.iter().flat_map(|phase| &phase.jobs);
    let flushes: u64 = jobs()
        .filter_map(|job| job.ops[Op::Flush].as_ref())
        .map(|one| one.ios)
        .sum();
    if flushes > 0 {
        return Some(format!(
            "{} returned, but this does not prove that any data is durable",
            plural(flushes, "fsync")
        ));
    }
    let phases = result.provenance.workload.phases.iter();
    let mut specs = phases.flat_map(|phase| &phase.jobs);
    let is_durable = specs.any(|job| job.writes() && job.durability.write_through);
    let words = "writes with O_DSYNC returned, but this does not prove that they are durable";
    is_durable.then(|| words.to_owned())
}

/// What to do about it; the same before a run and after it.
pub(crate) const REMEDY: &str = "to measure the medium, use a target on a local disk";

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: entry! { NoDevice: Before, Number, "qualified",
        "no block device is known below it",
        [],
        Example::Target(Facts::default)
    },
    run: before,
};

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    if memory_target::of_facts(facts).is_none() && facts.leaves.is_empty() {
        let message = "no block device is known below the target. That the bytes reach a medium \
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
    use fathom_core::result::{DeviceUse, OpResult};

    #[test]
    fn a_file_system_without_a_device_is_noted_once() {
        let mut result = fixture::random_read();
        assert_eq!(found(&CHECK, &result), []);
        result.phases[0].devices.clear();
        let expected = Code::NoDevice.caveat(Level::Note,
            "no block device is known below the targets. That the bytes reached a medium is not \
             confirmed",
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
    fn a_flush_that_nothing_confirms_limits_the_result() {
        let mut result = fixture::random_read();
        result.phases[0].devices.clear();
        let job = &mut result.phases[0].jobs[0];
        job.ops[Op::Flush] = Some(OpResult {
            ios: 12_660,
            iops: 2110.0,
            ..OpResult::default()
        });
        let message = "no block device is known below the targets. That the bytes reached a medium \
                       is not confirmed; 12,660 fsyncs returned, but this does not prove that any \
                       data is durable";
        let expected = Code::NoDevice
            .caveat(Level::Qualified, message)
            .remedy(REMEDY);
        assert_eq!(found(&CHECK, &result), [expected]);

        result.phases[0].jobs[0].ops[Op::Flush] = None;
        let spec = &mut result.provenance.workload.phases[0].jobs[0];
        spec.durability.write_through = true;
        let level = |result: &RunResult| found(&CHECK, result)[0].level;
        assert_eq!(
            level(&result),
            Level::Note,
            "reads have nothing to make durable"
        );
        result.provenance.workload.phases[0].jobs[0].kinds[0].op = Op::Write;
        assert_eq!(level(&result), Level::Qualified);
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
                "vda counted nothing at all. That the bytes reached it is not confirmed",
            )
            .remedy("enable its statistics: write 1 to queue/iostats of the device");
        assert_eq!(found(&CHECK, &result), [expected]);
    }
}
