//! `fathom compare`: stored runs against each other.

use super::answers::Answers;
use super::{matrix, results, standard_input};
use crate::args::CompareArgs;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::result::RunResult;
use fathom_verdict::compare::{Comparison, GateOutcome, compare};
use std::collections::BTreeSet;
use std::path::Path;

pub(crate) fn run(args: &CompareArgs) -> Result<Exit, Error> {
    let mut answers = Answers::open(&args.referee.answer)?;
    let groups = groups(args);
    let all: Vec<String> = groups.concat();
    if args.matrix.matrix || args.matrix.by.is_some() || matrix::is_meant(&all) {
        return in_one_table(args, &groups, &mut answers);
    }
    let sides = sides(args, &groups)?;
    if is_of_many_works(args, &sides) {
        return in_one_table(args, &groups, &mut answers);
    }
    let mut comparison = compare(&sides, &args.referee.options());
    comparison.gate = args.gate.map(|theta| comparison.gate(theta.0 / 100.0));
    answers.tell(&comparison)?;
    Ok(exit(&comparison))
}

/// All runs by work and machine.
fn in_one_table(
    args: &CompareArgs,
    groups: &[Vec<String>],
    answers: &mut Answers<Comparison>,
) -> Result<Exit, Error> {
    if args.gate.is_some() {
        return Err(
            Problem::new(Exit::Usage, "--gate does not evaluate a matrix")
                .because("a matrix shows numbers by workload and machine")
                .remedy("use --gate with runs of one workload, as tag:before tag:after")
                .into(),
        );
    }
    let store = args.store.store.as_deref();
    let found = matrix::gather(groups, &args.matrix, &args.referee.metric, store)?;
    matrix::tell(&found, answers)?;
    Ok(Exit::Ok)
}

/// The exit status of a comparison.
pub(super) fn exit(comparison: &Comparison) -> Exit {
    match &comparison.gate {
        _ if comparison.is_of_other_things() => Exit::NotComparable,
        _ if comparison.is_refused() => Exit::Undecided,
        Some(gate) => gate_exit(&gate.outcome),
        None => Exit::Ok,
    }
}

/// The exit status of a gate.
const fn gate_exit(outcome: &GateOutcome) -> Exit {
    match outcome {
        GateOutcome::Pass => Exit::Ok,
        GateOutcome::Regression => Exit::LimitMissed,
        GateOutcome::Undecided(_) => Exit::Undecided,
    }
}

/// What the user named together.
fn groups(args: &CompareArgs) -> Vec<Vec<String>> {
    if args.others.is_empty() && args.runs.len() == 1 {
        vec![args.runs.clone()]
    } else if args.others.is_empty() {
        let names = results::without_plans(&args.runs).into_iter();
        names.map(|name| vec![name]).collect()
    } else {
        vec![args.runs.clone(), args.others.clone()]
    }
}

/// Whether runs of several workloads are in one list, or many runs in several lists: those are the
/// same work row by row, and not each against the first.
fn is_of_many_works(args: &CompareArgs, sides: &[(String, Vec<RunResult>)]) -> bool {
    let factors = &args.referee.factor;
    if args.referee.force || factors.iter().any(|factor| factor == "profile") {
        return false;
    }
    let works = |sides: &[(String, Vec<RunResult>)]| {
        let runs = sides.iter().flat_map(|(_, runs)| runs);
        runs.map(RunResult::work).collect::<BTreeSet<_>>().len()
    };
    let is_mixed = |side| works(std::slice::from_ref(side)) > 1;
    sides.iter().any(is_mixed) || (sides.len() > 2 && works(sides) > 1)
}

/// The sides, each with the words that name it.
fn sides(
    args: &CompareArgs,
    groups: &[Vec<String>],
) -> Result<Vec<(String, Vec<RunResult>)>, Error> {
    let store = args.store.store.as_deref();
    if groups.len() == 1 {
        return Err(Problem::new(Exit::Usage, "there is only one run")
            .remedy("add a second one, or several per side as in `compare A1 A2 -- B1 B2`")
            .into());
    }
    standard_input::refuse_twice(groups.iter().flatten().map(AsRef::as_ref))?;
    groups.iter().map(|names| side(names, store)).collect()
}

fn side(names: &[String], store: Option<&Path>) -> Result<(String, Vec<RunResult>), Error> {
    let runs = results::load_groups(names, store)?;
    let name = names.join(" ");
    if runs.is_empty() {
        return Err(Problem::new(Exit::Usage, format!("there are no runs in {name}")).into());
    }
    Ok((name, runs))
}
