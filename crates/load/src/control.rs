//! How the outside tells a run to end: one flag, read once a turn.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// What the outside wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Wish {
    /// Go on.
    Run = 0,
    /// End the measurement now, and report the results so far.
    Finish = 1,
    /// Leave; no report. What is in flight is waited for a moment only.
    Abort = 2,
}

/// A handle on the flag; clones share it. Signal handlers and key presses write it.
#[derive(Clone, Debug, Default)]
pub struct Control {
    wish: Arc<AtomicU8>,
    hangs: Arc<AtomicBool>,
}

impl Control {
    /// A flag that says go on.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks for an end. A second request, while the first is being carried out, aborts.
    pub fn interrupt(&self) {
        let step = |wish| (wish < Wish::Abort as u8).then_some(wish + 1);
        // An error here only says that the run is being aborted already.
        let _ = self
            .wish
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, step);
    }

    /// Asks for an end without ever aborting.
    pub fn finish(&self) {
        self.wish.fetch_max(Wish::Finish as u8, Ordering::Relaxed);
    }

    /// Requests are in flight that nobody waits for: the run ends, and leaves its targets alone.
    pub fn hang(&self) {
        self.hangs.store(true, Ordering::Relaxed);
        self.finish();
    }

    /// Whether such requests are in flight.
    pub fn hangs(&self) -> bool {
        self.hangs.load(Ordering::Relaxed)
    }

    /// What the outside wants.
    pub fn wish(&self) -> Wish {
        match self.wish.load(Ordering::Relaxed) {
            0 => Wish::Run,
            1 => Wish::Finish,
            _ => Wish::Abort,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_interrupt_aborts() {
        let control = Control::new();
        let wishes: Vec<Wish> = (0..4)
            .map(|_| {
                let wish = control.wish();
                control.interrupt();
                wish
            })
            .collect();
        assert_eq!(wishes, [Wish::Run, Wish::Finish, Wish::Abort, Wish::Abort]);
        control.finish();
        assert_eq!(control.wish(), Wish::Abort);
    }
}
