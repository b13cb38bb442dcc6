//! A file with holes.

use crate::check::{Code, Effect, Entry, Example, Group};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = Entry {
    code: Code::SparseTarget,
    group: Group::File,
    effect: Effect::Number,
    point: "P10",
    level: "invalid",
    when: "parts of the file that are read were never written: holes",
    thresholds: &[],
    example: Example::Said(|| {
        let message = "1,020 KiB of the 1 MiB that are used of /data/mine.dat were never written; \
                       they are read without asking the device";
        let remedy = "a file that is written everywhere: let fathom make one in the same directory";
        Code::SparseTarget
            .caveat(Level::Invalid, message)
            .remedy(remedy)
    }),
};
