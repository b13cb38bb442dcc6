//! `fathom note`: what is to be remembered of a run.

use super::archive;
use crate::args::NoteArgs;
use crate::error::Error;
use crate::exit::Exit;

pub(crate) fn run(args: &NoteArgs) -> Result<Exit, Error> {
    let mut store = archive::open_existing(args.store.store.as_deref())?;
    let run_id = archive::run_id(&store, &args.run)?;
    // A list has a line for each run.
    let words = args.text.as_deref().unwrap_or_default().split_whitespace();
    let text = words.collect::<Vec<_>>().join(" ");
    let noted = store.note(&run_id, &text);
    noted.map_err(|error| archive::problem(&error))?;
    Ok(Exit::Ok)
}
