//! `fathom remove`: runs out of the history.

use super::{archive, history, results, show_text};
use crate::args::RemoveArgs;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::figure::plural;
use fathom_core::selector::RunSelector;
use fathom_store::{Filter, RunRow, Store};

pub(crate) fn run(args: &RemoveArgs) -> Result<Exit, Error> {
    let mut store = archive::open_to_remove(args.store.store.as_deref())?;
    // All names are looked up first: @latest is to mean the same run to the end.
    let (mut gone, mut of_tags) = (Vec::new(), false);
    for name in &args.runs {
        if let RunSelector::Tag(tag) = results::selector(name)? {
            gone.extend(tagged(&store, name, &tag)?);
            of_tags = true;
        } else {
            gone.push(archive::run_id(&store, name)?);
        }
    }
    let mut unlike: Vec<String> = Vec::new();
    for run_id in gone {
        if !unlike.contains(&run_id) {
            unlike.push(run_id);
        }
    }
    let all = all(&store)?;
    let rows: Vec<RunRow> = all
        .into_iter()
        .filter(|row| unlike.contains(&row.run_id))
        .collect();
    let (table, count) = (history::table(&rows), plural(rows.len() as u64, "run"));
    if of_tags && !args.yes {
        return show_text(&format!(
            "{table}{count} would be removed; --yes removes them\n"
        ));
    }
    for run_id in &unlike {
        let removed = store.remove(run_id);
        removed.map_err(|error| archive::problem(&error))?;
    }
    show_text(&format!("{table}{count} removed\n"))
}

fn all(store: &Store) -> Result<Vec<RunRow>, Problem> {
    let rows = store.list(&Filter::default());
    rows.map_err(|error| archive::problem(&error))
}

/// The runs that have a tag, those in progress left out.
fn tagged(store: &Store, name: &str, tag: &str) -> Result<Vec<String>, Problem> {
    let filter = Filter {
        tag: Some(tag.to_owned()),
        ..Filter::default()
    };
    let rows = store.list(&filter);
    let rows = rows.map_err(|error| archive::problem(&error))?;
    let ended = rows.into_iter().filter(|row| row.status != "running");
    let ended: Vec<String> = ended.map(|row| row.run_id).collect();
    if ended.is_empty() {
        // The message is that of a single run.
        return Ok(vec![archive::run_id(store, name)?]);
    }
    Ok(ended)
}
