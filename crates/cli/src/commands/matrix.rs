//! Many runs of many machines as one table, for `compare` and `report`.

use super::answers::Answers;
use super::{results, standard_input};
use crate::args::{ColumnBy, MatrixArgs};
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::result::RunResult;
use fathom_core::selector::RunSelector;
use fathom_report::MATRIX_FORMATS;
use fathom_verdict::compare::{Comparison, METRICS, Matrix, Metric, matrix};
use std::collections::BTreeSet;
use std::path::Path;

/// The numbers of a matrix where none was asked for.
const USUAL: [&str; 3] = ["iops", "throughput", "mean"];

/// Whether the names alone ask for a matrix: folders of suites hold runs of many workloads, which
/// cannot stand each against the first.
pub(super) fn is_meant(names: &[String]) -> bool {
    !names.is_empty() && names.iter().all(|name| results::is_suite(Path::new(name)))
}

/// The matrix of what `groups` name, each one or more runs that the user named together.
pub(super) fn gather(
    groups: &[Vec<String>],
    args: &MatrixArgs,
    metrics: &[Metric],
    store: Option<&Path>,
) -> Result<Matrix, Error> {
    standard_input::refuse_twice(groups.iter().flatten().map(AsRef::as_ref))?;
    let mut named: Vec<(String, Vec<RunResult>)> = Vec::new();
    for group in groups {
        let runs = results::load_groups(group, store)?;
        if runs.is_empty() {
            let thing = format!("there are no runs in {}", group.join(" "));
            return Err(Problem::new(Exit::Usage, thing).into());
        }
        named.push((called(group), runs));
    }
    let by = args.by.unwrap_or_else(|| usual(&named));
    let columns = match by {
        ColumnBy::Name => distinct(named, groups),
        ColumnBy::Machine => apart(named, &machine),
        ColumnBy::Declared => apart(named, &declared),
        ColumnBy::Target => apart(named, &|run| format!("{} {}", machine(run), target(run))),
    };
    let usual: Vec<Metric> = METRICS
        .iter()
        .filter(|(name, _)| USUAL.contains(name))
        .map(|(_, metric)| *metric)
        .collect();
    let metrics = if metrics.is_empty() { &usual } else { metrics };
    Ok(matrix(&columns, metrics))
}

/// Writes it to all places, in the formats that comparisons have by the same names.
pub(super) fn tell(matrix: &Matrix, answers: &mut Answers<Comparison>) -> Result<(), Error> {
    answers.write(&|format, options| {
        let found = MATRIX_FORMATS.iter().find(|one| one.name == format.name);
        let Some(format) = found else {
            let names: Vec<&str> = MATRIX_FORMATS.iter().map(|one| one.name).collect();
            let thing = format!("a matrix has no format `{}`", format.name);
            return Err(Problem::new(Exit::Usage, thing)
                .because("it passes no verdicts")
                .remedy(format!("one of {}", names.join(", ")))
                .into());
        };
        Ok(format.render(matrix, options))
    })
}

/// By what the user called them where each name holds several runs, else by the machine: of runs
/// of different works that have a name each, every name would be a column with one number.
fn usual(named: &[(String, Vec<RunResult>)]) -> ColumnBy {
    if named.len() > 1 && named.iter().any(|(_, runs)| runs.len() > 1) {
        return ColumnBy::Name;
    }
    let runs = || named.iter().flat_map(|(_, runs)| runs);
    let machines: BTreeSet<String> = runs().map(machine).collect();
    let works = runs().map(|run| run.provenance.workload.name.as_str());
    let works: BTreeSet<&str> = works.collect();
    if machines.len() > 1 || works.len() > 1 || named.len() == 1 {
        ColumnBy::Machine
    } else {
        ColumnBy::Name
    }
}

/// A column for each word of the runs, in the order of the runs.
fn apart(
    named: Vec<(String, Vec<RunResult>)>,
    word: &dyn Fn(&RunResult) -> String,
) -> Vec<(String, Vec<RunResult>)> {
    let mut columns: Vec<(String, Vec<RunResult>)> = Vec::new();
    for run in named.into_iter().flat_map(|(_, runs)| runs) {
        let word = word(&run);
        match columns.iter_mut().find(|(name, _)| *name == word) {
            Some((_, runs)) => runs.push(run),
            None => columns.push((word, vec![run])),
        }
    }
    columns
}

fn machine(run: &RunResult) -> String {
    match run.provenance.host.hostname.as_str() {
        "" => "unknown".to_owned(),
        name => name.to_owned(),
    }
}

fn declared(run: &RunResult) -> String {
    match run.provenance.declared.join(", ") {
        none if none.is_empty() => "not declared".to_owned(),
        declared => declared,
    }
}

fn target(run: &RunResult) -> String {
    let paths = run
        .provenance
        .targets
        .iter()
        .map(|target| target.path.as_str());
    paths.collect::<Vec<_>>().join(" ")
}

/// As the user called them; the whole words where the short ones are alike.
fn distinct(
    named: Vec<(String, Vec<RunResult>)>,
    groups: &[Vec<String>],
) -> Vec<(String, Vec<RunResult>)> {
    let names: Vec<String> = named.iter().map(|(name, _)| name.clone()).collect();
    let alike = |name: &String| names.iter().filter(|one| *one == name).count() > 1;
    let words = named.into_iter().zip(groups);
    words
        .map(|((name, runs), group)| {
            let name = if alike(&name) { group.join(" ") } else { name };
            (name, runs)
        })
        .collect()
}

fn called(group: &[String]) -> String {
    let one = |name: &String| {
        if results::is_suite(Path::new(name)) {
            let path = Path::new(name);
            let last = path
                .file_name()
                .map(|word| word.to_string_lossy().into_owned());
            return last.unwrap_or_else(|| name.clone());
        }
        match name.parse() {
            Ok(RunSelector::File(path)) => path
                .file_stem()
                .map_or_else(|| name.clone(), |stem| stem.to_string_lossy().into_owned()),
            Ok(RunSelector::Tag(tag)) => tag,
            _ => name.clone(),
        }
    };
    // As `FOLDER/*.json` names them.
    let folders: BTreeSet<Option<&Path>> = group.iter().map(|name| folder(name)).collect();
    match folders.first() {
        Some(Some(folder)) if group.len() > 1 && folders.len() == 1 => {
            folder.to_string_lossy().into_owned()
        }
        _ => group.iter().map(one).collect::<Vec<_>>().join(" "),
    }
}

/// The folder of a file, if the name says one.
fn folder(name: &str) -> Option<&Path> {
    let is_file = matches!(name.parse(), Ok(RunSelector::File(_)));
    let parent = Path::new(name).parent().filter(|_| is_file);
    parent.filter(|folder| !folder.as_os_str().is_empty())
}
