//! The gate: a batch of pairs, and a second one in the reverse order where the first fails.

use super::{Bench, Pairs};
use fathom_core::State;
use fathom_verdict::compare::{
    Batch, CompareOptions, Comparison, Gate, GateReport, GateRow, NumberContrast,
};
use fathom_verdict::stats::median;

/// What a gate came to.
#[derive(Clone, Debug)]
pub enum Gated {
    /// The sides cannot be compared.
    Refused(Comparison),
    /// A run is SUSPECT or INVALID: no gate passes on it.
    Doubtful,
    /// The comparison of the first batch, and what the gate says.
    Said(Comparison, GateReport),
}

/// One batch: the comparison for people, and each declared number as pairs of logarithms.
struct Round {
    comparison: Comparison,
    /// Median of what the machine did without storage; none in virtual time.
    sentinel: Option<f64>,
    is_full: bool,
}

/// Makes a batch of `pairs` pairs and, if it fails, a second one in the reverse order.
///
/// # Errors
///
/// Those of the bench.
pub fn gate<B: Bench>(
    made: &mut Pairs,
    bench: &mut B,
    pairs: usize,
    theta: f64,
    options: &CompareOptions,
) -> Result<Gated, B::Error> {
    let first = round(made, bench, pairs, options)?;
    if first.comparison.is_refused() {
        return Ok(Gated::Refused(first.comparison));
    }
    if !first.is_full {
        let why = if first.comparison.sides.is_empty() {
            "no pair was made".to_owned()
        } else {
            format!("a batch needs {pairs} pairs, but the time was sufficient for fewer")
        };
        let report = GateReport::undecided(theta, why);
        return Ok(Gated::Said(first.comparison, report));
    }
    if is_doubtful(&first.comparison) {
        return Ok(Gated::Doubtful);
    }
    let fails = outcomes(theta, &first, None)
        .iter()
        .any(|(_, fails)| *fails);
    let second = if fails {
        made.turn_over();
        Some(round(made, bench, pairs, options)?)
    } else {
        None
    };
    let second = second.filter(|second| second.is_full && !is_doubtful(&second.comparison));
    let outcomes = outcomes(theta, &first, second.as_ref());
    let rows = outcomes.into_iter().map(|(row, _)| row).collect();
    Ok(Gated::Said(first.comparison, GateReport::of(theta, rows)))
}

fn round<B: Bench>(
    made: &mut Pairs,
    bench: &mut B,
    pairs: usize,
    options: &CompareOptions,
) -> Result<Round, B::Error> {
    made.most = pairs;
    while made.len() < pairs {
        let Some(counts) = made.pair(bench, options)? else {
            break;
        };
        if made.is_hopeless() {
            break;
        }
        if counts && made.len() == 1 && Pairs::is_refused_by(&made.compared(options)) {
            break;
        }
        made.watch(bench)?;
    }
    Ok(Round {
        comparison: made.compared(options),
        sentinel: (!made.sentinels.is_empty()).then(|| median(&made.sentinels)),
        is_full: made.len() == pairs,
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
fn declared(comparison: &Comparison) -> Vec<(&str, &NumberContrast)> {
    let contrasts = comparison.contrasts.iter();
    let rows = contrasts.flat_map(|one| one.rows.iter().map(|row| (one.label.as_str(), row)));
    rows.filter(|(_, row)| row.declared).collect()
}

fn batch_of(gate: &Gate, row: &NumberContrast) -> Option<Batch> {
    let logs = |values: &[f64]| -> Vec<f64> { values.iter().map(|value| value.ln()).collect() };
    gate.batch(&logs(&row.base_runs), &logs(&row.other_runs))
}
