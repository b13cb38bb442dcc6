//! Requests that ZFS joins below the line where they are counted.

use super::Said;
use crate::evidence::{Evidence, Side};
use crate::finding::{Certainty, Effect};
use fathom_core::figure::{iops, size};

/// Factor between requests above and below that joining explains, and how far the bytes of the two
/// may be apart.
const MANY: f64 = 3.0;
const NEAR: f64 = 1.15;

/// Parts of a pool that are looked at.
const MOST: usize = 64;

/// The least rate that says anything.
const LEAST: f64 = 1e6;

pub(super) fn look(all: &[Evidence], index: usize) -> Option<Said> {
    let upper = all.get(index).filter(|one| one.tool == "zpool")?;
    // The parts of a pool stand deeper, up to the next line that does not.
    let is_part = |one: &&Evidence| one.tool == "zpool" && one.indent > upper.indent;
    for lower in all[index + 1..].iter().take(MOST).take_while(is_part) {
        for side in &upper.sides {
            let Some(below) = lower.side(side.direction) else {
                continue;
            };
            if let Some((above, below)) = joined(side, below) {
                let noun = side.direction.noun();
                let headline = format!(
                    "{} counts {noun} before ZFS joins them: {} of {} become {} of {} on {}.",
                    upper.title,
                    iops(above.0),
                    size(above.1 as u64),
                    iops(below.0),
                    size(below.1 as u64),
                    lower.title
                );
                return Some(
                    Said::new(Certainty::Shown, Effect::Reading, headline)
                        .because(
                            "The bytes agree, and only the requests differ. Lines of a pool or a \
                             mirror count what is asked of it, lines of a disk what reaches it.",
                        )
                        .remedy("Compare bytes between the levels, and requests only on one.")
                        .by(&["rate"]),
                );
            }
        }
    }
    None
}

/// Requests a second and the size of each, above and below, where joining explains them.
fn joined(upper: &Side, lower: &Side) -> Option<((f64, f64), (f64, f64))> {
    let of = |side: &Side| Some((side.iops?, side.rate.filter(|rate| *rate >= LEAST)?));
    let ((many, above), (few, below)) = (of(upper)?, of(lower)?);
    let is_near = above.max(below) <= above.min(below) * NEAR;
    (is_near && few > 0.0 && many >= few * MANY).then(|| ((many, above / many), (few, below / few)))
}
