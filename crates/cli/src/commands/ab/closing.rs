//! The gate of `fathom ab`: two batches, and an exit status.

use super::bench::Bench;
use super::{GATE_PAIRS, gate_limits, options};
use crate::args::AbArgs;
use crate::commands::compare::tell;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::State;
use fathom_core::compare::{Batch, CompareOptions, Comparison, Gate, GateOutcome, Row, compare};
use fathom_core::stats::median;
use std::io::{self, Write as _};

/// One batch: the comparison for people, and each declared number as pairs of logarithms.
struct Round {
    comparison: Comparison,
    /// Median of what the null engine did; none beside virtual time.
    sentinel: Option<f64>,
    is_full: bool,
}

/// Makes a batch and, if it fails, a second one in the reverse order.
pub(super) fn gate(args: &AbArgs, theta: f64, bench: &mut Bench<'_>) -> Result<Exit, Error> {
    let pairs = args.pairs_max.unwrap_or(GATE_PAIRS) as usize;
    let options = CompareOptions {
        limits: gate_limits(args),
        ..options(args)
    };
    let first = round(bench, pairs, &options)?;
    if first.comparison.is_refused() {
        tell(&first.comparison, args.referee.form())?;
        return Ok(Exit::NotComparable);
    }
    if !first.is_full {
        if first.comparison.sides.is_empty() {
            return Ok(verdict(&GateOutcome::Undecided(
                "no pair was made".to_owned(),
            )));
        }
        tell(&first.comparison, args.referee.form())?;
        return Ok(verdict(&GateOutcome::Undecided(format!(
            "a batch needs {pairs} pairs, and there was time for fewer"
        ))));
    }
    if is_doubtful(&first.comparison) {
        return Err(
            Problem::new(Exit::NotComparable, "the gate takes no doubtful run")
                .because("a run is SUSPECT or INVALID; --force compares it, but cannot pass it")
                .remedy("what the caveats of the runs say, in --results DIR")
                .into(),
        );
    }
    let fails = outcomes(theta, &first, None)
        .iter()
        .any(|(_, fails)| *fails);
    let second = if fails {
        bench.turn_over();
        Some(round(bench, pairs, &options)?)
    } else {
        None
    };
    tell(&first.comparison, args.referee.form())?;
    let second = second.filter(|second| second.is_full && !is_doubtful(&second.comparison));
    let outcomes = outcomes(theta, &first, second.as_ref());
    Ok(verdict(&worst(
        outcomes.into_iter().map(|(outcome, _)| outcome),
    )))
}

fn round(bench: &mut Bench<'_>, pairs: usize, options: &CompareOptions) -> Result<Round, Error> {
    bench.expect(pairs);
    while bench.pairs() < pairs {
        if bench.pair()?.is_none() {
            break;
        }
        if bench.pairs() == 1 && compare(&bench.sides(), options).is_refused() {
            break;
        }
        bench.sentinel()?;
    }
    Ok(Round {
        comparison: compare(&bench.sides(), options),
        sentinel: (!bench.sentinels().is_empty()).then(|| median(bench.sentinels())),
        is_full: bench.pairs() == pairs,
    })
}

fn is_doubtful(comparison: &Comparison) -> bool {
    let mut contrasts = comparison.contrasts.iter();
    contrasts.any(|contrast| contrast.state >= State::Suspect)
}

/// What the gate says of each declared number, and whether its first batch fails.
fn outcomes(theta: f64, first: &Round, second: Option<&Round>) -> Vec<(GateOutcome, bool)> {
    let declared = |round: &Round| -> Vec<_> {
        let rows = round
            .comparison
            .contrasts
            .iter()
            .flat_map(|contrast| &contrast.rows);
        rows.filter(|row| row.declared).cloned().collect()
    };
    let rows = declared(first);
    let again = second.map(declared);
    let moved = second.and_then(|second| Some(second.sentinel? / first.sentinel? - 1.0));
    let mut outcomes = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let gate = Gate {
            theta,
            more_is_better: row.metric.is_rate(),
        };
        let Some(batch) = batch_of(&gate, row) else {
            continue;
        };
        let other = again.as_ref().and_then(|again| again.get(index));
        let other = other.and_then(|row| batch_of(&gate, row));
        let outcome = gate.outcome(&batch, other.as_ref(), moved);
        outcomes.push((outcome, gate.fails(&batch)));
    }
    outcomes
}

fn batch_of(gate: &Gate, row: &Row) -> Option<Batch> {
    let logs = |values: &[f64]| -> Vec<f64> { values.iter().map(|value| value.ln()).collect() };
    gate.batch(&logs(&row.base_runs), &logs(&row.other_runs))
}

/// A regression in one number is one; a pass is one in all.
fn worst(outcomes: impl Iterator<Item = GateOutcome>) -> GateOutcome {
    let weight = |outcome: &GateOutcome| match outcome {
        GateOutcome::Pass => 0,
        GateOutcome::Undecided(_) => 1,
        GateOutcome::Regression => 2,
    };
    let nothing = || GateOutcome::Undecided("the runs have no declared number in common".into());
    outcomes.max_by_key(weight).unwrap_or_else(nothing)
}

/// Says it on standard error, beside the numbers on standard output.
fn verdict(outcome: &GateOutcome) -> Exit {
    let (words, exit) = match outcome {
        GateOutcome::Pass => ("gate: pass".to_owned(), Exit::Ok),
        GateOutcome::Regression => ("gate: REGRESSION".to_owned(), Exit::LimitMissed),
        GateOutcome::Undecided(why) => (format!("gate: undecided: {why}"), Exit::Undecided),
    };
    // Where it cannot be written, the exit status says it.
    let _ = writeln!(io::stderr(), "{words}");
    exit
}
