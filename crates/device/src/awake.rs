//! Keeps the processors out of idle states that take time to leave (kernel documentation,
//! power/pm_qos_interface).

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};

/// Where a process asks for it.
pub const REQUEST: &str = "/dev/cpu_dma_latency";

/// A request that processors be awake at once; it ends when it is dropped.
#[derive(Debug)]
pub struct Awake {
    /// The kernel keeps to what was written for as long as the file is open.
    _held: File,
}

impl Awake {
    /// Asks for a latency of nothing.
    ///
    /// # Errors
    ///
    /// What the system said: it takes root, and a kernel that manages power.
    pub fn hold() -> io::Result<Self> {
        #[expect(
            clippy::disallowed_methods,
            reason = "a request to the kernel, at its own place, in which nothing is kept"
        )]
        let mut file = OpenOptions::new().write(true).open(REQUEST)?;
        file.write_all(&0_i32.to_ne_bytes())?;
        Ok(Self { _held: file })
    }
}
