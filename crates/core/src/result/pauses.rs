//! Where the generator itself stood still.

use super::{IntervalResult, Pause, PhaseResult};
use crate::interval::Part;

impl PhaseResult {
    /// Share of the measured time in which the generator itself did not run.
    pub fn paused_share(&self) -> f64 {
        let measured = self.intervals.iter();
        let measured = measured.filter(|one| one.part == Part::Measure);
        let begin = measured.map(|one| one.start_ns).min();
        let begin = begin.unwrap_or(self.warm_up_ns);
        let end = begin.saturating_add(self.measured_ns);
        let inside = |one: &Pause| {
            let from = one.start_ns.saturating_sub(Pause::EDGE_NS).max(begin);
            one.end_ns().min(end).saturating_sub(from)
        };
        let paused: u64 = self.pauses().map(inside).sum();
        (paused as f64 / self.measured_ns.max(1) as f64).min(1.0)
    }

    /// Whether the generator stood still in an interval, or caught up in it with what had come due
    /// meanwhile: that takes as long again where the storage could do twice what it was asked.
    pub fn was_paused(&self, interval: &IntervalResult) -> bool {
        let end = interval.start_ns.saturating_add(interval.length_ns);
        self.pauses().any(|one| {
            let caught_up = one.end_ns().saturating_add(one.length_ns);
            one.start_ns.saturating_sub(Pause::EDGE_NS) < end && caught_up > interval.start_ns
        })
    }

    fn pauses(&self) -> impl Iterator<Item = &Pause> {
        let ledgers = self.ledger.iter();
        ledgers.flat_map(|ledger| &ledger.generator.pauses)
    }
}
