//! Linux.

mod calls;
mod inherited;
mod kernel_files;
mod lease;
mod page_cache;
mod signals;
mod tracing;
mod usage;

pub(crate) use crate::guard::usage::{of_file as uses_of_file, openers_of_file};
pub(crate) use calls::names;
pub(crate) use inherited::inherited;
pub(crate) use kernel_files::{refuse_kernel_file, refuse_kernel_folder};
pub(crate) use lease::{await_end, is_leased_out, may_write};
pub(crate) use page_cache::{cachestat, mincore};
pub(crate) use signals::{leave_signals, receive_all};
pub(crate) use tracing::no_tracing;
pub(crate) use usage::{cpu_of_process, of_process, of_thread};

use crate::error::DeviceError;
use crate::mounts::Mounts;
use crate::nodes::LiveNodes;
use crate::swap::Swaps;
use crate::sysfs::Sysfs;
use crate::system::System;

/// What the kernel shows of this machine.
pub(crate) fn system() -> Result<System, DeviceError> {
    Ok(System {
        sysfs: Sysfs::default(),
        mounts: Mounts::live()?,
        swaps: Swaps::live()?,
        nodes: Box::new(LiveNodes),
    })
}

/// Whether files can carry the mark of those that Fathom made.
pub(crate) const MARKS_FILES: bool = true;

/// Has the names in a folder reach the disk.
pub(crate) fn sync_folder(folder: &std::path::Path) -> std::io::Result<()> {
    crate::input::open(folder)?.sync_all()
}
