//! Which parts of a device requests go to.

use std::collections::BTreeMap;

/// Bytes of a unit at first: a segment of PostgreSQL's log.
const UNIT_BITS: u32 = 24;
/// Units at most; with more of them, each becomes twice as long.
const MOST_UNITS: usize = 4096;
/// Ends of extents are multiples of this, as those of files mostly are.
const ALIGN_BYTES: u64 = 1 << 20;
/// A gap is left out if it is at least this share of what the requests span.
const GAP_SHARE: u64 = 64;

/// Requests in a unit.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Unit {
    pub(super) requests: u64,
    /// Those that continue another one, or nearly do.
    pub(super) near: u64,
}

/// The units of a device that have requests.
#[derive(Clone, Debug)]
pub(super) struct Units {
    bits: u32,
    by_number: BTreeMap<u64, Unit>,
    /// First byte and the end of all requests.
    low: u64,
    high: u64,
}

impl Units {
    pub(super) fn add(&mut self, offset: u64, bytes: u64, is_near: bool) {
        let end = offset.saturating_add(bytes);
        self.low = self.low.min(offset);
        self.high = self.high.max(end);
        let unit = self.by_number.entry(offset >> self.bits).or_default();
        unit.requests += 1;
        unit.near += u64::from(is_near);
        // A request that crosses an end is of the first unit, but the next is in use too.
        let last = end.saturating_sub(1) >> self.bits;
        if last > offset >> self.bits {
            self.by_number.entry(last).or_default();
        }
        self.limit();
    }

    /// Adds those of another part.
    pub(super) fn join(&mut self, other: &Self) {
        self.low = self.low.min(other.low);
        self.high = self.high.max(other.high);
        while self.bits < other.bits {
            self.halve();
        }
        for (number, unit) in other.each() {
            self.add_unit(number >> (self.bits - other.bits), unit);
        }
        self.limit();
    }

    fn add_unit(&mut self, number: u64, unit: Unit) {
        let both = self.by_number.entry(number).or_default();
        both.requests += unit.requests;
        both.near += unit.near;
    }

    fn limit(&mut self) {
        while self.by_number.len() > MOST_UNITS {
            self.halve();
        }
    }

    /// Makes two neighbouring units one.
    fn halve(&mut self) {
        self.bits += 1;
        for (number, unit) in std::mem::take(&mut self.by_number) {
            self.add_unit(number >> 1, unit);
        }
    }

    /// The unit that has a byte.
    pub(super) const fn number_of(&self, offset: u64) -> u64 {
        offset >> self.bits
    }

    pub(super) fn each(&self) -> impl Iterator<Item = (u64, Unit)> + '_ {
        self.by_number.iter().map(|(number, unit)| (*number, *unit))
    }

    /// Bytes from the first request to the end of the last.
    pub(super) const fn span(&self) -> u64 {
        self.high.saturating_sub(self.low)
    }

    /// The bytes of some units.
    pub(super) fn extents(&self, is_chosen: impl Fn(u64) -> bool) -> Extents {
        let mut extents = Extents::default();
        for number in self.by_number.keys().filter(|number| is_chosen(**number)) {
            let start = (number << self.bits).max(self.low);
            let end = ((number + 1) << self.bits).min(self.high);
            extents.parts.push((start, end.max(start)));
        }
        extents
    }
}

impl Default for Units {
    fn default() -> Self {
        Self {
            bits: UNIT_BITS,
            by_number: BTreeMap::new(),
            low: u64::MAX,
            high: 0,
        }
    }
}

/// Parts of a device, from start to end, rising.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Extents {
    parts: Vec<(u64, u64)>,
}

impl Extents {
    /// Both together.
    pub(super) fn join(&mut self, other: &Self) {
        self.parts.extend(&other.parts);
        self.parts.sort_unstable();
        let mut joined: Vec<(u64, u64)> = Vec::new();
        for (start, end) in self.parts.drain(..) {
            match joined.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => joined.push((start, end)),
            }
        }
        self.parts = joined;
    }

    /// The same to whole MiB, without small gaps.
    pub(super) fn closed(mut self) -> Self {
        let ends = (self.parts.first(), self.parts.last());
        let (Some(first), Some(last)) = ends else {
            return self;
        };
        let gap = ((last.1 - first.0) / GAP_SHARE).max(1 << UNIT_BITS);
        let mut closed: Vec<(u64, u64)> = Vec::new();
        for (start, end) in self.parts.drain(..) {
            let start = start / ALIGN_BYTES * ALIGN_BYTES;
            let end = end.div_ceil(ALIGN_BYTES).saturating_mul(ALIGN_BYTES);
            match closed.last_mut() {
                Some(last) if start.saturating_sub(last.1) < gap => last.1 = last.1.max(end),
                _ => closed.push((start, end)),
            }
        }
        self.parts = closed;
        self
    }

    pub(super) fn bytes(&self) -> u64 {
        self.parts.iter().map(|(start, end)| end - start).sum()
    }

    /// Bytes that both have.
    pub(super) fn common(&self, other: &Self) -> u64 {
        let (mut one, mut two) = (self.parts.iter().peekable(), other.parts.iter().peekable());
        let mut common = 0;
        while let (Some(a), Some(b)) = (one.peek(), two.peek()) {
            common += a.1.min(b.1).saturating_sub(a.0.max(b.0));
            if a.1 < b.1 {
                one.next();
            } else {
                two.next();
            }
        }
        common
    }

    /// How far into the parts a byte is, gaps left out.
    pub(super) fn packed(&self, offset: u64) -> u64 {
        let mut before = 0;
        for (start, end) in &self.parts {
            if offset < *end {
                return before + offset.saturating_sub(*start);
            }
            before += end - start;
        }
        before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    #[test]
    fn far_parts_are_apart_and_packed() {
        let mut units = Units::default();
        for number in 0..1000 {
            units.add(number * 7 % 512 * MIB + 4096, 4096, false);
        }
        for number in 0..10 {
            units.add((1 << 40) + number * MIB, MIB, true);
        }
        let extents = units.extents(|_| true).closed();
        let parts = vec![(0, 512 * MIB), (1 << 40, (1 << 40) + 10 * MIB)];
        assert_eq!(extents, Extents { parts });
        assert_eq!(extents.bytes(), 522 * MIB);
        let packed = [0, 512 * MIB - 1, 1 << 40, (1 << 40) + MIB].map(|at| extents.packed(at));
        assert_eq!(packed, [0, 512 * MIB - 1, 512 * MIB, 513 * MIB]);
    }

    #[test]
    fn units_grow_with_what_is_used() {
        let mut units = Units::default();
        for number in 0..10_000 {
            units.add(number << UNIT_BITS, 4096, number % 2 == 0);
        }
        let (mut count, mut near) = (0, 0);
        for (_, unit) in units.each() {
            count += unit.requests;
            near += unit.near;
        }
        assert_eq!((count, near, units.bits), (10_000, 5000, UNIT_BITS + 2));
    }

    #[test]
    fn what_two_have_in_common_is_counted() {
        let of = |parts: &[(u64, u64)]| Extents {
            parts: parts.to_vec(),
        };
        let one = of(&[(0, 10), (20, 30), (40, 50)]);
        let two = of(&[(5, 25), (45, 60)]);
        assert_eq!((one.common(&two), two.common(&one)), (15, 15));
        let mut both = one;
        both.join(&two);
        assert_eq!(both, of(&[(0, 30), (40, 60)]));
    }
}
