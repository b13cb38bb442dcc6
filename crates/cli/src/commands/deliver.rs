//! `fathom deliver`: results of the history to where they are collected.

use super::{archive, outbox, show_text};
use crate::args::DeliverArgs;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::figure::plural;
use fathom_store::{Pending, Store};
use std::fmt::Write as _;

pub(crate) fn run(args: &DeliverArgs) -> Result<Exit, Error> {
    let named = args.store.store.as_deref();
    if args.list {
        return show_text(&list(&all(&archive::open_to_read(named)?)?));
    }
    let mut store = archive::open_existing(named)?;
    let Some(name) = args.run.as_deref() else {
        let pending = all(&store)?;
        return send(&mut store, &pending);
    };
    let run_id = archive::run_id(&store, name)?;
    // What was given up may long be something else than a place.
    let read = if args.forget {
        outbox::named
    } else {
        outbox::place
    };
    let to = args.to.iter().map(|text| read(text));
    let to: Vec<String> = to
        .map(|place| Ok(place?.to_string()))
        .collect::<Result<_, Problem>>()?;
    if args.forget {
        return forget(&mut store, &run_id, &to);
    }
    for place in &to {
        let posted = store.post(&run_id, place);
        posted.map_err(|error| archive::problem(&error))?;
    }
    let mut pending = all(&store)?;
    pending.retain(|one| one.run_id == run_id && to.contains(&one.destination));
    send(&mut store, &pending)
}

fn all(store: &Store) -> Result<Vec<Pending>, Problem> {
    store.pending().map_err(|error| archive::problem(&error))
}

fn send(store: &mut Store, pending: &[Pending]) -> Result<Exit, Error> {
    if pending.is_empty() {
        return show_text("no result is queued for delivery\n");
    }
    let outcome = outbox::send(store, pending)?;
    Ok(if outcome.waiting == 0 {
        Exit::Ok
    } else {
        Exit::Environment
    })
}

fn forget(store: &mut Store, run_id: &str, to: &[String]) -> Result<Exit, Error> {
    let mut pending = all(store)?;
    pending.retain(|one| one.run_id == run_id);
    if !to.is_empty() {
        pending.retain(|one| to.contains(&one.destination));
    }
    for one in &pending {
        let gone = store.unpost(run_id, &one.destination);
        gone.map_err(|error| archive::problem(&error))?;
    }
    let count = plural(pending.len() as u64, "place");
    show_text(&format!("{count} removed from the queue\n"))
}

/// What waits, a line for each with its reason below.
fn list(pending: &[Pending]) -> String {
    if pending.is_empty() {
        return "no result is queued for delivery\n".to_owned();
    }
    let mut text = String::new();
    for one in pending {
        let tried = match one.tries {
            0 => "not tried yet".to_owned(),
            tries => format!("tried {}", plural(u64::from(tries), "time")),
        };
        let _ = writeln!(
            text,
            "{}  {}  since {}, {tried}",
            one.run_id, one.destination, one.since
        );
        if let Some(cause) = &one.cause {
            let _ = writeln!(text, "    {cause}");
        }
    }
    text
}
