//! A rate that falls after a fast start, as the text around the output says.

use super::{Said, burst};
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use crate::mentions::Mention;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let load = &evidence.load;
    let is_said = load.mentions.contains(&Mention::Falls);
    let is_load = !evidence.is_watched() && !load.is_limited;
    if !is_said || !is_load || burst::look(evidence).is_some() {
        return None;
    }
    let reads = load.read_percent == Some(100.0);
    let headline = if reads {
        "The rate falls after a fast start: something that helped at first is used up."
    } else {
        "The rate falls after a fast start: a write cache is full, or a burst is used up."
    };
    Some(
        Said::new(Certainty::Suspected, Effect::Limit, headline)
            .because(if reads {
                "A volume's burst credit, or a drive that gets hot, gives a fast start and then a \
                 lower rate that stays."
            } else {
                "Consumer flash writes fast only until its SLC cache is full. A controller's \
                 cache, the page cache, a volume's burst credit and a drive that gets hot do the \
                 same. The lower rate is the one that lasts."
            })
            .remedy(
                "Measure for longer than the fall takes, and count the lower rate. Drives for \
                 servers keep their rate.",
            )
            .by(&["rate", "command"]),
    )
}
