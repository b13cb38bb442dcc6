//! Members that did not start together.

use crate::check::{Code, Entry, Example, entry, thresholds};
use fathom_core::result::ClusterPhase;
use fathom_core::{Caveat, Level};

thresholds! {
    /// Starts may be so far apart: what is smaller is lost in the first interval
    SKEW_NS: u64 = 1_000_000, Nanoseconds, Decided "docs/many-hosts.md";
    /// Or by this part of an interval
    SKEW_PERCENT: u64 = 1, Percent, Decided "docs/many-hosts.md";
}

pub(crate) const ENTRY: Entry = entry! { StartSkew: Hosts, Number, "qualified",
    "members started further apart than {SKEW_NS} and {SKEW_PERCENT} of an interval",
    [row::SKEW_NS, row::SKEW_PERCENT],
    Example::Said(|| caveat(31_000_000, 200_000, 10_000_000).about("run"))
};

/// What a phase with intervals of this length shows.
pub(crate) fn found(phase: &ClusterPhase, interval_ns: u64) -> Option<Caveat> {
    let most = SKEW_NS.max(interval_ns * SKEW_PERCENT / 100);
    let (spread, error) = (phase.start_spread_ns, phase.start_error_ns);
    (spread > most).then(|| caveat(spread, error, most))
}

fn caveat(spread_ns: u64, error_ns: u64, most_ns: u64) -> Caveat {
    let message = format!(
        "members started within {:.1} ms of each other, known to ±{:.1} ms. The limit is {:.1} ms, \
         {SKEW_PERCENT} % of an interval",
        spread_ns as f64 / 1e6,
        error_ns as f64 / 1e6,
        most_ns as f64 / 1e6,
    );
    let remedy = "ignore the first interval, or find out why a host starts late";
    Code::StartSkew
        .caveat(Level::Qualified, message)
        .remedy(remedy)
}
