//! A run whose block requests the kernel traced.

use crate::check::{Code, Entry, Example, entry};
use fathom_core::{Caveat, Level};

pub(crate) const ENTRY: Entry = entry! { Traced: Beside, Nothing, "note",
    "`--blame`: the kernel recorded block events during the load",
    [],
    Example::Said(traced)
};

/// The note on a run that was traced.
pub fn traced() -> Caveat {
    let message = "the kernel traced the block requests for --blame, which costs 250 to 870 ns of \
                   CPU time per request";
    let caveat = Code::Traced.caveat(Level::Note, message);
    caveat.remedy("compare the numbers only with those of other traced runs")
}
