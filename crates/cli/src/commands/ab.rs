//! `fathom ab`: two commands in turn, until it can be said which is faster.

mod bench;
mod child;
mod closing;
mod side;

use super::compare::tell;
use crate::args::AbArgs;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use crate::stop::Stop;
use bench::Bench;
use fathom_core::result::RunResult;
use fathom_verdict::compare::{CompareOptions, Comparison, Limits, Sequence, Verdict, compare};
use side::Side;

/// Pairs if nobody says otherwise: the last useful look, and a batch of the gate.
const PAIRS: u32 = 24;
const GATE_PAIRS: u32 = 8;

pub(crate) fn run(args: &AbArgs) -> Result<Exit, Error> {
    let sides = [Side::parse("--a", &args.a)?, Side::parse("--b", &args.b)?];
    let least = if args.gate.is_some() { GATE_PAIRS } else { 6 };
    if args.pairs_max.is_some_and(|pairs| pairs < least) {
        return Err(
            Problem::new(Exit::Usage, "--pairs-max is too small for --gate")
                .because("with fewer than 8 pairs the smallest p is above 0.01")
                .remedy("--pairs-max 8, or more")
                .into(),
        );
    }
    let stop = Stop::default();
    stop.listen()?;
    let mut bench = Bench::new(args, sides, stop)?;
    let exit = match args.gate {
        Some(theta) => closing::gate(args, theta.0 / 100.0, &mut bench)?,
        None => look(args, &mut bench)?,
    };
    Ok(if bench.is_interrupted() {
        Exit::Interrupted
    } else {
        exit
    })
}

/// Pairs until a look decides, or there are no more.
fn look(args: &AbArgs, bench: &mut Bench<'_>) -> Result<Exit, Error> {
    let sequence = Sequence::up_to(args.pairs_max.unwrap_or(PAIRS) as usize);
    let options = CompareOptions {
        limits: sequence.limits(args.referee.options().limits),
        ..options(args)
    };
    bench.expect(sequence.looks.last().copied().unwrap_or_default());
    let mut last = None;
    while let Some(pairs) = bench.pair()? {
        let at_end = sequence.looks.last() == Some(&pairs);
        if pairs > 1 && !sequence.is_look(pairs) {
            continue;
        }
        let comparison = compare(&bench.sides(), &options);
        // Of one pair only whether the sides may be compared at all.
        let is_decided = pairs > 1 && comparison.verdicts().all(Verdict::is_decided);
        let ends = comparison.is_refused() || is_decided || at_end;
        last = Some(comparison);
        if ends {
            break;
        }
    }
    if bench.pairs() == 0 && bench.is_interrupted() {
        return Ok(Exit::Interrupted);
    }
    if bench.pairs() == 0 {
        return Err(Problem::new(Exit::Undecided, "no pair was made")
            .because("the time was over before")
            .remedy("a longer --time-limit")
            .into());
    }
    // Out of time or interrupted between two looks: what there is, and it says how sure it is.
    let comparison = match last {
        Some(comparison) if comparison.sides[0].runs.len() == bench.pairs() => comparison,
        _ => compare(&bench.sides(), &options),
    };
    answer(args, &comparison)
}

fn answer(args: &AbArgs, comparison: &Comparison) -> Result<Exit, Error> {
    tell(comparison, args.referee.form())?;
    Ok(if comparison.is_refused() {
        Exit::NotComparable
    } else {
        Exit::Ok
    })
}

fn options(args: &AbArgs) -> CompareOptions {
    CompareOptions {
        expect_one: true,
        paired: true,
        ..args.referee.options()
    }
}

/// The two sides of a comparison, as they were typed.
fn named(args: &AbArgs, runs: [&[RunResult]; 2]) -> Vec<(String, Vec<RunResult>)> {
    let [a, b] = runs;
    vec![(args.a.clone(), a.to_vec()), (args.b.clone(), b.to_vec())]
}

/// The limits that the gate compares with, for its report.
fn gate_limits(args: &AbArgs) -> Limits {
    args.referee.options().limits
}
