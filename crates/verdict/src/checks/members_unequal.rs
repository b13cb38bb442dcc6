//! Members of unequal rates.

use crate::check::{Code, Effect, Entry, Example, Group, thresholds};
use fathom_core::summary::Spread;
use fathom_core::{Caveat, Level};

thresholds! {
    /// Coefficient of variation of the members' rates beyond which they are unequal
    UNEQUAL_PERCENT: f64 = 10.0, Percent, Decided "docs/many-hosts.md";
}

pub(crate) const ENTRY: Entry = Entry {
    code: Code::MembersUnequal,
    group: Group::Hosts,
    effect: Effect::Nothing,
    point: "",
    level: "note",
    when: "the rates of the members have a coefficient of variation of more than \
           {UNEQUAL_PERCENT}",
    thresholds: &[row::UNEQUAL_PERCENT],
    example: Example::Said(|| caveat(9_000.0, 21_000.0, 34.0).about("run")),
};

/// What the members' rates in a phase show.
pub(crate) fn found(rates: &[f64]) -> Option<Caveat> {
    let spread = Spread::of(rates);
    let percent = 100.0 * spread.stddev / spread.mean;
    if rates.len() < 2 || percent.is_nan() || percent <= UNEQUAL_PERCENT {
        return None;
    }
    Some(caveat(spread.min, spread.max, percent))
}

fn caveat(least: f64, most: f64, percent: f64) -> Caveat {
    let message = format!(
        "members are unequal: between {least:.0} and {most:.0} requests per second, a coefficient \
         of variation of {percent:.0} %"
    );
    let remedy = "find the slow members in the table of members";
    Code::MembersUnequal
        .caveat(Level::Note, message)
        .remedy(remedy)
}
