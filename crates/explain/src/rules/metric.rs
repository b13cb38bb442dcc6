//! A metric of a dashboard that is taken for a latency.

use super::Said;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use crate::mentions::Mention;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let is_said = evidence.load.mentions.contains(&Mention::SecondsRate);
    is_said.then(|| {
        Said::new(
            Certainty::Shown,
            Effect::Reading,
            "The rate of a counter of read or write seconds is the number of requests in flight.",
        )
        .because(
            "It counts the time of all requests: 64 in flight add 64 seconds each second, however \
             fast each one is.",
        )
        .remedy(
            "Divide it by the rate of the counter of requests: that is the mean latency, as in \
             rate(…_time_seconds_total) / rate(…_completed_total).",
        )
        .by(&["latency"])
    })
}
