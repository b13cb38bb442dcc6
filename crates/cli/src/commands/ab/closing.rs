//! The gate of `fathom ab`: what it came to, for people and as an exit status.

use super::bench::Bench;
use super::{GATE_PAIRS, options};
use crate::args::AbArgs;
use crate::aside;
use crate::commands::compare::exit;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_session::pairs::{self, Gated, Pairs};
use fathom_verdict::compare::{Comparison, GateReport};

/// Makes the batches and tells what came of them.
pub(super) fn gate(
    args: &AbArgs,
    theta: f64,
    pairs: &mut Pairs,
    bench: &mut Bench<'_>,
) -> Result<Exit, Error> {
    let most = args.pairs_max.unwrap_or(GATE_PAIRS) as usize;
    match pairs::gate(pairs, bench, most, theta, &options(args))? {
        Gated::Refused(comparison) => {
            bench.answers.tell(&comparison)?;
            Ok(exit(&comparison))
        }
        Gated::Doubtful => Err(
            Problem::new(Exit::Undecided, "the gate accepts no suspect run")
                .because(
                    "a run is SUSPECT or INVALID; --force compares it, but the gate cannot \
                          pass",
                )
                .remedy("see the findings of the runs in --into DIR")
                .into(),
        ),
        Gated::Said(comparison, gate) => verdict(bench, comparison, gate),
    }
}

/// Tells the comparison with its gate, and says the gate's outcome on standard error too.
fn verdict(
    bench: &mut Bench<'_>,
    mut comparison: Comparison,
    gate: GateReport,
) -> Result<Exit, Error> {
    aside::say(&gate.words());
    comparison.gate = Some(gate);
    if !comparison.sides.is_empty() {
        bench.answers.tell(&comparison)?;
    }
    Ok(exit(&comparison))
}
