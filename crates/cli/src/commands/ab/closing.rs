//! The gate of `fathom ab`: what it came to, for people and as an exit status.

use super::bench::Bench;
use super::{GATE_PAIRS, options};
use crate::args::AbArgs;
use crate::commands::compare::{gate_exit, tell};
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_session::pairs::{self, Gated, Pairs};
use fathom_verdict::compare::{Comparison, GateReport};
use std::io::{self, Write as _};

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
            tell(&comparison, args.referee.form())?;
            Ok(Exit::NotComparable)
        }
        Gated::Doubtful => Err(
            Problem::new(Exit::NotComparable, "the gate takes no doubtful run")
                .because("a run is SUSPECT or INVALID; --force compares it, but cannot pass it")
                .remedy("what the caveats of the runs say, in --results DIR")
                .into(),
        ),
        Gated::Said(comparison, gate) => verdict(args, comparison, gate),
    }
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
