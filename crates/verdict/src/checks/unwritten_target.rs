//! A file of which some was reserved and never written.

use crate::check::{Code, Effect, Entry, Example, Group};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = Entry {
    code: Code::UnwrittenTarget,
    group: Group::File,
    effect: Effect::Number,
    point: "P11",
    level: "invalid",
    when: "parts of the file that the run reads were reserved and never written",
    thresholds: &[],
    example: Example::Said(|| {
        let message = "512 MiB of the 1 GiB used in /data/mine.dat were reserved and never \
                       written. They are read as zeros without device I/O";
        let remedy = "use a completely written file: let fathom create one in the same directory";
        Code::UnwrittenTarget
            .caveat(Level::Invalid, message)
            .remedy(remedy)
    }),
};
