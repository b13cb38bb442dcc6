//! A share of busy time that the other columns contradict.

use super::Said;
use crate::evidence::{Direction, Evidence};
use crate::finding::{Certainty, Effect};
use crate::utilisation::{MOST, ROOM};
use fathom_core::figure::{iops, percent, time};

/// Reads in flight of somebody who makes one at a time without a pause.
const LONE: std::ops::RangeInclusive<f64> = 0.8..=1.1;

/// Factor by which the share is too low, and the time of a read from which no clock is too coarse.
const FACTOR: f64 = 5.0;
const LONG_NS: f64 = 2e6;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let (name, util) = evidence.busiest().filter(|_| evidence.is_watched())?;
    if util >= MOST {
        return Some(above_all(name, util));
    }
    let [side] = evidence.sides.as_slice() else {
        return None;
    };
    let (rate, held) = (evidence.iops()?, evidence.in_flight()?);
    let mean = evidence.mean_latency().filter(|mean| *mean >= LONG_NS)?;
    let is_low = util < ROOM && util * FACTOR < held * 100.0 && LONE.contains(&held);
    // Writes come in bursts.
    (is_low && side.direction == Direction::Read).then(|| {
        let headline = format!(
            "Either the reads of {name} come in bursts, or its %util of {} is wrong: {} a second \
             of {} each, one at a time, would keep it busy nearly all the time.",
            percent(util),
            iops(rate),
            time(mean)
        );
        Said::new(Certainty::Suspected, Effect::Limit, headline)
            .because(format!(
                "{} x {} is {held:.2} reads in flight, as of one reader that never pauses. Kernels \
                 5.0 to 5.6 count too little busy time for slow requests.",
                iops(rate),
                time(mean)
            ))
            .remedy(
                "Go by the wait and the queue (r_await, aqu-sz). A hard disk has no more than that \
                 for one random reader.",
            )
            .by(&["rate"])
    })
}

fn above_all(name: &str, util: f64) -> Said {
    let headline = format!(
        "%util of {name} is {util:.0} %, and a share of time is 100 % at most: its accounting is \
         wrong, and it says nothing here."
    );
    Said::new(Certainty::Shown, Effect::Limit, headline)
        .because(
            "The kernel's busy time and the clock of the interval do not agree, as in some kernels \
             and guests. The other columns are counted apart from it.",
        )
        .remedy("Go by the wait (r_await, w_await) and the queue (aqu-sz).")
        .by(&["rate"])
}
