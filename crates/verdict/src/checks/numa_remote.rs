//! Threads that ran on another node of the machine than the one their device is attached to.

use crate::check::{Check, Code, Example, Needs, entry};
use crate::samples;
use crate::subject;
use crate::traffic::devices;
use fathom_core::result::{
    DeviceLimits, Evidence, PhaseResult, ProcessorUse, RunResult, TargetDevice,
};
use fathom_core::{Caveat, Level};
use std::collections::BTreeSet;

pub(crate) const CHECK: Check = Check {
    purpose: "whether threads ran on the NUMA node of their device",
    needs: Needs::OurRun(&[Evidence::Threads, Evidence::DeviceNode]),
    codes: &[entry! { NumaRemote: Generator, Machine, "note",
        "a thread was on another node than the device at its first and last request",
        [],
        Example::Run(samples::reads, |r| {
            samples::usage(r).processors = vec![0, 1];
            let processors = (0..4).map(|number| ProcessorUse {
                number,
                node: number / 2,
                ..ProcessorUse::default()
            });
            samples::phase(r).process.processors = processors.collect();
            let node = Some(1);
            samples::limits(
                r,
                DeviceLimits {
                    node,
                    ..DeviceLimits::default()
                },
            );
        })
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for phase in &result.phases {
        let used = |name: &str| phase.devices.iter().any(|one| one.device == name);
        for device in devices(result).filter(|one| one.leaf && used(&one.name)) {
            let found = judge(phase, device);
            caveats.extend(found.map(|one| one.about(subject::phase(result, phase))));
        }
    }
}

fn judge(phase: &PhaseResult, device: &TargetDevice) -> Option<Caveat> {
    let near = device.limits.as_ref()?.node?;
    let processors = &phase.process.processors;
    let node_of = |number: &u32| {
        let found = processors.iter().find(|one| one.number == *number);
        found.map(|one| one.node)
    };
    let workers = phase.jobs.iter().flat_map(|job| &job.workers);
    let nodes = workers.filter_map(|worker| {
        let seen = worker.usage.as_ref()?.processors.iter();
        Some(seen.filter_map(node_of).collect::<BTreeSet<u32>>())
    });
    let nodes: Vec<BTreeSet<u32>> = nodes.filter(|seen| !seen.is_empty()).collect();
    let remote = nodes.iter().filter(|seen| !seen.contains(&near)).count();
    if remote == 0 {
        return None;
    }
    let message = format!(
        "{remote} of {} threads ran on another NUMA node than that of {}, node {near}. Their \
         requests cross between the sockets",
        nodes.len(),
        device.name,
    );
    let caveat = Code::NumaRemote.caveat(Level::Note, message);
    Some(caveat.remedy("pin the threads to CPUs of its node (--affinity)"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;
    use fathom_core::result::{DeviceLimits, ProcessorUse, ThreadUse};

    /// Two nodes of two processors, the device at the second, a thread that was on these.
    fn with(node: Option<u32>, seen: &[u32]) -> RunResult {
        let mut result = fixture::random_read();
        result.provenance.targets[0].devices[0].limits = Some(Box::new(DeviceLimits {
            node,
            ..DeviceLimits::default()
        }));
        let phase = &mut result.phases[0];
        let processors = (0..4).map(|number| ProcessorUse {
            number,
            node: number / 2,
            ..ProcessorUse::default()
        });
        phase.process.processors = processors.collect();
        phase.jobs[0].workers[0].usage = Some(ThreadUse {
            processors: seen.to_vec(),
            ..ThreadUse::default()
        });
        result
    }

    #[test]
    fn a_thread_that_was_never_near_is_told() {
        assert_eq!(found(&CHECK, &with(None, &[0])), []);
        assert_eq!(found(&CHECK, &with(Some(1), &[3])), []);
        assert_eq!(found(&CHECK, &with(Some(1), &[0, 2])), []);
        assert_eq!(found(&CHECK, &with(Some(1), &[9])), []);
        let message = "1 of 1 threads ran on another NUMA node than that of vda, node 1. Their \
                       requests cross between the sockets";
        let expected = Code::NumaRemote
            .caveat(Level::Note, message)
            .remedy("pin the threads to CPUs of its node (--affinity)")
            .about("measure");
        assert_eq!(found(&CHECK, &with(Some(1), &[0, 1])), [expected]);
    }
}
