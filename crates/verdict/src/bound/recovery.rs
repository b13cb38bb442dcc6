//! The test of a bucket: after a rest it gives the burst that its fill has paid for.
//!
//! Methodology 5.5, step 6: idle for t, burst again; `F t / (B - F)` seconds of burst are expected.

use crate::bound::thresholds::RECOVERS;
use crate::stats::fit_bucket;
use fathom_core::figure;
use fathom_core::result::{PhaseResult, ProbeKind, RunResult};

/// A second burst after a rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Recovery {
    pub(super) seconds_at_rest: f64,
    pub(super) expected_s: f64,
    pub(super) found_s: f64,
}

/// The second burst that was tried after a phase, if it was.
pub(super) fn recovery(result: &RunResult, phase: &PhaseResult) -> Option<Recovery> {
    let mut probes = result.probes.iter();
    let probe = probes.find(|one| one.of_phase == phase.name && one.kind == ProbeKind::Recovery)?;
    let fit = fit_bucket(&phase.rates(), phase.interval_s()?)?;
    let rates = probe.phase.rates();
    let interval_s = probe.phase.interval_s()?;
    let rest = rates.iter().take_while(|rate| **rate <= 0.0).count();
    let above: f64 = rates[rest..]
        .iter()
        .map(|rate| (rate - fit.baseline) * interval_s)
        .sum();
    let rest_s = rest as f64 * interval_s;
    Some(Recovery {
        seconds_at_rest: rest_s,
        expected_s: fit.burst_after_s(rest_s),
        found_s: (above / (fit.burst - fit.baseline)).max(0.0),
    })
}

impl Recovery {
    pub(super) fn is_as_expected(&self) -> bool {
        (self.found_s / self.expected_s - 1.0).abs() <= RECOVERS
    }

    pub(super) fn words(&self) -> String {
        let seconds = |value: f64| figure::duration((value * 1e9) as u64);
        let verdict = if self.is_as_expected() {
            "the bucket is confirmed"
        } else {
            "it is not, or not only, a bucket that fills at the later rate"
        };
        format!(
            "after {} idle it gave a burst of {}, where {} were expected: {verdict}",
            seconds(self.seconds_at_rest),
            seconds(self.found_s),
            seconds(self.expected_s)
        )
    }
}
