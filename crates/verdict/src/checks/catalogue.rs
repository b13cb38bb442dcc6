//! What the catalogue does not vouch for.

use crate::check::{Code, Entry, Example, entry};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = entry! { Catalogue: Simulated, Nothing, "qualified; note",
    "a simulated result uses a limit that the catalogue marks unverified, or knows only for \
     another date",
    [],
    Example::Said(|| {
        let message = "no limits of gp3 are known for 2018-11-29; those used here held 2020-12-01 \
                       to 2025-09-25";
        let remedy = "use another date (--as-of), or your own values (--catalog)";
        Code::Catalogue
            .caveat(Level::Qualified, message)
            .remedy(remedy)
    })
};
