//! How credit goes and comes.

use crate::check::{Code, Entry, Example, entry};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = entry! { Course: Simulated, Nothing, "note",
    "a simulated result: time when burst credit ends, remaining credit, recovery and sustained \
     rate",
    [],
    Example::Said(|| {
        let message = "3,000 IOPS without time limit";
        Code::Course.caveat(Level::Note, message)
    })
};
