//! A rate at the limit of a link.

use super::Said;
use crate::evidence::{Evidence, Side};
use crate::finding::{Certainty, Effect};
use crate::layers::{Kind, layer};
use fathom_core::figure::megabytes;

/// Links by their payload in MB/s, from least to most: what is seen of them in practice.
const LINKS: [(f64, f64, &str); 10] = [
    (28.0, 43.0, "USB 2.0"),
    (109.0, 119.0, "1 Gbit/s Ethernet"),
    (262.0, 298.0, "SATA at 3 Gbit/s or 2.5 Gbit/s Ethernet"),
    (
        385.0,
        465.0,
        "one lane of PCI Express 2, or USB at 5 Gbit/s",
    ),
    (520.0, 565.0, "SATA at 6 Gbit/s"),
    (780.0, 900.0, "one lane of PCI Express 3"),
    (940.0, 1190.0, "USB at 10 Gbit/s or 10 Gbit/s Ethernet"),
    (1560.0, 1800.0, "four lanes of PCI Express 2 or two of 3"),
    (3200.0, 3600.0, "PCI Express 3 with four lanes"),
    (6600.0, 7450.0, "PCI Express 4 with four lanes"),
];

/// Rates that volumes are ordered with, in MB/s, and how near to one a result is.
const STEP: f64 = 50.0;
const NEAR: f64 = 0.004;

/// Factor between p95 and p5 of requests that all took the same time.
const EVEN: f64 = 1.02;

/// Smaller requests are limited by other things first.
const LEAST_BLOCK: f64 = 65_536.0;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let load = &evidence.load;
    let is_stream =
        load.random != Some(true) && load.block.is_none_or(|block| block >= LEAST_BLOCK);
    let [side] = evidence.sides.as_slice() else {
        return None;
    };
    if !is_stream || load.direct == Some(false) || load.is_limited {
        return None;
    }
    let rate = evidence.rate_of(side)? / 1e6;
    let (_, most, name) = LINKS
        .iter()
        .find(|(least, most, _)| (*least..=*most).contains(&rate))?;
    let is_watched = evidence.is_watched();
    if is_ordered(rate) || is_elsewhere(evidence) || is_watched || has_other_link(evidence, name) {
        return None;
    }
    let (effect, even) = if is_even(side) {
        let words = ", and every request took the same time".to_owned();
        (Effect::Limit, words)
    } else {
        (Effect::Reading, String::new())
    };
    Some(
        Said::new(
            Certainty::Suspected,
            effect,
            format!("The rate is what {name} gives{even}."),
        )
        .because(format!(
            "{} MB/s lies where {name} ends ({} MB/s at most in practice). A device of this \
                    speed gives the same number.",
            megabytes(rate * 1e6),
            most
        ))
        .remedy("Check the link: lspci -vv, smartctl -a, ethtool.")
        .by(&["rate"]),
    )
}

/// Whether nearly all requests took the same time, as behind a link, and not behind a medium.
fn is_even(side: &Side) -> bool {
    let latency = side.latency.as_ref();
    let pair = latency.and_then(|latency| latency.at(5.0).zip(latency.at(95.0)));
    pair.is_some_and(|(low, high)| high <= low * EVEN)
}

/// Whether every request took the same time at the rate of a link, which more depth does not raise.
pub(super) fn is_full(evidence: &Evidence) -> bool {
    look(evidence).is_some_and(|said| said.effect == Effect::Limit)
}

/// Whether a volume may be ordered with this rate: a multiple of 50 MB/s or MiB/s.
fn is_ordered(rate: f64) -> bool {
    [rate, rate * 1e6 / 1_048_576.0].iter().any(|rate| {
        let steps = rate / STEP;
        steps >= 1.0 && (steps - steps.round()).abs() * STEP <= rate * NEAR
    })
}

/// Whether the name of the device says that it is not behind USB or a network.
pub(super) fn has_other_link(evidence: &Evidence, name: &str) -> bool {
    let starts = [
        "/dev/hd",
        "/dev/md",
        "/dev/dm-",
        "/dev/mapper/",
        "/dev/nvme",
    ];
    let is_slow_link = name.starts_with("USB") || name.contains("Ethernet");
    is_slow_link
        && starts
            .iter()
            .any(|start| evidence.load.target.starts_with(start))
}

/// Whether the paste names a network or a virtual disk, whose limit it may be.
pub(super) fn is_elsewhere(evidence: &Evidence) -> bool {
    let layers = evidence.load.layers.iter();
    layers
        .filter_map(|index| layer(*index))
        .any(|(_, kind)| matches!(kind, Kind::Network | Kind::Guest | Kind::Share))
}
