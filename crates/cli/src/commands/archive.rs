//! Where the history lies, and what is said when it cannot be used.

use super::results;
use crate::config;
use crate::error::Problem;
use crate::exit::Exit;
use crate::platform::DATA_FOLDERS;
use crate::user_folder::user_folder;
use fathom_device::Door;
use fathom_store::{Filter, Store, StoreError};
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Opens the history that was named, else the user's. Runs whose process is gone become
/// interrupted ones.
pub(crate) fn open(named: Option<&Path>) -> Result<Store, Problem> {
    open_through(&Door::default(), named)
}

/// Whether a file is one that a history may be kept in. Other faults are reported when it is
/// opened.
pub(crate) fn admits(door: &Door, path: &Path) -> Result<(), Problem> {
    match Store::open_through(door, path) {
        Err(error @ StoreError::Refused(_)) => Err(problem(&error)),
        _ => Ok(()),
    }
}

/// Opens the history to change what it holds.
pub(crate) fn open_existing(named: Option<&Path>) -> Result<Store, Problem> {
    exists(named)?;
    open(named)
}

/// That a named history is there: a mistyped name would make a new one.
fn exists(named: Option<&Path>) -> Result<(), Problem> {
    if let Some(path) = named
        && path
            .symlink_metadata()
            .is_err_and(|error| error.kind() == ErrorKind::NotFound)
    {
        let thing = format!("there is no history {}", path.display());
        return Err(Problem::new(Exit::Environment, thing)
            .because("only commands that save runs create one")
            .remedy("the name of a history, or no --store for that of the user"));
    }
    Ok(())
}

/// Opens the history to take runs out of it, also where its disk is full.
pub(crate) fn open_to_remove(named: Option<&Path>) -> Result<Store, Problem> {
    exists(named)?;
    open(named).or_else(|_| {
        let mut store = Store::open_to_remove(&path(named)?).map_err(|error| problem(&error))?;
        settle(&mut store).map_err(|error| problem(&error))?;
        Ok(store)
    })
}

/// The same for a run, whose targets are no place for a history.
pub(crate) fn open_through(door: &Door, named: Option<&Path>) -> Result<Store, Problem> {
    let path = path(named)?;
    // The user's own folder is nobody else's; one that was named may be for others as well.
    if let Some(folder) = data_folder().filter(|folder| path.parent() == Some(folder)) {
        // Why it cannot be made is said when the history cannot be opened.
        let _ = door.private_folder(&folder);
    }
    let mut store = Store::open_through(door, &path).map_err(|error| problem(&error))?;
    settle(&mut store).map_err(|error| problem(&error))?;
    Ok(store)
}

/// Opens the history to look into it, which needs no permission to write.
pub(crate) fn open_to_read(named: Option<&Path>) -> Result<Store, Problem> {
    open_existing(named).or_else(|problem| {
        let path = path(named)?;
        Store::open_read_only(&path).map_err(|_| problem)
    })
}

/// The names of the latest runs and their tags, each with what it was.
pub(crate) fn latest(most: usize) -> Vec<(String, String)> {
    let store = path(None).ok().map(|path| Store::open_read_only(&path));
    let Some(Ok(store)) = store else {
        return Vec::new();
    };
    let filter = Filter {
        limit: u32::try_from(most).ok(),
        ..Filter::default()
    };
    let mut names = Vec::new();
    for row in store.list(&filter).unwrap_or_default() {
        let meaning = format!("{} on {}, {}", row.workload, row.targets, row.started_at);
        if names.is_empty() {
            names.push(("@latest".to_owned(), meaning.clone()));
        }
        let tags = row.tags.iter().map(|tag| format!("tag:{tag}"));
        for tag in tags {
            if names.iter().all(|(name, _)| *name != tag) {
                names.push((tag, meaning.clone()));
            }
        }
        names.push((row.name, meaning));
    }
    names
}

/// Judges what is left of runs that ended without a report, and keeps it.
fn settle(store: &mut Store) -> Result<(), StoreError> {
    for mut result in store.left_behind()? {
        fathom_verdict::judge(&mut result);
        store.save_interrupted(&result)?;
    }
    Ok(())
}

/// The id of a run of the history, by one of its names.
pub(crate) fn run_id(store: &Store, name: &str) -> Result<String, Problem> {
    let selector = results::selector(name)?;
    let Some(wanted) = results::wanted(&selector) else {
        return Err(
            Problem::new(Exit::Usage, format!("`{name}` is not a run of the history"))
                .because("it is a file or standard input")
                .remedy("`fathom history` lists the runs"),
        );
    };
    store.run_id(wanted).map_err(|error| problem(&error))
}

/// What the history could not do, in our form of a message.
pub(crate) fn problem(error: &StoreError) -> Problem {
    let exit = match error {
        StoreError::NoRun { .. } | StoreError::Ambiguous { .. } | StoreError::Unfinished { .. } => {
            Exit::Usage
        }
        _ => Exit::Environment,
    };
    Problem {
        exit,
        thing: error.to_string(),
        because: error.because(),
        remedy: error.remedy().map(str::to_owned),
    }
}

/// Where the history lies: `--store`, else FATHOM_STORE, else the defaults file, else the user's
/// data directory.
pub(crate) fn path(named: Option<&Path>) -> Result<PathBuf, Problem> {
    let of = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let usual = config::defaults().store.as_deref();
    place(named, usual, of).ok_or_else(|| {
        Problem::new(Exit::Environment, "the history has no file")
            .because(no_data_folder(&["FATHOM_STORE"]))
            .remedy("--store FILE")
    })
}

fn place(
    named: Option<&Path>,
    usual: Option<&Path>,
    of: impl Fn(&str) -> Option<OsString>,
) -> Option<PathBuf> {
    if let Some(path) = named {
        return Some(path.to_owned());
    }
    if let Some(path) = of("FATHOM_STORE") {
        return Some(path.into());
    }
    if let Some(path) = usual {
        return Some(path.to_owned());
    }
    Some(user_folder(&DATA_FOLDERS, of)?.join("history.db"))
}

/// Where data of the user's are kept, if there is such a place.
pub(crate) fn data_folder() -> Option<PathBuf> {
    let of = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    user_folder(&DATA_FOLDERS, of)
}

/// Why there is no such folder, after these variables.
pub(crate) fn no_data_folder(before: &[&str]) -> String {
    let names = before
        .iter()
        .chain(DATA_FOLDERS.iter().map(|(name, _)| name));
    let names: Vec<&str> = names.copied().collect();
    let (last, first) = names.split_last().unwrap_or((&"", &[]));
    format!("none of {} and {last} is set", first.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_decides() {
        type Case<'a> = (Option<&'a str>, &'a [(&'a str, &'a str)], Option<&'a str>);
        let cases: [Case<'_>; 6] = [
            (Some("a.db"), &[("FATHOM_STORE", "/b.db")], Some("a.db")),
            (
                None,
                &[("FATHOM_STORE", "/b.db"), ("HOME", "/h")],
                Some("/b.db"),
            ),
            (
                None,
                &[("XDG_DATA_HOME", "/d"), ("HOME", "/h")],
                Some("/d/fathom/history.db"),
            ),
            (
                None,
                &[("XDG_DATA_HOME", "d"), ("HOME", "/h")],
                Some("/h/.local/share/fathom/history.db"),
            ),
            (
                None,
                &[("HOME", "/h")],
                Some("/h/.local/share/fathom/history.db"),
            ),
            (None, &[], None),
        ];
        for (named, variables, expected) in cases {
            let of = |name: &str| {
                let found = variables.iter().find(|(variable, _)| *variable == name);
                found.map(|(_, value)| OsString::from(value))
            };
            let found = place(named.map(Path::new), None, of);
            assert_eq!(
                found,
                expected.map(PathBuf::from),
                "{named:?} {variables:?}"
            );
        }
    }
}
