//! How the user ends a run: by a signal or by a key.

use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use crate::platform::{ASK_FOR_AN_END, DEATH_OF_PARENT, Signals, emulate_default_handler};
use fathom_device::{Blocked, blocked, input};
use fathom_session::{Control, Wish};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How long a file may keep a process from ending that a signal has asked to.
const GRACE: Duration = Duration::from_secs(5);
/// The same where nothing would be reported.
const SHORT_GRACE: Duration = Duration::from_millis(200);
/// How often it is looked meanwhile whether it is still the same wait.
const LOOKS: u32 = 50;

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

    /// A result is written until this is dropped: nobody listens, so a signal ends the process.
    pub(crate) fn reporting(&self) -> Reporting<'_> {
        self.reporting.store(true, Ordering::Relaxed);
        Reporting(self)
    }

    /// From now on the process only reports, and a signal ends it.
    pub(crate) fn reports_to_the_end(&self) {
        self.reporting.store(true, Ordering::Relaxed);
    }

    /// From now on SIGINT, SIGTERM and SIGHUP end the run instead of the process. Signals that
    /// the caller had ignored (`nohup`, jobs in the background) stay ignored.
    pub(crate) fn listen(&self) -> Result<(), Problem> {
        // A signal that came before has ended the process when this lock is free.
        let mut listener = LISTENER.lock().unwrap_or_else(PoisonError::into_inner);
        if !IS_STARTED.load(Ordering::SeqCst) {
            start().map_err(|error| {
                Problem::new(Exit::Environment, "cannot receive signals")
                    .because(system_words(&error))
            })?;
        }
        *listener = Some(self.clone());
        Ok(())
    }

    fn hear(&self, signal: i32) {
        // Nobody looks at the wish while a result is written, and a third signal means it.
        let deaf = self.reporting.load(Ordering::Relaxed) || self.control.wish() == Wish::Abort;
        if deaf {
            // It returns only if the signal cannot be raised; then the run ends by itself.
            let _ = emulate_default_handler(signal);
        }
        self.interrupt();
    }
}

/// A result is being written.
#[must_use]
#[derive(Debug)]
pub(crate) struct Reporting<'a>(&'a Stop);

impl Drop for Reporting<'_> {
    fn drop(&mut self) {
        self.0.reporting.store(false, Ordering::Relaxed);
    }
}

/// A file that does not answer keeps nobody from leaving: where a thread goes on waiting for one
/// after a signal, the process ends without it. A thread of its own looks, for the next signal is
/// heard meanwhile; where there can be none, a third signal ends the process.
fn leave_if_blocked() {
    let before = Blocked::all();
    if before.is_empty() {
        return;
    }
    let look = move || leave_without(before, GRACE);
    let thread = std::thread::Builder::new().name("blocked".to_owned());
    let _ = thread.spawn(look);
}

/// Ends the process if one of these calls has not come back `after` this time.
fn leave_without(mut calls: Vec<Blocked>, after: Duration) {
    // Nobody ever sends.
    let (_sender, nobody) = channel::<()>();
    for _ in 0..LOOKS {
        let _ = nobody.recv_timeout(after / LOOKS);
        let now = Blocked::all();
        calls.retain(|one| now.contains(one));
        if calls.is_empty() {
            return;
        }
    }
    let Some(call) = calls.first() else {
        return;
    };
    let thing = format!("interrupted while {} did not respond", call.path.display());
    let problem = Problem::new(Exit::Interrupted, thing)
        .because(format!(
            "it did not respond within {} s after the signal",
            after.as_secs_f64()
        ))
        .remedy("use another target; `fathom clean` removes files that the run may have created");
    Error::from(problem).say();
    std::process::exit(Exit::Interrupted.number().into());
}

/// Who hears the signals. Until a command listens, they end the process.
static LISTENER: Mutex<Option<Stop>> = Mutex::new(None);

/// Whether there is a thread that hears the signals.
static IS_STARTED: AtomicBool = AtomicBool::new(false);

/// Whether this process ends with its parent.
static HAS_PARENT: AtomicBool = AtomicBool::new(false);

/// Whether the parent has died.
static PARENT_DIED: AtomicBool = AtomicBool::new(false);

/// From now on only the first signal of the parent's death counts: the kernel sends one for each
/// thread that dies, and several would mean that nothing is to be waited for.
pub(crate) fn hear_parent_once() {
    HAS_PARENT.store(true, Ordering::Relaxed);
}

/// Until a command listens, SIGINT, SIGTERM and SIGHUP end the process as they would without this,
/// but for the name of a file that does not answer.
pub(crate) fn name_what_blocks() {
    // Where no thread can be started, they end it without that name.
    let _ = start();
}

/// Starts the one thread that hears the signals, and leaves them to it.
fn start() -> io::Result<()> {
    let wanted = wanted();
    let mut signals = Signals::new(&wanted)?;
    let thread = std::thread::Builder::new().name("signals".to_owned());
    thread.spawn(move || signals.forever().for_each(hear))?;
    IS_STARTED.store(true, Ordering::SeqCst);
    blocked::leave_signals(&wanted)
}

fn hear(signal: i32) {
    let says_death = HAS_PARENT.load(Ordering::Relaxed) && DEATH_OF_PARENT == Some(signal);
    if says_death && PARENT_DIED.swap(true, Ordering::Relaxed) {
        return;
    }
    // Held to the end where nobody listens: a command that began meanwhile would not hear of it,
    // and leave what it had made.
    let listener = LISTENER.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(stop) = &*listener {
        stop.hear(signal);
        leave_if_blocked();
    } else {
        leave_without(Blocked::all(), SHORT_GRACE);
        let _ = emulate_default_handler(signal);
    }
}

/// The signals that ask for an end, but for those that the caller had ignored.
fn wanted() -> Vec<i32> {
    let ignored = ignored_signals(&input::read_text("/proc/self/status").unwrap_or_default());
    let mut wanted = ASK_FOR_AN_END.to_vec();
    wanted.retain(|signal| ignored & (1 << (signal - 1)) == 0);
    wanted
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
        assert_eq!(ignored, 1 | 1 << (13 - 1));
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
