//! From a plan to targets that can be measured: which they are, whether they may be touched and
//! are large enough, and really written where that is needed.
//!
//! A file that is read, or overwritten in place, must not have holes, so every file that Fathom
//! makes is laid out. One that an earlier run made is used again if nothing is missing in it.
//! Somebody's file is never changed by a workload that only reads it, and otherwise only with
//! permission; a device likewise.

mod demand;
mod descriptors;
mod directory;
pub(crate) mod doubts;
mod error;
mod extent;
mod facts;
mod file;
mod hold;
mod namespace;
mod placement;
mod places;
mod raw;
mod resolve;
mod zones;

pub use directory::FilesError;
pub use error::PrepareError;
pub(crate) use extent::holds_data;
pub(crate) use hold::Hold;
pub(crate) use placement::look_again;
pub use zones::ZonesError;

use crate::cleanup::Cleanup;
use crate::layout::{LayoutRange, lay_out};
use crate::plan::Plan;
use demand::Demand;
use fathom_core::caveat::Caveat;
use fathom_core::result::TargetInfo;
use fathom_core::{EngineKind, Nanos};
use fathom_device::nodes::NodeKind;
use fathom_device::{
    DeviceError, FreeSpace, Permissions, Pin, System, Topology, Zoned, birthmark, scratch,
};
use fathom_engine::{Clock, FileTree, FilesUse, OpenOptions, OpenTarget, TargetKind};
use fathom_load::control::Control;
use fathom_load::observer::{Event, Observer};
use fathom_load::request::Window;
use fathom_load::verify::Mark;
use fathom_platform::fd::AsFd;
use fathom_platform::fs::OFlags;
use fathom_platform::io::Errno;
use fathom_volume::model::VolumeModel;
use hold::Identity;
use namespace::Commands;
use places::{jobs_of, places_of};
use resolve::TargetPlace;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Everything a run can begin with.
#[derive(Debug)]
pub struct Prepared {
    /// The targets, each once.
    pub targets: Vec<PreparedTarget>,
    /// What each job uses, by phase and job.
    pub jobs: Vec<Vec<PreparedJob>>,
    /// Warnings about the targets.
    pub caveats: Vec<Caveat>,
    /// Time that laying out took.
    pub layout_ns: u64,
    /// The targets for the result, in the same order.
    pub infos: Vec<TargetInfo>,
    /// Limits of block I/O that the control group sets for their devices, or why they are unknown.
    pub io_limits: Result<Vec<String>, DeviceError>,
    /// Removes the files that were made when it is dropped; keep it until the run has ended.
    pub cleanup: Cleanup,
}

/// The targets of one job.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PreparedJob {
    /// For each target of the job: its place in the list of all, and the part that is used.
    pub targets: Vec<(usize, Window)>,
}

/// A target that is fit for its jobs.
#[derive(Debug, Default)]
pub struct PreparedTarget {
    /// Path to open; for engines without storage a name only.
    pub path: PathBuf,
    /// The kind of target; none for engines without storage.
    pub kind: Option<TargetKind>,
    /// Usable size, bytes.
    pub size_bytes: u64,
    /// Whether Fathom made it, now or earlier.
    pub made_by_fathom: bool,
    /// Whether any job reads.
    pub reads: bool,
    /// Whether any job writes or trims, and may.
    pub writes: bool,
    /// Whether all that is used of it described itself, or had derivable content, before the run
    /// began.
    pub stamped: bool,
    /// The part that was laid out for the run; empty where nothing was, or several were.
    pub laid: (u64, u64),
    /// What lies below it, if there is something and it could be found out.
    pub topology: Option<Topology>,
    /// How it is divided, if it is written zone by zone.
    zoned: Option<Zoned>,
    identity: Option<Identity>,
    /// What the path led to when it was examined; none for engines without storage.
    pin: Option<Arc<Pin>>,
    /// The block device of an NVMe namespace: the same bytes, for `read`.
    contents: Option<Arc<Pin>>,
    /// Of a directory, the files that the run makes in it.
    files: Option<Arc<FileTree>>,
    /// The lock of a file or the claim on a device, as long as the run lasts.
    held: Option<Hold>,
}

impl PreparedTarget {
    /// Opens what was prepared, whatever its name leads to by now.
    ///
    /// # Errors
    ///
    /// [`PrepareError`], also where only the name is left to go by and it was turned.
    pub fn open(&self, options: &OpenOptions) -> Result<OpenTarget, PrepareError> {
        let mut open = OpenTarget::open_at(self.at(), &self.path, options)?;
        self.confirm(&open.fd)?;
        if let Some(contents) = &self.contents {
            let file = contents.read(OFlags::empty());
            let file = file.map_err(PrepareError::system(&self.path, "open"))?;
            open.contents = Some(file.into());
            open.zone_bytes = self.zoned.as_ref().map(|zoned| zoned.zone_bytes);
        }
        Ok(open)
    }

    /// The files of a directory as a job deals with them, durable if that is asked for.
    ///
    /// # Errors
    ///
    /// [`PrepareError`]
    pub fn open_files(&self, sync: bool) -> Option<Result<OpenTarget, PrepareError>> {
        let tree = self.files.as_ref()?;
        let root = tree.root().try_clone_to_owned();
        let root = root.map_err(PrepareError::system(&self.path, "open"));
        let tree = Arc::clone(tree);
        Some(root.map(|root| OpenTarget::of_files(&self.path, root, FilesUse { tree, sync })))
    }

    /// Keeps it open until the process ends, because the storage does not answer: closing a file
    /// may wait for it.
    pub(crate) fn leave_open(&self) {
        if let Some(Hold::Lock { file } | Hold::Claim { file }) = &self.held {
            std::mem::forget(Arc::clone(file));
        }
    }

    /// Where it can be opened, if its name should lead elsewhere by now.
    pub fn at(&self) -> &Path {
        self.pin.as_ref().map_or(&self.path, |pin| pin.at())
    }

    /// Where it lies, for what goes by names: the path, as long as it leads here. A file that was
    /// made without a name has none beneath its descriptor.
    fn place(&self, system: &System) -> &Path {
        let found = self.pin.as_ref().zip(system.nodes.stat(&self.path).ok());
        match found {
            Some((pin, node)) if !node.is_same_storage(pin.node()) => pin.at(),
            _ => &self.path,
        }
    }

    /// Where its bytes can be read, whatever requests they are measured with.
    pub(crate) fn contents_at(&self) -> &Path {
        self.contents
            .as_ref()
            .map_or_else(|| self.at(), |pin| pin.at())
    }

    /// Makes sure that what was opened is what was prepared, since a name can be turned to point
    /// elsewhere in between.
    ///
    /// # Errors
    ///
    /// [`PrepareError::Changed`].
    pub fn confirm(&self, opened: impl AsFd) -> Result<(), PrepareError> {
        let Some(identity) = self.identity else {
            return Ok(());
        };
        match Identity::of(opened) {
            Ok(found) if found == identity => Ok(()),
            _ => Err(PrepareError::Changed {
                path: self.path.clone(),
            }),
        }
    }
}

/// A target on the way: what is left to do for it.
struct Draft {
    target: PreparedTarget,
    /// Open for writing, if there is something to lay out: which parts.
    layout: Option<(File, Vec<(u64, u64)>)>,
    /// Room that the layout takes beyond what the file has already.
    grows_bytes: u64,
}

/// What finding and making targets has in common.
struct Preparation<'a> {
    system: &'a System,
    permissions: &'a Permissions,
    mark: Mark,
    /// Whether targets are those of others too.
    shared: bool,
    /// The rank of this member where all of them have their files in one directory.
    member: Option<u32>,
    /// How many such directories there are.
    shared_directories: u32,
    /// Number of the step of the measurement.
    step: u32,
    control: &'a Control,
    cleanup: Cleanup,
    caveats: Vec<Caveat>,
    /// Of the target that is being prepared: which of its jobs send commands.
    commands: Commands,
}

/// Resolves, checks and where needed makes and lays out all targets of a run with this engine.
///
/// # Errors
///
/// [`PrepareError`]; files that were made are removed again.
pub fn prepare(
    plan: &Plan,
    engine: EngineKind,
    model: Option<&dyn VolumeModel>,
    control: &Control,
    observer: &mut dyn Observer,
) -> Result<Prepared, PrepareError> {
    let storage = engine.capabilities().needs_target;
    let (places, uses) = places_of(plan, storage)?;
    let threads = threads_of(plan);
    let require_spare = || {
        if storage {
            descriptors::require_memory(threads)?;
            descriptors::require_spare(threads)
        } else {
            Ok(())
        }
    };
    if storage {
        descriptors::make_room(places.len(), threads);
    }
    require_spare()?;
    let system = System::live()?;
    let mut preparation = Preparation {
        system: &system,
        permissions: &plan.permissions,
        mark: plan.mark(),
        shared: plan.shared_targets,
        member: plan.files_of_all,
        shared_directories: 0,
        step: plan.step,
        control,
        cleanup: Cleanup::new(plan.made_files, control),
        caveats: Vec::new(),
        commands: Commands::default(),
    };
    let drafts = preparation.drafts(plan, &places, &|number| {
        let simulated = || {
            model.map_or(plan.engine.volume.size_bytes, |model| {
                model.place(number as u64, places.len() as u64).1
            })
        };
        engine.is_virtual().then(simulated)
    });
    // The guard has asked who uses the targets, and nothing is written yet.
    let made = drafts.and_then(|drafts| {
        require_spare()?;
        let made = preparation.lay_all_out(drafts, &places, control, observer)?;
        require_spare()?;
        Ok(made)
    });
    // Files that stay do so for what is in them, and they have it only when all are done.
    let (targets, layout_ns) = made.inspect_err(|_| preparation.cleanup.abandon())?;
    let mut infos: Vec<TargetInfo> = targets
        .iter()
        .zip(&places)
        .map(|(target, (_, demand))| described(target, demand, &system, plan.mark().salt))
        .collect();
    if let Some(list) = plan.permissions.allow.as_ref().filter(|_| storage) {
        for info in &mut infos {
            info.allow_list = list.path().display().to_string();
        }
    }
    if engine.is_virtual() && model.is_some_and(facts::counts) {
        for info in &mut infos {
            info.devices.push(facts::simulated(info.size_bytes));
        }
    }
    Ok(Prepared {
        jobs: jobs_of(plan, &uses, &targets),
        targets,
        caveats: preparation.caveats,
        layout_ns,
        io_limits: crate::provenance::io_limits(&infos),
        infos,
        cleanup: preparation.cleanup,
    })
}

/// The most threads that a phase has.
fn threads_of(plan: &Plan) -> u64 {
    let phases = plan.workload.phases.iter();
    let threads = phases.map(|phase| phase.jobs.iter().map(|job| u64::from(job.threads)).sum());
    threads.max().unwrap_or(0)
}

/// The target for the result, with how it lies on its devices.
fn described(
    target: &PreparedTarget,
    demand: &Demand<'_>,
    system: &System,
    salt: u64,
) -> TargetInfo {
    let mut info = facts::target_info(target, demand.directs()[0]);
    let has = demand::Extent {
        size_bytes: target.size_bytes,
        device: target.kind.is_some_and(TargetKind::is_device),
    };
    info.layout = placement::layout(target, demand.used(has), &demand.content(salt));
    if let Some(topology) = &target.topology {
        placement::describe(&mut info.devices, topology, &system.sysfs);
    }
    info
}

/// Whether all files that grow leave enough free, file system by file system.
fn check_room(drafts: &[Draft], replays: bool) -> Result<(), PrepareError> {
    let mut needed: BTreeMap<u64, u64> = BTreeMap::new();
    for draft in drafts.iter().filter(|draft| draft.grows_bytes > 0) {
        let path = &draft.target.path;
        let device = draft.target.identity.map_or(0, |identity| identity.device);
        let sum = needed.entry(device).or_default();
        *sum += draft.grows_bytes;
        let mut space = FreeSpace::of_path(path)?;
        let reserve_bytes = space.reserve_bytes();
        let wanted = sum.saturating_add(reserve_bytes);
        if space.available_bytes < wanted {
            // Some give back the room of a removed file (our last one, perhaps) only later.
            settle(path)?;
            space = FreeSpace::of_path(path)?;
        }
        if space.available_bytes < wanted {
            return Err(PrepareError::NoRoom {
                path: path.clone(),
                needed_bytes: *sum,
                available_bytes: space.available_bytes,
                reserve_bytes,
                replays,
            });
        }
    }
    Ok(())
}

/// Has the file system of a path do what it has put off, where the system has a call for it.
fn settle(path: &Path) -> Result<(), PrepareError> {
    let file = fathom_device::input::open(path).map_err(PrepareError::system(path, "open"))?;
    match fathom_platform::fs::syncfs(&file) {
        Ok(()) | Err(Errno::NOSYS) => Ok(()),
        Err(errno) => Err(PrepareError::system(path, "sync")(errno.into())),
    }
}

impl Preparation<'_> {
    /// Finds and makes all targets. `volume_bytes` is the size of a simulated one.
    fn drafts(
        &mut self,
        plan: &Plan,
        places: &[(TargetPlace, Demand<'_>)],
        volume_bytes: &dyn Fn(usize) -> Option<u64>,
    ) -> Result<Vec<Draft>, PrepareError> {
        let drafts = places
            .iter()
            .enumerate()
            .map(|(number, (place, demand))| {
                let commands = Commands::of(plan, demand);
                commands.refuse_files(place)?;
                self.commands = commands;
                match place {
                    TargetPlace::Nowhere(name) => raw::nowhere(name, demand, volume_bytes(number)),
                    TargetPlace::Named(path) => self.named(path, demand),
                    TargetPlace::InDirectory { directory, role } => {
                        self.in_directory(directory, role, demand)
                    }
                    TargetPlace::Files {
                        directory,
                        role,
                        shape,
                    } => self.files_in(directory, role, *shape, demand),
                }
            })
            .collect::<Result<Vec<Draft>, _>>()?;
        for (draft, (_, demand)) in drafts.iter().zip(places) {
            zones::check_draft(draft, demand)?;
        }
        let mut jobs = places.iter().flat_map(|(_, demand)| demand.jobs());
        let replays = jobs.any(|job| job.replay.as_ref().is_some_and(|one| !one.packed));
        check_room(&drafts, replays)?;
        Ok(drafts)
    }

    /// Lays out what is to be laid out; says how long that took, in nanoseconds.
    fn lay_all_out(
        &mut self,
        drafts: Vec<Draft>,
        places: &[(TargetPlace, Demand<'_>)],
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Result<(Vec<PreparedTarget>, u64), PrepareError> {
        let mut clock = Clock::new();
        let begin = clock.now();
        let mut targets = Vec::new();
        for (draft, (_, demand)) in drafts.into_iter().zip(places) {
            let number = targets.len() as u32;
            targets.push(self.finish((draft, number), demand, control, observer)?);
        }
        let Nanos(layout_ns) = clock.now() - begin;
        Ok((targets, layout_ns))
    }

    /// A path that the user or the workload names.
    fn named(&mut self, path: &Path, demand: &Demand<'_>) -> Result<Draft, PrepareError> {
        if !demand.only_verifies() && scratch::is_left(path) {
            self.remove_left(&[path.to_owned()]);
        }
        let pin = match Pin::of(path) {
            Ok(pin) => Arc::new(pin),
            Err(error) if is_missing_file(path, &error) => {
                self.commands.refuse(path)?;
                match self.new_file(path, demand) {
                    // Another member was faster.
                    Err(PrepareError::System { source, .. })
                        if self.shared && source.kind() == std::io::ErrorKind::AlreadyExists =>
                    {
                        Arc::new(Pin::of(path).map_err(PrepareError::system(path, "examine"))?)
                    }
                    made => return made,
                }
            }
            Err(error) => return Err(PrepareError::system(path, "examine")(error)),
        };
        if pin.node().kind != NodeKind::Char {
            self.commands.refuse(path)?;
        }
        if pin.node().kind == NodeKind::File {
            self.existing_file(path, &pin, demand)
        } else {
            self.raw(path, &pin, demand)
        }
    }

    /// Whether the existing content already passes the checks of the jobs.
    fn carries_proof(&self, file: &File, start: u64, end: u64, demand: &Demand<'_>) -> bool {
        let proof = demand.proof(self.mark.run);
        proof.is_some_and(|proof| extent::carries_proof(file, start, end, proof))
    }

    /// Tells that what earlier runs wrote to a target that stays goes, before any of it does.
    fn tell_writes(&self, target: &PreparedTarget, observer: &mut dyn Observer) {
        if !self.cleanup.leaves(&target.path) {
            return;
        }
        // Content that cannot be derived again later has no account.
        let found =
            fathom_device::input::open(target.contents_at()).and_then(|file| birthmark(&file));
        let named = target.contents.as_ref().map(|pin| pin.at());
        let lasting = std::fs::canonicalize(named.unwrap_or(&target.path));
        if let (Ok(Some(birthmark)), Ok(path)) = (found, lasting) {
            let (path, birthmark) = (&path, &birthmark);
            observer.event(&Event::Writes { path, birthmark });
        }
    }

    /// Lays out what is to be laid out of a target, which has a number.
    fn finish(
        &mut self,
        (draft, number): (Draft, u32),
        demand: &Demand<'_>,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Result<PreparedTarget, PrepareError> {
        let mut target = draft.target;
        let path = &target.path;
        let of_files = target.files.is_some();
        if !of_files && (target.writes || draft.layout.is_some()) {
            self.tell_writes(&target, observer);
        }
        if let Some((file, parts)) = draft.layout {
            let range = LayoutRange {
                path,
                parts: &parts,
                data: demand.data(),
                mark: self.mark,
                number,
                proof: demand.proof(self.mark.run),
            };
            let report = lay_out(&file, &range, control, observer)?;
            // Between several parts lies what was there before.
            target.laid = if let [part] = parts[..] { part } else { (0, 0) };
            let end = parts.last().map_or(0, |(_, end)| *end);
            let allocated = report.allocated_bytes;
            let shrunk = allocated.and_then(|allocated| doubts::shrunk(path, end, allocated));
            self.caveats.extend(shrunk);
        }
        self.lay_out_files((&target, number), demand, control, observer)?;
        if target.kind != Some(TargetKind::CharDevice) && target.kind.is_some() {
            match Topology::of_path(self.system, target.place(self.system)) {
                Ok(topology) => target.topology = Some(topology),
                Err(error) => self.caveats.push(doubts::unknown(path, &error)),
            }
        }
        Ok(target)
    }
}

/// Whether a file can be made at a path: a disk that is not there cannot.
fn is_missing_file(path: &Path, error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::NotFound && !fathom_platform::is_device_name(path)
}

#[cfg(test)]
mod tests;
