//! `fathom check`: what would be measured, and whether it is fit to be.

mod advice;
mod facts;
mod text;

use super::{listed, print, show_text};
use crate::args::CheckArgs;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::{Caveat, Level};
use fathom_verdict::fitness;
use serde_json::json;

pub(crate) fn run(args: &CheckArgs) -> Result<Exit, Error> {
    let gathered = facts::gather(&super::place(&args.place())?, args.no_wait)?;
    let found = fitness(&gathered.facts);
    let points = advice::of(args, &gathered)?;
    let against = points.iter().any(|point| point.kept == advice::Kept::No);
    let exit = exit(&found).max(if against { Exit::Doubtful } else { Exit::Ok });
    if args.json {
        let verdict = text::verdict(exit);
        let clouds = gathered.attached.clouds.iter().map(|(name, disk)| {
            let (kind, is_remote) = (disk.kind.name(), disk.kind.is_remote());
            json!([name, { "kind": kind, "is_remote": is_remote, "id": disk.id, "lun": disk.lun }])
        });
        let json = json!({
            "path": gathered.topology.path,
            "verdict": verdict,
            "host": gathered.host,
            "topology": gathered.topology,
            "links": gathered.attached.links,
            "arrays": gathered.attached.built,
            "cloud_disks": clouds.collect::<Vec<_>>(),
            "read_ahead_bytes": gathered.attached.read_ahead,
            "room": gathered.room,
            "direct_align_bytes": gathered.facts.direct_align_bytes,
            "idle": gathered.idle,
            "findings": found,
            "advice": points,
        });
        print(&listed::stamped("check", json))?;
    } else {
        show_text(&(text::draw(&gathered, &found, exit) + &advice::text(&points)))?;
    }
    Ok(exit)
}

fn exit(found: &[Caveat]) -> Exit {
    match found.iter().map(|caveat| caveat.level).max() {
        None | Some(Level::Note) => Exit::Ok,
        Some(Level::Qualified | Level::Suspect) => Exit::Doubtful,
        Some(Level::Invalid) => Exit::Unfit,
    }
}

/// Something that could not be looked at.
fn unreadable(path: &std::path::Path, cause: impl Into<String>) -> Problem {
    let thing = format!("cannot check {}", path.display());
    Problem::new(Exit::Environment, thing).because(cause)
}
