//! A replay that is not all that the trace saw.

use crate::check::{Code, Effect, Entry, Example, Group};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = Entry {
    code: Code::ReplayDiffers,
    group: Group::Beside,
    effect: Effect::Nothing,
    point: "",
    level: "qualified",
    when: "lines of the replayed trace were left out, its times were assumed or out of order, or \
           it ends in the middle",
    thresholds: &[],
    example: Example::Said(|| {
        let message = "day.csv: left out: 3 lines without a valid request. The first is line 18: \
                       it has too few fields";
        Code::ReplayDiffers
            .caveat(Level::Qualified, message)
            .remedy("record or export the trace again")
    }),
};
