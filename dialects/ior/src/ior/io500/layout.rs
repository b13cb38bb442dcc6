//! The lines of results as IO500 prints them, one for each phase.

use super::keys::PHASES;
use fathom_core::Op;
use fathom_core::result::{PhaseResult, RunResult};
use std::fmt::Write as _;

/// Its results. The score counts searches, which are not measured.
pub(in crate::ior) fn render(result: &RunResult) -> String {
    let version = &result.provenance.version;
    let mut text = format!("IO500 by fathom {version}, without its searches and its score\n");
    for phase in &result.phases {
        let is_known = PHASES.iter().any(|(name, _)| *name == phase.name);
        let done = Done::of(phase);
        if !is_known || done.seconds <= 0.0 {
            continue;
        }
        let (amount, unit) = if phase.name.starts_with("ior") {
            (done.bytes as f64 / f64::from(1 << 30), "GiB/s")
        } else {
            (done.ios as f64 / 1e3, "kIOPS")
        };
        let (rate, seconds) = (amount / done.seconds, done.seconds);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "[RESULT] {:>20} {rate:>15.6} {unit} : time {seconds:.3} seconds",
            phase.name
        );
    }
    text
}

/// What a phase came to: all but its flushes, and the time of the slowest of its jobs.
#[derive(Default)]
struct Done {
    bytes: u64,
    ios: u64,
    seconds: f64,
}

impl Done {
    fn of(phase: &PhaseResult) -> Self {
        let mut all = Self::default();
        let ops = Op::ALL.into_iter().filter(|op| *op != Op::Flush);
        for job in &phase.jobs {
            for done in ops.clone().filter_map(|op| job.ops.get(op)) {
                all.bytes += done.bytes;
                all.ios += done.ios;
            }
            all.seconds = all.seconds.max(job.active_ns as f64 / 1e9);
        }
        all
    }
}
