//! The slowest requests, kept one by one, so that a tail can be asked what it was.
//!
//! A worker keeps those of an interval in memory that is there from the start; whoever adds
//! intervals up keeps the slowest of all. What all others cost is one comparison.

use crate::units::Nanos;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How many a run keeps of each operation of each job. The highest percentile that is printed has
/// less than 100 requests beyond it, until there are 10^8.
pub const KEPT: usize = 100;

/// A request with its three stamps, on the engine's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlowIo {
    /// When it was due to start.
    pub intended: Nanos,
    /// When it was handed to the engine.
    pub issued: Nanos,
    /// When it was found completed.
    pub completed: Nanos,
    /// Byte offset in its target.
    pub offset: u64,
    /// Bytes asked for.
    pub len: u32,
    /// Number of its target among those of the job.
    pub target: u16,
}

impl SlowIo {
    /// Issue to completion.
    #[inline]
    pub const fn service(&self) -> Nanos {
        self.completed.saturating_sub(self.issued)
    }

    /// The slower, and among equals the earlier and the lower, is the greater.
    const fn key(&self) -> (Nanos, Reverse<(Nanos, u16, u64)>) {
        let place = (self.completed, self.target, self.offset);
        (self.service(), Reverse(place))
    }
}

impl Ord for SlowIo {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for SlowIo {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The slowest requests of any number, by their service time.
#[derive(Clone, Debug)]
pub struct Slowest {
    /// The least slow one on top.
    heap: BinaryHeap<Reverse<SlowIo>>,
    room: usize,
    /// What a request must take longer than to be among them.
    floor: Nanos,
}

impl Default for Slowest {
    fn default() -> Self {
        Self::new(0)
    }
}

impl PartialEq for Slowest {
    fn eq(&self, other: &Self) -> bool {
        self.room == other.room && self.sorted() == other.sorted()
    }
}

impl Slowest {
    /// Room for the slowest `room`. All memory it will ever need is allocated here.
    pub fn new(room: usize) -> Self {
        Self {
            heap: BinaryHeap::with_capacity(room),
            room,
            floor: floor_of_none(room),
        }
    }

    /// How many it keeps.
    pub const fn room(&self) -> usize {
        self.room
    }

    /// Whether a request that took this time is among the slowest so far.
    #[inline]
    pub const fn takes(&self, service: Nanos) -> bool {
        service.0 > self.floor.0
    }

    /// Adds a request, if it is among the slowest. Never allocates.
    pub fn add(&mut self, io: SlowIo) {
        if self.heap.len() < self.room {
            self.heap.push(Reverse(io));
            if self.heap.len() < self.room {
                return;
            }
        } else {
            match self.heap.peek_mut() {
                Some(mut least) if least.0 < io => least.0 = io,
                _ => return,
            }
        }
        if let Some(Reverse(least)) = self.heap.peek() {
            self.floor = least.service();
        }
    }

    /// Adds those of another interval or worker; keeps as many as the one with more room.
    pub fn merge(&mut self, other: &Self) {
        if self.room < other.room {
            self.room = other.room;
            self.floor = floor_of_none(self.room);
            self.heap.reserve(self.room - self.heap.len());
        }
        for Reverse(io) in &other.heap {
            self.add(*io);
        }
    }

    /// All, the slowest first.
    pub fn sorted(&self) -> Vec<SlowIo> {
        let mut all: Vec<SlowIo> = self.heap.iter().map(|Reverse(io)| *io).collect();
        all.sort_unstable_by_key(|io| Reverse(*io));
        all
    }

    /// Forgets all and keeps the memory.
    pub fn clear(&mut self) {
        self.heap.clear();
        self.floor = floor_of_none(self.room);
    }
}

/// Without room nothing is slow enough.
const fn floor_of_none(room: usize) -> Nanos {
    if room == 0 { Nanos::MAX } else { Nanos::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn io(completed: u64, service: u64) -> SlowIo {
        SlowIo {
            intended: Nanos(completed - service),
            issued: Nanos(completed - service),
            completed: Nanos(completed),
            offset: completed * 4096,
            len: 4096,
            target: 0,
        }
    }

    fn of(room: usize, ios: &[SlowIo]) -> Slowest {
        let mut slowest = Slowest::new(room);
        for one in ios {
            if slowest.takes(one.service()) {
                slowest.add(*one);
            }
        }
        slowest
    }

    #[test]
    fn only_what_is_slower_than_the_least_is_taken() {
        let mut slowest = of(2, &[io(100, 5), io(200, 7), io(300, 6)]);
        assert_eq!(slowest.sorted(), [io(200, 7), io(300, 6)]);
        let takes = [5, 6, 7].map(|ns| slowest.takes(Nanos(ns)));
        assert_eq!(takes, [false, false, true]);
        slowest.clear();
        assert!(slowest.takes(Nanos(1)));
        assert!(!Slowest::default().takes(Nanos::MAX));
    }

    #[test]
    fn among_equals_the_earlier_stays() {
        let mut slowest = of(1, &[io(300, 7)]);
        slowest.add(io(200, 7));
        slowest.add(io(250, 7));
        assert_eq!(slowest.sorted(), [io(200, 7)]);
    }

    proptest! {
        #[test]
        fn the_slowest_of_parts_are_those_of_the_whole(
            services in prop::collection::vec((0_usize..4, 1_u64..50), 0..120),
            room in 1_usize..9,
        ) {
            let ios: Vec<(usize, SlowIo)> = services
                .iter()
                .enumerate()
                .map(|(index, (part, service))| (*part, io(100 + index as u64, *service)))
                .collect();
            let mut merged = Slowest::default();
            for part in 0..4 {
                let mine: Vec<SlowIo> =
                    ios.iter().filter(|(of, _)| *of == part).map(|(_, io)| *io).collect();
                merged.merge(&of(room, &mine));
            }
            let mut expected: Vec<SlowIo> = ios.iter().map(|(_, io)| *io).collect();
            expected.sort_unstable_by_key(|io| Reverse(*io));
            expected.truncate(room);
            prop_assert_eq!(merged.sorted(), expected);
        }
    }
}
