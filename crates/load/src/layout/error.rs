//! Why a layout could not be finished.

use fathom_core::Bytes;
use std::io;
use std::path::PathBuf;

/// Why a layout could not be finished.
#[derive(Debug, thiserror::Error)]
pub enum LayoutError {
    /// The file system is full, or the user's quota is used up.
    #[error(
        "cannot lay out {} of {}: no space left after {}",
        Bytes(*needed_bytes),
        path.display(),
        Bytes(*written_bytes)
    )]
    NoSpace {
        /// The file.
        path: PathBuf,
        /// Bytes to write.
        needed_bytes: u64,
        /// Bytes written before.
        written_bytes: u64,
    },
    /// A write failed.
    #[error("cannot lay out {} at offset {offset}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Where, bytes.
        offset: u64,
        /// What the system said.
        source: io::Error,
    },
    /// Ended by the user.
    #[error("the layout of {} was interrupted after {}", path.display(), Bytes(*written_bytes))]
    Interrupted {
        /// The file.
        path: PathBuf,
        /// Bytes written before.
        written_bytes: u64,
    },
}
