//! Identity of what is open, and the lock that keeps two runs from one file.

use super::PrepareError;
use fathom_device::nodes::NodeKind;
use fathom_device::{DevNum, Pin};
use fathom_platform::fd::AsFd;
use fathom_platform::fs::FlockOperation;
use fathom_platform::io::Errno;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// What the kernel knows a file or device by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    /// Device number of its file system.
    pub(super) device: u64,
    inode: u64,
    /// Device number that it stands for, if it is a device.
    stands_for: u64,
}

impl Identity {
    /// Whether this is what a pin holds.
    pub(super) fn is(self, pin: &Pin) -> bool {
        let node = pin.node();
        let of_device = matches!(node.kind, NodeKind::Block | NodeKind::Char);
        if of_device {
            DevNum::from_raw(self.stands_for) == node.device
        } else {
            (DevNum::from_raw(self.device), self.inode) == (node.on, node.inode)
        }
    }

    pub(super) fn of(opened: impl AsFd) -> fathom_platform::io::Result<Self> {
        let stat = fathom_platform::fs::fstat(opened)?;
        Ok(Self {
            device: stat.st_dev,
            inode: stat.st_ino,
            stands_for: stat.st_rdev,
        })
    }
}

/// What keeps others away from a target as long as the run lasts.
#[derive(Debug)]
pub(crate) enum Hold {
    /// A lock on a file.
    Lock {
        /// The file that is locked; it is unlocked in `drop`.
        file: Arc<File>,
    },
    /// A block device opened exclusively.
    Claim {
        /// Claimed as long as it is open.
        file: Arc<File>,
    },
}

impl Hold {
    /// Keeps the claim on a block device.
    pub(crate) fn claim(file: File) -> Self {
        Self::Claim { file: file.into() }
    }

    /// Locks a file: alone for writing, else together with other readers.
    ///
    /// A run that ends removes its file, so the lock may come to hold one that has just gone:
    /// then it is [`PrepareError::Changed`].
    pub(crate) fn lock(path: &Path, file: &File, writes: bool) -> Result<Self, PrepareError> {
        let hold = Self::lock_unnamed(path, file, writes)?;
        match fathom_device::input::open(path).map(Identity::of) {
            Ok(named) if named == Identity::of(file) => Ok(hold),
            _ => Err(PrepareError::Changed {
                path: path.to_owned(),
            }),
        }
    }

    /// Locks a file that has no name yet, but will have this one.
    pub(crate) fn lock_unnamed(
        path: &Path,
        file: &File,
        writes: bool,
    ) -> Result<Self, PrepareError> {
        let operation = if writes {
            FlockOperation::NonBlockingLockExclusive
        } else {
            FlockOperation::NonBlockingLockShared
        };
        let file = file
            .try_clone()
            .map_err(PrepareError::system(path, "examine"))?;
        // A file system without locks cannot be helped, and is no reason not to measure it.
        if fathom_platform::fs::flock(&file, operation) == Err(Errno::WOULDBLOCK) {
            return Err(PrepareError::Busy {
                path: path.to_owned(),
            });
        }
        Ok(Self::Lock { file: file.into() })
    }

    /// What is locked, for whoever needs it open as well.
    pub(super) fn file(&self) -> Arc<File> {
        match self {
            Self::Lock { file } | Self::Claim { file } => Arc::clone(file),
        }
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        if let Self::Lock { file } = self {
            // Closing it would do, were it not that a child process that is just being started
            // has the file open as well.
            let _ = fathom_platform::fs::flock(&**file, FlockOperation::Unlock);
        }
    }
}
