//! A disk that was watched, and had a request all the time.

use super::{Said, slow_disk};
use crate::evidence::{Direction, Evidence};
use crate::finding::{Certainty, Effect};
use crate::utilisation::{BUSY, FILLED};
use fathom_core::figure::{iops, megabytes, outstanding, size, time};

/// Requests in flight from which they wait for each other, and below which they do not.
const MANY: f64 = 8.0;
const FEW: f64 = 3.0;

/// A wait that a deep queue of flash does not have, and a time that one request to flash does not
/// take.
pub(super) const LONG_NS: f64 = 10e6;
const SLOW_NS: f64 = 2e6;

/// The largest request of a seek, and the most of them a second on one hard disk.
const LARGEST: f64 = 65_536.0;
const SEEKS: f64 = 450.0;

/// Another report had requests this many times larger.
const LARGER: f64 = 4.0;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let (name, util) = evidence.busiest().filter(|(_, util)| *util >= FILLED)?;
    let (rate, mean) = (evidence.iops()?, evidence.mean_latency()?);
    let held = evidence.in_flight()?;
    if !evidence.is_watched() || slow_disk::lone(evidence).is_some() {
        return None;
    }
    let each = evidence.rate()? / rate;
    if held >= MANY && mean >= LONG_NS && util >= BUSY {
        return Some(full(evidence, name, held, each));
    }
    let is_seek = held < FEW && mean >= SLOW_NS && each <= LARGEST && rate <= SEEKS;
    let is_disk = slow_disk::is_physical(evidence) && !name.starts_with("nvme");
    is_seek.then(|| {
        let only_writes = evidence
            .sides
            .iter()
            .all(|side| side.direction == Direction::Write);
        let noun = if only_writes { "writes" } else { "requests" };
        let headline = format!(
            "{name} was busy {util:.0} % of the time with {} {noun} a second of {}, hardly more \
             than one at a time: {}.",
            iops(rate),
            size(each as u64),
            if is_disk {
                "the pace of one hard disk".to_owned()
            } else {
                format!("each takes {}", time(mean))
            }
        );
        Said::new(Certainty::Suspected, Effect::Limit, headline)
            .because(format!(
                "Each takes {}, and {} are in flight. {}. The amount of data is small, so MB/s say \
                 nothing here.",
                time(mean),
                outstanding(held),
                match (is_disk, only_writes) {
                    (true, true) => {
                        "A hard disk needs that for a seek, or for a write that is flushed"
                    }
                    (true, false) => "A hard disk needs that for a seek",
                    (false, _) => "A network, a flush or a limit of the volume takes that",
                }
            ))
            .remedy(
                "More requests at once, fewer flushes or larger requests (group commit, batches), \
                 or storage with a shorter latency.",
            )
            .by(&["rate"])
    })
}

/// A disk before which many requests wait.
fn full(evidence: &Evidence, name: &str, held: f64, each: f64) -> Said {
    let rate = evidence.iops().unwrap_or(0.0);
    let calm = evidence.others.calmest;
    let calm = calm.filter(|calm| {
        calm.util < BUSY && calm.rate / calm.iops >= each * LARGER && calm.rate >= each * rate
    });
    let why = if calm.is_some() {
        ": small requests fill it, not the amount of data"
    } else {
        ""
    };
    let mut sentence = format!(
        "Each takes {}, mostly the wait behind others (Little's law).",
        time(evidence.mean_latency().unwrap_or(0.0))
    );
    if let Some(calm) = calm {
        sentence += &format!(
            " A calmer report has {} MB/s in requests of {}, and the disk was busy {:.0} % of the \
             time.",
            megabytes(calm.rate),
            size((calm.rate / calm.iops) as u64),
            calm.util
        );
    }
    let headline = format!(
        "{name} was saturated with {} requests a second of {}, and {} waited{why}.",
        iops(rate),
        size(each as u64),
        outstanding(held)
    );
    Said::new(Certainty::Shown, Effect::Limit, headline)
        .because(sentence)
        .remedy(
            "Find out who makes the requests (iotop, pidstat -d), and lower the load or use a disk \
             that serves more.",
        )
        .by(&["rate"])
}
