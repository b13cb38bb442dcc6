//! Which runs stand against which: one each, pairs made in turn, or two sets.

use super::contrast::Design;
use fathom_core::SmallSort as _;
use fathom_core::result::RunResult;

/// The runs of two sides in the order of comparison.
pub(super) struct Sides<'a> {
    pub(super) base: Vec<&'a RunResult>,
    pub(super) other: Vec<&'a RunResult>,
    pub(super) design: Design,
    /// Runs of the base and of the other that are not compared because they are questionable.
    pub(super) left_out: [Vec<&'a RunResult>; 2],
}

impl<'a> Sides<'a> {
    /// Finds out how the runs were made: `paired` says that the first of one side belongs to the
    /// first of the other and so on; else pairs are what was made in turn.
    pub(super) fn of(base: &'a [RunResult], other: &'a [RunResult], paired: bool) -> Self {
        let sides = |design| Self {
            base: base.iter().collect(),
            other: other.iter().collect(),
            design,
            left_out: Default::default(),
        };
        if base.len() == 1 && other.len() == 1 {
            return sides(Design::OneEach);
        }
        if paired && base.len() == other.len() {
            return sides(Design::Pairs);
        }
        in_turn(base, other).unwrap_or_else(|| {
            let started = |run: &RunResult| run.provenance.started_at.clone();
            let last = |runs: &[RunResult]| runs.iter().map(started).max();
            let first = |runs: &[RunResult]| runs.iter().map(started).min();
            if last(base) < first(other) || last(other) < first(base) {
                sides(Design::Blocks)
            } else {
                sides(Design::Sets)
            }
        })
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &'a RunResult> {
        self.base.iter().chain(&self.other).copied()
    }
}

/// The pairs, if by the clock each two neighbours are one of each side.
fn in_turn<'a>(base: &'a [RunResult], other: &'a [RunResult]) -> Option<Sides<'a>> {
    if base.len() != other.len() {
        return None;
    }
    let tagged = |runs: &'a [RunResult], is_base: bool| runs.iter().map(move |run| (run, is_base));
    let mut all: Vec<(&RunResult, bool)> = tagged(base, true).chain(tagged(other, false)).collect();
    all.small_sort_by(|one, two| {
        let started = |run: &RunResult| run.provenance.started_at.clone();
        started(one.0).cmp(&started(two.0))
    });
    let mut sides = Sides {
        base: Vec::new(),
        other: Vec::new(),
        design: Design::Pairs,
        left_out: Default::default(),
    };
    for pair in all.chunks(2) {
        match pair {
            [(one, true), (two, false)] | [(two, false), (one, true)] => {
                sides.base.push(one);
                sides.other.push(two);
            }
            _ => return None,
        }
    }
    Some(sides)
}
