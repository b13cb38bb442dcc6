//! Errors of a device that the kernel reports in the same paste.

use super::Said;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use crate::mentions::Mention;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let is_said = evidence.load.mentions.contains(&Mention::DeviceErrors);
    is_said.then(|| {
        let device = match evidence.load.failing.as_str() {
            "" => "a device",
            named => named,
        };
        Said::new(
            Certainty::Suspected,
            Effect::Elsewhere,
            format!(
                "The kernel reports errors of {device}: it, its cable or its link probably fails."
            ),
        )
        .because(
            "Commands failed and were tried again. A good rate between the errors does not show \
             that the device is healthy.",
        )
        .remedy(
            "Save the data first. Then read smartctl -x, change the cable or the slot, and look \
             whether the errors follow the device.",
        )
        .by(&["command"])
    })
}
