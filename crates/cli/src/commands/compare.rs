//! `fathom compare`: stored runs against each other.

use super::results;
use super::sinks::text_options;
use crate::args::CompareArgs;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::result::RunResult;
use fathom_report::CompareFormat;
use fathom_verdict::compare::{Comparison, GateOutcome, compare};
use std::io::{self, IsTerminal as _};
use std::path::Path;

pub(crate) fn run(args: &CompareArgs) -> Result<Exit, Error> {
    let sides = sides(args)?;
    let mut comparison = compare(&sides, &args.referee.options());
    comparison.gate = args.gate.map(|theta| comparison.gate(theta.0 / 100.0));
    tell(&comparison, args.referee.form())?;
    Ok(match &comparison.gate {
        _ if comparison.is_refused() => Exit::NotComparable,
        Some(gate) => gate_exit(&gate.outcome),
        None => Exit::Ok,
    })
}

/// The exit status of a gate.
pub(super) const fn gate_exit(outcome: &GateOutcome) -> Exit {
    match outcome {
        GateOutcome::Pass => Exit::Ok,
        GateOutcome::Regression => Exit::LimitMissed,
        GateOutcome::Undecided(_) => Exit::Undecided,
    }
}

/// The sides, each with the words that name it.
fn sides(args: &CompareArgs) -> Result<Vec<(String, Vec<RunResult>)>, Error> {
    let store = args.store.store.as_deref();
    if !args.others.is_empty() {
        return Ok(vec![side(&args.runs, store)?, side(&args.others, store)?]);
    }
    if args.runs.len() == 1 {
        return Err(
            Problem::new(Exit::Usage, "one run has nothing to stand against")
                .remedy("a second one, or several of each side as in `compare A1 A2 -- B1 B2`")
                .into(),
        );
    }
    let names = args.runs.iter();
    names
        .map(|name| side(std::slice::from_ref(name), store))
        .collect()
}

fn side(names: &[String], store: Option<&Path>) -> Result<(String, Vec<RunResult>), Error> {
    let runs = results::load_groups(names, store)?;
    let name = names.join(" ");
    if runs.is_empty() {
        return Err(Problem::new(Exit::Usage, format!("there are no runs in {name}")).into());
    }
    Ok((name, runs))
}

/// Writes a comparison to standard output.
pub(super) fn tell(comparison: &Comparison, form: &CompareFormat) -> Result<(), Error> {
    let out = io::stdout();
    let options = text_options(out.is_terminal());
    fathom_report::write_comparison(comparison, form, options, &mut out.lock())
        .map_err(|error| Error::stdout(&error))
}
