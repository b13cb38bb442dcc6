//! The table of requests in flight: a slot each, free ones on a stack for each lane.

use fathom_core::{Nanos, Op};

/// One request in flight.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Slot {
    /// Instant at which it was due to start.
    pub intended: Nanos,
    /// Instant at which it was handed to the engine.
    pub issued: Nanos,
    /// Byte offset in its target.
    pub offset: u64,
    /// Bytes asked for.
    pub len: u32,
    /// Number of its target in the worker's list.
    pub target: u16,
    /// What it does.
    pub op: Op,
}

const _: () = assert!(size_of::<Slot>() == 32);

/// All slots of a worker. Those of one lane share a limit: one target's, or that of all.
#[derive(Debug)]
pub struct Slots {
    table: Box<[Slot]>,
    /// The free slots of each lane, at the front of its `per_lane` places.
    free: Box<[u32]>,
    /// How many are free in each lane.
    counts: Box<[u32]>,
    per_lane: u32,
    next_lane: usize,
    in_flight: u32,
}

impl Slots {
    /// `lanes` lanes of `per_lane` slots.
    pub fn new(lanes: usize, per_lane: u32) -> Self {
        let empty = Slot {
            intended: Nanos::ZERO,
            issued: Nanos::ZERO,
            offset: 0,
            len: 0,
            target: 0,
            op: Op::Read,
        };
        // The lowest number is on top, so that a lightly loaded worker stays in few buffers.
        let of_lane = |lane: u32| (lane * per_lane..(lane + 1) * per_lane).rev();
        Self {
            table: vec![empty; lanes * per_lane as usize].into(),
            free: (0..lanes as u32).flat_map(of_lane).collect(),
            counts: vec![per_lane; lanes].into(),
            per_lane,
            next_lane: 0,
            in_flight: 0,
        }
    }

    /// Number of lanes.
    #[inline]
    pub const fn lanes(&self) -> usize {
        self.counts.len()
    }

    /// Number of slots.
    pub const fn count(&self) -> u32 {
        self.table.len() as u32
    }

    /// Number of requests in flight.
    #[inline]
    pub const fn in_flight(&self) -> u32 {
        self.in_flight
    }

    /// Whether no slot is free.
    #[inline]
    pub const fn is_full(&self) -> bool {
        self.in_flight == self.count()
    }

    /// Whether a request is in flight in a slot. For the end of the load: it looks for the slot
    /// among the free ones.
    pub fn is_taken(&self, slot: u32) -> bool {
        let lane = slot / self.per_lane;
        let first = (lane * self.per_lane) as usize;
        let free = if self.lanes() == 1 {
            self.count() - self.in_flight
        } else {
            self.counts[lane as usize]
        };
        !self.free[first..first + free as usize].contains(&slot)
    }

    /// Takes the only slot, which is free, for a request.
    #[inline]
    pub fn take_only(&mut self, request: Slot) {
        self.table[0] = request;
        self.in_flight = 1;
    }

    /// Gives the only slot back.
    #[inline]
    pub fn give_only(&mut self) {
        self.in_flight = 0;
    }

    /// Takes a free slot of the only lane.
    #[inline]
    pub fn take_first(&mut self) -> Option<u32> {
        // The free slots of a single lane are the first ones, below those in flight.
        let free = self.free.len() as u32 - self.in_flight;
        let slot = *self.free.get(free.wrapping_sub(1) as usize)?;
        self.in_flight += 1;
        Some(slot)
    }

    /// Fills free slots of the only lane, `most` at most, with what `request` puts into each, until
    /// it says that there is no more; gives how many were taken.
    #[inline]
    pub fn fill_first(&mut self, most: u32, mut request: impl FnMut(u32) -> Slot) -> u32 {
        let free = self.free.len() - self.in_flight as usize;
        let taken = free.min(most as usize);
        for &slot in self.free[free - taken..free].iter().rev() {
            self.table[slot as usize] = request(slot);
        }
        self.in_flight += taken as u32;
        taken as u32
    }

    /// Notes when the requests of the last [`fill_first`](Self::fill_first), `taken` of them, were
    /// issued.
    #[inline]
    pub fn stamp_first(&mut self, taken: u32, issued: Nanos) {
        let free = self.free.len() - self.in_flight as usize;
        for &slot in &self.free[free..free + taken as usize] {
            self.table[slot as usize].issued = issued;
        }
    }

    /// Notes when the request in a slot was issued.
    #[inline]
    pub fn stamp(&mut self, slot: u32, issued: Nanos) {
        self.table[slot as usize].issued = issued;
    }

    /// Gives a slot of the only lane back.
    #[inline]
    pub fn give_first(&mut self, slot: u32) {
        let free = self.free.len() as u32 - self.in_flight;
        self.free[free as usize] = slot;
        self.in_flight -= 1;
    }

    /// Gives slots back, one after another.
    #[inline]
    pub fn give_all(&mut self, slots: impl ExactSizeIterator<Item = u32>) {
        if self.lanes() > 1 {
            return slots.for_each(|slot| self.give(slot));
        }
        let free = self.free.len() - self.in_flight as usize;
        self.in_flight -= slots.len() as u32;
        for (place, slot) in self.free[free..].iter_mut().zip(slots) {
            *place = slot;
        }
    }

    /// Takes a free slot of a lane that `open` allows, lanes in turn.
    #[inline]
    pub fn take(&mut self, open: impl Fn(usize) -> bool) -> Option<(u32, usize)> {
        if self.lanes() == 1 {
            return if open(0) {
                self.take_first().map(|slot| (slot, 0))
            } else {
                None
            };
        }
        for _ in 0..self.lanes() {
            let lane = self.next_lane;
            self.next_lane = if lane + 1 == self.lanes() {
                0
            } else {
                lane + 1
            };
            if self.counts[lane] > 0 && open(lane) {
                self.counts[lane] -= 1;
                self.in_flight += 1;
                let place = lane as u32 * self.per_lane + self.counts[lane];
                return Some((self.free[place as usize], lane));
            }
        }
        None
    }

    /// Gives a slot back.
    #[inline]
    pub fn give(&mut self, slot: u32) {
        if self.lanes() == 1 {
            return self.give_first(slot);
        }
        let lane = slot / self.per_lane;
        let count = &mut self.counts[lane as usize];
        self.free[(lane * self.per_lane + *count) as usize] = slot;
        *count += 1;
        self.in_flight -= 1;
    }

    /// The request in a slot.
    #[inline]
    pub fn get(&self, slot: u32) -> &Slot {
        &self.table[slot as usize]
    }

    /// Notes the request in a slot.
    #[inline]
    pub fn set(&mut self, slot: u32, request: Slot) {
        self.table[slot as usize] = request;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken_of(slots: &Slots) -> Vec<u32> {
        (0..slots.count())
            .filter(|slot| slots.is_taken(*slot))
            .collect()
    }

    #[test]
    fn lanes_are_taken_in_turn_and_keep_their_limit() {
        let mut slots = Slots::new(2, 2);
        let taken: Vec<_> = (0..5).map(|_| slots.take(|_| true)).collect();
        assert_eq!(
            taken,
            [Some((0, 0)), Some((2, 1)), Some((1, 0)), Some((3, 1)), None]
        );
        assert_eq!((slots.in_flight(), slots.is_full()), (4, true));
        assert_eq!(taken_of(&slots), [0, 1, 2, 3]);
        slots.give(2);
        assert_eq!(taken_of(&slots), [0, 1, 3]);
        assert_eq!(slots.take(|lane| lane == 0), None);
        assert_eq!(slots.take(|_| true), Some((2, 1)));
    }

    #[test]
    fn those_in_flight_of_the_only_lane_are_known() {
        let mut slots = Slots::new(1, 4);
        assert_eq!(taken_of(&slots), Vec::<u32>::new());
        let taken: Vec<_> = (0..3).filter_map(|_| slots.take_first()).collect();
        assert_eq!(taken, [0, 1, 2]);
        slots.give_first(1);
        assert_eq!(taken_of(&slots), [0, 2]);
        slots.give_first(0);
        assert_eq!(taken_of(&slots), [2]);
    }
}
