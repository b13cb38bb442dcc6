//! Where a writer writes: the areas of its promises on a device or in a file, and a folder for what
//! is about names and ends of files.

use super::error::DurabilityError;
use super::folder;
use crate::plan::draw;
use crate::prepare::{Hold, PrepareError};
use fathom_core::units::rfc3339;
use fathom_device::mark::{self, Purpose};
use fathom_device::nodes::NodeKind;
use fathom_device::owner::boot;
use fathom_device::{
    Cleared, ClearedKind, Door, Existing, FreeSpace, Newborn, Permissions, Pin, System,
    check_pinned, check_write,
};
use fathom_durability::{Header, Plan, Promise};
use fathom_engine::clock::utc_now_ns;
use fathom_engine::{OpenOptions, OpenTarget};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes of an area where nothing else is asked for and there is room.
const AREA_BYTES: u64 = 64 << 20;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// A file, a directory or a block device.
    pub target: PathBuf,
    /// What is tried.
    pub promises: Vec<Promise>,
    /// Bytes of a write.
    pub block_bytes: u64,
    /// Bytes of the area of each promise; none for what suits.
    pub size_bytes: Option<u64>,
    /// Writes before each flush.
    pub flush_every: u64,
    /// Whether writes pass by the page cache.
    pub direct: bool,
    /// What may be written over.
    pub permissions: Permissions,
}

/// Open to be written to.
#[derive(Debug)]
pub struct Area {
    /// The header of the acknowledgement log.
    pub header: Header,
    /// Open for what is flushed, or asks for itself.
    pub(super) plain: Option<File>,
    /// Open with `O_DSYNC`.
    pub(super) dsync: Option<File>,
    /// The files that records are appended to.
    pub(super) records: Vec<File>,
    pub(super) folder: Option<PathBuf>,
    /// Keeps others away.
    held: Vec<Hold>,
}

/// The target of blocks, before it is opened as it is used.
struct Blocks {
    path: PathBuf,
    pin: Arc<Pin>,
    /// Free space, bytes.
    size_bytes: u64,
    held: Vec<Hold>,
}

impl Area {
    /// Makes or opens what is to be written to; all of it is durable, as far as the storage says.
    ///
    /// # Errors
    ///
    /// [`DurabilityError`]; nothing was written then.
    pub fn prepare(wanted: &Wanted) -> Result<Self, DurabilityError> {
        // In every block: no other run may have it, whatever the clock says.
        let drawn = PrepareError::system(&wanted.target, "draw the identity of the run on");
        let run = draw().map_err(drawn)?;
        let is_directory = wanted.target.is_dir();
        let without = wanted.promises.iter().find(|one| one.needs_directory());
        if let (Some(promise), false) = (without, is_directory) {
            return Err(DurabilityError::NeedsDirectory {
                target: wanted.target.clone(),
                promise: *promise,
            });
        }
        let mut plan = Plan {
            run,
            promises: wanted.promises.clone(),
            block_bytes: wanted.block_bytes,
            blocks: wanted.size_bytes.unwrap_or(AREA_BYTES) / wanted.block_bytes.max(1),
            flush_every: wanted.flush_every,
            base_bytes: 0,
        };
        plan.check()?;
        if is_directory {
            return Self::in_directory(wanted, plan);
        }
        let blocks = named(wanted, &plan)?;
        fit(wanted, &mut plan, blocks.size_bytes)?;
        let mut area = Self::new(wanted, plan, None);
        area.open(wanted, blocks)?;
        Ok(area)
    }

    fn new(wanted: &Wanted, plan: Plan, folder: Option<PathBuf>) -> Self {
        let target = std::path::absolute(&wanted.target).unwrap_or(wanted.target.clone());
        Self {
            header: Header {
                folder: folder.as_ref().map(|_| folder::name(plan.run)),
                plan,
                target: target.to_string_lossy().into_owned(),
                boot: Some(boot()).filter(|boot| !boot.is_empty()),
                began: rfc3339(utc_now_ns()),
                direct: wanted.direct,
            },
            plain: None,
            dsync: None,
            records: Vec::new(),
            folder,
            held: Vec::new(),
        }
    }

    /// In a folder of its own, so that nothing that is there is touched.
    fn in_directory(wanted: &Wanted, plan: Plan) -> Result<Self, DurabilityError> {
        let place = wanted.target.join(folder::name(plan.run));
        check_room(&wanted.target, &plan)?;
        Door::default().make_new_folder(&place)?;
        or_removed(&place, || Self::in_folder(wanted, plan, &place))
    }

    /// In a folder that has just been made.
    fn in_folder(wanted: &Wanted, plan: Plan, place: &Path) -> Result<Self, DurabilityError> {
        let door = Door::default();
        let has_blocks = plan.promises.iter().any(|one| !one.needs_directory());
        let appends = plan.promises.contains(&Promise::Append);
        let end_bytes = plan.end_bytes();
        let mut area = Self::new(wanted, plan, Some(place.to_owned()));
        if has_blocks {
            let path = folder::blocks(place);
            let made = door.create_new(&path)?;
            let examine = || PrepareError::system(&path, "examine");
            made.set_len(end_bytes).map_err(examine())?;
            made.sync_all().map_err(examine())?;
            let pin = Arc::new(Pin::of_open(&made, &path).map_err(examine())?);
            let blocks = Blocks {
                path: path.clone(),
                pin,
                size_bytes: end_bytes,
                held: Vec::new(),
            };
            area.open(wanted, blocks)?;
        }
        for number in 0..if appends { 2 } else { 0 } {
            let path = folder::records(place, number);
            door.create_new(&path)?;
            area.records
                .push(door.open(&path, Existing::Extended)?.file);
        }
        for folder in [place, &wanted.target] {
            sync_folder(folder)?;
        }
        Ok(area)
    }

    /// Opens blocks in the ways that the promises ask for.
    fn open(&mut self, wanted: &Wanted, blocks: Blocks) -> Result<(), DurabilityError> {
        let promises = &wanted.promises;
        let is_plain = |one: &Promise| !one.needs_directory() && *one != Promise::Dsync;
        if promises.iter().any(is_plain) {
            self.plain = Some(opened(wanted, &blocks, false)?);
        }
        if promises.contains(&Promise::Dsync) {
            self.dsync = Some(opened(wanted, &blocks, true)?);
        }
        self.held.extend(blocks.held);
        Ok(())
    }
}

/// Does what is left to do in a new folder; where that fails, nothing of it stays.
fn or_removed<T>(
    place: &Path,
    work: impl FnOnce() -> Result<T, DurabilityError>,
) -> Result<T, DurabilityError> {
    let done = work();
    if done.is_err() {
        // Only what a run makes in it: a file of somebody else's keeps the folder.
        let made = [0, 1].map(|number| folder::records(place, number));
        for file in made.into_iter().chain([folder::blocks(place)]) {
            let _ = std::fs::remove_file(file);
        }
        let _ = std::fs::remove_dir(place);
    }
    done
}

/// The file or device that was named, cleared to be written to.
fn named(wanted: &Wanted, plan: &Plan) -> Result<Blocks, DurabilityError> {
    let path = &wanted.target;
    let examine = || PrepareError::system(path, "examine");
    let system = System::live().map_err(PrepareError::from)?;
    let pin = match Pin::of(path) {
        Ok(pin) => Arc::new(pin),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return new_file(wanted, plan, &system);
        }
        Err(error) => return Err(examine()(error).into()),
    };
    let cleared = check_pinned(path, &pin, &wanted.permissions, &system);
    let cleared = cleared.map_err(PrepareError::from)?;
    match pin.node().kind {
        NodeKind::File => existing_file(wanted, plan, pin, &cleared),
        NodeKind::Block => {
            let claim = cleared.claim().map_err(PrepareError::from)?;
            let device = OpenTarget::open_at(pin.at(), path, &OpenOptions::default());
            let size_bytes = device.map_err(PrepareError::from)?.size_bytes;
            Ok(Blocks {
                path: path.clone(),
                pin,
                size_bytes,
                held: claim.map(Hold::claim).into_iter().collect(),
            })
        }
        // What keeps nothing cannot be asked for it.
        _ => Err(DurabilityError::TooSmall {
            target: path.clone(),
            size_bytes: 0,
            needed_bytes: plan.end_bytes(),
        }),
    }
}

fn new_file(wanted: &Wanted, plan: &Plan, system: &System) -> Result<Blocks, DurabilityError> {
    let path = &wanted.target;
    let cleared = check_write(path, &wanted.permissions, system).map_err(PrepareError::from)?;
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    check_room(folder, plan)?;
    let create = || PrepareError::system(path, "create");
    let size_bytes = plan.end_bytes();
    let newborn = Newborn::new(path, Purpose::Kept, size_bytes).map_err(create())?;
    let held = Hold::lock_unnamed(path, newborn.file(), true)?;
    let (file, _) = newborn.name().map_err(create())?;
    cleared.confirm(&file).map_err(PrepareError::from)?;
    file.set_len(size_bytes).map_err(create())?;
    file.sync_all().map_err(create())?;
    sync_folder(folder)?;
    let pin = Pin::of_open(&file, path).map_err(create())?;
    Ok(Blocks {
        path: path.clone(),
        pin: Arc::new(pin),
        size_bytes,
        held: vec![held],
    })
}

/// One of ours is made longer where that is needed; one of others stays as long as it is.
fn existing_file(
    wanted: &Wanted,
    plan: &Plan,
    pin: Arc<Pin>,
    cleared: &Cleared,
) -> Result<Blocks, DurabilityError> {
    let path = &wanted.target;
    let examine = || PrepareError::system(path, "examine");
    let file = cleared.open().map_err(examine())?;
    let held = Hold::lock(path, &file, true)?;
    let mut size_bytes = file.metadata().map_err(examine())?.len();
    if cleared.kind == ClearedKind::OwnFile && size_bytes < plan.end_bytes() {
        size_bytes = plan.end_bytes();
        file.set_len(size_bytes).map_err(examine())?;
        mark::renew(&file, path).map_err(examine())?;
        file.sync_all().map_err(examine())?;
    }
    Ok(Blocks {
        path: path.clone(),
        pin,
        size_bytes,
        held: vec![held],
    })
}

/// Makes the areas as small as the target is, unless their size was asked for.
fn fit(wanted: &Wanted, plan: &mut Plan, size_bytes: u64) -> Result<(), DurabilityError> {
    let areas = plan.promises.len() as u64;
    if plan.end_bytes() > size_bytes && wanted.size_bytes.is_none() {
        plan.blocks = size_bytes / areas / plan.block_bytes;
    }
    if plan.blocks == 0 || plan.end_bytes() > size_bytes {
        return Err(DurabilityError::TooSmall {
            target: wanted.target.clone(),
            size_bytes,
            needed_bytes: plan.end_bytes().max(areas * plan.block_bytes),
        });
    }
    Ok(())
}

fn opened(wanted: &Wanted, blocks: &Blocks, dsync: bool) -> Result<File, DurabilityError> {
    let options = OpenOptions {
        read: false,
        write: true,
        direct: wanted.direct,
        write_through: dsync,
    };
    let target = OpenTarget::open_at(blocks.pin.at(), &blocks.path, &options);
    let target = target.map_err(PrepareError::from)?;
    let align_bytes = u64::from(target.offset_align_bytes);
    if !wanted.block_bytes.is_multiple_of(align_bytes) {
        return Err(DurabilityError::Unaligned {
            target: wanted.target.clone(),
            block_bytes: wanted.block_bytes,
            align_bytes,
        });
    }
    let file = File::from(target.fd);
    let is_same = blocks.pin.is(&file);
    if !is_same.map_err(PrepareError::system(&blocks.path, "examine"))? {
        return Err(PrepareError::Changed {
            path: blocks.path.clone(),
        }
        .into());
    }
    Ok(file)
}

/// Whether all that may be written leaves enough free.
fn check_room(folder: &Path, plan: &Plan) -> Result<(), PrepareError> {
    let appends = u64::from(plan.promises.contains(&Promise::Append));
    let records = appends * 2 * plan.blocks * plan.block_bytes;
    let needed_bytes = plan.end_bytes() + records;
    let space = FreeSpace::of_path(folder)?;
    let reserve_bytes = space.reserve_bytes();
    if space.available_bytes < needed_bytes.saturating_add(reserve_bytes) {
        return Err(PrepareError::NoRoom {
            path: folder.to_owned(),
            needed_bytes,
            available_bytes: space.available_bytes,
            reserve_bytes,
            replays: false,
        });
    }
    Ok(())
}

/// Has the names in a folder kept.
pub(super) fn sync_folder(folder: &Path) -> Result<(), PrepareError> {
    let synced = fathom_device::input::open(folder).and_then(|open| open.sync_all());
    synced.map_err(PrepareError::system(folder, "sync"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left of a folder in which work was begun that failed or not.
    fn left(fails: bool, foreign: bool) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("run");
        let door = Door::default();
        door.make_new_folder(&place).unwrap();
        let done = or_removed(&place, || {
            door.create_new(&folder::blocks(&place))?;
            door.create_new(&folder::records(&place, 1))?;
            if foreign {
                door.create_new(&place.join("notes"))?;
            }
            let refused = DurabilityError::NeedsDirectory {
                target: place.clone(),
                promise: Promise::Append,
            };
            if fails { Err(refused) } else { Ok(()) }
        });
        assert_eq!(done.is_err(), fails);
        let Ok(entries) = std::fs::read_dir(&place) else {
            return vec!["nothing".to_owned()];
        };
        let name = |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().file_name();
        let names = entries.map(name).map(|name| name.into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn a_folder_in_which_a_step_fails_does_not_stay() {
        assert_eq!(left(true, false), ["nothing"]);
        assert_eq!(left(false, false), ["blocks.dat", "records.1"]);
        assert_eq!(left(true, true), ["notes"]);
    }
}
