//! What this crate asks of the system under it for itself, chosen here and nowhere else: the clock
//! and the memory of requests. The engines of its interfaces are below `engines`.
//!
//! `linux` has all of it, `other` what `std` has.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
pub use linux::*;

#[cfg(not(target_os = "linux"))]
mod other;
#[cfg(not(target_os = "linux"))]
pub use other::*;

pub(crate) const NANOS_PER_SEC: u64 = 1_000_000_000;
pub(crate) const PAGE_BYTES: usize = 4096;
