//! Why there is no result.

use crate::capture::CaptureError;
use crate::cluster_error::ClusterError;
use crate::contents::ContentError;
use crate::prepare::PrepareError;
use crate::traces::TraceError;
use crate::verify_target::VerifyError;
use fathom_device::serial::SerialError;
use fathom_engine::EngineError;
use fathom_load::LoadError;

/// Who can mend it; decides the exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The workload or the way it was called.
    Specification,
    /// The machine: permission, space, a device, the kernel.
    Environment,
    /// The user asked to leave.
    Aborted,
    /// A mistake in fathom.
    Internal,
}

/// A run that came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The targets could not be prepared.
    #[error("{}", .0.thing())]
    Prepare(#[from] PrepareError),
    /// A serial number does not lead to a disk.
    #[error(transparent)]
    Disk(#[from] SerialError),
    /// What was written could not be read back.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// The engine is not available.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A phase came to nothing.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A trace cannot be read.
    #[error(transparent)]
    Replay(#[from] TraceError),
    /// The content of writes cannot be read.
    #[error(transparent)]
    Content(#[from] ContentError),
    /// A trace goes beyond the end of its target.
    #[error("the trace {trace} does not fit on {target}")]
    Trace {
        /// Path of the trace.
        trace: String,
        /// Path of the target.
        target: String,
        /// Largest end of a request, bytes.
        end_bytes: u64,
        /// What the job may use of the target, bytes.
        room_bytes: u64,
    },
    /// A trace names more files than its job has targets.
    #[error("the trace {trace} has {files} files, and its job {targets} targets")]
    TraceFiles {
        /// Path of the trace.
        trace: String,
        /// How many it has.
        files: usize,
        /// How many there are.
        targets: usize,
    },
    /// A job has no file to deal with.
    #[error("job `{job}` finds no file to {}", op.name())]
    NoFiles {
        /// The name of the job.
        job: String,
        /// What it asks of each.
        op: fathom_core::Op,
    },
    /// A job is to do as much as before, and that was nothing.
    #[error("job `{job}` has nothing to do")]
    NothingBefore {
        /// The name of the job.
        job: String,
    },
    /// Nothing is there of what another member has written.
    #[error("{path} contains nothing that rank {rank} wrote")]
    NotSeen {
        /// The file, as it is called here.
        path: String,
        /// Who wrote it.
        rank: u32,
    },
    /// An engine is asked for that has nothing to do with files.
    #[error("the engine {engine} cannot run job `{job}`")]
    FilesEngine {
        /// The name of the job.
        job: String,
        /// As `--engine` names it.
        engine: &'static str,
    },
    /// A job asks for what its engine cannot do.
    #[error("the engine {engine} cannot run job `{job}`")]
    BeyondEngine {
        /// The name of the job.
        job: String,
        /// As `--engine` names it.
        engine: &'static str,
        /// What that is.
        because: &'static str,
        /// What to try.
        remedy: &'static str,
    },
    /// A time is given for a wait that nobody makes.
    #[error("--min-wait has no effect")]
    MinWait {
        /// Why nobody does.
        because: &'static str,
        /// What to try.
        remedy: &'static str,
    },
    /// The block requests cannot be traced.
    #[error("--blame cannot trace block requests")]
    Blame(#[from] CaptureError),
    /// An engine makes no block requests that could be traced.
    #[error("--blame cannot trace block requests")]
    BlameEngine {
        /// As `--engine` names it.
        engine: &'static str,
    },
    /// The kernel writes the page cache, not this process.
    #[error("--blame cannot explain buffered writes")]
    BlameBuffered,
    /// The file system makes the requests, not this process.
    #[error("--blame cannot explain operations on whole files")]
    BlameFiles,
    /// Requests name their target by 16 bits.
    #[error("a run can have 65536 targets, and this one has more")]
    Targets,
    /// Many hosts came to nothing.
    #[error("{}", .0.thing())]
    Cluster(#[from] ClusterError),
    /// The processors cannot be kept awake.
    #[error("cannot keep the CPUs awake")]
    Awake {
        /// What the system said.
        cause: std::io::Error,
    },
    /// A run draws its seed, its salt and its identity.
    #[error("the kernel provides no random numbers for the run")]
    Random {
        /// What the system said.
        cause: std::io::Error,
    },
}

impl RunError {
    /// What lies behind it, when the message does not say.
    pub fn because(&self) -> Option<String> {
        match self {
            Self::Prepare(error) => Some(error.because()),
            Self::Replay(error) => error.because(),
            Self::Content(error) => error.because(),
            Self::Cluster(error) => Some(error.to_string()),
            Self::Disk(error) => Some(error.because()),
            Self::Load(LoadError::Threads { cause, .. }) => Some(cause.to_string()),
            Self::Awake { cause } => Some(format!("{}: {cause}", fathom_device::awake::REQUEST)),
            Self::Random { cause } => Some(format!("getrandom(2): {cause}")),
            Self::Load(LoadError::Panicked { .. }) => {
                Some("this is a defect of fathom; report it".into())
            }
            Self::Trace {
                end_bytes,
                room_bytes,
                ..
            } => Some(format!(
                "its last request ends at byte {end_bytes}, but the target has {room_bytes}"
            )),
            Self::NoFiles { op, .. } => Some(no_files(*op).into()),
            Self::NothingBefore { .. } => {
                Some("the job of that name made no request before".into())
            }
            Self::NotSeen { .. } => {
                Some("this host does not see it: the hosts have no shared file system".into())
            }
            Self::FilesEngine { .. } => {
                Some("it uses files, but the engine uses bytes of one target".into())
            }
            Self::MinWait { because, .. } | Self::BeyondEngine { because, .. } => {
                Some((*because).into())
            }
            Self::TraceFiles { .. } => Some("each file needs a target of its own".into()),
            Self::Blame(CaptureError::NoDisk { path, cause }) => {
                Some(format!("{}: {cause}", path.display()))
            }
            Self::Blame(error) => Some(error.because()),
            Self::BlameBuffered => Some(
                "the kernel writes the page cache later, and this process makes no block requests"
                    .into(),
            ),
            Self::BlameFiles => Some(
                "the file system writes them later, and this process makes no block requests"
                    .into(),
            ),
            Self::BlameEngine { engine } => Some(format!(
                "the engine {engine} makes no requests in the block layer"
            )),
            Self::Engine(_) | Self::Load(_) | Self::Verify(_) | Self::Targets => None,
        }
    }

    /// What to try.
    pub fn remedy(&self) -> Option<String> {
        match self {
            Self::Prepare(error) => Some(error.remedy()).filter(|text| !text.is_empty()),
            Self::Cluster(error) => error.remedy().map(str::to_owned),
            Self::Replay(error) => error.remedy().map(str::to_owned),
            Self::Content(error) => Some(error.remedy().to_owned()),
            Self::Disk(error) => Some(error.remedy()),
            Self::Engine(error) | Self::Load(LoadError::Engine(error)) => {
                error.remedy().map(str::to_owned)
            }
            Self::Awake { .. } => Some("run as root, or without `--awake`".into()),
            Self::Random { .. } => Some("allow getrandom(2) in the sandbox".into()),
            Self::Targets => Some("make several runs with fewer targets each".into()),
            Self::Load(LoadError::Threads { .. }) => {
                Some("use fewer `--threads`, or raise `ulimit -u`".into())
            }
            Self::Trace { .. } => Some(
                "use a larger target, or --replay-pack to leave out regions without requests \
                 (fio: replay_scale)"
                    .into(),
            ),
            Self::FilesEngine { .. } => {
                Some("omit --engine: jobs with files have their own".into())
            }
            Self::MinWait { remedy, .. } | Self::BeyondEngine { remedy, .. } => {
                Some((*remedy).into())
            }
            Self::NoFiles { .. } => {
                Some("set `present` of the files, or change the order of the phases".into())
            }
            Self::NothingBefore { .. } => Some("use a longer time for the phase before".into()),
            Self::NotSeen { .. } => Some(
                "use a file system shared by all hosts, or omit --shift-reads (ior: -C)".into(),
            ),
            Self::TraceFiles { .. } => {
                Some("use as many targets, or one for all (fio: replay_redirect)".into())
            }
            Self::Blame(CaptureError::Tracing(_)) => Some(
                "run as root, with tracefs mounted by `mount -t tracefs nodev \
                 /sys/kernel/tracing`, or without --blame"
                    .into(),
            ),
            Self::Blame(_) => Some("use a target on a block device, or omit --blame".into()),
            Self::BlameBuffered => Some("use --direct, or omit --blame".into()),
            Self::BlameFiles => {
                Some("record the disk with `fathom capture` during the run, or omit --blame".into())
            }
            Self::BlameEngine { .. } => Some("use another engine, or omit --blame".into()),
            Self::Verify(_) | Self::Load(_) => None,
        }
    }

    /// Who can mend it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Prepare(error) if error.is_interrupt() => ErrorKind::Aborted,
            Self::Prepare(error) if !error.is_environment() => ErrorKind::Specification,
            Self::Verify(VerifyError::Unaligned { .. } | VerifyError::TooSmall { .. })
            | Self::Replay(_)
            | Self::Content(_)
            | Self::Cluster(ClusterError::NotClustered(_))
            | Self::Trace { .. }
            | Self::TraceFiles { .. }
            | Self::NoFiles { .. }
            | Self::NothingBefore { .. }
            | Self::FilesEngine { .. }
            | Self::MinWait { .. }
            | Self::BeyondEngine { .. }
            | Self::BlameEngine { .. }
            | Self::BlameBuffered
            | Self::BlameFiles
            | Self::Targets => ErrorKind::Specification,
            Self::Prepare(_)
            | Self::Verify(_)
            | Self::Engine(_)
            | Self::Cluster(_)
            | Self::Disk(_)
            | Self::Blame(_)
            | Self::Awake { .. }
            | Self::Random { .. }
            | Self::NotSeen { .. }
            | Self::Load(LoadError::Engine(_) | LoadError::Threads { .. }) => {
                ErrorKind::Environment
            }
            Self::Load(LoadError::Aborted) => ErrorKind::Aborted,
            Self::Load(LoadError::Panicked { .. }) => ErrorKind::Internal,
        }
    }
}

const fn no_files(op: fathom_core::Op) -> &'static str {
    match op {
        fathom_core::Op::Create => "all of them exist already",
        _ => "none was created before, or all of them are removed",
    }
}
