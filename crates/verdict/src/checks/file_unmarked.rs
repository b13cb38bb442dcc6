//! A file that a later run will take for somebody's.

use crate::check::{Code, Entry, Example, entry};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = entry! { FileUnmarked: Beside, Nothing, "note",
    "the file cannot store the mark that identifies it as fathom's",
    [],
    Example::Said(|| {
        let message = "the file system of /data/mine.dat has no extended attributes. A later run \
                       cannot recognise the file as one of fathom's";
        let remedy = "use --overwrite to use the file again";
        Code::FileUnmarked
            .caveat(Level::Note, message)
            .remedy(remedy)
    })
};
