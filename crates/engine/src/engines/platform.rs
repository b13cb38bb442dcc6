//! The engines of the interfaces of a system, chosen here and nowhere else.
//!
//! `linux` has most of them, `other` those of Windows; of everything else it has one answer, that
//! it is not there.

pub mod blocking;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
pub use linux::*;

#[cfg(not(target_os = "linux"))]
mod other;
#[cfg(not(target_os = "linux"))]
pub use other::*;
