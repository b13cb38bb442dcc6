//! The table of requests in flight: a slot each, free ones on a stack for each lane.

use fathom_core::{Nanos, Op};

/// One request in flight.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Slot {
    /// Instant at which it was meant to start.
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

/// Slots that share a limit: those of one target, or of all.
#[derive(Debug)]
struct Lane {
    free: Box<[u32]>,
    /// Free slots: the first so many of `free`.
    count: u32,
}

impl Lane {
    #[inline]
    fn pop(&mut self) -> Option<u32> {
        self.count = self.count.checked_sub(1)?;
        Some(self.free[self.count as usize])
    }

    #[inline]
    fn push(&mut self, slot: u32) {
        self.free[self.count as usize] = slot;
        self.count += 1;
    }
}

/// All slots of a worker.
#[derive(Debug)]
pub struct Slots {
    table: Box<[Slot]>,
    lanes: Box<[Lane]>,
    per_lane: u32,
    next_lane: usize,
    free: u32,
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
        let total = lanes as u32 * per_lane;
        let lane = |lane: u32| Lane {
            // The lowest number is on top, so that a lightly loaded worker stays in few buffers.
            free: (lane * per_lane..(lane + 1) * per_lane).rev().collect(),
            count: per_lane,
        };
        Self {
            table: vec![empty; total as usize].into(),
            lanes: (0..lanes as u32).map(lane).collect(),
            per_lane,
            next_lane: 0,
            free: total,
        }
    }

    /// Number of lanes.
    #[inline]
    pub const fn lanes(&self) -> usize {
        self.lanes.len()
    }

    /// Number of slots.
    pub const fn count(&self) -> u32 {
        self.table.len() as u32
    }

    /// Number of requests in flight.
    #[inline]
    pub const fn in_flight(&self) -> u32 {
        self.count() - self.free
    }

    /// Whether no slot is free.
    #[inline]
    pub const fn is_full(&self) -> bool {
        self.free == 0
    }

    /// Takes a free slot of the only lane.
    #[inline]
    pub fn take_first(&mut self) -> Option<u32> {
        let slot = self.lanes[0].pop()?;
        self.free -= 1;
        Some(slot)
    }

    /// Takes a free slot of a lane that `open` allows, lanes in turn.
    #[inline]
    pub fn take(&mut self, open: impl Fn(usize) -> bool) -> Option<(u32, usize)> {
        if self.free == 0 {
            return None;
        }
        for _ in 0..self.lanes.len() {
            let lane = self.next_lane;
            self.next_lane = if lane + 1 == self.lanes.len() {
                0
            } else {
                lane + 1
            };
            if !open(lane) {
                continue;
            }
            if let Some(slot) = self.lanes[lane].pop() {
                self.free -= 1;
                return Some((slot, lane));
            }
        }
        None
    }

    /// Gives a slot back.
    #[inline]
    pub fn give(&mut self, slot: u32) {
        let lane = self.lane_of(slot);
        self.lanes[lane].push(slot);
        self.free += 1;
    }

    #[inline]
    fn lane_of(&self, slot: u32) -> usize {
        if self.lanes.len() == 1 {
            0
        } else {
            (slot / self.per_lane) as usize
        }
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

    #[test]
    fn lanes_are_taken_in_turn_and_keep_their_limit() {
        let mut slots = Slots::new(2, 2);
        let taken: Vec<_> = (0..5).map(|_| slots.take(|_| true)).collect();
        assert_eq!(
            taken,
            [Some((0, 0)), Some((2, 1)), Some((1, 0)), Some((3, 1)), None]
        );
        assert_eq!((slots.in_flight(), slots.is_full()), (4, true));
        slots.give(2);
        assert_eq!(slots.take(|lane| lane == 0), None);
        assert_eq!(slots.take(|_| true), Some((2, 1)));
    }
}
