//! What is observed in addition to the workers while a phase runs on threads.

use fathom_core::Nanos;
use fathom_core::result::{DeviceUse, Evidence, Ledger, MachineInterval, ProcessUse};

/// Looks at the machine over a phase. Called by the thread that watches the workers, never by one
/// of them.
pub trait Watch {
    /// The phase begins, warm-up included; its first interval ends at `end`.
    fn start(&mut self, start: Nanos, end: Nanos);

    /// The measured time, or one of its rounds, begins; without a warm-up this comes before the
    /// phase begins.
    fn begin(&mut self, now: Nanos);

    /// The measured time ends.
    fn end(&mut self, now: Nanos);

    /// An interval may have ended; the next one ends at `end`.
    fn look(&mut self, now: Nanos, end: Nanos);

    /// When an interval ends next.
    fn due(&self) -> Nanos;

    /// What was counted; the phase ended at `now`.
    fn finish(self: Box<Self>, now: Nanos) -> Counted;
}

/// What was counted over the measured time, and during the time series.
#[derive(Debug, Default)]
pub struct Counted {
    /// The block devices.
    pub devices: Vec<DeviceUse>,
    pub process: ProcessUse,
    /// The account, without the tool's side.
    pub account: Option<Box<Ledger>>,
    /// The machine, interval by interval.
    pub machine: Vec<MachineInterval>,
}

/// Looks at nothing, and says so in the account.
#[derive(Clone, Copy, Debug)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn start(&mut self, _start: Nanos, _end: Nanos) {}

    fn begin(&mut self, _now: Nanos) {}

    fn end(&mut self, _now: Nanos) {}

    fn look(&mut self, _now: Nanos, _end: Nanos) {}

    fn due(&self) -> Nanos {
        Nanos::MAX
    }

    fn finish(self: Box<Self>, _now: Nanos) -> Counted {
        let mut account = Ledger::default();
        for evidence in Evidence::WATCHED {
            account.lacks(evidence, "nobody looked while the requests ran");
        }
        Counted {
            account: Some(Box::new(account)),
            ..Counted::default()
        }
    }
}
