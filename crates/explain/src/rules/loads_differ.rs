//! Results of one paste whose loads differ in what explains the factor between them.

use super::Said;
use crate::against::{Explains, contrast, ratio};
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};

/// Factor between two rates that somebody asks about.
const FAR: f64 = 1.6;

/// Results of a paste that are compared.
const MOST: usize = 16;

/// Tools whose rows are of different loads.
const ROWS: [&str; 5] = ["crystaldiskmark", "kdiskmark", "hdparm", "iozone", "yabs"];

/// Differences that are no property of the load.
const OUTSIDE: [&str; 5] = ["target", "duration", "version", "tool", "engine"];

pub(super) fn look(all: &[Evidence], index: usize) -> Option<Said> {
    let slow = all.get(index).filter(|_| index < MOST)?;
    let others = all.iter().take(MOST).enumerate();
    let mut others = others.filter(|(other, one)| *other != index && is_apart(slow, one));
    let (_, fast) = others.next_back()?;
    let (factor, _) = ratio(fast, slow).filter(|(factor, _)| *factor >= FAR)?;
    let contrast = contrast(fast, slow);
    let first = contrast.differences.first()?;
    let is_cause = first.explains == Explains::Can && !OUTSIDE.contains(&first.code);
    (is_cause && factor.is_finite()).then(|| {
        Said::new(
            Certainty::Suspected,
            Effect::Reading,
            contrast.headline.clone(),
        )
        .because("Two results of this paste are of different loads, so their rates differ.")
        .remedy("Change one thing at a time; `fathom explain A --against B` has the rest.")
        .by(&["command", "rate"])
    })
}

/// Whether two results are of different runs in the same directions.
fn is_apart(a: &Evidence, b: &Evidence) -> bool {
    let commands = a.seen.get("command").zip(b.seen.get("command"));
    let is_other = a.tool != b.tool || commands.is_some_and(|(a, b)| a != b);
    let directions = |one: &Evidence| one.sides.iter().map(|side| side.direction).collect();
    let [first, second]: [Vec<_>; 2] = [directions(a), directions(b)];
    let is_row = ROWS.contains(&a.tool) || ROWS.contains(&b.tool);
    is_other && !is_row && a.is_measured() && first == second
}
