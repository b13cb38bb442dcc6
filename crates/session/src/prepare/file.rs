//! Targets that are files: found, made, or used again.

use super::demand::Extent;
use super::doubts::{sparse, unmarked, unwritten};
use super::hold::{Hold, Identity};
use super::raw::open_as_jobs_do;
use super::{Demand, Draft, Preparation, PrepareError, PreparedTarget, extent, resolve};
use fathom_device::mark::{self, Purpose};
use fathom_device::{ClearedKind, ExtentMap, Newborn, Permissions, Pin, check_pinned, scratch};
use fathom_engine::TargetKind;
use fathom_platform::fs::OFlags;
use fathom_platform::unix::fs::MetadataExt as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Names that are tried in a directory where other runs are at work.
const MOST_NAMES: u32 = 1000;

/// An existing file and what is known of it.
struct ExistingFile<'a> {
    path: &'a Path,
    pin: Arc<Pin>,
    file: File,
    size_bytes: u64,
    /// Room that it takes on its file system.
    allocated_bytes: u64,
    is_ours: bool,
}

impl ExistingFile<'_> {
    fn holes(&self, start: u64, end: u64) -> Result<Vec<(u64, u64)>, PrepareError> {
        extent::holes(&self.file, start, end).map_err(PrepareError::system(self.path, "examine"))
    }
}

impl Preparation<'_> {
    /// A file in a directory: the one of an earlier run if it is ours and free, else a new one.
    pub(super) fn in_directory(
        &mut self,
        directory: &Path,
        role: &str,
        demand: &Demand<'_>,
    ) -> Result<Draft, PrepareError> {
        if !demand.only_verifies() {
            self.remove_left(&scratch::left_in(directory).unwrap_or_default());
        }
        let process = std::process::id();
        let numbers = (process..process.saturating_add(MOST_NAMES)).map(Some);
        let mut path = PathBuf::new();
        for number in std::iter::once(None).chain(numbers) {
            path = directory.join(resolve::file_name(role, number));
            if !path.exists() {
                match self.new_file(&path, demand) {
                    // Another run was faster.
                    Err(PrepareError::System { source, .. })
                        if source.kind() == std::io::ErrorKind::AlreadyExists => {}
                    other => return other,
                }
            } else if is_ours(&path) {
                let pin = Pin::of(&path).map_err(PrepareError::system(&path, "examine"));
                let found = pin.and_then(|pin| self.existing_file(&path, &Arc::new(pin), demand));
                match found {
                    Err(PrepareError::Busy { .. } | PrepareError::Changed { .. }) => {}
                    // The run that made it has just ended.
                    Err(PrepareError::System { source, .. })
                        if source.kind() == std::io::ErrorKind::NotFound => {}
                    other => return other,
                }
            }
        }
        Err(PrepareError::Busy { path })
    }

    /// Removes what killed runs have left, where this one writes at all.
    pub(super) fn remove_left(&self, paths: &[PathBuf]) {
        for path in paths.iter().filter(|_| !self.permissions.read_only) {
            // What cannot be removed stays, and `fathom clean` says why.
            let _ = scratch::remove(path);
        }
    }

    /// Makes a file. It stays empty until it is laid out.
    pub(super) fn new_file(
        &mut self,
        path: &Path,
        demand: &Demand<'_>,
    ) -> Result<Draft, PrepareError> {
        if demand.only_verifies() && !demand.is_fresh() {
            return Err(PrepareError::NothingToVerify {
                path: path.to_owned(),
            });
        }
        let cleared = fathom_device::check_write(path, self.permissions, self.system)?;
        let size_bytes = demand.size_bytes().ok_or_else(|| PrepareError::NoSize {
            path: path.to_owned(),
            exists: false,
        })?;
        // While others make it grow no length is right; what is kept is marked so at the end.
        let purpose = if self.cleanup.keeps() && !self.shared {
            Purpose::Kept
        } else {
            Purpose::Scratch
        };
        let newborn = Newborn::new(path, purpose, size_bytes);
        let newborn = newborn.map_err(PrepareError::system(path, "create"))?;
        // Locked before anybody can find it.
        let held = Hold::lock_unnamed(path, newborn.file(), !self.shared)?;
        let (file, is_marked) = newborn
            .name()
            .map_err(PrepareError::system(path, "create"))?;
        self.cleanup
            .made(path, held.file())
            .map_err(PrepareError::system(path, "examine"))?;
        if cleared.kind == ClearedKind::NewFile {
            cleared.confirm(&file)?;
        }
        if !is_marked && self.cleanup.keeps() {
            self.caveats.push(unmarked(path));
        }
        let pin = Pin::sharing(held.file(), path).map_err(PrepareError::system(path, "examine"))?;
        open_as_jobs_do(path, &pin, demand)?;
        demand.check_fits(path, Extent::file(size_bytes))?;
        let found = ExistingFile {
            path,
            pin: Arc::new(pin),
            file,
            size_bytes,
            allocated_bytes: 0,
            is_ours: true,
        };
        // Of what is shared, each member lays out what is its own.
        let part = if self.shared {
            demand.writable(Extent::file(size_bytes))
        } else {
            (0, size_bytes)
        };
        let layout = if demand.is_fresh() {
            Vec::new()
        } else {
            vec![part]
        };
        draft(found, demand, layout, Some(held))
    }

    /// A file that is there.
    pub(super) fn existing_file(
        &mut self,
        path: &Path,
        pin: &Arc<Pin>,
        demand: &Demand<'_>,
    ) -> Result<Draft, PrepareError> {
        let permissions = self.permissions_for(pin);
        if demand.writes() {
            // The answer that matters most comes first.
            check_pinned(path, pin, &permissions, self.system)?;
        }
        let file = pin.read(OFlags::empty());
        let file = file.map_err(PrepareError::system(path, "open"))?;
        let meta = file
            .metadata()
            .map_err(PrepareError::system(path, "examine"))?;
        let found = ExistingFile {
            path,
            pin: Arc::clone(pin),
            size_bytes: meta.len(),
            allocated_bytes: meta.blocks() * 512,
            is_ours: mark::is_marked(&file, pin.at()).unwrap_or(false),
            file,
        };
        // A job that writes has had to be allowed to.
        let may_grow = found.is_ours || self.adopts(pin) || demand.writes();
        let grows = may_grow && !self.permissions.read_only;
        let size_bytes = match demand.size_bytes() {
            Some(wanted) if demand.is_fresh() => wanted,
            // What is missing of a file that is to be checked is found by reading.
            Some(wanted) if grows || demand.only_verifies() => wanted.max(found.size_bytes),
            _ => found.size_bytes,
        };
        if size_bytes == 0 {
            return Err(PrepareError::NoSize {
                path: path.to_owned(),
                exists: true,
            });
        }
        demand.check_fits(path, Extent::file(size_bytes))?;
        let layout = if demand.is_fresh() {
            Vec::new()
        } else if demand.only_verifies() || self.permissions.read_only {
            self.note_holes(&found, demand)?;
            Vec::new()
        } else {
            self.missing(&found, size_bytes, demand)?
        };
        self.allow(found, size_bytes, demand, layout)
    }

    /// Whether a file is taken over that is somebody's: it is empty, so that there is nothing in it
    /// to lose, and the run leaves its files.
    fn adopts(&self, pin: &Pin) -> bool {
        self.cleanup.keeps() && pin.node().size_bytes == 0
    }

    /// The permissions that hold for a file.
    fn permissions_for(&self, pin: &Pin) -> Permissions {
        let mut permissions = self.permissions.clone();
        permissions.overwrite |= self.adopts(pin);
        permissions
    }

    /// What has to be written before the file can be measured: all of it where blocks are to be
    /// right that are not, else what was never written and what is to follow, so that nothing
    /// goes that somebody has written.
    fn missing(
        &mut self,
        found: &ExistingFile<'_>,
        size_bytes: u64,
        demand: &Demand<'_>,
    ) -> Result<Vec<(u64, u64)>, PrepareError> {
        let (used_start, end) = demand.writable(Extent::file(size_bytes));
        let spared = (used_start, end) != demand.used(Extent::file(size_bytes));
        let is_scratch = found.is_ours && !self.cleanup.keeps();
        let start = if is_scratch && !spared && !self.shared {
            0
        } else {
            used_start
        };
        let there = end.min(found.size_bytes);
        let stamps_ours = found.is_ours && (is_scratch || demand.checks()) && demand.stamps();
        let wants_stamps = demand.must_be_stamped() || stamps_ours;
        if wants_stamps && !self.carries_proof(&found.file, start, there, demand) {
            return Ok(vec![(start, end)]);
        }
        // What a job looks for may lie outside of the holes. Files that stay are somebody's, and
        // what only reads them leaves them as they are.
        let may_fill = demand.writes() || is_scratch;
        let mut parts = if may_fill && !demand.misses_unwritten() {
            found.holes(start, there)?
        } else {
            Vec::new()
        };
        if parts.is_empty() {
            self.note_holes(found, demand)?;
        }
        if found.size_bytes < end {
            parts.push((found.size_bytes.max(start), end));
        }
        Ok(parts)
    }

    /// Says what of the used part was never written.
    fn note_holes(
        &mut self,
        found: &ExistingFile<'_>,
        demand: &Demand<'_>,
    ) -> Result<(), PrepareError> {
        let (start, end) = demand.used(Extent::file(found.size_bytes));
        let holes = found.holes(start, end)?;
        let holes: u64 = holes.iter().map(|(begin, end)| end - begin).sum();
        if holes == 0 {
            return Ok(());
        }
        // A file system may show what was only reserved as holes.
        let map = ExtentMap::written_back(&found.file, start, end).unwrap_or_default();
        let reserved = map.unwritten_bytes.min(holes);
        let used = end - start;
        if reserved > 0 {
            self.caveats.push(unwritten(found.path, reserved, used));
        }
        if holes > reserved {
            self.caveats
                .push(sparse(found.path, holes - reserved, used));
        }
        Ok(())
    }

    /// Asks for permission if anything is written, locks the file, and opens it for the layout.
    fn allow(
        &mut self,
        found: ExistingFile<'_>,
        size_bytes: u64,
        demand: &Demand<'_>,
        layout: Vec<(u64, u64)>,
    ) -> Result<Draft, PrepareError> {
        let path = found.path;
        let writes = demand.writes() || !layout.is_empty();
        let file = if writes {
            let permissions = self.permissions_for(&found.pin);
            let cleared = check_pinned(path, &found.pin, &permissions, self.system)?;
            cleared.open().map_err(PrepareError::system(path, "open"))?
        } else {
            found.file
        };
        let held = if writes || found.is_ours {
            Some(Hold::lock(path, &file, writes && !self.shared)?)
        } else {
            None
        };
        // Only now is it certain that no other run has it.
        if writes && !found.is_ours && self.adopts(&found.pin) {
            let marked = mark::mark(&file, path, Purpose::Kept, 0);
            if !marked.map_err(PrepareError::system(path, "examine"))? {
                self.caveats.push(unmarked(path));
            }
        }
        if let Some(held) = held.as_ref().filter(|_| writes)
            && (found.is_ours || self.adopts(&found.pin))
        {
            self.cleanup
                .used(path, held.file())
                .map_err(PrepareError::system(path, "examine"))?;
        }
        open_as_jobs_do(path, &found.pin, demand)?;
        let found = ExistingFile {
            file,
            size_bytes,
            ..found
        };
        draft(found, demand, layout, held)
    }
}

fn draft(
    found: ExistingFile<'_>,
    demand: &Demand<'_>,
    layout: Vec<(u64, u64)>,
    held: Option<Hold>,
) -> Result<Draft, PrepareError> {
    let examined = PrepareError::system(found.path, "examine");
    let identity = Identity::of(&found.file).map_err(|errno| examined(errno.into()))?;
    let end = if demand.is_fresh() {
        Some(found.size_bytes)
    } else {
        layout.last().map(|(_, end)| *end)
    };
    let grows_bytes = match end {
        // That there is no room left is how it ends.
        _ if demand.fills_up() => 0,
        Some(end) => end.saturating_sub(found.allocated_bytes),
        None => 0,
    };
    let writable = demand.writable(Extent::file(found.size_bytes));
    let is_laid_out_whole =
        matches!(layout[..], [(start, end)] if start <= writable.0 && end >= writable.1);
    Ok(Draft {
        target: PreparedTarget {
            path: found.path.to_owned(),
            kind: Some(TargetKind::File),
            size_bytes: found.size_bytes,
            made_by_fathom: found.is_ours,
            reads: demand.reads(),
            writes: demand.writes(),
            stamped: demand.must_be_stamped() || is_laid_out_whole && demand.stamps(),
            identity: Some(identity),
            pin: Some(found.pin),
            held,
            ..PreparedTarget::default()
        },
        layout: (!layout.is_empty()).then_some((found.file, layout)),
        grows_bytes,
    })
}

fn is_ours(path: &Path) -> bool {
    fathom_device::input::open(path).is_ok_and(|file| mark::is_marked(&file, path).unwrap_or(false))
}
