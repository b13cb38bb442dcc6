//! A rate that is one over the latency.

use super::{Said, memory};
use crate::decide::Change;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use fathom_core::figure::{iops, time};

/// Larger requests are limited by the throughput as well.
const LARGEST: f64 = 65_536.0;

/// Tools whose purpose it is.
const MEANT: [&str; 5] = [
    "crystaldiskmark",
    "ioping",
    "kdiskmark",
    "pg_test_fsync",
    "pveperf",
];

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let load = &evidence.load;
    let is_one = evidence.total_depth() == Some(1.0) && load.jobs.is_some();
    let is_small = load.block.is_some_and(|block| block <= LARGEST);
    let is_flushed = load.flush_every.is_some() || evidence.flush.is_some();
    let is_meant = MEANT.contains(&evidence.tool) || load.is_limited;
    if !is_one || !is_small || is_flushed || is_meant || memory::look(evidence).is_some() {
        return None;
    }
    let (rate, mean) = (evidence.iops()?, evidence.mean_latency()?);
    (0.7..=1.3).contains(&(rate * mean / 1e9)).then(|| {
        let headline = format!(
            "One request at a time: {} requests a second are the latency of {}.",
            iops(rate),
            time(mean)
        );
        Said::new(Certainty::Shown, Effect::Reading, headline)
            .because(
                "The next request waits for the one before it. The rate is one over the latency, \
                 and the device may serve many more at once.",
            )
            .remedy("Measure with more outstanding requests for the rate that the device can give.")
            .by(&["latency", "rate"])
            .decide(evidence, &[Change::Depth(32.0)])
    })
}
