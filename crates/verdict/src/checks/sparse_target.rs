//! A file with holes.

use crate::check::{Code, Entry, Example, entry};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = entry! { SparseTarget: File, Number, "invalid",
    "parts of the file that the run reads were never written: holes",
    [],
    Example::Said(|| {
        let message = "1,020 KiB of the 1 MiB used in /data/mine.dat were never written. They are \
                       read without device I/O";
        let remedy = "use a completely written file: let fathom create one in the same directory";
        Code::SparseTarget
            .caveat(Level::Invalid, message)
            .remedy(remedy)
    })
};
