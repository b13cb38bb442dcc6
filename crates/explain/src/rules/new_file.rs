//! Writes to a file that the run itself made just before.

use super::Said;
use crate::evidence::{Direction, Evidence};
use crate::finding::{Certainty, Effect};

/// Seconds after which writes reach a steady state in spite of it.
const LONG_S: f64 = 300.0;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let is_made = evidence.tool == "diskspd" && evidence.option("c").is_some();
    let share = evidence.load.read_percent;
    let is_write = evidence.side(Direction::Write).is_some()
        || !evidence.is_measured() && share.is_some_and(|share| share < 100.0);
    let is_long = evidence.seconds().is_some_and(|seconds| seconds >= LONG_S);
    (is_made && is_write && !is_long).then(|| {
        Said::new(
            Certainty::Suspected,
            Effect::Reading,
            "The file is made anew for this run: flash writes differently once it has been used.",
        )
        .because(
            "-c makes the file before each run, which frees its old blocks. What earlier runs did \
             to condition the drive is undone, and the drive still works on the new file.",
        )
        .remedy("Make the file once, overwrite it twice, and measure without -c for five minutes.")
        .by(&["command"])
    })
}
