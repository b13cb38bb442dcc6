//! Fast cells before slow ones, as the pseudo-SLC region of flash: writes are fast until it is
//! full, and it is folded into the slow cells while nobody writes.

use super::{Layer, time_of};
use crate::model::{Admission, IoShape, Level, VolumeModel};
use fathom_core::{Nanos, Op};

/// A region that takes writes faster than the rest.
#[derive(Clone, Debug)]
pub struct FlashCache {
    bytes: u64,
    fast_rate: f64,
    slow_rate: f64,
    fold_rate: f64,
    filled: f64,
    /// When the last write has been taken in.
    busy_until: Nanos,
}

impl FlashCache {
    /// A region of `bytes` bytes; rates in bytes a second: while it has free space, when it has
    /// none, and at which it is emptied while nothing is written.
    pub const fn new(bytes: u64, fast_rate: f64, slow_rate: f64, fold_rate: f64) -> Self {
        Self {
            bytes,
            fast_rate,
            slow_rate,
            fold_rate,
            filled: 0.0,
            busy_until: Nanos::ZERO,
        }
    }

    fn filled_at(&self, at: Nanos) -> f64 {
        let idle_s = at.saturating_sub(self.busy_until).as_secs_f64();
        (self.filled - idle_s * self.fold_rate).max(0.0)
    }
}

impl Layer for FlashCache {
    fn admit(&mut self, io: IoShape, at: Nanos, below: &mut dyn VolumeModel) -> Admission {
        let served = below.admit(io, at);
        if io.op != Op::Write {
            return served;
        }
        let start = at.max(self.busy_until);
        let bytes = f64::from(io.bytes);
        self.filled = self.filled_at(start);
        let fits = self.filled + bytes <= self.bytes as f64;
        let rate = if fits { self.fast_rate } else { self.slow_rate };
        if fits {
            self.filled += bytes;
        }
        self.busy_until = start + time_of(bytes, rate);
        Admission {
            done: served.done.max(self.busy_until),
            ..served
        }
    }

    fn levels(&self, at: Nanos) -> Vec<Level> {
        vec![Level {
            name: "fast cells, filled".to_owned(),
            unit: "bytes",
            value: self.filled_at(at),
            full: self.bytes as f64,
        }]
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
    fn it_is_fast_until_full_and_again_after_a_rest() {
        // 1000 bytes take 1 µs in fast cells and 10 µs in slow ones; 3000 bytes fit.
        let mut below = device(0);
        let mut cache = FlashCache::new(3000, 1e9, 1e8, 1e6);
        let mut at = Nanos(0);
        let mut ends = Vec::new();
        for _ in 0..5 {
            at = cache.admit(write(1000), at, &mut below).done;
            ends.push(at.0);
        }
        assert_eq!(ends, [1_000, 2_000, 3_000, 13_000, 23_000]);
        // Two milliseconds of rest empty 2000 bytes: two writes are fast, a third is not.
        let rested = Nanos(23_000 + 2_000_000);
        let mut at = rested;
        let mut took = Vec::new();
        for _ in 0..3 {
            let done = cache.admit(write(1000), at, &mut below).done;
            took.push((done - at).0);
            at = done;
        }
        assert_eq!(took, [1_000, 1_000, 10_000]);
        let reads = cache.admit(read(1000), at, &mut below).done;
        assert_eq!(reads, at);
    }
}
