//! What the binary alone asks of the system under it, chosen here and nowhere else: its terminal,
//! its signals, and the processes that it starts.

use std::fs::File;
use std::process::Command;
use std::time::Duration;

/// Who serves those that call.
pub(crate) trait Host: Send + Sync + 'static {
    /// One who was let in.
    type Caller;

    /// Lets one in who knows the secret and answers within this time, unless there is no room.
    fn admit(
        &self,
        stream: &File,
        patience: Duration,
        no_room: &dyn Fn() -> Option<String>,
    ) -> Option<Self::Caller>;

    /// The process that serves one.
    fn member(&self, caller: &Self::Caller) -> Command;
}

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
pub(crate) use linux::*;

#[cfg(not(target_os = "linux"))]
mod other;
#[cfg(not(target_os = "linux"))]
pub(crate) use other::*;
