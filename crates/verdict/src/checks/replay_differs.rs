//! A replay that is not all that the trace saw.

use crate::check::{Code, Entry, Example, entry};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = entry! { ReplayDiffers: Beside, Nothing, "qualified",
    "lines of the replayed trace were left out, its times were assumed or out of order, or it ends \
     in the middle",
    [],
    Example::Said(|| {
        let message = "day.csv: left out: 3 lines without a valid request. The first is line 18: \
                       it has too few fields";
        Code::ReplayDiffers
            .caveat(Level::Qualified, message)
            .remedy("record or export the trace again")
    })
};
