//! The gate of `fathom ab`: two batches, and an exit status.

use super::bench::Bench;
use super::{GATE_PAIRS, gate_limits, options};
use crate::args::AbArgs;
use crate::commands::compare::{gate_exit, tell};
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::State;
use fathom_verdict::compare::{
    Batch, CompareOptions, Comparison, Gate, GateReport, GateRow, Row, compare,
};
use fathom_verdict::stats::median;
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
        let why = if first.comparison.sides.is_empty() {
            "no pair was made".to_owned()
        } else {
            format!("a batch needs {pairs} pairs, and there was time for fewer")
        };
        return verdict(args, first.comparison, GateReport::undecided(theta, why));
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
    let second = second.filter(|second| second.is_full && !is_doubtful(&second.comparison));
    let outcomes = outcomes(theta, &first, second.as_ref());
    let rows = outcomes.into_iter().map(|(row, _)| row).collect();
    verdict(args, first.comparison, GateReport::of(theta, rows))
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
fn outcomes(theta: f64, first: &Round, second: Option<&Round>) -> Vec<(GateRow, bool)> {
    let rows = declared(&first.comparison);
    let again = second.map(|second| declared(&second.comparison));
    let moved = second.and_then(|second| Some(second.sentinel? / first.sentinel? - 1.0));
    let mut outcomes = Vec::new();
    for (index, (label, row)) in rows.into_iter().enumerate() {
        let gate = Gate {
            theta,
            more_is_better: row.metric.is_rate(),
        };
        let Some(batch) = batch_of(&gate, row) else {
            continue;
        };
        let other = again.as_ref().and_then(|again| again.get(index));
        let other = other.and_then(|(_, row)| batch_of(&gate, row));
        let outcome = gate.outcome(&batch, other.as_ref(), moved);
        outcomes.push((GateRow::of(label, row, outcome), gate.fails(&batch)));
    }
    outcomes
}

/// The declared numbers, each with the letter of its side.
fn declared(comparison: &Comparison) -> Vec<(&str, &Row)> {
    let contrasts = comparison.contrasts.iter();
    let rows = contrasts.flat_map(|one| one.rows.iter().map(|row| (one.label.as_str(), row)));
    rows.filter(|(_, row)| row.declared).collect()
}

fn batch_of(gate: &Gate, row: &Row) -> Option<Batch> {
    let logs = |values: &[f64]| -> Vec<f64> { values.iter().map(|value| value.ln()).collect() };
    gate.batch(&logs(&row.base_runs), &logs(&row.other_runs))
}

/// Tells the comparison with its gate, and says the gate's outcome on standard error too.
fn verdict(args: &AbArgs, mut comparison: Comparison, gate: GateReport) -> Result<Exit, Error> {
    let exit = gate_exit(&gate.outcome);
    // Where it cannot be written, the exit status says it.
    let _ = writeln!(io::stderr(), "{}", gate.words());
    comparison.gate = Some(gate);
    if !comparison.sides.is_empty() {
        tell(&comparison, args.referee.form())?;
    }
    Ok(exit)
}
