//! What the catalogue does not vouch for.

use crate::check::{Code, Effect, Entry, Example, Group};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = Entry {
    code: Code::Catalogue,
    group: Group::Simulated,
    effect: Effect::Nothing,
    point: "",
    level: "qualified; note",
    when: "a simulated result: a limit that the catalogue does not vouch for, or knows of another \
           day only",
    thresholds: &[],
    example: Example::Said(|| {
        let message = "no limits of gp3 are known for 2018-11-29; those used here held 2020-12-01 \
                       to 2025-09-25";
        let remedy = "another day (--as-of), or figures of your own (--catalog)";
        Code::Catalogue
            .caveat(Level::Qualified, message)
            .remedy(remedy)
    }),
};
