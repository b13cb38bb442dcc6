//! Members that were not done together.

use crate::check::{Code, Entry, Example, entry, thresholds};
use fathom_core::result::ClusterPhase;
use fathom_core::{Caveat, Level};

thresholds! {
    /// Members may end so far apart, of the longest measured time
    STRAGGLE_PERCENT: f64 = 5.0, Percent, Decided "docs/many-hosts.md";
}

pub(crate) const ENTRY: Entry = entry! { MembersStraggle: Hosts, Number, "qualified",
    "the first member finished more than {STRAGGLE_PERCENT} of the time before the last",
    [row::STRAGGLE_PERCENT],
    Example::Said(|| caveat(52.1e9, 60.4e9).about("run"))
};

/// What a phase shows.
pub(crate) fn found(phase: &ClusterPhase) -> Option<Caveat> {
    let (first, last) = (phase.first_done_ns as f64, phase.last_done_ns as f64);
    let straggles = last > 0.0 && 100.0 * (last - first) / last > STRAGGLE_PERCENT;
    straggles.then(|| caveat(first, last))
}

fn caveat(first_ns: f64, last_ns: f64) -> Caveat {
    let message = format!(
        "the first member finished after {:.1} s and the last after {:.1} s. The rates cover the \
         time of the last member, with fewer and fewer members at work",
        first_ns / 1e9,
        last_ns / 1e9
    );
    let remedy = "give the phases a duration instead of an amount";
    Code::MembersStraggle
        .caveat(Level::Qualified, message)
        .remedy(remedy)
}
