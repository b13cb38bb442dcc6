//! Recordings in the history: read, listed, removed.

use crate::args::WatchArgs;
use crate::commands::recorded::unknown;
use crate::commands::{archive, listed, print, show_text};
use crate::error::Error;
use crate::exit::Exit;
use crate::table::Table;
use fathom_core::figure::count;

/// Lists them.
pub(super) fn list(args: &WatchArgs) -> Result<Exit, Error> {
    let store = archive::open_to_read(args.store.store.as_deref())?;
    let rows = store.recordings();
    let rows = rows.map_err(|error| archive::problem(&error))?;
    if args.json {
        return print(&listed::document("recordings", &rows)?);
    }
    if rows.is_empty() {
        return show_text("there are no recordings\n");
    }
    let mut table = Table::new(&["RECORDING", "BEGIN (UTC)", ">INTERVALS"]);
    for row in rows {
        let begin = row.started_at.get(..19).unwrap_or(&row.started_at);
        table.row([row.name, begin.replace('T', " "), count(row.moments)]);
    }
    show_text(&table.to_string())
}

/// Removes one for good.
pub(super) fn forget(name: &str, args: &WatchArgs) -> Result<Exit, Error> {
    let mut store = archive::open_existing(args.store.store.as_deref())?;
    let gone = store.remove_recording(name);
    if gone.map_err(|error| archive::problem(&error))? {
        Ok(Exit::Ok)
    } else {
        Err(unknown(name).into())
    }
}
