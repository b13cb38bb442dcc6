//! Signals that are handled.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGXFSZ};

pub(crate) use signal_hook::iterator::Signals;
pub(crate) use signal_hook::low_level::emulate_default_handler;

/// Those that ask for an end.
pub(crate) const ASK_FOR_AN_END: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

/// Makes a limit on the size of files (`ulimit -f`) an error of the write that meets it. Otherwise
/// it ends the process at once, and what the run has made stays behind.
pub(crate) fn outlive_file_limits() {
    // Where no handler can be set, the limit ends the process as it always did.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
}

/// Raises the flag whenever somebody asks for what is known so far (SIGUSR1).
///
/// # Errors
///
/// What the system said.
pub(crate) fn raise_when_asked(flag: &Arc<AtomicBool>) -> std::io::Result<()> {
    signal_hook::flag::register(SIGUSR1, Arc::clone(flag)).map(|_| ())
}
