//! A file of which some was reserved and never written.

use crate::check::{Code, Entry, Example, entry};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = entry! { UnwrittenTarget: File, Number, "invalid",
    "parts of the file that the run reads were reserved and never written",
    [],
    Example::Said(|| {
        let message = "512 MiB of the 1 GiB used in /data/mine.dat were reserved and never \
                       written. They are read as zeros without device I/O";
        let remedy = "use a completely written file: let fathom create one in the same directory";
        Code::UnwrittenTarget
            .caveat(Level::Invalid, message)
            .remedy(remedy)
    })
};
