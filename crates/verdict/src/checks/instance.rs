//! Limits of an instance of a cloud.

use crate::check::{Code, Effect, Entry, Example, Group};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = Entry {
    code: Code::Instance,
    group: Group::Beside,
    effect: Effect::Nothing,
    point: "5.7",
    level: "note",
    when: "a cloud machine was recognised, and its limits were compared with the result",
    thresholds: &[],
    example: Example::Said(|| {
        let message = "the firmware (DMI) identifies this machine as r5d.xlarge. Its limits are \
                       applied [moto 5.2.5 (2026-10), a stored copy of the EC2 API \
                       DescribeInstanceTypes, as of 2026-10-27]";
        Code::Instance.caveat(Level::Note, message)
    }),
};
