//! A file that a later run will take for somebody's.

use crate::check::{Code, Effect, Entry, Example, Group};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = Entry {
    code: Code::FileUnmarked,
    group: Group::Beside,
    effect: Effect::Nothing,
    point: "",
    level: "note",
    when: "the file cannot store the mark that identifies it as fathom's",
    thresholds: &[],
    example: Example::Said(|| {
        let message = "the file system of /data/mine.dat has no extended attributes. A later run \
                       cannot recognise the file as one of fathom's";
        let remedy = "use --overwrite to use the file again";
        Code::FileUnmarked
            .caveat(Level::Note, message)
            .remedy(remedy)
    }),
};
