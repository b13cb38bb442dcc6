//! `fathom prune`: the oldest runs out of the history.

use super::{archive, history, show_text};
use crate::args::PruneArgs;
use crate::error::Error;
use crate::exit::Exit;
use fathom_core::figure;
use fathom_store::{Filter, Retention, RunRow, Store, StoreError};

pub(crate) fn run(args: &PruneArgs) -> Result<Exit, Error> {
    let before = args.before.as_ref();
    let before = before.map(|text| history::instant("--before", text));
    let retention = Retention {
        max_runs: args.keep,
        max_bytes: args.max_size.map(|size| size.0),
        since: before.transpose()?,
    };
    let mut store = archive::open_to_remove(args.store.store.as_deref())?;
    let runs = store.list(&Filter::default());
    let runs = runs.map_err(|error| archive::problem(&error))?;
    let mut gone: Vec<RunRow> = retention.gone(&runs).into_iter().cloned().collect();
    let pending = store.pending().map_err(|error| archive::problem(&error))?;
    gone.retain(|run| pending.iter().all(|one| one.run_id != run.run_id));
    if gone.is_empty() {
        return show_text("no run has to go\n");
    }
    let count = figure::plural(gone.len() as u64, "run");
    let size = figure::volume(gone.iter().map(|run| run.bytes).sum());
    if !args.yes {
        let table = history::table(&gone);
        return show_text(&format!(
            "{table}{count} of {size} would be removed; --yes removes them\n"
        ));
    }
    let removed = remove(&mut store, &gone);
    removed.map_err(|error| archive::problem(&error))?;
    show_text(&format!("{count} of {size} removed\n"))
}

fn remove(store: &mut Store, gone: &[RunRow]) -> Result<(), StoreError> {
    for run in gone {
        store.remove(&run.run_id)?;
    }
    store.shrink()
}
