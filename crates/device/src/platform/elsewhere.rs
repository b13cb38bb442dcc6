//! What Windows alone is asked for, on other systems: it has no answer.

use std::io;
use std::path::Path;

use fathom_platform::fd::AsFd;

use crate::extent_map::ExtentMap;
use crate::perfmon::Counters;
use crate::premises::Premises;
use crate::topology::Topology;

/// The text of a file of the kernel, which is read as a file here.
pub(crate) const fn kernel_file(_: &Path) -> Option<io::Result<String>> {
    None
}

/// What lies under a path, which mounts and sysfs say here.
pub(crate) const fn topology(_: &Path) -> Option<io::Result<Topology>> {
    None
}

/// How a file lies on its volume, which FIEMAP says here.
pub(crate) fn extents(_: impl AsFd, _: u64, _: u64) -> Option<io::Result<ExtentMap>> {
    None
}

/// The surroundings of an existing path.
pub fn premises(_: &Path) -> Premises {
    Premises::default()
}

/// The counters of Performance Monitor; none on a system without it.
pub const fn perfmon() -> Option<io::Result<Box<dyn Counters>>> {
    None
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn of_process() -> io::Result<crate::process::ProcessUsage> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn cpu_of_process() -> io::Result<u64> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn of_thread() -> io::Result<crate::process::ThreadUsage> {
    Err(io::ErrorKind::Unsupported.into())
}
