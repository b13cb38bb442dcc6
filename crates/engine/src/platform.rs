//! What this crate asks of the system under it, chosen here and nowhere else: the engines of its
//! interfaces, the clock, the memory of requests, and how storage is opened and trimmed.
//!
//! `linux` has all of it. `other` is for systems that nothing is written for yet: it has a clock
//! and memory, and of everything else one answer, that it is not there.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
pub use linux::*;

#[cfg(not(target_os = "linux"))]
mod other;
#[cfg(not(target_os = "linux"))]
pub use other::*;
