//! What the binary alone asks of the system under it, chosen here and nowhere else: its terminal,
//! its signals, and the processes that it starts.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
pub(crate) use linux::*;

#[cfg(not(target_os = "linux"))]
mod other;
#[cfg(not(target_os = "linux"))]
pub(crate) use other::*;
