//! Hosts that are one machine.

use crate::check::{Code, Entry, Example, entry};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = entry! { MembersOnOneMachine: Hosts, Number, "qualified",
    "hosts with different names run on one kernel",
    [],
    Example::Said(|| {
        let message = "db1, db2 are one machine: they run on one kernel and share its CPUs, page \
                       cache and devices";
        let remedy = "name each machine once; use --per-host for several members on one machine";
        Code::MembersOnOneMachine
            .caveat(Level::Qualified, message)
            .remedy(remedy)
    })
};
