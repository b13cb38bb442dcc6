//! When a phase begins: at once, or at an instant that several hosts have agreed upon.

use crate::Control;
use fathom_core::Nanos;
use fathom_engine::Clock;
use fathom_engine::clock::utc_now_ns;
use fathom_load::control::Wish;

/// The longest wait between two looks at whether the user wants to end.
const STEP: Nanos = Nanos::from_millis(20);
/// Time before the instant in which the clock is watched without sleep: longer than a sleep
/// oversleeps.
const SPIN: Nanos = Nanos::from_micros(200);

/// Says when the phases of a session begin.
pub trait Starter {
    /// Targets are open and threads are made for a phase (from 0): the instant at which it is to
    /// begin, nanoseconds since 1970 in UTC, or none for at once. It may take its time; the clock
    /// of the phase does not run yet. An instant that has passed is one of now.
    fn ready(&mut self, phase: usize) -> Option<u64>;

    /// The phase has begun at this instant, nanoseconds since 1970 in UTC.
    fn begun(&mut self, _phase: usize, _utc_ns: u64) {}
}

/// Waits until a phase is to begin, or the user wants to end.
pub(crate) fn wait(starter: &mut dyn Starter, phase: usize, clock: &mut Clock, control: &Control) {
    let wanted = starter.ready(phase);
    if let Some(utc_ns) = wanted {
        let mut now = clock.now();
        let begin = now + Nanos(utc_ns.saturating_sub(utc_now_ns()));
        while now < begin && control.wish() == Wish::Run {
            let step = begin.min(now + STEP);
            let spin = if step == begin { SPIN } else { Nanos::ZERO };
            now = clock.wait_until(step, spin);
        }
    }
    starter.begun(phase, utc_now_ns());
}
