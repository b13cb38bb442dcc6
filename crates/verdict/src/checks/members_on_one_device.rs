//! Members that share a device.

use crate::check::{Code, Effect, Entry, Example, Group};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = Entry {
    code: Code::MembersOnOneDevice,
    group: Group::Hosts,
    effect: Effect::Nothing,
    point: "",
    level: "note",
    when: "members of one machine use the same device",
    thresholds: &[],
    example: Example::Said(|| {
        let message = "db1 (rank 0), db1 (rank 1) share nvme0n1: it is measured once, by all of \
                       them";
        Code::MembersOnOneDevice.caveat(Level::Note, message)
    }),
};
