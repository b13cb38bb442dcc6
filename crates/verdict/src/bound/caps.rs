//! Which known limits a plateau lies at.

use super::figures::Figures;
use crate::bound::thresholds::{COLLISION, NEAR};
use crate::io_limits::SLICED;
use fathom_core::SmallSort as _;
use fathom_core::{Cap, CapOwner, CapScope, CapUnit};

/// A limit, and how the plateau lies to it.
#[derive(Clone, Debug)]
pub(crate) struct Match<'a> {
    pub(crate) cap: &'a Cap,
    /// The rate compared, in the limit's unit.
    pub(crate) rate: f64,
    /// Rate over limit, minus one.
    pub(super) above: f64,
    /// What the limit allows of this load, requests a second.
    pub(super) allows_iops: f64,
    /// Whether the plateau lies at it.
    pub(crate) is_near: bool,
    /// Whether the kernel let only a part of it through.
    pub(super) is_sliced: bool,
}

impl Match<'_> {
    /// Whether the two limits allow so nearly the same that this load cannot tell them apart.
    pub(super) fn collides(&self, other: &Self) -> bool {
        let ratio = self.allows_iops / other.allows_iops;
        !std::ptr::eq(self.cap, other.cap)
            && self.cap.unit != other.cap.unit
            && ratio < COLLISION
            && ratio > 1.0 / COLLISION
    }
}

/// The limits at which the plateau lies, the nearest first, and after them those that collide
/// with the nearest; none if it lies at none.
pub(super) fn matches<'a>(plateau: &Figures, caps: &'a [Cap]) -> Vec<Match<'a>> {
    let mut all: Vec<Match<'a>> = caps
        .iter()
        .filter_map(|cap| compare(plateau, cap))
        .collect();
    all.small_sort_by(|a, b| {
        b.is_near
            .cmp(&a.is_near)
            .then(a.above.abs().total_cmp(&b.above.abs()))
    });
    if all.first().is_none_or(|first| !first.is_near) {
        return Vec::new();
    }
    all
}

/// Whether a rate lies at a limit.
pub(super) fn lies_at(plateau: &Figures, cap: &Cap) -> bool {
    compare(plateau, cap).is_some_and(|found| found.is_near)
}

/// How a rate lies to a limit; none where no such request was made.
pub(crate) fn compare<'a>(plateau: &Figures, cap: &'a Cap) -> Option<Match<'a>> {
    let (iops, bytes) = match cap.scope {
        CapScope::All => (plateau.iops, plateau.bytes_per_second),
        CapScope::Reads => (plateau.read_iops, plateau.read_bytes_per_second),
        CapScope::Writes => (plateau.write_iops, plateau.write_bytes_per_second),
    };
    if iops <= 0.0 {
        return None;
    }
    let rate = match (cap.unit, cap.request_bytes) {
        (CapUnit::BytesPerSecond, _) => bytes,
        (CapUnit::Iops, None) => iops,
        (CapUnit::Iops, Some(unit)) => {
            let requests = (plateau.request_bytes() / unit as f64).ceil().max(1.0);
            iops * requests
        }
    };
    let above = rate / cap.value - 1.0;
    let is_at = above.abs() <= NEAR;
    let is_sliced = !is_at
        && plateau.stops_in_slices
        && cap.owner == CapOwner::ControlGroup
        && (SLICED..1.0).contains(&(rate / cap.value));
    Some(Match {
        cap,
        rate,
        above,
        allows_iops: plateau.iops / (1.0 + above),
        is_near: is_at || is_sliced,
        is_sliced,
    })
}
