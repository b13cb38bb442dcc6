//! Ctrl-C as a flag, so that the guards still remove what was made.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// Set by the signals that ask a program to stop.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interrupt {
    flag: Arc<AtomicBool>,
}

impl Interrupt {
    /// Listen to SIGINT, SIGTERM and SIGHUP from now on.
    pub(crate) fn listen() -> std::io::Result<Self> {
        let interrupt = Self::default();
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            signal_hook::flag::register(signal, Arc::clone(&interrupt.flag))?;
        }
        Ok(interrupt)
    }

    /// As a signal would.
    #[cfg(test)]
    pub(crate) fn request(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    pub(crate) fn requested(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    /// `Err(Interrupted)` once a signal has come.
    pub(crate) fn check(&self) -> Result<(), Interrupted> {
        if self.requested() {
            Err(Interrupted)
        } else {
            Ok(())
        }
    }
}

/// The user asked to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}
