//! What is to be measured, where and how: data alone, which can be kept, and sent to another host.

use crate::explain::Explain;
use crate::ramp::Ramp;
use fathom_core::spec::Workload;
use fathom_core::{EngineKind, Nanos, Tolerated};
use fathom_device::Permissions;
use fathom_device::serial::{self, SerialError};
use fathom_engine::sim::SimVolume;
use fathom_load::verify::Mark;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

/// Identity of every run in virtual time: what it writes is gone with it.
const VIRTUAL_RUN: u64 = 1;

/// A random number that is not 0.
pub(crate) fn draw() -> io::Result<u64> {
    let mut bytes = [0; 8];
    loop {
        // Eight bytes come whole, or not at all.
        fathom_platform::rand::getrandom(
            &mut bytes,
            fathom_platform::rand::GetRandomFlags::empty(),
        )?;
        match u64::from_le_bytes(bytes) {
            0 => {}
            drawn => return Ok(drawn),
        }
    }
}

/// A seed that every dialect can say, and a person can copy: 32 bits, not 0.
///
/// # Errors
///
/// The kernel gives no random numbers.
pub fn draw_seed() -> io::Result<u64> {
    draw().map(|drawn| (drawn >> 32).max(1))
}

/// A measurement, decided but not begun.
///
/// What belongs to one process only (a handle on its end, a model that serves in the storage's
/// stead) is given to the [`Session`](crate::Session).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// What to do, with every choice made and all overrides applied.
    pub workload: Workload,
    /// Where to do it.
    pub targets: Vec<TargetBinding>,
    /// How.
    pub engine: EnginePlan,
    /// What may be destroyed.
    pub permissions: Permissions,
    /// What becomes of files that are made for the run.
    pub made_files: MadeFiles,
    /// Others that belong to the same measurement use the targets too, so that nobody has them
    /// alone.
    pub shared_targets: bool,
    /// All members of the measurement have their files in one directory, each its own by this rank.
    #[serde(default)]
    pub files_of_all: Option<u32>,
    /// Number of the step of a measurement whose steps are made one by one: files that an earlier
    /// step has kept are not its own.
    #[serde(default)]
    pub step: u32,
    /// Phases that only read take what the member of this rank has written.
    #[serde(default)]
    pub reads_from: Option<u32>,
    /// End at the first I/O error.
    pub stop_on_error: bool,
    /// Errors that do not stop the run.
    #[serde(default)]
    pub tolerated: Tolerated,
    /// Processors to pin threads to, in turn; empty for none.
    pub affinity: Vec<u32>,
    /// Keep the processors out of idle states that take time to leave.
    pub awake: bool,
    /// Jobs whose requests are recorded one by one, by the name of their phase.
    pub journals: BTreeMap<String, Vec<String>>,
    /// Jobs of whose requests the generator's own time is kept one by one, by the name of their
    /// phase; it is also kept for those whose requests are recorded.
    pub splits: BTreeMap<String, Vec<String>>,
    /// Jobs whose threads are distinguished by target and interval, by the name of their phase.
    pub apart: BTreeMap<String, Vec<String>>,
    /// Whether each of many hosts reports its phases whole, to be distinguished from the others.
    #[serde(default)]
    pub hosts_apart: bool,
    /// Probes in addition to the phases.
    pub explain: Explain,
    /// How the only phase rises, if it does. Then there are no probes.
    pub ramp: Option<Ramp>,
    /// What is observed in addition to the requests.
    pub watching: Watching,
    /// Trace the block requests, and explain the slowest of this process in each phase.
    #[serde(default)]
    pub blame: bool,
    /// The command line, for the result.
    pub command_line: Vec<String>,
    /// Settings that fathom cannot see, for the result; sorted.
    #[serde(default)]
    pub declared: Vec<String>,
    /// Identity of the run in the blocks that it stamps, which no other run has. 0 until it is
    /// drawn, when the run begins; the members of a cluster have one.
    #[serde(default)]
    pub run: u64,
}

impl Plan {
    /// A workload with the best engine that works here; nothing may be destroyed, and what is made
    /// is removed. It still needs a place ([`Self::on`]), unless its jobs name their own.
    pub fn new(workload: Workload) -> Self {
        Self {
            workload,
            ..Self::default()
        }
    }

    /// Whether no storage is measured, but a model in virtual time.
    pub(crate) fn is_virtual(&self) -> bool {
        self.engine.kind.is_some_and(EngineKind::is_virtual)
    }

    /// The plan of one run: what a workload leaves to chance is drawn. In virtual time nothing is.
    ///
    /// # Errors
    ///
    /// The kernel gives no random numbers.
    pub(crate) fn drawn(&self) -> io::Result<Self> {
        let mut plan = self.clone();
        let workload = &mut plan.workload;
        if self.is_virtual() {
            workload.seed = Some(workload.seed());
            plan.run = VIRTUAL_RUN;
            return Ok(plan);
        }
        workload.seed = Some(workload.seed.map_or_else(draw_seed, Ok)?);
        workload.salt = Some(workload.salt.map_or_else(draw, Ok)?);
        if plan.run == 0 {
            plan.run = draw()?;
        }
        Ok(plan)
    }

    /// What separates the bytes of the run from those of all others.
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            run: self.run,
            seed: self.workload.seed(),
            salt: self.workload.salt(),
        }
    }

    /// On a file, a device, or a directory in which a file is made, in addition to the existing
    /// ones.
    #[must_use]
    pub fn on(mut self, path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        self.targets.push(TargetBinding { role: None, path });
        self
    }

    /// Puts the device nodes in place of disks that are named by their serial number
    /// ([`fathom_device::serial`]). What is measured does it by itself, on the host where it is; if
    /// it is called before, a missing disk is reported earlier.
    ///
    /// # Errors
    ///
    /// [`SerialError`] of the first that does not lead to one disk.
    pub fn find_disks(&mut self) -> Result<(), SerialError> {
        let kind = self.engine.kind;
        if kind.is_some_and(|kind| !kind.capabilities().needs_target) {
            return Ok(());
        }
        let bound = self.targets.iter_mut().map(|target| &mut target.path);
        let destroyed = self.permissions.destroy.iter_mut();
        serial::resolve(bound.chain(destroyed.map(|one| &mut one.path)))?;
        let jobs = self.workload.phases.iter_mut();
        let jobs = jobs.flat_map(|phase| &mut phase.jobs);
        for target in jobs.flat_map(|job| &mut job.targets) {
            let mut path = PathBuf::from(&*target);
            serial::resolve([&mut path])?;
            *target = path.to_string_lossy().into_owned();
        }
        Ok(())
    }

    /// By one engine and no other.
    #[must_use]
    pub const fn by(mut self, engine: EngineKind) -> Self {
        self.engine.kind = Some(engine);
        self
    }
}

/// What becomes of files that are made for a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MadeFiles {
    /// They go with the run.
    #[default]
    Removed,
    /// They stay for later runs of this process, which removes them
    /// ([`fathom_device::scratch::remove_own`]); after a kill the next run does.
    Lent,
    /// They stay.
    Kept,
}

/// What is observed in addition to the requests while they run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Watching {
    /// Whatever checks may need.
    #[default]
    All,
    /// Nothing: what the looking costs is measured so. No option of the program asks for it, and
    /// the result says what it lacks.
    Nothing,
}

/// A path given on the command line, perhaps for one role only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TargetBinding {
    /// `data` for the targets written `@data` in the workload; none for all the others.
    pub role: Option<String>,
    /// A file, a block device, a directory (a file is made in it), or for the null engine `null`.
    pub path: PathBuf,
}

/// How requests are to be made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnginePlan {
    /// The engine asked for; none to take the best that works.
    pub kind: Option<EngineKind>,
    /// `io_uring`: let a thread of the kernel take requests (SQPOLL).
    pub submission_polling: bool,
    /// `io_uring`: the processor of that thread, if it is to stay on one.
    #[serde(default)]
    pub submission_cpu: Option<u32>,
    /// `io_uring`: poll for completions (needs a device with poll queues).
    pub completion_polling: bool,
    /// `io_uring`: sleep for a while before polling for completions.
    #[serde(default)]
    pub hybrid_polling: bool,
    /// `io_uring`: accept fewer completions than the wait asks for after this time; zero to wait
    /// for all.
    #[serde(default)]
    pub min_wait: Nanos,
    /// Back buffers with huge pages.
    pub huge_pages: bool,
    /// `sim`: the simulated volume.
    pub volume: SimVolume,
}
