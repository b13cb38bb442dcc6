//! A member that did not come.

use crate::check::{Code, Entry, Example, entry};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = entry! { MemberMissing: Hosts, Number, "qualified",
    "a member did not join, and the others were allowed to start without it",
    [],
    Example::Said(|| {
        let message = "db3 (rank 2) did not join within 5 s and is not counted";
        let remedy = "check that the member is up, and measure again";
        Code::MemberMissing
            .caveat(Level::Qualified, message)
            .remedy(remedy)
            .about("db3 (rank 2)")
    })
};
