//! Members that share a device.

use crate::check::{Code, Entry, Example, entry};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = entry! { MembersOnOneDevice: Hosts, Nothing, "note",
    "several members of one machine use the same device",
    [],
    Example::Said(|| {
        let message = "db1 (rank 0), db1 (rank 1) share nvme0n1. Together they measure one device";
        Code::MembersOnOneDevice.caveat(Level::Note, message)
    })
};
