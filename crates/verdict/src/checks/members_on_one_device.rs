//! Members that share a device.

use crate::check::{Code, Effect, Entry, Example, Group};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = Entry {
    code: Code::MembersOnOneDevice,
    group: Group::Hosts,
    effect: Effect::Nothing,
    point: "",
    level: "note",
    when: "several several members of one machine use the same device",
    thresholds: &[],
    example: Example::Said(|| {
        let message = "db1 (rank 0), db1 (rank 1) share nvme0n1. Together they measure one device";
        Code::MembersOnOneDevice.caveat(Level::Note, message)
    }),
};
