//! `fathom remove`: runs out of the history.

use super::archive;
use crate::args::RemoveArgs;
use crate::error::Error;
use crate::exit::Exit;

pub(crate) fn run(args: &RemoveArgs) -> Result<Exit, Error> {
    let mut store = archive::open(args.store.store.as_deref())?;
    // All names are looked up first: @latest is to mean the same run to the end.
    let names = args.runs.iter();
    let run_ids = names
        .map(|name| archive::run_id(&store, name))
        .collect::<Result<Vec<_>, _>>()?;
    for run_id in &run_ids {
        let removed = store.remove(run_id);
        removed.map_err(|error| archive::problem(&error))?;
    }
    Ok(Exit::Ok)
}
