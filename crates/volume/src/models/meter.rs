//! How many tokens a request costs: splitting of large ones, merging of those that continue.

use crate::catalog::Accounting;
use crate::model::{FlowKind, IoShape};
use fathom_core::{CapUnit, Nanos, Op};

/// Sequential streams that are distinguished; with more, the longest silent one is forgotten.
const STREAMS: usize = 32;

/// Counts requests against one limit.
#[derive(Clone, Debug)]
pub struct Meter {
    unit: CapUnit,
    accounting: Accounting,
    streams: Vec<Stream>,
    /// The stream to forget next.
    oldest: usize,
}

/// Where a sequential stream ended, how full its open unit is, and until when its last request
/// waits: what comes later cannot be merged with it.
#[derive(Clone, Copy, Debug)]
struct Stream {
    op: Op,
    end: u64,
    filled: u64,
    waits_until: Nanos,
}

/// What a request costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// Tokens of its own.
    pub count: u64,
    /// The instant of the request with which it is merged: it goes with it, not before.
    pub with: Option<Nanos>,
}

impl Tokens {
    const fn own(count: u64) -> Self {
        Self { count, with: None }
    }
}

impl Meter {
    /// A meter that counts requests or bytes by the rule of a limit.
    pub fn new(unit: CapUnit, accounting: Accounting) -> Self {
        Self {
            unit,
            accounting,
            streams: Vec::new(),
            oldest: 0,
        }
    }

    /// Tokens of a request that comes at an instant. A flush moves nothing and costs nothing; a
    /// trim is a request without bytes.
    pub fn count(&mut self, io: IoShape, at: Nanos) -> Tokens {
        let bytes = u64::from(io.bytes);
        match (io.op, self.unit) {
            // What is of files is a matter of the file system.
            (Op::Flush | Op::Create | Op::Stat | Op::Rename | Op::Unlink, _)
            | (Op::Trim, CapUnit::BytesPerSecond) => return Tokens::own(0),
            (Op::Trim, CapUnit::Iops) => return Tokens::own(1),
            (Op::Read | Op::Write, _) => {}
        }
        match (self.accounting, self.unit) {
            (Accounting::Once, CapUnit::Iops) => Tokens::own(1),
            (Accounting::WholeMerge(unit), CapUnit::BytesPerSecond) => {
                let merged = self.merged(io, unit, at);
                Tokens {
                    count: merged.count * unit,
                    ..merged
                }
            }
            (_, CapUnit::BytesPerSecond) => Tokens::own(bytes),
            (Accounting::Split(unit), CapUnit::Iops) => Tokens::own(bytes.div_ceil(unit)),
            (Accounting::SplitMerge(unit) | Accounting::WholeMerge(unit), CapUnit::Iops) => {
                self.merged(io, unit, at)
            }
        }
    }

    /// Units begun by a request, counting on those that its stream has begun: what it continues
    /// must still wait, or come in the same instant.
    fn merged(&mut self, io: IoShape, unit: u64, at: Nanos) -> Tokens {
        let bytes = u64::from(io.bytes);
        let end = io.offset + bytes;
        let known = self
            .streams
            .iter_mut()
            .find(|stream| stream.op == io.op && stream.end == io.offset);
        if let Some(stream) = known {
            let is_open = stream.filled > 0 && stream.waits_until >= at;
            let before = if is_open { stream.filled } else { 0 };
            let total = before + bytes;
            let with = is_open.then_some(stream.waits_until);
            *stream = Stream {
                op: io.op,
                end,
                filled: total % unit,
                waits_until: at,
            };
            return Tokens {
                count: total.div_ceil(unit) - u64::from(is_open),
                with,
            };
        }
        let new = Stream {
            op: io.op,
            end,
            filled: bytes % unit,
            waits_until: at,
        };
        if self.streams.len() < STREAMS {
            self.streams.push(new);
        } else {
            self.streams[self.oldest] = new;
            self.oldest = (self.oldest + 1) % STREAMS;
        }
        Tokens::own(bytes.div_ceil(unit))
    }

    /// Notes until when a request waits that was just counted.
    pub fn waits(&mut self, io: IoShape, until: Nanos) {
        let end = io.offset + u64::from(io.bytes);
        let mut streams = self.streams.iter_mut();
        if let Some(stream) = streams.find(|stream| stream.op == io.op && stream.end == end) {
            stream.waits_until = until;
        }
    }

    /// Mean tokens of a request of a kind.
    pub fn mean(&self, kind: &FlowKind) -> f64 {
        match (kind.op, self.unit) {
            (Op::Flush | Op::Create | Op::Stat | Op::Rename | Op::Unlink, _)
            | (Op::Trim, CapUnit::BytesPerSecond) => return 0.0,
            (Op::Trim, CapUnit::Iops) => return 1.0,
            (Op::Read | Op::Write, _) => {}
        }
        let whole = |unit: u64| (kind.bytes / unit as f64).ceil();
        // Those that wait together share units; the next ones begin a new one.
        let together = kind.together.max(1.0);
        let shared = |unit: u64| (together * kind.bytes / unit as f64).ceil() / together;
        let merged =
            |unit: u64| kind.sequential * shared(unit) + (1.0 - kind.sequential) * whole(unit);
        match (self.accounting, self.unit) {
            (Accounting::Once, CapUnit::Iops) => 1.0,
            (Accounting::WholeMerge(unit), CapUnit::BytesPerSecond) => merged(unit) * unit as f64,
            (_, CapUnit::BytesPerSecond) => kind.bytes,
            (Accounting::Split(unit), CapUnit::Iops) => whole(unit),
            (Accounting::SplitMerge(unit) | Accounting::WholeMerge(unit), CapUnit::Iops) => {
                merged(unit)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIB: u32 = 1024;
    const UNIT: u64 = 256 << 10;

    fn counts(unit: CapUnit, accounting: Accounting, ios: &[(u64, u32)]) -> Vec<u64> {
        let mut meter = Meter::new(unit, accounting);
        let read = |&(offset, bytes)| {
            let read = IoShape {
                op: Op::Read,
                offset,
                bytes,
            };
            meter.count(read, Nanos::ZERO).count
        };
        ios.iter().map(read).collect()
    }

    #[test]
    fn large_requests_are_split() {
        let ios = [
            (0, 4 * KIB),
            (1 << 30, 256 * KIB),
            (2 << 30, 257 * KIB),
            (3 << 30, 1024 * KIB),
        ];
        for accounting in [Accounting::Split(UNIT), Accounting::SplitMerge(UNIT)] {
            assert_eq!(counts(CapUnit::Iops, accounting, &ios), [1, 1, 2, 4]);
        }
        assert_eq!(counts(CapUnit::Iops, Accounting::Once, &ios), [1; 4]);
    }

    #[test]
    fn requests_that_continue_each_other_share_a_unit() {
        // 64 KiB after 64 KiB: every fourth begins a unit.
        let ios: Vec<(u64, u32)> = (0..8).map(|i| (i * 65_536, 64 * KIB)).collect();
        let found = counts(CapUnit::Iops, Accounting::SplitMerge(UNIT), &ios);
        assert_eq!(found, [1, 0, 0, 0, 1, 0, 0, 0]);
        // 192 KiB each: four of them are three units.
        let ios: Vec<(u64, u32)> = (0..4).map(|i| (i * 196_608, 192 * KIB)).collect();
        let found = counts(CapUnit::Iops, Accounting::SplitMerge(UNIT), &ios);
        assert_eq!(found.iter().sum::<u64>(), 3);
    }

    #[test]
    fn only_requests_that_wait_together_share_a_unit() {
        let mut meter = Meter::new(CapUnit::Iops, Accounting::SplitMerge(UNIT));
        let read = |index: u64| IoShape {
            op: Op::Read,
            offset: index * 4_096,
            bytes: 4 * KIB,
        };
        let own = Tokens::own(1);
        assert_eq!(meter.count(read(0), Nanos(0)), own);
        // Let through at once: the next one finds nothing to be merged with.
        meter.waits(read(0), Nanos(0));
        assert_eq!(meter.count(read(1), Nanos(10)), own);
        meter.waits(read(1), Nanos(50));
        let with = Tokens {
            count: 0,
            with: Some(Nanos(50)),
        };
        assert_eq!(meter.count(read(2), Nanos(20)), with);
        meter.waits(read(2), Nanos(50));
        assert_eq!(meter.count(read(3), Nanos(51)), own);
    }

    #[test]
    fn the_mean_follows_how_many_wait_together() {
        let meter = Meter::new(CapUnit::Iops, Accounting::SplitMerge(UNIT));
        let of = |together: f64, kib: f64| {
            meter.mean(&FlowKind {
                op: Op::Read,
                bytes: kib * 1_024.0,
                sequential: 1.0,
                together,
                weight: 1.0,
            })
        };
        let found = [of(1.0, 4.0), of(8.0, 4.0), of(64.0, 4.0), of(1.0, 512.0)];
        let expected = [1.0, 0.125, 0.015_625, 2.0];
        let is_close = found
            .iter()
            .zip(expected)
            .all(|(one, other)| (one - other).abs() < 1e-12);
        assert!(is_close, "{found:?}");
    }

    #[test]
    fn a_random_request_of_st1_counts_a_mebibyte() {
        let whole = Accounting::WholeMerge(1 << 20);
        let random = [(0, 16 * KIB), (1 << 30, 16 * KIB)];
        assert_eq!(counts(CapUnit::Iops, whole, &random), [1, 1]);
        let bytes = counts(CapUnit::BytesPerSecond, whole, &random);
        assert_eq!(bytes, [1 << 20, 1 << 20]);
        let sequential: Vec<(u64, u32)> = (0..64).map(|i| (i * 16_384, 16 * KIB)).collect();
        let bytes = counts(CapUnit::BytesPerSecond, whole, &sequential);
        assert_eq!(bytes.iter().sum::<u64>(), 1 << 20);
    }

    #[test]
    fn many_streams_are_told_apart() {
        let mut ios = Vec::new();
        for round in 0..4_u64 {
            for stream in 0..STREAMS as u64 {
                ios.push(((stream << 30) + round * 65_536, 64 * KIB));
            }
        }
        let found = counts(CapUnit::Iops, Accounting::SplitMerge(UNIT), &ios);
        assert_eq!(found.iter().sum::<u64>(), STREAMS as u64);
    }
}
