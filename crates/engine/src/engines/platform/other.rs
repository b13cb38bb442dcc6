//! Systems but Linux: engines on Windows alone.

use fathom_core::EngineKind;
use fathom_platform::io::{Errno, Result};

use crate::file_tree::FileTree;

#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub(crate) use windows::{AUTOMATIC, instead_of, visit};
#[cfg(windows)]
pub use windows::{iocp, sync};

#[cfg(not(windows))]
mod unknown;
#[cfg(not(windows))]
pub(crate) use unknown::{AUTOMATIC, instead_of, visit};

/// Why an engine has no type here, in words that follow "it is".
pub(crate) const fn missing(kind: EngineKind) -> &'static str {
    match kind {
        EngineKind::Iocp | EngineKind::Sync => "made for Windows, and this is another system",
        _ => "made for Linux, and this is another system",
    }
}

impl FileTree {
    /// Makes a file that is not there, outside of any measurement.
    ///
    /// # Errors
    ///
    /// Always: this system has no such trees.
    pub fn put(&self, _number: u64, _bytes: &[u8]) -> Result<()> {
        Err(Errno::NOSYS)
    }
}
