//! `fathom check`: what would be measured, and whether it is fit to be.

mod advice;
mod facts;
mod text;

use super::{listed, print, show_text};
use crate::args::CheckArgs;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::{Caveat, Level};
use fathom_device::{DeviceLink, FreeSpace, HostInfo, Topology, recognise};
use fathom_verdict::fitness;
use serde::Serialize;
use std::path::Path;

/// What would be measured, and whether it is fit, for programs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct CheckDocument<'a> {
    path: &'a Path,
    /// `fit`, `with warnings` or `unfit`.
    verdict: &'static str,
    host: &'a HostInfo,
    topology: &'a Topology,
    /// The link of each disk, by its name.
    links: &'a [(String, DeviceLink)],
    /// How stacked devices lie on others.
    arrays: &'a [facts::Built],
    /// Disks of a cloud, by their names.
    cloud_disks: Vec<(&'a str, CloudDisk<'a>)>,
    /// Read-ahead of the uppermost devices, bytes.
    read_ahead_bytes: &'a [(String, u64)],
    room: Option<&'a FreeSpace>,
    /// What direct I/O has to be aligned to, bytes; null if the file system does not state it.
    direct_align_bytes: Option<u32>,
    /// What the disks did while nobody measured; null with `--no-wait`.
    idle: Option<&'a [facts::Idle]>,
    findings: &'a [Caveat],
    /// What a vendor advises, with `--for`.
    advice: &'a [advice::Point],
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct CloudDisk<'a> {
    kind: &'static str,
    /// Whether it is reached over a network.
    is_remote: bool,
    id: Option<&'a str>,
    lun: Option<u32>,
}

pub(crate) fn run(args: &CheckArgs) -> Result<Exit, Error> {
    let gathered = facts::gather(&super::place(&args.place())?, args.no_wait)?;
    let found = fitness(&gathered.facts);
    let points = advice::of(args, &gathered)?;
    let against = points.iter().any(|point| point.kept == advice::Kept::No);
    let exit = exit(&found).max(if against { Exit::Doubtful } else { Exit::Ok });
    if args.json {
        let attached = &gathered.attached;
        let document = CheckDocument {
            path: &gathered.topology.path,
            verdict: text::verdict(exit),
            host: &gathered.host,
            topology: &gathered.topology,
            links: &attached.links,
            arrays: &attached.built,
            cloud_disks: attached.clouds.iter().map(cloud_disk).collect(),
            read_ahead_bytes: &attached.read_ahead,
            room: gathered.room.as_ref(),
            direct_align_bytes: gathered.facts.direct_align_bytes,
            idle: gathered.idle.as_deref(),
            findings: &found,
            advice: &points,
        };
        print(&listed::stamped("check", &document)?)?;
    } else {
        show_text(&(text::draw(&gathered, &found, exit) + &advice::text(&points)))?;
    }
    Ok(exit)
}

fn cloud_disk((name, disk): &(String, recognise::CloudDisk)) -> (&str, CloudDisk<'_>) {
    let known = CloudDisk {
        kind: disk.kind.name(),
        is_remote: disk.kind.is_remote(),
        id: disk.id.as_deref(),
        lun: disk.lun,
    };
    (name, known)
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
