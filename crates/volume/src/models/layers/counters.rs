//! A second source: what the volume below reports to have done, which need not be true.

use super::Layer;
use crate::model::{Admission, Counters, IoShape, VolumeModel};
use fathom_core::{Nanos, Op};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The share of what was done that is counted; 1 is the truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lie {
    /// Of reads and their bytes.
    pub reads: f64,
    /// Of writes and their bytes.
    pub writes: f64,
    /// Share of the flushes.
    pub flushes: f64,
}

impl Default for Lie {
    fn default() -> Self {
        Self {
            reads: 1.0,
            writes: 1.0,
            flushes: 1.0,
        }
    }
}

/// Counts what completes below it.
#[derive(Clone, Debug)]
pub struct CounterLayer {
    lie: Lie,
    counters: Counters,
    /// Under way: when done, when begun, what.
    pending: BinaryHeap<Reverse<(Nanos, Nanos, Op, u32)>>,
    /// Until when anything is under way, and the time until then in which something was.
    busy_until: Nanos,
    busy: Nanos,
}

impl CounterLayer {
    /// Counters that tell a share of the truth.
    pub fn new(lie: Lie) -> Self {
        Self {
            lie,
            counters: Counters::default(),
            pending: BinaryHeap::new(),
            busy_until: Nanos::ZERO,
            busy: Nanos::ZERO,
        }
    }

    fn count(&mut self, until: Nanos) {
        while let Some(Reverse((done, begun, op, bytes))) = self.pending.peek().copied() {
            if done > until {
                break;
            }
            self.pending.pop();
            let counters = &mut self.counters;
            counters.queue_ns += (done - begun).0;
            match op {
                Op::Read => {
                    counters.reads += 1;
                    counters.read_bytes += u64::from(bytes);
                }
                Op::Write => {
                    counters.writes += 1;
                    counters.write_bytes += u64::from(bytes);
                }
                Op::Trim => counters.discards += 1,
                Op::Flush => counters.flushes += 1,
                Op::Create | Op::Stat | Op::Rename | Op::Unlink => {}
            }
        }
    }
}

/// A share of a count, rounded down.
fn share(count: u64, of: f64) -> u64 {
    (count as f64 * of) as u64
}

impl Layer for CounterLayer {
    fn settle(&mut self, at: Nanos, _below: &mut dyn VolumeModel) {
        self.count(at);
    }

    fn admit(&mut self, io: IoShape, at: Nanos, below: &mut dyn VolumeModel) -> Admission {
        let served = below.admit(io, at);
        let begin = self.busy_until.max(at);
        self.busy = self.busy + served.done.saturating_sub(begin);
        self.busy_until = self.busy_until.max(served.done);
        self.pending
            .push(Reverse((served.done, at, io.op, io.bytes)));
        served
    }

    fn counted(&mut self, at: Nanos, _below: Option<Counters>) -> Option<Counters> {
        self.count(at);
        let (seen, lie) = (self.counters, self.lie);
        Some(Counters {
            reads: share(seen.reads, lie.reads),
            read_bytes: share(seen.read_bytes, lie.reads),
            writes: share(seen.writes, lie.writes),
            write_bytes: share(seen.write_bytes, lie.writes),
            flushes: share(seen.flushes, lie.flushes),
            busy_ns: self
                .busy
                .saturating_sub(self.busy_until.saturating_sub(at))
                .0,
            ..seen
        })
    }

    fn boxed(&self) -> Box<dyn Layer> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{device, flush, read, write};
    use super::*;

    #[test]
    fn it_counts_what_is_done_and_lies_as_told() {
        let mut below = device(100);
        let lie = Lie {
            reads: 0.5,
            flushes: 0.0,
            ..Lie::default()
        };
        let mut honest = CounterLayer::new(Lie::default());
        let mut liar = CounterLayer::new(lie);
        for (at, io) in [
            (0, read(512)),
            (0, read(512)),
            (10, write(512)),
            (20, flush()),
        ] {
            honest.admit(io, Nanos(at), &mut below);
            liar.admit(io, Nanos(at), &mut below);
        }
        let early = Counters {
            reads: 2,
            read_bytes: 1024,
            queue_ns: 200,
            busy_ns: 100,
            ..Counters::default()
        };
        assert_eq!(honest.counted(Nanos(100), None), Some(early));
        let truth = Counters {
            writes: 1,
            write_bytes: 512,
            flushes: 1,
            queue_ns: 400,
            busy_ns: 120,
            ..early
        };
        assert_eq!(honest.counted(Nanos(200), None), Some(truth));
        let lie = Counters {
            reads: 1,
            read_bytes: 512,
            flushes: 0,
            ..truth
        };
        assert_eq!(liar.counted(Nanos(200), None), Some(lie));
    }
}
