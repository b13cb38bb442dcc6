//! A member whose totals are not those of its intervals.

use crate::check::{Code, Entry, Example, entry};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = entry! { MemberUnbalanced: Hosts, Number, "invalid",
    "the totals reported by a member are not the sum of its intervals",
    [],
    Example::Said(|| {
        let message = "db3 (rank 2) reports totals that are not the sum of its intervals";
        let remedy = "this is a defect of fathom: save the output and report it";
        Code::MemberUnbalanced
            .caveat(Level::Invalid, message)
            .remedy(remedy)
            .about("db3 (rank 2)")
    })
};
