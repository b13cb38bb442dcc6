//! A target below which no device was found.

use crate::check::{Code, Entry, Example, entry};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = entry! { DeviceUnknown: Beside, Nothing, "note",
    "the devices below the target could not be determined",
    [],
    Example::Said(|| {
        let message = "the devices below /data/mine.dat are unknown: cannot read \
                       /sys/dev/block/8:17: No such file or directory";
        let remedy = "make /sys and /proc readable (containers hide them). Without them no device \
                      counter confirms the result";
        Code::DeviceUnknown
            .caveat(Level::Note, message)
            .remedy(remedy)
    })
};
