//! A file with holes.

use crate::check::{Code, Effect, Entry, Example, Group};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = Entry {
    code: Code::SparseTarget,
    group: Group::File,
    effect: Effect::Number,
    point: "P10",
    level: "invalid",
    when: "parts of the file that the run reads were never written: holes",
    thresholds: &[],
    example: Example::Said(|| {
        let message = "1,020 KiB of the 1 MiB used in /data/mine.dat were never written. They are \
                       read without device I/O";
        let remedy = "use a completely written file: let fathom create one in the same directory";
        Code::SparseTarget
            .caveat(Level::Invalid, message)
            .remedy(remedy)
    }),
};
