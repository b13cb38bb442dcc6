//! Many runs of many machines as one table, for `compare` and `report`.

use super::results;
use super::sinks::text_options;
use crate::args::{ColumnBy, MatrixArgs};
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::result::RunResult;
use fathom_core::selector::RunSelector;
use fathom_report::MATRIX_FORMATS;
use fathom_verdict::compare::{METRICS, Matrix, Metric, matrix};
use std::io::{self, IsTerminal as _, Write as _};
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

/// Writes it to standard output in the form that comparisons have by that name.
pub(super) fn tell(matrix: &Matrix, form: &str) -> Result<(), Error> {
    let found = MATRIX_FORMATS.iter().find(|one| one.name == form);
    let Some(form) = found else {
        let names: Vec<&str> = MATRIX_FORMATS.iter().map(|one| one.name).collect();
        return Err(
            Problem::new(Exit::Usage, format!("a matrix has no form `{form}`"))
                .because("it passes no verdicts")
                .remedy(format!("one of {}", names.join(", ")))
                .into(),
        );
    };
    let out = io::stdout();
    let text = form.render(matrix, text_options(out.is_terminal()));
    let mut out = out.lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Error::stdout(&error))
}

/// By what the user called them where each name holds several runs, else by the machine.
fn usual(named: &[(String, Vec<RunResult>)]) -> ColumnBy {
    if named.len() > 1 && named.iter().any(|(_, runs)| runs.len() > 1) {
        return ColumnBy::Name;
    }
    let mut machines: Vec<String> = named
        .iter()
        .flat_map(|(_, runs)| runs)
        .map(machine)
        .collect();
    machines.sort();
    machines.dedup();
    if machines.len() > 1 || named.len() == 1 {
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
    group.iter().map(one).collect::<Vec<_>>().join(" ")
}
