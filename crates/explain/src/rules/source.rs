//! Data whose source is slower than a disk.

use super::Said;
use crate::decide;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use fathom_core::figure::megabytes;

/// Files of random bytes, which the kernel makes when they are read.
const RANDOM: [&str; 2] = ["/dev/urandom", "/dev/random"];

/// Bytes a second that one processor makes: the least of those in use, and the most.
const RATES: (f64, f64) = (2e6, 0.9e9);

/// The processors of the last fifteen years make more than this.
const MODERN: f64 = 50e6;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let source = evidence.option("if").filter(|_| evidence.tool == "dd")?;
    let is_other = evidence
        .rate()
        .is_some_and(|rate| !(RATES.0..=RATES.1).contains(&rate));
    let is_flushed = evidence.load.flush_every.is_some();
    if !RANDOM.contains(&source) || is_other || is_flushed {
        return None;
    }
    let headline = evidence.rate().map_or_else(
        || format!("This would measure {source}: one processor makes its random bytes."),
        |rate| {
            format!(
                "{source} may be the limit, not the disk: one processor makes the random bytes, \
                 and {} MB/s is {}.",
                megabytes(rate),
                if rate < MODERN {
                    "what an old one makes"
                } else {
                    "what one makes"
                }
            )
        },
    );
    let certainty = if evidence.is_measured() {
        Certainty::Suspected
    } else {
        Certainty::Shown
    };
    let mut said = Said::new(certainty, Effect::Elsewhere, headline)
        .because(
            "dd waits for each block of random bytes before it writes it, 50 to 500 MB/s on most \
             processors.",
        )
        .remedy("Write data that was made before the clock starts.")
        .by(&["command"]);
    said.decide = format!("dd if={source} of=/dev/null bs=1M count=1000");
    said.fathom = decide::fathom(evidence, &[]);
    Some(said)
}
