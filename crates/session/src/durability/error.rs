//! Why nothing can be said about durability.

use crate::error::ErrorKind;
use crate::prepare::PrepareError;
use fathom_core::Bytes;
use fathom_device::DoorError;
use fathom_durability::{PlanError, Promise};
use std::io;
use std::path::PathBuf;

/// A writer that cannot begin or go on, or a target that cannot be verified.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.thing())]
pub enum DurabilityError {
    /// The target must not or cannot be written to.
    Prepare(#[from] PrepareError),
    /// What is asked for makes no plan.
    Plan(#[from] PlanError),
    /// Names and ends of files are asked of what has none.
    NeedsDirectory {
        target: PathBuf,
        /// The promise that it tests.
        promise: Promise,
    },
    /// The target has no room for the areas.
    TooSmall {
        target: PathBuf,
        /// What it has.
        size_bytes: u64,
        /// What is asked for.
        needed_bytes: u64,
    },
    /// Blocks do not fit those of the target.
    Unaligned {
        target: PathBuf,
        block_bytes: u64,
        /// Of what they have to be a multiple.
        align_bytes: u64,
    },
    /// The acknowledgement log would be on the target.
    WitnessOnTarget {
        /// The acknowledgement log.
        witness: PathBuf,
        /// The disk that both lie on, or their file system.
        on: String,
    },
    /// The file of the acknowledgement log could not be opened.
    Door(#[from] DoorError),
    /// The acknowledgement log or server is not available, or gone.
    Witness {
        /// As it was named.
        name: String,
        /// What the system said, or what came instead of an answer.
        cause: String,
    },
    /// A step failed.
    Step {
        /// Its number.
        sequence: u64,
        target: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The target cannot be read back.
    Read {
        target: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl DurabilityError {
    /// What could not be done, for the line `error:`.
    pub fn thing(&self) -> String {
        match self {
            Self::Prepare(error) => error.thing(),
            Self::Plan(_) => "invalid durability run".to_owned(),
            Self::NeedsDirectory { target, promise } => {
                format!("cannot test `{promise}` on {}", target.display())
            }
            Self::TooSmall { target, .. } | Self::Unaligned { target, .. } => {
                format!("cannot use {}", target.display())
            }
            Self::WitnessOnTarget { witness, .. } => {
                format!("{} cannot be the acknowledgement log", witness.display())
            }
            Self::Door(error) => format!("cannot write {}", error.path.display()),
            Self::Witness { name, .. } => format!("the acknowledgement log {name} is unavailable"),
            Self::Step {
                sequence, target, ..
            } => format!("step {sequence} failed on {}", target.display()),
            Self::Read { target, .. } => format!("cannot verify {}", target.display()),
        }
    }

    /// Why not, for the line `because:`.
    pub fn because(&self) -> String {
        match self {
            Self::Prepare(error) => error.because(),
            Self::Plan(error) => error.to_string(),
            Self::NeedsDirectory { .. } => {
                "it tests file names and file ends, which need a directory".to_owned()
            }
            Self::TooSmall {
                size_bytes,
                needed_bytes,
                ..
            } => format!(
                "it has {}, but {} are required",
                Bytes(*size_bytes),
                Bytes(*needed_bytes)
            ),
            Self::Unaligned {
                block_bytes,
                align_bytes,
                ..
            } => format!(
                "blocks of {} are not a multiple of the {} that it requires for direct I/O",
                Bytes(*block_bytes),
                Bytes(*align_bytes)
            ),
            Self::WitnessOnTarget { on, .. } => {
                format!("it is on {on}, like the target, and would be lost with it")
            }
            Self::Door(error) => error.cause(),
            Self::Witness { cause, .. } => cause.clone(),
            Self::Step { source, .. } | Self::Read { source, .. } => source.to_string(),
        }
    }

    /// What to do about it, for the line `try:`, if there is something.
    pub fn remedy(&self) -> Option<String> {
        let words = match self {
            Self::Prepare(error) => return Some(error.remedy()).filter(|text| !text.is_empty()),
            Self::Door(error) => return error.remedy(None),
            Self::NeedsDirectory { .. } => "use a directory as target, or another promise",
            Self::TooSmall { .. } => "use a smaller --size, or another target",
            Self::Unaligned { .. } => "use a multiple of it as --block-size, or --no-direct",
            Self::WitnessOnTarget { .. } => {
                "use another host, another disk, a pipe or a serial \
                                         line"
            }
            Self::Witness { .. } => {
                "FILE, HOST:PORT of a `fathom durability --ack-server`, or exec:COMMAND that \
                 echoes each line, like `tee`"
            }
            Self::Plan(_) | Self::Step { .. } | Self::Read { .. } => return None,
        };
        Some(words.to_owned())
    }

    /// Who can mend it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Prepare(error) if !error.is_environment() => ErrorKind::Specification,
            Self::Plan(_)
            | Self::NeedsDirectory { .. }
            | Self::TooSmall { .. }
            | Self::Unaligned { .. }
            | Self::WitnessOnTarget { .. } => ErrorKind::Specification,
            Self::Prepare(_)
            | Self::Door(_)
            | Self::Witness { .. }
            | Self::Step { .. }
            | Self::Read { .. } => ErrorKind::Environment,
        }
    }
}
