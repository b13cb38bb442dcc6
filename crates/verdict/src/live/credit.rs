//! Burst credit of the limits that have a bucket, followed from what was moved.

use crate::bound::{Figures, compare};
use fathom_core::Cap;

/// The level of each bucket, in the order of the limits; none of one without a burst.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Credits(Vec<Option<f64>>);

impl Credits {
    /// Buckets that are as full as this share, 0 to 1.
    pub(super) fn new(caps: &[Cap], share: f64) -> Self {
        let level = |cap: &Cap| Some(cap.burst?.capacity * share);
        Self(caps.iter().map(level).collect())
    }

    /// Fills each at its limit's own rate, and takes out what was moved.
    pub(super) fn take(&mut self, figures: &Figures, length_ns: u64, caps: &[Cap]) {
        for (level, cap) in self.0.iter_mut().zip(caps) {
            let (Some(level), Some(burst)) = (level.as_mut(), cap.burst) else {
                continue;
            };
            let rate = compare(figures, cap).map_or(0.0, |found| found.rate);
            let gained = (cap.value - rate) * length_ns as f64 / 1e9;
            *level = (*level + gained).clamp(0.0, burst.capacity);
        }
    }

    /// Nothing is left of the credit of this limit, whatever was assumed at the start.
    pub(super) fn used_up(&mut self, of: &Cap, caps: &[Cap]) {
        for (level, cap) in self.0.iter_mut().zip(caps) {
            if cap == of {
                *level = level.map(|_| 0.0);
            }
        }
    }

    /// The levels, with their limits.
    pub(super) fn levels<'a>(&'a self, caps: &'a [Cap]) -> impl Iterator<Item = (&'a Cap, f64)> {
        let both = self.0.iter().zip(caps);
        both.filter_map(|(level, cap)| Some((cap, (*level)?)))
    }

    /// The limit whose credit is used up first at this rate, and in how many seconds.
    pub(super) fn first_empty<'a>(
        &'a self,
        figures: &Figures,
        caps: &'a [Cap],
    ) -> Option<(&'a Cap, f64)> {
        let times = self.levels(caps).filter_map(|(cap, level)| {
            let found = compare(figures, cap)?;
            let used = found.rate - cap.value;
            (used > 0.0 && !found.is_near).then(|| (cap, level / used))
        });
        times.min_by(|one, other| one.1.total_cmp(&other.1))
    }
}
