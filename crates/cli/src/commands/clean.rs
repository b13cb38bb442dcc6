//! `fathom clean`: what killed runs could not remove.

use super::{archive, show_text};
use crate::args::CleanArgs;
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use fathom_core::figure;
use fathom_device::{remove_tracing_left, scratch};
use fathom_store::{Filter, RunRow, Store};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &CleanArgs) -> Result<Exit, Error> {
    let here = [PathBuf::from(".")];
    let given = if args.paths.is_empty() {
        &here[..]
    } else {
        &args.paths
    };
    let mut left = BTreeSet::new();
    for path in given {
        left.extend(left_at(path)?);
    }
    // Without a history there is nothing that it could say.
    let named = args.store.store.as_deref();
    if named.is_some() || archive::path(None).is_ok_and(|path| path.exists()) {
        let store = archive::open_to_read(named)?;
        left.extend(of_history(&store).map_err(|error| archive::problem(&error))?);
    }
    let mut text = String::new();
    for path in left {
        let removed = scratch::remove(&path).map_err(|error| {
            Problem::new(
                Exit::Environment,
                format!("cannot remove {}", path.display()),
            )
            .because(system_words(&error))
        })?;
        if let Some(bytes) = removed {
            let _ = writeln!(text, "removed {} ({})", path.display(), figure::size(bytes));
        }
    }
    for name in remove_tracing_left() {
        let _ = writeln!(text, "removed the tracing instance {name}");
    }
    if text.is_empty() {
        text.push_str("no scratch file of a killed run was found\n");
    }
    show_text(&text)
}

fn left_at(path: &Path) -> Result<Vec<PathBuf>, Problem> {
    let cannot = |error| {
        Problem::new(
            Exit::Environment,
            format!("cannot look in {}", path.display()),
        )
        .because(system_words(&error))
        .remedy("use an existing directory, or a file")
    };
    let path = std::fs::canonicalize(path).map_err(cannot)?;
    if path.is_dir() {
        return scratch::left_in(&path).map_err(cannot);
    }
    Ok(if scratch::is_left(&path) {
        vec![path]
    } else {
        Vec::new()
    })
}

/// What is left of the runs of a history that did not end.
pub(super) fn of_history(store: &Store) -> Result<Vec<PathBuf>, fathom_store::StoreError> {
    Ok(of_rows(&store.list(&Filter::default())?))
}

/// The same for these of its runs.
pub(super) fn of_rows(rows: &[RunRow]) -> Vec<PathBuf> {
    let interrupted = rows.iter().filter(|row| row.status == "interrupted");
    let targets = interrupted.flat_map(|row| row.targets.split(", "));
    let paths: BTreeSet<PathBuf> = targets.map(PathBuf::from).collect();
    let left = paths.into_iter().filter(|path| path.is_absolute());
    left.filter(|path| scratch::is_left(path)).collect()
}
