//! A device that was there when the run began, and is not when it has ended.

use crate::check::{Check, Code, Example, Needs, entry};
use crate::samples;
use crate::traffic::devices;
use fathom_core::result::{DeviceLimits, RunResult};
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    purpose: "whether the devices of the targets still exist after the run",
    needs: Needs::OurRun(&[]),
    codes: &[entry! { DeviceGone: Number, Number, "invalid",
        "a target device disappeared during the run, or another device has its name",
        [],
        Example::Run(samples::reads, |r| samples::limits(r, gone()))
    }],
    run,
};

const MESSAGE: &str =
    "it existed at the start of the run and has disappeared. It was removed or reset, or it failed";
const REMEDY: &str = "look for the cause in the kernel log (dmesg), and measure again when the \
                      device is back";

fn gone() -> DeviceLimits {
    DeviceLimits {
        is_gone: true,
        ..DeviceLimits::default()
    }
}

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let is_gone = |limits: &DeviceLimits| limits.is_gone;
    let names = devices(result)
        .filter(|device| device.limits.as_deref().is_some_and(is_gone))
        .map(|device| device.name.clone());
    caveats.extend(names.map(|name| {
        Code::DeviceGone
            .caveat(Level::Invalid, MESSAGE)
            .remedy(REMEDY)
            .about(name)
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    #[test]
    fn a_device_that_has_gone_is_named() {
        let mut result = fixture::random_read();
        assert_eq!(found(&CHECK, &result), []);
        samples::limits(&mut result, gone());
        let device = result.provenance.targets[0].devices[0].name.clone();
        let expected = Code::DeviceGone
            .caveat(Level::Invalid, MESSAGE)
            .remedy(REMEDY)
            .about(device);
        assert_eq!(found(&CHECK, &result), [expected]);
    }
}
