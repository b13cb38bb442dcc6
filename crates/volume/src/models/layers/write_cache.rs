//! A write-back cache: writes are done once they are in it, and go below in their own time.

use super::{Layer, own, time_of};
use crate::model::{Admission, IoShape, Level, VolumeModel};
use fathom_core::{Nanos, Op};
use std::collections::VecDeque;

/// A cache that acknowledges writes before they are below.
///
/// What is written is drained in order at a rate, as requests of the same shape. A write that
/// finds no room is done when enough has been drained. Bytes taken in are at any instant those
/// drained and those resident.
#[derive(Clone, Debug)]
pub struct WriteCache {
    bytes: u64,
    drain_rate: f64,
    ack: Nanos,
    honours_flush: bool,
    /// Writes that are not on their way yet.
    queue: VecDeque<IoShape>,
    queued_bytes: u64,
    /// Writes on their way, in order: when done, and all bytes drained by then.
    leaving: VecDeque<(Nanos, u64)>,
    sent_bytes: u64,
    drained_bytes: u64,
    /// When the next may leave.
    next: Nanos,
}

impl WriteCache {
    /// A cache of `bytes` bytes, drained at most at `drain_rate` bytes a second, that takes `ack`
    /// for a write.
    pub fn new(bytes: u64, drain_rate: f64, ack: Nanos) -> Self {
        Self {
            bytes,
            drain_rate,
            ack,
            honours_flush: true,
            queue: VecDeque::new(),
            queued_bytes: 0,
            leaving: VecDeque::new(),
            sent_bytes: 0,
            drained_bytes: 0,
            next: Nanos::ZERO,
        }
    }

    /// The same, but flushes are acknowledged and do nothing.
    #[must_use]
    pub const fn without_flush(mut self) -> Self {
        self.honours_flush = false;
        self
    }

    /// Bytes that are not below yet, as of the last settling.
    pub fn resident_bytes(&self) -> u64 {
        self.queued_bytes + self.sent_bytes - self.drained_bytes
    }

    /// Bytes that are below, as of the last settling.
    pub const fn drained_bytes(&self) -> u64 {
        self.drained_bytes
    }

    fn send(&mut self, at: Nanos, below: &mut dyn VolumeModel) {
        while self.next <= at {
            let Some(io) = self.queue.pop_front() else {
                break;
            };
            let done = below.admit(io, self.next).done;
            let last = self.leaving.back().map_or(Nanos::ZERO, |(done, _)| *done);
            self.queued_bytes -= u64::from(io.bytes);
            self.sent_bytes += u64::from(io.bytes);
            self.leaving.push_back((done.max(last), self.sent_bytes));
            self.next = self.next + time_of(f64::from(io.bytes), self.drain_rate);
        }
        while let Some((done, bytes)) = self.leaving.front().copied() {
            if done > at {
                break;
            }
            self.drained_bytes = bytes;
            self.leaving.pop_front();
        }
    }

    /// When `bytes` in all will have been drained.
    fn drained_by(&self, bytes: u64) -> Nanos {
        if bytes <= self.drained_bytes {
            return Nanos::ZERO;
        }
        let first = self
            .leaving
            .partition_point(|(_, by_then)| *by_then < bytes);
        if let Some((done, _)) = self.leaving.get(first) {
            return *done;
        }
        let last = self.leaving.back().map_or(Nanos::ZERO, |(done, _)| *done);
        let missing = (bytes - self.sent_bytes) as f64;
        last.max(self.next + time_of(missing, self.drain_rate))
    }
}

impl Layer for WriteCache {
    fn settle(&mut self, at: Nanos, below: &mut dyn VolumeModel) {
        self.send(at, below);
    }

    fn admit(&mut self, io: IoShape, at: Nanos, below: &mut dyn VolumeModel) -> Admission {
        match io.op {
            Op::Read | Op::Trim | Op::Create | Op::Stat | Op::Rename | Op::Unlink => {
                below.admit(io, at)
            }
            Op::Flush if !self.honours_flush => own(at + self.ack),
            Op::Flush => {
                let all = self.drained_by(self.sent_bytes + self.queued_bytes);
                let flushed = below.admit(io, at);
                Admission {
                    done: flushed.done.max(all + self.ack),
                    ..flushed
                }
            }
            Op::Write => {
                if self.queue.is_empty() {
                    self.next = self.next.max(at);
                }
                self.queue.push_back(io);
                self.queued_bytes += u64::from(io.bytes);
                let all = self.sent_bytes + self.queued_bytes;
                let room = self.drained_by(all.saturating_sub(self.bytes));
                own(at.max(room) + self.ack)
            }
        }
    }

    fn levels(&self, _at: Nanos) -> Vec<Level> {
        vec![Level {
            name: "write cache, resident".to_owned(),
            unit: "bytes",
            value: self.resident_bytes().min(self.bytes) as f64,
            full: self.bytes as f64,
        }]
    }

    fn boxed(&self) -> Box<dyn Layer> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{device, flush, write};
    use super::*;

    const MS: u64 = 1_000_000;

    #[test]
    fn writes_are_fast_until_it_is_full() {
        // Four writes of 1000 bytes fit; one leaves every millisecond and takes another below.
        let mut below = device(MS);
        let mut cache = WriteCache::new(4000, 1e6, Nanos(10));
        let done: Vec<u64> = (0..7)
            .map(|_| cache.admit(write(1000), Nanos(0), &mut below).done.0)
            .collect();
        let full = |count: u64| count * MS + 10;
        assert_eq!(done, [10, 10, 10, 10, full(1), full(2), full(3)]);
    }

    #[test]
    fn what_goes_in_is_drained_or_resident() {
        let mut below = device(MS);
        let mut cache = WriteCache::new(100_000, 1e6, Nanos(10));
        let mut taken = 0;
        for step in 0..200_u64 {
            let at = Nanos(step * MS / 3);
            cache.settle(at, &mut below);
            assert_eq!(cache.drained_bytes() + cache.resident_bytes(), taken);
            cache.admit(write(1000), at, &mut below);
            taken += 1000;
        }
        cache.settle(Nanos(1_000 * MS), &mut below);
        assert_eq!((cache.drained_bytes(), cache.resident_bytes()), (taken, 0));
    }

    #[test]
    fn a_flush_waits_for_what_is_resident_unless_it_is_ignored() {
        let mut below = device(MS);
        let mut cache = WriteCache::new(1 << 20, 1e6, Nanos(10));
        let mut liar = cache.clone().without_flush();
        for _ in 0..5 {
            cache.admit(write(1000), Nanos(0), &mut below);
            liar.admit(write(1000), Nanos(0), &mut below);
        }
        assert_eq!(
            cache.admit(flush(), Nanos(0), &mut below).done,
            Nanos(5 * MS + 10)
        );
        assert_eq!(liar.admit(flush(), Nanos(0), &mut below).done, Nanos(10));
    }

    #[test]
    fn a_slower_volume_below_sets_the_pace() {
        // It could drain 10 MB/s, and one server below takes a millisecond for each 1000 bytes.
        let mut below = super::super::fixture::one_server(MS);
        let mut cache = WriteCache::new(2000, 1e7, Nanos(0));
        let mut at = Nanos(0);
        for _ in 0..100 {
            cache.settle(at, &mut below);
            at = cache.admit(write(1000), at, &mut below).done;
        }
        let seconds = at.as_secs_f64();
        assert!((0.09..0.1).contains(&seconds), "{seconds}");
    }
}
