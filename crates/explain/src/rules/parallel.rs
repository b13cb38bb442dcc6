//! Runs at the same time that are each slower than one alone.

use super::Said;
use crate::against::ratio;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use fathom_core::figure::{megabytes, significant};

/// Factor between alone and together that needs a reason.
const SLOWER: f64 = 1.25;

/// Results of a paste that are compared.
const MOST: usize = 32;

pub(super) fn look(all: &[Evidence], index: usize) -> Option<Said> {
    let slow = all.get(index).filter(|one| one.load.is_parallel)?;
    let is_like = |one: &&Evidence| one.tool == slow.tool && one.title == slow.title;
    let (parallel, alone): (Vec<&Evidence>, Vec<&Evidence>) = all
        .iter()
        .take(MOST)
        .filter(is_like)
        .partition(|one| one.load.is_parallel);
    // One that ran on while the shell went on may have had the storage for itself.
    if parallel.len() < 2 {
        return None;
    }
    let is_same = |one: &&&Evidence| {
        one.load.block == slow.load.block
            && one.total_depth() == slow.total_depth()
            && one.load.random == slow.load.random
            && one.load.direct == slow.load.direct
    };
    let factors = alone
        .iter()
        .filter(is_same)
        .filter_map(|one| Some(ratio(one, slow)?.0));
    let factor = factors
        .reduce(f64::max)
        .filter(|factor| *factor >= SLOWER)?;
    let together: f64 = parallel.iter().filter_map(|one| one.rate()).sum();
    let rates = if together > 0.0 {
        format!("Together they move {} MB/s. ", megabytes(together))
    } else {
        String::new()
    };
    let headline = format!(
        "Run at the same time, each is {} times slower than one alone: they share a limit.",
        significant(factor)
    );
    Some(
        Said::new(Certainty::Suspected, Effect::Limit, headline)
            .because(format!(
                "{rates}A controller, a bus, a link, the same disk below both, or the CPU may be \
                 what they share."
            ))
            .remedy(
                "Run each alone and then both, and look up what the controller, its slot and the \
                 bus carry.",
            )
            .by(&["command", "rate"]),
    )
}
