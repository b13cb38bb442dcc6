//! Everything a run needs to know before it touches anything.

use fathom_core::Nanos;
use fathom_core::spec::{Replay, Workload};
use fathom_core::trace::Trace;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// A run, decided but not begun.
#[derive(Clone, Debug)]
pub struct RunPlan {
    /// What to do, with every choice made and all overrides applied.
    pub workload: Workload,
    /// Where to do it.
    pub targets: Vec<TargetBinding>,
    /// How.
    pub engine: EnginePlan,
    /// What may be destroyed.
    pub permissions: fathom_device::Permissions,
    /// What becomes of files that are made for the run.
    pub made_files: MadeFiles,
    /// How long the devices are watched before the first request, while nothing is done; 0 for
    /// not at all.
    pub watch_idle: Nanos,
    /// End at the first I/O error.
    pub stop_on_error: bool,
    /// Processors to pin threads to, in turn; empty for none.
    pub affinity: Vec<u32>,
    /// The traces that jobs replay, prepared, by what the jobs say of them.
    pub traces: Vec<(Replay, Arc<Trace>)>,
    /// Jobs whose requests are told one by one, by the name of their phase.
    pub journals: BTreeMap<String, Vec<String>>,
    /// Keep the processors out of idle states that take time to leave.
    pub awake: bool,
    /// What is looked at beside the requests.
    pub watching: Watching,
    /// The command line, for the result.
    pub command_line: Vec<String>,
    /// Instant at which the process began, on the monotonic clock; for the time to the first
    /// request.
    pub process_start: Nanos,
}

impl RunPlan {
    /// A workload with the best engine that works here; nothing may be destroyed, and what is made
    /// is removed. It still needs a place ([`Self::on`]), unless its jobs name their own.
    pub fn new(workload: Workload) -> Self {
        Self {
            workload,
            targets: Vec::new(),
            engine: EnginePlan::default(),
            permissions: fathom_device::Permissions::default(),
            made_files: MadeFiles::Removed,
            watch_idle: Nanos::ZERO,
            stop_on_error: false,
            affinity: Vec::new(),
            traces: Vec::new(),
            journals: BTreeMap::new(),
            awake: false,
            watching: Watching::All,
            command_line: Vec::new(),
            process_start: fathom_engine::Clock::monotonic().now(),
        }
    }

    /// On a file, a device, or a directory in which a file is made, beside those that it has.
    #[must_use]
    pub fn on(mut self, path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        self.targets.push(TargetBinding { role: None, path });
        self
    }
}

/// What becomes of files that are made for a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

/// What is looked at beside the requests while they run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Watching {
    /// Whatever checks may need.
    #[default]
    All,
    /// Nothing: what the looking costs is measured so. No option of the program asks for it, and
    /// the result says what it lacks.
    Nothing,
}

/// A path given on the command line, perhaps for one role only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetBinding {
    /// `data` for the targets written `@data` in the workload; none for all the others.
    pub role: Option<String>,
    /// A file, a block device, a directory (a file is made in it), or for the null engine `null`.
    pub path: PathBuf,
}

/// How requests are to be made.
#[derive(Clone, Debug, Default)]
pub struct EnginePlan {
    /// The engine asked for; none to take the best that works.
    pub kind: Option<fathom_engine::EngineKind>,
    /// `io_uring`: let a thread of the kernel take requests (SQPOLL).
    pub submission_polling: bool,
    /// `io_uring`: poll for completions (needs a device with poll queues).
    pub completion_polling: bool,
    /// Back buffers with huge pages.
    pub huge_pages: bool,
    /// `sim`: the simulated volume.
    pub volume: fathom_engine::sim::SimVolume,
    /// `sim`: the model that serves all targets in its stead, if there is one.
    pub model: Option<Box<dyn fathom_engine::sim::VolumeModel>>,
}
