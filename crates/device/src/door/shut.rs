//! Why a file is not opened for writing, and what to try.

use std::io;
use std::path::{Path, PathBuf};

use crate::error::DeviceError;
use crate::guard::refusal::fragment;
use crate::guard::usage::Use;
use crate::nodes::NodeKind;

/// A file that is not opened for writing.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {}", path.display(), self.cause())]
pub struct DoorError {
    /// The file as given.
    pub path: PathBuf,
    /// Why.
    pub shut: Shut,
}

/// The situations in which no file is opened.
#[derive(Debug)]
pub enum Shut {
    /// A device, a directory, a socket.
    NoFile(NodeKind),
    /// No directory, where one is to be.
    NoFolder(NodeKind),
    /// A file of the kernel's; the file-system type.
    KernelFile(&'static str),
    /// A target of the run.
    Target,
    /// A database in the place of which a result would be written.
    Database,
    /// The history is to be kept in what is no database.
    NoDatabase {
        /// Its length.
        size_bytes: u64,
    },
    /// The history is to be kept in the database of another program.
    OtherDatabase,
    /// In use as something else.
    InUse(Vec<Use>),
    /// A file is there.
    Exists {
        /// Its length.
        size_bytes: u64,
    },
    /// A symbolic link to nothing.
    Dangling,
    /// Something else is there now than was examined.
    Changed,
    /// The existing file could not be examined.
    Unknown(io::Error),
    /// The kernel does not say what the file is used for.
    Unreadable(DeviceError),
    /// The system refused.
    System(io::Error),
}

impl From<DeviceError> for Shut {
    fn from(error: DeviceError) -> Self {
        Self::Unreadable(error)
    }
}

impl DoorError {
    pub(super) fn new(path: &Path, shut: Shut) -> Self {
        Self {
            path: path.to_owned(),
            shut,
        }
    }

    /// Whether the system failed, rather than that the file must not be written.
    pub const fn is_failure(&self) -> bool {
        matches!(self.shut, Shut::System(_))
    }

    /// Why not, for the line `because:`.
    pub fn cause(&self) -> String {
        match &self.shut {
            Shut::NoFile(kind) | Shut::NoFolder(kind) => format!("it is a {kind}"),
            Shut::KernelFile(fs_type) => {
                format!("it would be a file of the kernel's own file system {fs_type}")
            }
            Shut::Target => "it is a target of the run".to_owned(),
            Shut::Database => "it is an SQLite database".to_owned(),
            Shut::NoDatabase { size_bytes } => {
                format!("the file exists ({size_bytes} bytes) and is no history")
            }
            Shut::OtherDatabase => "it is the database of another program".to_owned(),
            Shut::InUse(uses) => {
                let uses: Vec<String> = uses.iter().map(Use::to_string).collect();
                uses.join("; ")
            }
            Shut::Exists { size_bytes } => format!("the file exists ({size_bytes} bytes)"),
            Shut::Dangling => "it is a symbolic link to nothing".to_owned(),
            Shut::Changed => "it changed since it was checked".to_owned(),
            Shut::Unknown(error) => format!("it cannot be examined: {}", fragment(error)),
            Shut::Unreadable(error) => {
                format!("it cannot be found out whether something uses it: {error}")
            }
            Shut::System(error) => fragment(error),
        }
    }

    /// What to do about it, if it is not just another file; `replaces` names the option by which
    /// a file is replaced, where there is one.
    pub fn remedy(&self, replaces: Option<&str>) -> Option<String> {
        match (&self.shut, replaces) {
            (Shut::Exists { .. }, Some(option)) => {
                Some(format!("another name, or {option} to replace it"))
            }
            (Shut::Changed, _) => Some("again, when nothing else changes it".to_owned()),
            (Shut::Dangling, _) => Some("another name, or remove the link".to_owned()),
            _ => None,
        }
    }
}
