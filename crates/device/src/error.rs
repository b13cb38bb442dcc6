//! What can go wrong while reading facts about devices, as situations.

use std::io;
use std::path::PathBuf;

/// A fact about a device or the host that could not be had.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// A kernel file could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        path: PathBuf,
        /// What the kernel said.
        source: io::Error,
    },
    /// A kernel file does not have the form this program knows.
    #[error("cannot understand {what}: {line:?}")]
    Malformed {
        /// The file or the kind of value.
        what: String,
        /// The offending line.
        line: String,
    },
    /// A process that does not run.
    #[error("there is no process {pid}")]
    NoProcess {
        /// Its number.
        pid: i32,
    },
    /// Counters of a device were wanted and the kernel does not list it any more.
    #[error("the kernel no longer lists device {device}; it was removed or detached")]
    Vanished {
        /// Name, or major:minor when the name is not known.
        device: String,
    },
    /// A counter is lower than before although it cannot have wrapped.
    #[error("counter {counter} of device {device} went back; the device was made anew meanwhile")]
    WentBack {
        /// Kernel name of the device.
        device: String,
        /// The field of `DiskCounters`.
        counter: &'static str,
    },
    /// A block device number which sysfs does not know.
    #[error("the kernel has no block device {device}")]
    NoDevice {
        /// Name or major:minor.
        device: String,
    },
}

impl DeviceError {
    /// Wraps an I/O error with the path it is about.
    pub(crate) fn read(path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self::Read {
            path: path.into(),
            source,
        }
    }

    pub(crate) fn malformed(what: impl Into<String>, line: impl Into<String>) -> Self {
        Self::Malformed {
            what: what.into(),
            line: line.into(),
        }
    }
}
