//! Where the intervals of a phase lie: counted anew in each part, as members count them. A warm-up
//! that is no whole number of intervals ends with a shorter one.

use fathom_core::Nanos;

/// The intervals of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slots {
    /// What goes before the measured time.
    pub warm_up: Nanos,
    /// The measured time, if it is known beforehand.
    pub measured: Option<Nanos>,
    /// Length of an interval.
    pub interval: Nanos,
}

impl Slots {
    /// Of a phase without other parts, whose end nobody knows.
    pub const fn endless(interval: Nanos) -> Self {
        Self {
            warm_up: Nanos::ZERO,
            measured: None,
            interval,
        }
    }

    fn interval_ns(&self) -> u64 {
        self.interval.0.max(1)
    }

    /// Number of the first interval of each part, and when it begins, in nanoseconds after the
    /// begin of the phase.
    fn parts(&self) -> impl DoubleEndedIterator<Item = (u64, u64)> {
        let count = |length: Nanos| length.0.div_ceil(self.interval_ns());
        let measured = (count(self.warm_up), self.warm_up.0);
        let cool_down = self.measured.map(|length| {
            let begin = self.warm_up.0.saturating_add(length.0);
            (measured.0 + count(length), begin)
        });
        [Some((0, 0)), Some(measured), cool_down]
            .into_iter()
            .flatten()
    }

    /// Number of the interval that contains this time after the start of the phase.
    pub fn at(&self, since: Nanos) -> u64 {
        let part = self.parts().rfind(|(_, begin)| *begin <= since.0);
        let (first, begin) = part.unwrap_or_default();
        first.saturating_add((since.0 - begin) / self.interval_ns())
    }

    /// When an interval begins, after the start of the phase.
    pub fn start_of(&self, slot: u64) -> Nanos {
        let part = self.parts().rfind(|(first, _)| *first <= slot);
        let (first, begin) = part.unwrap_or_default();
        let within = (slot - first).saturating_mul(self.interval_ns());
        Nanos(begin.saturating_add(within))
    }

    /// How long an interval is.
    pub fn length_of(&self, slot: u64) -> Nanos {
        let next = self.start_of(slot.saturating_add(1));
        next.saturating_sub(self.start_of(slot))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(warm_up: u64, measured: Option<u64>) -> Slots {
        Slots {
            warm_up: Nanos::from_millis(warm_up),
            measured: measured.map(Nanos::from_millis),
            interval: Nanos::from_secs(1),
        }
    }

    fn millis(slots: &Slots, count: u64) -> Vec<(u64, u64)> {
        let milli = |at: Nanos| at.0 / 1_000_000;
        let one = |slot| (milli(slots.start_of(slot)), milli(slots.length_of(slot)));
        (0..count).map(one).collect()
    }

    #[test]
    fn each_part_begins_with_an_interval_of_its_own() {
        let short = millis(&slots(200, Some(2500)), 6);
        let expected = [
            (0, 200),
            (200, 1000),
            (1200, 1000),
            (2200, 500),
            (2700, 1000),
            (3700, 1000),
        ];
        assert_eq!(short, expected);
        let open = millis(&slots(1500, None), 4);
        assert_eq!(open, [(0, 1000), (1000, 500), (1500, 1000), (2500, 1000)]);
        let plain = millis(&slots(0, Some(2000)), 3);
        assert_eq!(plain, [(0, 1000), (1000, 1000), (2000, 1000)]);
    }

    #[test]
    fn every_instant_lies_in_the_interval_that_begins_before_it() {
        for (warm_up, measured) in [(0, None), (200, Some(2500)), (1500, None), (2000, Some(1))] {
            let slots = slots(warm_up, measured);
            for milli in 0..9000 {
                let at = Nanos::from_millis(milli);
                let slot = slots.at(at);
                let (start, next) = (slots.start_of(slot), slots.start_of(slot + 1));
                assert!(start <= at && at < next, "{milli}: {start:?} to {next:?}");
            }
        }
    }

    #[test]
    fn an_instant_without_end_lies_in_some_interval() {
        let slots = Slots::endless(Nanos(1));
        assert_eq!(slots.at(Nanos::MAX), u64::MAX);
        assert_eq!(slots.start_of(u64::MAX), Nanos::MAX);
        assert_eq!(slots.length_of(u64::MAX), Nanos::ZERO);
    }
}
