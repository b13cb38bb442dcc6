//! A member that could not prepare or measure.

use crate::check::{Code, Entry, Example, entry};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = entry! { MemberFailed: Hosts, Number, "qualified",
    "a member could not prepare or measure",
    [],
    Example::Said(|| {
        let message = "db3 (rank 2) failed: cannot lay out /data/f: No space left on device. It is \
                       not counted";
        let remedy = "fix the cause, and measure again";
        Code::MemberFailed
            .caveat(Level::Qualified, message)
            .remedy(remedy)
            .about("db3 (rank 2)")
    })
};
