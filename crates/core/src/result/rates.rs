//! The series of rates of a phase, flushes aside.

use super::{IntervalResult, PhaseResult};
use crate::interval::Part;
use crate::op::Op;

impl PhaseResult {
    /// The complete intervals of the measured time. (The last is a little short when the phase
    /// ends between two ticks.)
    pub fn complete_intervals(&self) -> impl Iterator<Item = &IntervalResult> + '_ {
        let longest = self.longest_ns();
        let measured = self
            .intervals
            .iter()
            .filter(|one| one.part == Part::Measure);
        measured.filter(move |one| one.length_ns * 100 >= longest * 99)
    }

    /// Seconds of a complete interval; none without measured ones.
    pub fn interval_s(&self) -> Option<f64> {
        let longest = self.longest_ns();
        (longest > 0).then(|| longest as f64 / 1e9)
    }

    /// Requests a second in each complete interval of the measured time.
    pub fn rates(&self) -> Vec<f64> {
        self.complete_intervals()
            .map(IntervalResult::iops)
            .collect()
    }

    fn longest_ns(&self) -> u64 {
        let measured = self
            .intervals
            .iter()
            .filter(|one| one.part == Part::Measure);
        measured.map(|one| one.length_ns).max().unwrap_or(0)
    }
}

impl IntervalResult {
    /// Requests a second of all jobs, flushes aside.
    pub fn iops(&self) -> f64 {
        let ops = self.jobs.iter().flat_map(|job| {
            let ops = Op::REQUESTS.into_iter();
            ops.filter_map(|op| job.ops.get(op))
        });
        let ios: u64 = ops.map(|op| op.ios).sum();
        ios as f64 / (self.length_ns as f64 / 1e9)
    }
}
