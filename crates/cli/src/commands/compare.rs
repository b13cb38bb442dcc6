//! `fathom compare`: stored runs against each other.

use super::sinks::text_options;
use super::{matrix, results};
use crate::args::CompareArgs;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::result::RunResult;
use fathom_report::CompareFormat;
use fathom_verdict::compare::{Comparison, GateOutcome, compare};
use std::io::{self, IsTerminal as _};
use std::path::Path;

pub(crate) fn run(args: &CompareArgs) -> Result<Exit, Error> {
    let all: Vec<String> = args.runs.iter().chain(&args.others).cloned().collect();
    if args.matrix.matrix || args.matrix.by.is_some() || matrix::is_meant(&all) {
        return in_one_table(args);
    }
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

/// All runs by work and machine.
fn in_one_table(args: &CompareArgs) -> Result<Exit, Error> {
    if args.gate.is_some() {
        return Err(
            Problem::new(Exit::Usage, "--gate passes no verdict on a matrix")
                .because("a matrix shows numbers by work and machine")
                .remedy("--gate with runs of one workload, as tag:before tag:after")
                .into(),
        );
    }
    let groups: Vec<Vec<String>> = if args.others.is_empty() {
        args.runs.iter().map(|name| vec![name.clone()]).collect()
    } else {
        vec![args.runs.clone(), args.others.clone()]
    };
    let store = args.store.store.as_deref();
    let found = matrix::gather(&groups, &args.matrix, &args.referee.metric, store)?;
    matrix::tell(&found, args.referee.form().name)?;
    Ok(Exit::Ok)
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
