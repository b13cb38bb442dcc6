//! Too few members that finished.

use crate::check::{Code, Entry, Example, entry};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = entry! { MembersTooFew: Hosts, Number, "invalid",
    "fewer members finished than `--invalid-below` requires",
    [],
    Example::Said(|| {
        let message = "3 of 4 members finished (75 %), but a result requires 80 %";
        Code::MembersTooFew.caveat(Level::Invalid, message)
    })
};
