//! Garbage collection: after a number of bytes written the device is busy with itself for a while.

use super::Layer;
use super::stalls::{Stall, StallTimes};
use crate::model::{Admission, IoShape, VolumeModel};
use fathom_core::{Nanos, Op};

/// A stall each time a number of bytes has been written.
#[derive(Clone, Debug)]
pub struct Collection {
    length: Nanos,
    every_bytes: u64,
    /// Bytes that can be written before the first.
    free_bytes: u64,
    written: u64,
    /// The one under way, or the last.
    stall: Stall,
}

impl Collection {
    /// A stall of `length` each time `every_bytes` have been written.
    pub fn new(length: Nanos, every_bytes: u64) -> Self {
        Self {
            length,
            every_bytes: every_bytes.max(1),
            free_bytes: 0,
            written: 0,
            stall: Stall {
                at: Nanos::ZERO,
                length: Nanos::ZERO,
            },
        }
    }
}

impl Collection {
    /// The same, but not until a number of bytes has been written: a device with free blocks.
    #[must_use]
    pub const fn after(mut self, free_bytes: u64) -> Self {
        self.free_bytes = free_bytes;
        self
    }

    const fn rounds(&self) -> u64 {
        self.written.saturating_sub(self.free_bytes) / self.every_bytes
    }
}

impl Layer for Collection {
    fn admit(&mut self, io: IoShape, at: Nanos, below: &mut dyn VolumeModel) -> Admission {
        if io.op == Op::Write {
            let before = self.rounds();
            self.written += u64::from(io.bytes);
            if self.rounds() > before {
                let end = self.stall.at + self.stall.length;
                self.stall = Stall {
                    at: at.max(end),
                    length: self.length,
                };
            }
        }
        let times = StallTimes::Listed(vec![self.stall]);
        let start = times.shifted(at, at);
        let served = below.admit(io, start);
        Admission {
            done: times.shifted(start, served.done),
            ..served
        }
    }

    fn boxed(&self) -> Box<dyn Layer> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{device, read, write};
    use super::*;

    #[test]
    fn every_so_many_bytes_all_wait() {
        let mut below = device(1_000);
        let mut collection = Collection::new(Nanos(50_000), 3_000);
        let mut at = Nanos(0);
        let mut took = Vec::new();
        for io in [write(1000), write(1000), write(1000), read(1), write(1000)] {
            let done = collection.admit(io, at, &mut below).done;
            took.push((done - at).0);
            at = done;
        }
        assert_eq!(took, [1_000, 1_000, 51_000, 1_000, 1_000]);
    }

    #[test]
    fn with_free_blocks_it_begins_later() {
        let mut below = device(1_000);
        let mut collection = Collection::new(Nanos(50_000), 1_000).after(2_000);
        let mut at = Nanos(0);
        let mut took = Vec::new();
        for _ in 0..4 {
            let done = collection.admit(write(1000), at, &mut below).done;
            took.push((done - at).0);
            at = done;
        }
        assert_eq!(took, [1_000, 1_000, 51_000, 51_000]);
    }
}
