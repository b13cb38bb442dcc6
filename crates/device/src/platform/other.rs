//! A system that nothing is written for yet.

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::Command;

use fathom_platform::fd::{BorrowedFd, OwnedFd};
use fathom_platform::io::Errno;

use crate::blocked::Names;
use crate::door::Shut;
use crate::error::DeviceError;
use crate::guard::Use;
use crate::mounts::Mounts;
use crate::nodes::{LiveNodes, Node};
use crate::page_cache::CacheStat;
use crate::pin::Pin;
use crate::swap::Swaps;
use crate::sysfs::Sysfs;
use crate::system::System;

/// No mounts, swap areas or block devices are known here.
pub(crate) fn system() -> Result<System, DeviceError> {
    Ok(System {
        sysfs: Sysfs::at("no sysfs"),
        mounts: Mounts::default(),
        swaps: Swaps::default(),
        nodes: Box::new(LiveNodes),
    })
}

/// Whether files can carry the mark of those that Fathom made.
pub(crate) const MARKS_FILES: bool = false;

/// Nobody is known to use a file. A program that lets no other write to it is found when it is
/// opened.
pub(crate) fn uses_of_file(_: &System, _: &Node, _: &Path) -> Result<Vec<Use>, DeviceError> {
    Ok(Vec::new())
}

pub(crate) fn openers_of_file(_: &System, _: &Node) -> Result<Vec<Use>, DeviceError> {
    Ok(Vec::new())
}

/// The one answer.
fn not_here<T>() -> io::Result<T> {
    Err(Errno::NOSYS.into())
}

pub(crate) fn names(_: i64) -> Option<Names> {
    None
}

pub(crate) fn inherited(_: i32) -> io::Result<OwnedFd> {
    not_here()
}

pub(crate) fn await_end(_: i32) {}

pub(crate) fn is_leased_out(_: &File, _: bool) -> io::Result<bool> {
    not_here()
}

pub(crate) fn may_write(_: i32) -> Option<bool> {
    None
}

pub(crate) fn cachestat(_: BorrowedFd<'_>) -> Result<CacheStat, Errno> {
    Err(Errno::NOSYS)
}

pub(crate) fn mincore(_: BorrowedFd<'_>, _: u64) -> io::Result<u64> {
    not_here()
}

/// There are none to be left.
pub(crate) fn leave_signals(_: &[i32]) -> io::Result<()> {
    Ok(())
}

/// None is kept from it.
pub(crate) fn receive_all(_: &mut Command) {}

/// Names are written with the files.
pub(crate) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// No file is a switch of the system.
pub(crate) fn refuse_kernel_file(_: &Pin) -> Result<(), Shut> {
    Ok(())
}

pub(crate) fn refuse_kernel_folder(_: &Path) -> Result<(), Shut> {
    Ok(())
}

pub(crate) fn no_tracing(_: &str) -> String {
    "it exists on Linux only".to_owned()
}
