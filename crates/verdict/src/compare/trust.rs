//! What it means for a comparison that some of its runs are questionable, and others are not.
//!
//! A run whose number is not to be relied on (SUSPECT, INVALID) because of what the machine did
//! meanwhile is left out, of pairs with its partner, as long as these are a third at most: those
//! that stay are then twice as many. Findings of another kind (errors, wrong data, no steady state)
//! may be what the thing under test does: a comparison without them would hide it.
//!
//! What narrows some runs (QUALIFIED) stays in. Where it may be chance that one side has more of it
//! than the other, it qualifies the comparison; where it is not, the sides differ in more than the
//! thing under test.

use super::contrast::{Contrast, Design, ENGINE};
use super::factor::{Factor, FactorRole, deciding, qualifiers};
use super::sides::Sides;
use crate::check::Effect;
use crate::checks::Code;
use crate::stats::fisher;
use fathom_core::caveat::{KnownCode as _, State};
use fathom_core::figure::plural;
use fathom_core::result::RunResult;
use std::collections::BTreeSet;

/// One of this number of runs or pairs may be left out.
const ONE_OF: usize = 3;
/// Chance below which a qualifier is taken for one of a side.
const UNEVEN: f64 = 0.05;

/// Whether the number of a run is not to be relied on.
pub fn is_doubtful(run: &RunResult) -> bool {
    run.state >= State::Suspect
}

/// Whether all that is doubted of a run came from elsewhere: from the machine that measured, or
/// from others on the device. A rate that was not kept may be the storage's doing.
pub fn is_chance(run: &RunResult) -> bool {
    let is_of_others = |word: &String| {
        let others = [Code::Neighbour, Code::BusyBefore];
        Code::named(word).is_some_and(|code| {
            let is_of_machine = code.effect() == Some(Effect::Machine);
            others.contains(&code) || is_of_machine && code != Code::Overloaded
        })
    };
    deciding(run).iter().all(is_of_others)
}

/// Whether this part of all may be left out.
const fn may_be_left_out(doubtful: usize, all: usize) -> bool {
    doubtful * ONE_OF <= all
}

/// Leaves out the runs that are questionable by chance, unless they are too many on a side.
pub(super) fn without_doubtful(mut sides: Sides<'_>) -> Sides<'_> {
    if sides.all().any(|run| is_doubtful(run) && !is_chance(run)) {
        return sides;
    }
    let is_sound = |run: &&RunResult| !is_doubtful(run);
    if sides.design == Design::Pairs {
        let pairs = sides.base.iter().copied().zip(sides.other.iter().copied());
        let (sound, doubtful): (Vec<_>, Vec<_>) =
            pairs.partition(|(one, two)| is_sound(one) && is_sound(two));
        if may_be_left_out(doubtful.len(), sides.base.len()) {
            (sides.base, sides.other) = sound.into_iter().unzip();
            let (base, other) = doubtful.into_iter().unzip();
            sides.left_out = [base, other];
        }
        return sides;
    }
    let of = |runs: &[_]| runs.iter().copied().partition(is_sound);
    let [base, other]: [(Vec<_>, Vec<_>); 2] = [of(&sides.base), of(&sides.other)];
    let all = [&base, &other];
    if all
        .iter()
        .all(|(sound, out)| may_be_left_out(out.len(), sound.len() + out.len()))
    {
        (sides.base, sides.other) = (base.0, other.0);
        sides.left_out = [base.1, other.1];
    }
    sides
}

/// What was left out, and why, as a sentence.
pub(super) fn left_out(label: &str, sides: &Sides<'_>) -> Option<String> {
    let [base, other] = &sides.left_out;
    if base.is_empty() && other.is_empty() {
        return None;
    }
    let doubts = |label: &str, runs: &[&RunResult]| {
        let doubtful: Vec<_> = runs
            .iter()
            .copied()
            .filter(|run| is_doubtful(run))
            .collect();
        let words: BTreeSet<String> = doubtful.iter().map(|run| qualifiers(run)).collect();
        let words = words.into_iter().collect::<Vec<_>>().join(", ");
        (!doubtful.is_empty()).then(|| format!("{} of {label} {words}", doubtful.len()))
    };
    let why: Vec<String> = [doubts("A", base), doubts(label, other)]
        .into_iter()
        .flatten()
        .collect();
    let what = if sides.design == Design::Pairs {
        plural(base.len() as u64, "pair")
    } else {
        plural((base.len() + other.len()) as u64, "run")
    };
    let is = if what.starts_with("1 ") { "is" } else { "are" };
    Some(format!(
        "{what} {is} left out for suspect runs: {}",
        why.join("; ")
    ))
}

/// In how many runs of both sides something is said.
struct Said {
    mark: String,
    base: (usize, usize),
    other: (usize, usize),
}

impl Said {
    /// What is said of all runs, or of none of both sides alike, is no difference.
    fn is_everywhere(&self) -> bool {
        self.base.0 == self.base.1 && self.other.0 == self.other.1
    }

    /// Whether it belongs to a side: to all of its runs and to none of the other's, or to more of
    /// them than chance explains.
    fn is_of_a_side(&self) -> bool {
        let (base, other) = (self.base, self.other);
        let is_split = |one: (usize, usize), two: (usize, usize)| one.0 == one.1 && two.0 == 0;
        is_split(base, other) || is_split(other, base) || fisher(base, other) < UNEVEN
    }
}

fn said(sides: &Sides<'_>) -> Vec<Said> {
    let marks: BTreeSet<String> = sides.all().flat_map(deciding).collect();
    let count = |runs: &[&RunResult], mark: &str| {
        let has = |run: &&&RunResult| deciding(run).iter().any(|one| one == mark);
        (runs.iter().filter(has).count(), runs.len())
    };
    let said = marks.into_iter().map(|mark| Said {
        base: count(&sides.base, &mark),
        other: count(&sides.other, &mark),
        mark,
    });
    said.collect()
}

/// How the states of the runs differ, if they do: in the words of each side, and whether that
/// forbids the comparison.
pub(super) fn state(sides: &Sides<'_>) -> Option<Factor> {
    let [base, other] = [&sides.base, &sides.other].map(|runs| words(runs));
    let is_of_a_side = said(sides).iter().any(Said::is_of_a_side);
    (base != other || is_of_a_side).then(|| Factor {
        name: "state",
        place: String::new(),
        base,
        other,
        role: if is_of_a_side {
            FactorRole::Blocks
        } else {
            FactorRole::Noted
        },
    })
}

/// The state of a side: of several runs the worst, with what is said of all or of some.
fn words(runs: &[&RunResult]) -> String {
    if let [run] = runs {
        return qualifiers(run);
    }
    let worst = runs.iter().map(|run| run.state).max();
    let worst = worst.unwrap_or(State::Valid).word();
    let marks: BTreeSet<String> = runs.iter().flat_map(|run| deciding(run)).collect();
    let marks = marks.into_iter().map(|mark| {
        let has = |run: &&&RunResult| deciding(run).contains(&mark);
        match runs.iter().filter(has).count() {
            all if all == runs.len() => mark,
            some => format!("{mark} in {some} of {}", runs.len()),
        }
    });
    match marks.collect::<Vec<_>>() {
        none if none.is_empty() => worst.to_owned(),
        marks => format!("{worst} ({})", marks.join(", ")),
    }
}

/// Qualifiers that come from how requests are handed over, and not from the storage or the load:
/// the time from a completion to the next submission.
const OF_GENERATOR: [Code; 1] = [Code::SubmissionGaps];

/// Whether the sides differ in nothing but how the generator keeps up: no run is worse than
/// qualified, and every other qualifier is shared out as chance would.
pub(super) fn follows_generator(sides: &Sides<'_>) -> bool {
    let is_of_generator = |said: &Said| OF_GENERATOR.iter().any(|code| code.word() == said.mark);
    sides.all().all(|run| run.state <= State::Qualified)
        && said(sides)
            .iter()
            .all(|one| is_of_generator(one) || !one.is_of_a_side())
}

/// What narrows some runs and not others, where a comparison is still made.
pub(super) fn remarks(contrast: &Contrast, sides: &Sides<'_>) -> Vec<String> {
    let has = |name: &str| contrast.factors.iter().any(|factor| factor.name == name);
    let is_followed = contrast
        .factors
        .iter()
        .any(|factor| factor.name == "state" && factor.role == FactorRole::Noted);
    if contrast.refusal.is_some() {
        return too_many(sides).into_iter().collect();
    }
    let mut remarks = Vec::new();
    let mut by_chance = Vec::new();
    for one in said(sides) {
        let ((base, of_base), (other, of_other)) = (one.base, one.other);
        let code = &one.mark;
        if one.is_of_a_side() {
            // Else it is named among what forbids the comparison.
            if is_followed {
                remarks.push(generator_differs(code, has(ENGINE)));
            }
        } else if !one.is_everywhere() {
            let label = &contrast.label;
            by_chance.push(format!(
                "{code} ({base} of {of_base} of A, {other} of {of_other} of {label})"
            ));
        }
    }
    if !by_chance.is_empty() {
        remarks.push(format!(
            "found in some runs on both sides, as expected by chance: {}. These runs count, and \
             the comparison has the same quality",
            by_chance.join(", ")
        ));
    }
    remarks
}

/// What it means that the generator keeps up better with one side.
fn generator_differs(code: &str, is_engine: bool) -> String {
    let own = format!("the load generator's own time between requests ({code}) differs with the");
    if is_engine {
        format!("{own} engine. The numbers describe engine and storage together")
    } else {
        format!("{own} target. The target with this finding may be faster than its numbers")
    }
}

/// Why questionable runs forbid the comparison, if they do.
pub(super) fn too_many(sides: &Sides<'_>) -> Option<String> {
    let doubtful: Vec<&RunResult> = sides.all().filter(|run| is_doubtful(run)).collect();
    let of_itself = doubtful.iter().find(|run| !is_chance(run));
    let first = of_itself.or(doubtful.first())?;
    let what = format!("{} is {}", first.run_id, qualifiers(first));
    if sides.design == Design::OneEach || of_itself.is_some() {
        return Some(what);
    }
    Some(format!(
        "{} of {} runs are suspect, but only one in {ONE_OF} of each side, or of the pairs, may be \
         left out: {what}",
        doubtful.len(),
        sides.all().count()
    ))
}

#[cfg(test)]
mod tests {
    use super::super::{CompareOptions, Comparison, Verdict, compare};
    use super::*;
    use fathom_core::caveat::Level;
    use fathom_core::fixture;

    const SUSPECT: (Code, Level) = (Code::Steal, Level::Suspect);
    const GAPS: (Code, Level) = (Code::SubmissionGaps, Level::Qualified);

    /// Runs of a side, of which the first so many have a caveat; each a little apart in its rate.
    fn runs(all: usize, with: usize, (code, level): (Code, Level)) -> Vec<RunResult> {
        let run = |index: usize| {
            let mut run = fixture::random_read();
            run.run_id = format!("r{index}");
            run.phases[0].measured_ns += 1_000_000 * (index as u64 % 3);
            if index < with {
                run.caveats.push(code.caveat(level, "something is so"));
                run.state = State::of(&run.caveats);
            }
            run
        };
        (0..all).map(run).collect()
    }

    /// The same under other names: no run stands on both sides.
    fn others(runs: Vec<RunResult>) -> Vec<RunResult> {
        let mut runs = runs;
        for run in &mut runs {
            run.run_id.insert(0, 'b');
        }
        runs
    }

    fn pairs(base: Vec<RunResult>, other: Vec<RunResult>) -> Comparison {
        let options = CompareOptions {
            paired: true,
            ..CompareOptions::default()
        };
        compare(
            &[("a".to_owned(), base), ("b".to_owned(), others(other))],
            &options,
        )
    }

    /// What is left out, the state, and why there is no comparison.
    fn told(comparison: &Comparison) -> (usize, State, Option<&str>) {
        let one = &comparison.contrasts[0];
        (one.left_out.len(), one.state, one.refusal.as_deref())
    }

    #[test]
    fn a_few_doubtful_pairs_are_left_out_and_many_forbid_the_comparison() {
        let with = |doubtful| pairs(runs(9, 0, SUSPECT), runs(9, doubtful, SUSPECT));
        assert_eq!(told(&with(0)), (0, State::Valid, None));
        let some = with(3);
        assert_eq!(told(&some), (6, State::Qualified, None));
        assert_eq!(some.contrasts[0].rows[0].base_runs.len(), 6);
        let words = "3 pairs are left out for suspect runs: 3 of B SUSPECT (steal)";
        assert_eq!(some.contrasts[0].remarks[0], words);
        let many = with(4);
        let (left_out, state, refusal) = told(&many);
        assert_eq!((left_out, state), (0, State::Suspect));
        let why = "4 of 18 runs are suspect, but only one in 3 of each side, or of the pairs, may \
                   be left out: br0 is SUSPECT (steal).";
        assert_eq!(refusal, Some(why));
        assert_eq!(many.contrasts[0].rows[0].verdict, Verdict::NotComparable);
    }

    #[test]
    fn what_the_storage_did_is_never_left_out() {
        let errors = (Code::IoErrors, Level::Suspect);
        let found = pairs(runs(9, 0, errors), runs(9, 1, errors));
        let why = "br0 is SUSPECT (io_errors).";
        assert_eq!(told(&found), (0, State::Suspect, Some(why)));
        let overloaded = (Code::Overloaded, Level::Suspect);
        let found = pairs(runs(9, 0, overloaded), runs(9, 1, overloaded));
        assert!(found.is_refused());
    }

    #[test]
    fn a_qualifier_of_some_runs_qualifies_and_one_of_a_side_forbids() {
        let with = |base, other| pairs(runs(8, base, GAPS), runs(8, other, GAPS));
        let cases = [
            ((0, 0), State::Valid, None),
            ((1, 0), State::Qualified, None),
            ((4, 1), State::Qualified, None),
            ((8, 8), State::Qualified, None),
            (
                (8, 0),
                State::Suspect,
                Some("state: QUALIFIED (submission_gaps) in A, VALID in B."),
            ),
            (
                (0, 6),
                State::Suspect,
                Some("state: VALID in A, QUALIFIED (submission_gaps in 6 of 8) in B."),
            ),
        ];
        for ((base, other), state, why) in cases {
            let found = with(base, other);
            assert_eq!(told(&found), (0, state, why), "{base} and {other}");
        }
        let words = "found in some runs on both sides, as expected by chance: submission_gaps (1 \
                     of 8 of A, 0 of 8 of B). These runs count, and the comparison has the same \
                     quality";
        assert_eq!(with(1, 0).contrasts[0].remarks[0], words);
        assert!(with(1, 0).may_be_lifted());
    }

    #[test]
    fn sets_lose_their_doubtful_runs_each() {
        let sides = [
            ("a".to_owned(), runs(3, 1, SUSPECT)),
            ("b".to_owned(), runs(6, 2, SUSPECT)),
        ];
        let found = compare(&sides, &CompareOptions::default());
        assert_eq!(told(&found), (3, State::Qualified, None));
        assert_eq!(found.contrasts[0].left_out, ["r0", "r0", "r1"]);
        let forced = CompareOptions {
            force: true,
            ..CompareOptions::default()
        };
        let found = compare(&sides, &forced);
        assert_eq!(told(&found), (0, State::Suspect, None));
    }
}
