//! How a run is told to end: by a signal or by a key.

use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use fathom_device::{Blocked, blocked, input};
use fathom_session::{Control, Wish};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

/// Makes a limit on the size of files (`ulimit -f`) an error of the write that meets it. Otherwise
/// it ends the process at once, and what the run has made stays behind.
pub(crate) fn outlive_file_limits() {
    // Where no handler can be set, the limit ends the process as it always did.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
}

/// How long a file may keep a process from ending that a signal has asked to.
const GRACE: Duration = Duration::from_secs(5);
/// How often it is looked meanwhile whether it is still the same wait.
const LOOKS: u32 = 50;
const BETWEEN_LOOKS: Duration = Duration::from_millis(GRACE.as_millis() as u64 / LOOKS as u64);

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
        let ignored = ignored_signals(&input::read_text("/proc/self/status").unwrap_or_default());
        let mut wanted = vec![SIGINT, SIGTERM, SIGHUP];
        wanted.retain(|signal| ignored & (1 << (signal - 1)) == 0);
        let cannot = |error: &std::io::Error| {
            Problem::new(Exit::Environment, "cannot listen to signals").because(system_words(error))
        };
        let mut signals = Signals::new(&wanted).map_err(|error| cannot(&error))?;
        let stop = self.clone();
        std::thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || {
                for signal in signals.forever() {
                    stop.hear(signal);
                    leave_if_blocked();
                }
            })
            .map_err(|error| cannot(&error))?;
        blocked::leave_signals(&wanted).map_err(|error| cannot(&error))
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

/// A file that does not answer keeps nobody from leaving: where the first thread goes on waiting
/// for one after a signal, the process ends without it. A thread of its own looks, for the next
/// signal is heard meanwhile; where there can be none, a third signal ends the process.
fn leave_if_blocked() {
    let Some(first) = Blocked::look() else {
        return;
    };
    let look = move || {
        // Nobody ever sends.
        let (_sender, nobody) = channel::<()>();
        for _ in 0..LOOKS {
            let _ = nobody.recv_timeout(BETWEEN_LOOKS);
            if Blocked::look().as_ref() != Some(&first) {
                return;
            }
        }
        let thing = format!("interrupted while {} did not answer", first.path.display());
        let problem = Problem::new(Exit::Interrupted, thing)
            .because(format!("it was waited for {} s more", GRACE.as_secs()))
            .remedy("another target; `fathom clean` removes what the run may have made");
        Error::from(problem).say();
        std::process::exit(Exit::Interrupted.number().into());
    };
    let thread = std::thread::Builder::new().name("blocked".to_owned());
    let _ = thread.spawn(look);
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
