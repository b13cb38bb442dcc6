//! Results by name: files, standard input, runs of the history.

use super::{archive, standard_input};
use crate::error::{Error, Problem, fragment, system_words};
use crate::exit::Exit;
use fathom_core::result::RunResult;
use fathom_core::selector::RunSelector;
use fathom_device::input;
use fathom_store::{Filter, ReadError, Store, Wanted, read_results};
use std::io;
use std::path::Path;

/// What is to be run, in the folder of a suite.
pub(super) const SUITE_PLAN: &str = "suite.json";

/// The results that `names` mean, in their order; a bundle gives all of its runs, a tag the latest
/// one. The history is opened only where a name needs it: `store`, or else the user's.
pub(crate) fn load(names: &[String], store: Option<&Path>) -> Result<Vec<RunResult>, Error> {
    read(names, store, false)
}

/// The same, but a tag means all runs that have it, the first of them first.
pub(crate) fn load_groups(names: &[String], store: Option<&Path>) -> Result<Vec<RunResult>, Error> {
    read(names, store, true)
}

fn read(names: &[String], store: Option<&Path>, all: bool) -> Result<Vec<RunResult>, Error> {
    let selectors = names
        .iter()
        .map(|name| selector(name))
        .collect::<Result<Vec<_>, _>>()?;
    standard_input::refuse_twice(names.iter().map(AsRef::as_ref))?;
    let mut history = None;
    let mut results = Vec::new();
    for selector in &selectors {
        match selector {
            RunSelector::Stdin => {
                let read = read_results(standard_input::once()?);
                results.extend(read.map_err(|error| unreadable("standard input", error))?);
            }
            // As `FOLDER/*.json` includes it with the results.
            RunSelector::File(path) if selectors.len() > 1 && is_plan(path) => {}
            RunSelector::File(path) => results.extend(read_file(path)?),
            RunSelector::Latest { .. } | RunSelector::Tag(_) | RunSelector::Prefix(_) => {
                let history = match &history {
                    Some(history) => history,
                    None => history.insert(archive::open_to_read(store)?),
                };
                match selector {
                    RunSelector::Tag(tag) if all => results.extend(tagged(history, tag)?),
                    selector => results.push(stored(history, selector)?),
                }
            }
        }
    }
    Ok(results)
}

/// Whether a path is the folder of a suite, whose results are all meant by its name.
pub(crate) fn is_suite(path: &Path) -> bool {
    path.join(SUITE_PLAN).is_file()
}

/// What a word means.
pub(crate) fn selector(name: &str) -> Result<RunSelector, Problem> {
    if is_suite(Path::new(name)) {
        return Ok(RunSelector::File(name.into()));
    }
    name.parse().map_err(|error| {
        Problem::new(Exit::Usage, format!("`{name}` names no run"))
            .because(format!("{error}"))
            .remedy("`fathom history` lists the runs")
    })
}

/// A run of the history, by a selector of one.
pub(crate) fn wanted(selector: &RunSelector) -> Option<Wanted<'_>> {
    match selector {
        RunSelector::Latest { back } => Some(Wanted::Latest(*back)),
        RunSelector::Tag(name) => Some(Wanted::Tag(name)),
        RunSelector::Prefix(prefix) => Some(Wanted::Prefix(prefix)),
        RunSelector::Stdin | RunSelector::File(_) => None,
    }
}

fn stored(history: &Store, selector: &RunSelector) -> Result<RunResult, Problem> {
    let wanted = wanted(selector).expect("files and standard input are read elsewhere");
    history
        .result(wanted)
        .map_err(|error| archive::problem(&error))
}

/// All runs with a tag that have ended, the first of them first.
fn tagged(history: &Store, tag: &str) -> Result<Vec<RunResult>, Problem> {
    let filter = Filter {
        tag: Some(tag.to_owned()),
        ..Filter::default()
    };
    let rows = history.list(&filter);
    let rows = rows.map_err(|error| archive::problem(&error))?;
    let ended: Vec<_> = rows
        .iter()
        .rev()
        .filter(|row| row.status != "running")
        .collect();
    if ended.is_empty() {
        // The message is that of a single run.
        return Ok(vec![stored(history, &RunSelector::Tag(tag.to_owned()))?]);
    }
    let results = ended
        .iter()
        .map(|row| history.result(Wanted::Prefix(&row.run_id)));
    let results: Result<_, _> = results.collect();
    results.map_err(|error| archive::problem(&error))
}

/// The names without those of suites' plans, as `FOLDER/*.json` includes them with the results.
pub(crate) fn without_plans(names: &[String]) -> Vec<String> {
    let is_result = |name: &&String| !is_plan(Path::new(name.as_str()));
    names.iter().filter(is_result).cloned().collect()
}

/// Whether a file is the plan of a suite and no result.
fn is_plan(path: &Path) -> bool {
    let text = match path.file_name() {
        Some(name) if name == SUITE_PLAN => input::read(path).unwrap_or_default(),
        _ => return false,
    };
    let document: Option<serde_json::Value> = serde_json::from_slice(&text).ok();
    document.is_some_and(|document| document["suite"].is_string())
}

/// The results in the folder of a suite, by pass and run.
fn read_suite(path: &Path) -> Result<Vec<RunResult>, Problem> {
    let cannot = |error: io::Error| unreadable(&path.display().to_string(), error.into());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(cannot)? {
        let file = entry.map_err(cannot)?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if is_kept(&name) {
            files.push(file);
        }
    }
    files.sort();
    let mut results = Vec::new();
    for file in files {
        results.extend(read_file(&file)?);
    }
    Ok(results)
}

/// Whether a file of a suite's folder is the result of a run.
fn is_kept(name: &str) -> bool {
    let is_json = Path::new(name).extension().is_some_and(|end| end == "json");
    name.starts_with("pass") && is_json
}

fn read_file(path: &Path) -> Result<Vec<RunResult>, Problem> {
    if is_suite(path) {
        return read_suite(path);
    }
    let name = path.display().to_string();
    let file = input::open(path).map_err(|error| unreadable(&name, error.into()))?;
    read_results(file).map_err(|error| unreadable(&name, error))
}

/// What is said of bytes that hold no results.
pub(super) fn unreadable(name: &str, error: ReadError) -> Problem {
    let problem = Problem::new(Exit::Usage, format!("cannot read results from {name}"));
    match error {
        ReadError::Io(error) => problem.because(system_words(&error)),
        ReadError::Result(error) => problem
            .because(fragment(&error.to_string()))
            .remedy("a file that `--output json:FILE` or `fathom export` has written"),
        part @ (ReadError::Empty | ReadError::Cut { .. }) => problem
            .because(part.to_string())
            .remedy("`fathom show @latest`: the history may have what the run measured"),
        newer @ ReadError::NewerBundle { .. } => {
            problem.because(newer.to_string()).remedy("a newer fathom")
        }
    }
}
