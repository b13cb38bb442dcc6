//! `fathom export`: runs of the history in one file.

use super::archive;
use crate::args::ExportArgs;
use crate::aside;
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use crate::terminal;
use fathom_device::{Door, Existing, Opened};
use fathom_store::{Filter, Store, StoreError};
use std::path::Path;

pub(crate) fn run(args: &ExportArgs) -> Result<Exit, Error> {
    let store = archive::open_to_read(args.store.store.as_deref())?;
    let run_ids = if args.all {
        let all = all(&store);
        all.map_err(|error| archive::problem(&error))?
    } else {
        let names = args.runs.iter();
        names
            .map(|name| archive::run_id(&store, name))
            .collect::<Result<Vec<_>, _>>()?
    };
    if args.file == Path::new("-") {
        return match store.export(&run_ids, terminal::raw_stdout().lock()) {
            Ok(left_out) => Ok(told(&left_out)),
            Err(StoreError::Export(error)) => Err(Error::stdout(&error)),
            Err(error) => Err(archive::problem(&error).into()),
        };
    }
    let mut opened = create(args)?;
    let written = opened.replace_or(|file| store.export(&run_ids, file), StoreError::Export);
    match written {
        Ok(left_out) => Ok(told(&left_out)),
        Err(StoreError::Export(error)) => {
            Err(cannot_write(&args.file, system_words(&error)).into())
        }
        Err(error) => Err(archive::problem(&error).into()),
    }
}

/// Says which runs are not in the file; the others are.
fn told(left_out: &[StoreError]) -> Exit {
    for error in left_out {
        let because = error.because().unwrap_or_default();
        aside::say(&format!("warning: left out: {error}\n  because: {because}"));
    }
    if left_out.is_empty() {
        Exit::Ok
    } else {
        Exit::Environment
    }
}

fn all(store: &Store) -> Result<Vec<String>, StoreError> {
    let runs = store.list(&Filter::default())?;
    let ended = runs.into_iter().filter(|run| run.status != "running");
    Ok(ended.map(|run| run.run_id).collect())
}

fn create(args: &ExportArgs) -> Result<Opened, Problem> {
    let existing = Existing::replaced_if(args.replace.overwrite);
    let opened = Door::default().open(&args.file, existing);
    opened.map_err(|error| {
        let thing = format!("cannot write the runs to {}", args.file.display());
        Problem::of_door(thing, &error, Some("--replace-results"))
            .otherwise("use another file, or - for standard output")
    })
}

fn cannot_write(path: &Path, cause: String) -> Problem {
    Problem::new(
        Exit::Environment,
        format!("cannot write the runs to {}", path.display()),
    )
    .because(cause)
    .remedy("use another file, or - for standard output")
}
