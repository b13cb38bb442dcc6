//! Two devices with different limits, which the trials make themselves.

use std::fs::File;
use std::path::Path;

use anyhow::Result;
use tempfile::TempDir;

use crate::siege::lab::devices::{LoopDevice, Mount, on};

/// Room for an application.
const BYTES: u64 = 4 << 30;

/// Where the backing file of a loop device lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// On the disk, past the page cache.
    Disk,
    /// In memory.
    Memory,
}

impl Kind {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Disk => "disk",
            Self::Memory => "memory",
        }
    }
}

/// A loop device of a trial.
pub(super) struct Disk {
    pub(super) device: LoopDevice,
    /// It goes after the device.
    _backing: TempDir,
}

impl Disk {
    pub(super) fn new(kind: Kind) -> Result<Self> {
        let (backing, options) = match kind {
            Kind::Disk => (tempfile::tempdir()?, "--direct-io=on"),
            Kind::Memory => (tempfile::tempdir_in("/dev/shm")?, ""),
        };
        let file = backing.path().join("backing");
        File::create(&file)?.set_len(BYTES)?;
        Ok(Self {
            device: LoopDevice::over(&file, options)?,
            _backing: backing,
        })
    }

    /// A new file system on it.
    pub(super) fn mount(&self, place: &Path) -> Result<Mount> {
        on(
            "mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0",
            &self.device.path,
        )?;
        Mount::new(&self.device.path, "", place)
    }
}
