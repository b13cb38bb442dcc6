//! Completions that were to be polled for, on a device that still interrupts.

use crate::check::{Check, Code, Example, Needs, entry};
use crate::samples;
use fathom_core::result::{DeviceLimits, RunResult};
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    purpose: "whether a device to be polled has polling queues",
    needs: Needs::OurRun(&[]),
    codes: &[entry! { NoPolling: Generator, Number, "qualified",
        "polling for completions was requested, and `queue/io_poll` of a device is 0",
        [],
        Example::Run(samples::reads, |r| {
            let polls = Some(false);
            samples::limits(
                r,
                DeviceLimits {
                    polls,
                    ..DeviceLimits::default()
                },
            );
            let flag = "completion_polling".to_owned();
            r.provenance.engine.flags.push(flag);
        })
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let flags = &result.provenance.engine.flags;
    if !flags.iter().any(|flag| flag == "completion_polling") {
        return;
    }
    for target in &result.provenance.targets {
        let mut devices = target.devices.iter();
        let silent = devices.find(|device| {
            let limits = device.limits.as_ref();
            limits.is_some_and(|limits| limits.polls == Some(false))
        });
        let Some(device) = silent else { continue };
        let message = format!(
            "polling for completions was requested, but {} has no polling queues (queue/io_poll is \
             0). Completions used interrupts as without polling",
            device.name
        );
        caveats.push(
            Code::NoPolling
                .caveat(Level::Qualified, message)
                .remedy(
                    "configure poll queues in its driver, such as nvme.poll_queues=4, or do \
                         not poll",
                )
                .about(target.path.clone()),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;
    use fathom_core::result::DeviceLimits;

    #[test]
    fn a_device_without_poll_queues_is_told() {
        let mut result = fixture::random_read();
        let limits = |polls| {
            Some(Box::new(DeviceLimits {
                polls: Some(polls),
                ..DeviceLimits::default()
            }))
        };
        result.provenance.targets[0].devices[0].limits = limits(false);
        assert_eq!(found(&CHECK, &result), []);
        let flag = "completion_polling".to_owned();
        result.provenance.engine.flags.push(flag);
        let expected = Code::NoPolling.caveat(Level::Qualified,
            "polling for completions was requested, but vda has no polling queues (queue/io_poll \
             is 0). Completions used interrupts as without polling",
        )
        .remedy("configure poll queues in its driver, such as nvme.poll_queues=4, or do not poll")
        .about(result.provenance.targets[0].path.clone());
        assert_eq!(found(&CHECK, &result), [expected]);
        result.provenance.targets[0].devices[0].limits = limits(true);
        assert_eq!(found(&CHECK, &result), []);
    }
}
