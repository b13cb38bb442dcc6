//! Why a run cannot begin, with the cause and what to try.

use super::directory::FilesError;
use super::zones::ZonesError;
use crate::aligned::ALIGN_BYTES;
use crate::layout::LayoutError;
use fathom_core::Bytes;
use fathom_core::figure::{count, size};
use fathom_device::{DeviceError, GuardError};
use fathom_engine::EngineError;
use fathom_platform::io::Errno;
use std::io;
use std::path::PathBuf;

const NO_BYTES: &str = "it has 0 bytes, and the workload does not define a size";
const NOT_THERE: &str = "it does not exist, and the jobs on it only read what another run wrote";

/// A target that is not fit for what the workload asks of it.
#[derive(Debug, thiserror::Error)]
#[error("{}: {}", self.thing(), self.because())]
pub enum PrepareError {
    /// A job has nowhere to go.
    NoTarget { job: String },
    /// A job wants a role that the command line does not bind.
    RoleUnbound {
        job: String,
        /// The role, without `@`.
        role: String,
    },
    /// A target without a size of its own, and none in the workload.
    NoSize {
        path: PathBuf,
        /// Whether it is there, but empty.
        exists: bool,
    },
    /// What is to be checked is not there.
    NothingToVerify { path: PathBuf },
    /// A block device of 0 bytes.
    EmptyDevice { path: PathBuf },
    /// A target that has no end, and no size in the workload.
    Endless { path: PathBuf },
    /// An existing target that Fathom must not make larger.
    TooSmall {
        path: PathBuf,
        size_bytes: u64,
        /// What the workload asks for.
        needed_bytes: u64,
        /// The job that does.
        job: String,
    },
    /// The file would take the last of the free space.
    NoRoom {
        path: PathBuf,
        /// What it and the other new files of the file system need.
        needed_bytes: u64,
        /// What is free for this user.
        available_bytes: u64,
        /// What has to stay free.
        reserve_bytes: u64,
        /// A trace is replayed with the offsets of its device.
        replays: bool,
    },
    /// A file that another run is using.
    Busy { path: PathBuf },
    /// The target is another thing now than it was when it was checked.
    Changed { path: PathBuf },
    /// A job sends NVMe commands to what takes none.
    NoNamespace { path: PathBuf, job: String },
    /// A job sends no NVMe commands to what takes nothing else.
    OnlyCommands {
        path: PathBuf,
        job: String,
        /// The block device with the same bytes.
        block: PathBuf,
    },
    /// An NVMe namespace for which the kernel has no block device.
    NoBlockDevice {
        path: PathBuf,
        /// Its identifier.
        id: u32,
    },
    /// A job cannot write to the zones of the target.
    Zones(#[from] ZonesError),
    /// Requests that are longer than an NVMe command.
    TooLong {
        path: PathBuf,
        job: String,
        value: Bytes,
        /// What one command can move.
        most_bytes: u64,
    },
    /// Direct requests that do not fit the target's blocks.
    Unaligned {
        path: PathBuf,
        job: String,
        /// Which setting, as in `block size`.
        what: &'static str,
        value: Bytes,
        /// What it must be a multiple of.
        align_bytes: u32,
    },
    /// The target must not be written to.
    Guard(#[from] GuardError),
    /// The target cannot be opened as the workload asks.
    Open(#[from] EngineError),
    /// Laying it out failed.
    Layout(#[from] LayoutError),
    /// There can be no files in it.
    Files(#[from] FilesError),
    /// Facts about the system could not be read.
    Device(#[from] DeviceError),
    /// The checks of the targets and the counters could not be opened.
    FewDescriptors {
        /// The limit of the process.
        limit: u64,
        /// How many more are needed at least.
        missing: u64,
    },
    /// Memory is short.
    LittleMemory {
        /// Bytes that have to be free.
        needed: u64,
    },
    /// The target could not be examined or made.
    System {
        path: PathBuf,
        /// What was done to it, as in `create`.
        action: &'static str,
        /// What the system said.
        source: io::Error,
    },
}

impl PrepareError {
    pub(crate) fn system(
        path: impl Into<PathBuf>,
        action: &'static str,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::System {
            path,
            action,
            source,
        }
    }

    /// What could not be done, for the line `error:`.
    pub fn thing(&self) -> String {
        match self {
            Self::NoTarget { job } | Self::RoleUnbound { job, .. } => {
                format!("job `{job}` has no target")
            }
            Self::NothingToVerify { path } => format!("cannot verify {}", path.display()),
            Self::NoSize { path, .. }
            | Self::EmptyDevice { path }
            | Self::Endless { path }
            | Self::Busy { path }
            | Self::NoBlockDevice { path, .. }
            | Self::Changed { path } => format!("cannot use {}", path.display()),
            Self::TooSmall { path, job, .. }
            | Self::NoNamespace { path, job }
            | Self::OnlyCommands { path, job, .. }
            | Self::TooLong { path, job, .. }
            | Self::Unaligned { path, job, .. } => {
                format!("cannot use {} for job `{job}`", path.display())
            }
            Self::Guard(error) => error.thing(),
            Self::Open(EngineError::Open { path, purpose, .. }) => {
                format!("cannot open {path}{purpose}")
            }
            Self::Open(_) => "cannot open a target".to_owned(),
            Self::NoRoom { path, .. }
            | Self::Layout(
                LayoutError::NoSpace { path, .. }
                | LayoutError::Write { path, .. }
                | LayoutError::Interrupted { path, .. },
            ) => format!("cannot lay out {}", path.display()),
            Self::Files(error) => error.thing(),
            Self::Zones(error) => error.thing(),
            Self::Device(_) => "cannot identify the targets".to_owned(),
            Self::FewDescriptors { limit, .. } => {
                format!("the limit of {limit} open files (ulimit -n) is too low for this run")
            }
            Self::LittleMemory { needed } => {
                format!("this run needs {} of memory", size(*needed))
            }
            Self::System { path, action, .. } => format!("cannot {action} {}", path.display()),
        }
    }

    /// Why not, for the line `because:`.
    #[expect(clippy::too_many_lines, reason = "a table of words")]
    pub fn because(&self) -> String {
        match self {
            Self::NoTarget { .. } => {
                "neither the workload nor the command line names a target".to_owned()
            }
            Self::RoleUnbound { role, .. } => format!("its role @{role} has no target"),
            Self::NoSize { exists: true, .. } => NO_BYTES.to_owned(),
            Self::NoSize { exists: false, .. } => {
                "it must be created, and the workload does not define its size".to_owned()
            }
            Self::NothingToVerify { .. } => NOT_THERE.to_owned(),
            Self::EmptyDevice { .. } => {
                "it has 0 bytes: nothing is attached, or it has no medium".to_owned()
            }
            Self::Endless { .. } => {
                "it has no size of its own, and the workload does not define one".to_owned()
            }
            Self::TooSmall {
                size_bytes,
                needed_bytes,
                ..
            } => {
                // Three digits do not tell them apart when they are close.
                let is_close = needed_bytes - size_bytes < needed_bytes / 100;
                let exact = |bytes: &u64| format!("{} B", count(*bytes));
                let words = |bytes| if is_close { exact(bytes) } else { size(*bytes) };
                format!(
                    "it has {}, the job needs {}",
                    words(size_bytes),
                    words(needed_bytes)
                )
            }
            Self::NoRoom {
                needed_bytes,
                available_bytes,
                reserve_bytes,
                ..
            } => format!(
                "{} are needed, {} are free, and {} must stay free for others",
                size(*needed_bytes),
                size(*available_bytes),
                size(*reserve_bytes)
            ),
            Self::Busy { .. } => "another run of fathom is using it".to_owned(),
            Self::Changed { .. } => "it changed since it was checked".to_owned(),
            Self::Unaligned {
                what,
                value,
                align_bytes,
                ..
            } => format!(
                "its {what} of {} is not a multiple of the {} that the target requires for direct \
                 I/O",
                size(value.0),
                size(u64::from(*align_bytes))
            ),
            Self::NoNamespace { .. } => {
                "its engine sends NVMe commands, but this is not a generic device of an NVMe \
                 namespace"
                    .to_owned()
            }
            Self::OnlyCommands { .. } => {
                "it is the generic device of an NVMe namespace, which accepts only NVMe commands"
                    .to_owned()
            }
            Self::NoBlockDevice { id, .. } => format!(
                "the kernel has no block device for its namespace {id}, so it cannot be examined"
            ),
            Self::Zones(error) => error.because(),
            Self::TooLong {
                value, most_bytes, ..
            } => format!(
                "its block size is {}, but one NVMe command moves {} at most and is not split",
                size(value.0),
                size(*most_bytes)
            ),
            Self::Guard(error) => error.cause(),
            Self::Open(EngineError::Open { cause, .. }) => cause.clone(),
            Self::Open(error) => error.to_string(),
            Self::Layout(LayoutError::NoSpace { written_bytes, .. }) => format!(
                "the file system is full, or the quota is used up, after {}",
                size(*written_bytes)
            ),
            Self::Layout(LayoutError::Write { offset, source, .. }) => {
                format!("a write at offset {offset} failed: {source}")
            }
            Self::Layout(LayoutError::Interrupted { .. }) => "it was interrupted".to_owned(),
            Self::Files(error) => error.because(),
            Self::Device(error) => error.to_string(),
            Self::FewDescriptors { .. } => {
                "the checks of the targets and the device counters could not be read".to_owned()
            }
            Self::LittleMemory { .. } => {
                "the system has no more, or this process is not allowed more".to_owned()
            }
            Self::System { source, .. } => source.to_string(),
        }
    }

    /// What to do about it, for the line `try:`; empty when there is nothing to do.
    #[expect(clippy::too_many_lines, reason = "a table of words")]
    pub fn remedy(&self) -> String {
        match self {
            Self::NoTarget { .. } => {
                "use --target PATH with a directory, file or device".to_owned()
            }
            Self::RoleUnbound { role, .. } => {
                format!("use --target {role}=PATH, or --target DIRECTORY for all roles")
            }
            Self::NothingToVerify { .. } => {
                "use the file kept by the writing run (--keep)".to_owned()
            }
            Self::EmptyDevice { .. } => "attach a medium, or use another device".to_owned(),
            Self::NoSize { .. } | Self::Endless { .. } => {
                "set --size to the number of bytes to use, such as --size 1GiB".to_owned()
            }
            Self::TooSmall {
                size_bytes, path, ..
            } => {
                let other = format!("use a new target instead of {}", path.display());
                match size_bytes - size_bytes % ALIGN_BYTES as u64 {
                    0 => other,
                    whole => format!("use --size {} or less, or {other}", Bytes(whole)),
                }
            }
            Self::NoRoom { replays: true, .. } => {
                "use --replay-pack to leave out regions without requests, or a larger target"
                    .to_owned()
            }
            Self::NoRoom {
                available_bytes,
                reserve_bytes,
                ..
            } => match available_bytes.saturating_sub(*reserve_bytes) >> 20 {
                0 => "use a target on another file system, or free some space".to_owned(),
                mebibytes => format!(
                    "use --size {} or less, a target on another file system, or free some space",
                    Bytes(mebibytes << 20)
                ),
            },
            Self::Busy { .. } => "wait for it, or use another target".to_owned(),
            Self::Changed { .. } => {
                "run it again, and do not change the target during the run".to_owned()
            }
            Self::Unaligned { align_bytes, .. } => format!(
                "use a multiple of {}, or --no-direct",
                Bytes(u64::from(*align_bytes))
            ),
            Self::NoNamespace { .. } => {
                "use /dev/ngXnY (`ls /dev/ng*`), or --engine io_uring".to_owned()
            }
            Self::OnlyCommands { block, .. } => {
                format!("use --engine nvme, or its block device {}", block.display())
            }
            Self::NoBlockDevice { .. } => "another target".to_owned(),
            Self::Zones(error) => error.remedy(),
            Self::TooLong { most_bytes, .. } => format!(
                "use a block size of {} or less, or the block device of the namespace",
                Bytes(*most_bytes)
            ),
            Self::Guard(error) => error.remedy(),
            Self::Open(error) => error.remedy().unwrap_or_default().to_owned(),
            Self::Layout(error) => match error {
                LayoutError::NoSpace { .. } => {
                    "use a smaller --size, or a target on another file system".to_owned()
                }
                LayoutError::Write { source, .. } if is_gone(source) => {
                    "check the kernel log (dmesg): the device disappeared or is failing".to_owned()
                }
                LayoutError::Write { .. } => "another target".to_owned(),
                LayoutError::Interrupted { .. } => String::new(),
            },
            Self::Files(error) => error.remedy(),
            Self::Device(_) => "mount /proc and /sys".to_owned(),
            Self::FewDescriptors { limit, missing } => {
                format!(
                    "set ulimit -Hn to {} or more, or use fewer files",
                    limit.saturating_add(*missing)
                )
            }
            Self::LittleMemory { .. } => {
                "use fewer threads, or higher limits (ulimit -d, ulimit -v)".to_owned()
            }
            Self::System { source, .. } => match source.kind() {
                io::ErrorKind::PermissionDenied => {
                    "use sudo, or a target in your own directory".to_owned()
                }
                io::ErrorKind::NotFound => "check the spelling of the path".to_owned(),
                _ if source.raw_os_error() == Some(Errno::MFILE.raw_os_error()) => {
                    "use fewer files, or a higher limit of open files (ulimit -Hn)".to_owned()
                }
                _ => "another target".to_owned(),
            },
        }
    }

    /// Whether it is the machine that refuses, and not the workload or the command line that
    /// asks for something impossible.
    pub fn is_environment(&self) -> bool {
        match self {
            Self::NoTarget { .. }
            | Self::RoleUnbound { .. }
            | Self::NoSize { .. }
            | Self::Endless { .. }
            | Self::TooSmall { .. }
            | Self::Files(FilesError::NoDirectory { .. })
            | Self::NoNamespace { .. }
            | Self::OnlyCommands { .. }
            | Self::Zones(_)
            | Self::TooLong { .. }
            | Self::Unaligned { .. } => false,
            Self::NoRoom { .. }
            | Self::NothingToVerify { .. }
            | Self::EmptyDevice { .. }
            | Self::Busy { .. }
            | Self::Changed { .. }
            | Self::NoBlockDevice { .. }
            | Self::Guard(_)
            | Self::Open(_)
            | Self::Layout(_)
            | Self::Files(_)
            | Self::Device(_)
            | Self::FewDescriptors { .. }
            | Self::LittleMemory { .. }
            | Self::System { .. } => true,
        }
    }

    /// Whether it is only that the user ended it.
    pub const fn is_interrupt(&self) -> bool {
        matches!(
            self,
            Self::Layout(LayoutError::Interrupted { .. })
                | Self::Files(FilesError::Interrupted { .. })
        )
    }
}

/// Errors that a device gives that is not there any more, or not well.
fn is_gone(error: &io::Error) -> bool {
    use fathom_platform::io::Errno;
    [Errno::IO, Errno::NXIO, Errno::NODEV, Errno::REMOTEIO]
        .iter()
        .any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}
