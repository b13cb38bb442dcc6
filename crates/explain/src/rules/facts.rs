//! What the tool measures, and how it counts: one fact of the table for a result.

use super::Said;
use crate::evidence::Evidence;
use crate::facts;
use crate::finding::{Certainty, Effect};

pub(super) fn look(all: &[Evidence], index: usize) -> Option<Said> {
    let evidence = &all[index];
    let mut facts = facts::of(evidence).into_iter();
    let first = facts.next()?;
    let rest: Vec<&str> = facts.map(|fact| fact.sentence).collect();
    // A number of memory misleads nobody next to one of the disk, as in `hdparm -tT`.
    let has_disk = all
        .iter()
        .any(|one| one.tool == evidence.tool && !facts::of(one).iter().any(|fact| fact.is_memory));
    let effect = if first.is_memory && !has_disk {
        Effect::Elsewhere
    } else {
        Effect::Reading
    };
    let mut sentence = first.sentence.to_owned();
    for more in rest {
        sentence += " ";
        sentence += more;
    }
    Some(
        Said::new(Certainty::Shown, effect, first.sentence)
            .because(sentence)
            .remedy(first.remedy)
            .by(&["rate"]),
    )
}
