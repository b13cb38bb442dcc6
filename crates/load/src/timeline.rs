//! Which part of a phase an instant belongs to, and which interval of it.

use fathom_core::Nanos;
use fathom_core::interval::Part;

/// The instants of a phase, as far as they are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// Begin of the warm-up.
    pub start: Nanos,
    /// Begin of the measured time.
    pub measure: Nanos,
    /// End of the measured time; the end of time when it is not known.
    pub measure_end: Nanos,
    pub load_end: Nanos,
    /// Length of an interval.
    pub interval: Nanos,
}

/// One interval of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntervalPlace {
    /// Part of the phase.
    pub part: Part,
    /// Number within the part.
    pub index: u64,
    /// Begin.
    pub start: Nanos,
    /// End; the last interval of a part may be shorter than the others.
    pub end: Nanos,
}

impl Timeline {
    /// The interval that `now` falls in. Parts begin a new interval, so that no interval
    /// straddles two parts.
    pub fn place(&self, now: Nanos) -> IntervalPlace {
        let (part, begin, limit) = if now >= self.measure_end {
            let limit = if now < self.load_end {
                self.load_end
            } else {
                Nanos::MAX
            };
            (Part::CoolDown, self.measure_end.max(self.start), limit)
        } else if now >= self.measure {
            (Part::Measure, self.measure, self.measure_end)
        } else {
            (Part::WarmUp, self.start, self.measure.min(self.measure_end))
        };
        let index = now.saturating_sub(begin).0 / self.interval.0;
        let start = begin.saturating_add(Nanos(index * self.interval.0));
        let end = start.saturating_add(self.interval).min(limit);
        IntervalPlace {
            part,
            index,
            start,
            end,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_begin_their_own_intervals() {
        let timeline = Timeline {
            start: Nanos(1000),
            measure: Nanos(1250),
            measure_end: Nanos(1500),
            load_end: Nanos(1680),
            interval: Nanos(100),
        };
        let place = |part, index, start, end| IntervalPlace {
            part,
            index,
            start: Nanos(start),
            end: Nanos(end),
        };
        let cases = [
            (1000, place(Part::WarmUp, 0, 1000, 1100)),
            (1249, place(Part::WarmUp, 2, 1200, 1250)),
            (1250, place(Part::Measure, 0, 1250, 1350)),
            (1499, place(Part::Measure, 2, 1450, 1500)),
            (1500, place(Part::CoolDown, 0, 1500, 1600)),
            (1650, place(Part::CoolDown, 1, 1600, 1680)),
        ];
        for (now, expected) in cases {
            assert_eq!(timeline.place(Nanos(now)), expected, "{now}");
        }
    }
}
