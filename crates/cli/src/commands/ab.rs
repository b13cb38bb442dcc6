//! `fathom ab`: two commands in turn, until it can be said which is faster.

mod bench;
mod closing;
mod side;

use super::answers::Answers;
use super::compare::exit;
use crate::args::AbArgs;
use crate::aside;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use crate::stop::Stop;
use bench::Bench;
use fathom_session::pairs::{self, Pairs};
use fathom_verdict::compare::{CompareOptions, Comparison, Sequence};
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
    let answers = Answers::open(&args.referee.answer)?;
    let stop = Stop::default();
    stop.listen()?;
    let seed = args.seed.map_or_else(super::measure::drawn_seed, Ok)?;
    let mut bench = Bench::new(args, sides, seed, stop, answers)?;
    let mut pairs = Pairs::new([&args.a, &args.b], seed);
    let exit = match args.gate {
        Some(theta) => closing::gate(args, theta.0 / 100.0, &mut pairs, &mut bench)?,
        None => look(args, &mut pairs, &mut bench)?,
    };
    if !bench.is_interrupted() {
        return Ok(exit);
    }
    aside::say(&match pairs.len() {
        0 => "stopped before a pair was complete: there is no answer".to_owned(),
        1 => "stopped after 1 pair; the answer rests on it alone".to_owned(),
        made => format!("stopped after {made} pairs; the answer rests on them alone"),
    });
    Ok(Exit::Interrupted)
}

/// Pairs until a look decides, or there are no more.
fn look(args: &AbArgs, pairs: &mut Pairs, bench: &mut Bench<'_>) -> Result<Exit, Error> {
    let sequence = Sequence::up_to(args.pairs_max.unwrap_or(PAIRS) as usize);
    let options = CompareOptions {
        limits: sequence.limits(args.referee.options().limits),
        ..options(args)
    };
    match pairs::look(pairs, bench, &sequence, &options)? {
        Some(comparison) => answer(bench, &comparison),
        None if bench.is_interrupted() => Ok(Exit::Interrupted),
        None => Err(Problem::new(Exit::Undecided, "no pair was made")
            .because("the time was over before")
            .remedy("a longer --time-limit")
            .into()),
    }
}

fn answer(bench: &mut Bench<'_>, comparison: &Comparison) -> Result<Exit, Error> {
    bench.answers.tell(comparison)?;
    Ok(exit(comparison))
}

fn options(args: &AbArgs) -> CompareOptions {
    CompareOptions {
        expect_one: true,
        paired: true,
        ..args.referee.options()
    }
}
