//! What this crate asks of the system under it, chosen here and nowhere else: the engines of its
//! interfaces, the clock, the memory of requests, and how storage is opened and trimmed.
//!
//! `linux` has all of it. `other` has what `std` has of clock and memory, and below it the engines
//! of Windows; of everything else it has one answer, that it is not there.

pub mod blocking;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
pub use linux::*;

#[cfg(not(target_os = "linux"))]
mod other;
#[cfg(not(target_os = "linux"))]
pub use other::*;
