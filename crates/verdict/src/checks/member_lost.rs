//! A member that was gone before it had reported all.

use crate::check::{Code, Entry, Example, entry};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = entry! { MemberLost: Hosts, Number, "qualified",
    "a member disappeared before it had reported everything",
    [],
    Example::Said(|| {
        let message = "db3 (rank 2) was lost: its connection ended. It is counted up to interval 3 \
                       of phase 1 (79 requests)";
        let remedy = "find the cause, and measure again. The sums after that time cover fewer \
                      members";
        Code::MemberLost
            .caveat(Level::Qualified, message)
            .remedy(remedy)
            .about("db3 (rank 2)")
    })
};
