//! What this crate alone asks of the system under it, chosen here and nowhere else.
//!
//! Most of what it reads are files of the kernel (`/proc`, `/sys`). Where they are not, their
//! readers find nothing, which they say as on a Linux that does not tell; they need no seam. Here
//! is what takes a call: `linux` makes it, and `other` has one answer to all of them.

#[cfg(any(windows, test))]
mod windows;
#[cfg(windows)]
pub(crate) use windows::live::{extents, kernel_file, topology};
#[cfg(windows)]
pub use windows::live::{perfmon, premises};
#[cfg(windows)]
pub(crate) use windows::usage::{cpu_of_process, of_process, of_thread};

#[cfg(not(windows))]
mod elsewhere;
#[cfg(not(any(windows, target_os = "linux")))]
pub(crate) use elsewhere::{cpu_of_process, of_process, of_thread};
#[cfg(not(windows))]
pub(crate) use elsewhere::{extents, kernel_file, topology};
#[cfg(not(windows))]
pub use elsewhere::{perfmon, premises};

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
pub(crate) use linux::*;

#[cfg(not(target_os = "linux"))]
mod other;
#[cfg(not(target_os = "linux"))]
pub(crate) use other::*;
