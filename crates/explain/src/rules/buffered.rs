//! Reads through the page cache that are slower than direct ones.

use super::Said;
use crate::against::ratio;
use crate::evidence::{Direction, Evidence};
use crate::finding::{Certainty, Effect};
use fathom_core::figure::significant;

/// Factor from which the way through the page cache costs more than chance.
const SLOWER: f64 = 1.25;

/// Results of a paste that are compared.
const MOST: usize = 32;

pub(super) fn look(all: &[Evidence], index: usize) -> Option<Said> {
    let slow = all.get(index).filter(|one| is_read(one, false))?;
    let direct = all.iter().take(MOST).filter(|one| {
        is_read(one, true)
            && one.load.is_on(&slow.load)
            && one.load.block == slow.load.block
            && one.load.random == slow.load.random
            && one.total_depth() == slow.total_depth()
    });
    let factors = direct.filter_map(|one| Some(ratio(one, slow)?.0));
    let factor = factors
        .reduce(f64::max)
        .filter(|factor| *factor >= SLOWER)?;
    let headline = format!(
        "Direct reads were {} times faster than those through the page cache: the disk gives more \
         than the buffered way asks of it.",
        significant(factor)
    );
    Some(
        Said::new(Certainty::Shown, Effect::Limit, headline)
            .because(
                "Reads through the page cache are cut into read-ahead windows and copied; a cache \
                 that held the data would have been faster, not slower.",
            )
            .remedy(
                "For the disk, take the direct number. For buffered readers, raise the read-ahead \
                 (blockdev --setra) and measure again.",
            )
            .by(&["command", "rate"]),
    )
}

/// Whether all requests are reads, with or without direct I/O.
fn is_read(one: &Evidence, direct: bool) -> bool {
    let mut sides = one.sides.iter();
    one.load.direct == Some(direct)
        && !one.sides.is_empty()
        && sides.all(|side| side.direction == Direction::Read)
}
