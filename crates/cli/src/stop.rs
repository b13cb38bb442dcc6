//! How a run is told to end: by a signal or by a key.

use crate::error::{Problem, system_words};
use crate::exit::Exit;
use fathom_session::{Control, Wish};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Makes a limit on the size of files (`ulimit -f`) an error of the write that meets it. Otherwise
/// it ends the process at once, and what the run has made stays behind.
pub(crate) fn outlive_file_limits() {
    // Where no handler can be set, the limit ends the process as it always did.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
}

/// A handle on the end of all runs of the process; clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop {
    control: Control,
    interrupted: Arc<AtomicBool>,
    reporting: Arc<AtomicBool>,
}

impl Stop {
    pub(crate) const fn control(&self) -> &Control {
        &self.control
    }

    /// As a signal asks: the first time report, the second time leave.
    pub(crate) fn interrupt(&self) {
        self.interrupted.store(true, Ordering::Relaxed);
        self.control.interrupt();
    }

    /// As a user who has seen enough asks.
    pub(crate) fn finish(&self) {
        self.control.finish();
    }

    /// How often an end was asked for: the first time what was measured is reported, the second
    /// time nothing is waited for.
    pub(crate) fn asked(&self) -> u32 {
        match self.control.wish() {
            Wish::Run => 0,
            Wish::Finish => 1,
            Wish::Abort => 2,
        }
    }

    /// Whether anybody asked for an end.
    pub(crate) fn is_asked(&self) -> bool {
        self.control.wish() != Wish::Run
    }

    /// Whether it was an interruption.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Says whether a run goes on, which listens, or its result is written, which does not.
    pub(crate) fn set_reporting(&self, reporting: bool) {
        self.reporting.store(reporting, Ordering::Relaxed);
    }

    /// From now on SIGINT, SIGTERM and SIGHUP end the run instead of the process. Signals that
    /// the caller had ignored (`nohup`, jobs in the background) stay ignored.
    pub(crate) fn listen(&self) -> Result<(), Problem> {
        let ignored =
            ignored_signals(&std::fs::read_to_string("/proc/self/status").unwrap_or_default());
        let wanted = [SIGINT, SIGTERM, SIGHUP];
        let wanted = wanted
            .into_iter()
            .filter(|signal| ignored & (1 << (signal - 1)) == 0);
        let cannot = |error: &std::io::Error| {
            Problem::new(Exit::Environment, "cannot listen to signals").because(system_words(error))
        };
        let mut signals = Signals::new(wanted).map_err(|error| cannot(&error))?;
        let stop = self.clone();
        std::thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || {
                for signal in signals.forever() {
                    stop.hear(signal);
                }
            })
            .map_err(|error| cannot(&error))?;
        Ok(())
    }

    fn hear(&self, signal: i32) {
        // Nobody looks at the wish while a result is written, and a third signal means it.
        let deaf = self.reporting.load(Ordering::Relaxed) || self.control.wish() == Wish::Abort;
        if deaf {
            // It returns only if the signal cannot be raised; then the run ends by itself.
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
        self.interrupt();
    }
}

/// The mask of ignored signals in `/proc/self/status`.
fn ignored_signals(status: &str) -> u64 {
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .map(str::trim);
    mask.and_then(|mask| u64::from_str_radix(mask, 16).ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_signals_are_read() {
        let status = "Name:\tfathom\nSigBlk:\t0000000000000001\nSigIgn:\t0000000000001001\n";
        let ignored = ignored_signals(status);
        assert_eq!(ignored, 1 << (SIGHUP - 1) | 1 << (13 - 1));
        assert_eq!(ignored_signals(""), 0);
    }

    #[test]
    fn a_key_is_no_interruption() {
        let stop = Stop::default();
        assert!(!stop.is_asked());
        stop.finish();
        assert_eq!((stop.is_asked(), stop.is_interrupted()), (true, false));
        stop.interrupt();
        assert_eq!(
            (stop.control().wish(), stop.is_interrupted()),
            (Wish::Abort, true)
        );
    }
}
