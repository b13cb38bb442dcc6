//! Different loads that end at one rate: a limit before the media.

use super::{Said, memory};
use crate::evidence::{Direction, Evidence, Side};
use crate::finding::{Certainty, Effect};
use fathom_core::figure::{iops, megabytes};

/// Ratio of two rates that are one.
const EQUAL: f64 = 1.04;

/// Results of a paste that are compared.
const MOST: usize = 32;

/// Requests outstanding from which a limit shows, the smallest of a stream, and the largest of a
/// random load.
const DEEP: f64 = 4.0;
const STREAM: f64 = 65_536.0;
const SMALL: f64 = 65_536.0;

/// A hard disk reads as fast as it writes, up to this rate.
const DISK: f64 = 290e6;

/// Random reads a second that no hard disk gives.
const FLASH: f64 = 1000.0;

pub(super) fn look(all: &[Evidence], index: usize) -> Option<Said> {
    let (one, side) = (
        all.get(index).filter(|_| index < MOST)?,
        alone(&all[index])?,
    );
    let is_random = one.load.random?;
    let own = rate(one, side, is_random)?;
    let others = all.iter().take(MOST);
    let others = others.filter(|other| other.tool == one.tool && other.load.is_on(&one.load));
    let is_flash = others.clone().any(|other| {
        let random = alone(other).filter(|_| other.load.random == Some(true));
        random.is_some_and(|side| other.iops_of(side).is_some_and(|rate| rate > FLASH))
    });
    if !is_random && own < DISK && !is_flash {
        return None;
    }
    let is_other = |other: &&Evidence| {
        let found = alone(other).filter(|_| other.load.random == Some(is_random));
        let near = found.and_then(|side| rate(other, side, is_random));
        near.is_some_and(|rate| rate.max(own) <= rate.min(own) * EQUAL) && differs(one, other)
    };
    let other = others.clone().find(is_other)?;
    let number = if is_random {
        format!("{} IOPS", iops(own))
    } else {
        format!("{} MB/s", megabytes(own))
    };
    let what = if side.direction == other.sides[0].direction {
        "at each size of a request"
    } else {
        "in both directions"
    };
    Some(
        Said::new(
            Certainty::Suspected,
            Effect::Limit,
            format!("The rate is about {number} {what}: a common limit lies before the media."),
        )
        .because(
            "Media differ between reads and writes, and between sizes. A link, a limit of the \
             volume, the instance or the hypervisor, a network, or encryption gives one rate \
             for all.",
        )
        .remedy(
            "Look up the link (lspci -vv, smartctl, ethtool) and the limits of the volume and the \
             machine.",
        )
        .by(&["rate"]),
    )
}

/// The only side of a result that no cache or tool decides.
fn alone(one: &Evidence) -> Option<&Side> {
    let [side] = one.sides.as_slice() else {
        return None;
    };
    let is_sound = one.load.direct != Some(false) && !one.load.is_limited;
    (is_sound && side.direction != Direction::Both && memory::look(one).is_none()).then_some(side)
}

/// The rate that a limit holds: requests of random loads, bytes of streams.
fn rate(one: &Evidence, side: &Side, is_random: bool) -> Option<f64> {
    let block = one.load.block;
    if is_random {
        let is_deep = one.total_depth().is_some_and(|depth| depth >= DEEP);
        let is_small = block.is_some_and(|block| block <= SMALL);
        return one.iops_of(side).filter(|_| is_deep && is_small);
    }
    one.rate_of(side)
        .filter(|_| block.is_none_or(|block| block >= STREAM))
}

/// Whether two loads differ in what changes the rate of a medium. Streams of writes of any size may
/// end at the rate of the flash behind a cache that is full.
fn differs(one: &Evidence, other: &Evidence) -> bool {
    let is_turned = one.sides[0].direction != other.sides[0].direction;
    let sizes = one.load.block.zip(other.load.block);
    let is_apart = sizes.is_some_and(|(a, b)| a.max(b) >= a.min(b) * 4.0);
    let is_media = one.load.random == Some(false) && one.sides[0].direction == Direction::Write;
    is_turned && one.load.block == other.load.block || !is_turned && is_apart && !is_media
}
