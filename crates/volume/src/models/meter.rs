//! How many tokens a request costs: splitting of large ones, merging of those that continue.

use crate::catalog::Accounting;
use crate::model::{FlowKind, IoShape};
use fathom_core::{CapUnit, Op};

/// Sequential streams that are told apart; with more, the longest silent one is forgotten.
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

/// Where a sequential stream ended, and how full its open unit is.
#[derive(Clone, Copy, Debug)]
struct Stream {
    op: Op,
    end: u64,
    filled: u64,
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

    /// Tokens of a request. A flush moves nothing and costs nothing; a trim is a request without
    /// bytes.
    pub fn count(&mut self, io: IoShape) -> u64 {
        let bytes = u64::from(io.bytes);
        match (io.op, self.unit) {
            (Op::Flush, _) | (Op::Trim, CapUnit::BytesPerSecond) => return 0,
            (Op::Trim, CapUnit::Iops) => return 1,
            (Op::Read | Op::Write, _) => {}
        }
        match (self.accounting, self.unit) {
            (Accounting::Once, CapUnit::Iops) => 1,
            (Accounting::WholeMerge(unit), CapUnit::BytesPerSecond) => self.merged(io, unit) * unit,
            (_, CapUnit::BytesPerSecond) => bytes,
            (Accounting::Split(unit), CapUnit::Iops) => bytes.div_ceil(unit),
            (Accounting::SplitMerge(unit) | Accounting::WholeMerge(unit), CapUnit::Iops) => {
                self.merged(io, unit)
            }
        }
    }

    /// Units begun by a request, counting on those that its stream has begun.
    fn merged(&mut self, io: IoShape, unit: u64) -> u64 {
        let bytes = u64::from(io.bytes);
        let end = io.offset + bytes;
        let known = self
            .streams
            .iter_mut()
            .find(|stream| stream.op == io.op && stream.end == io.offset);
        if let Some(stream) = known {
            let total = stream.filled + bytes;
            let open = u64::from(stream.filled > 0);
            *stream = Stream {
                op: io.op,
                end,
                filled: total % unit,
            };
            return total.div_ceil(unit) - open;
        }
        let new = Stream {
            op: io.op,
            end,
            filled: bytes % unit,
        };
        if self.streams.len() < STREAMS {
            self.streams.push(new);
        } else {
            self.streams[self.oldest] = new;
            self.oldest = (self.oldest + 1) % STREAMS;
        }
        bytes.div_ceil(unit)
    }

    /// Mean tokens of a request of a kind.
    pub fn mean(&self, kind: &FlowKind) -> f64 {
        match (kind.op, self.unit) {
            (Op::Flush, _) | (Op::Trim, CapUnit::BytesPerSecond) => return 0.0,
            (Op::Trim, CapUnit::Iops) => return 1.0,
            (Op::Read | Op::Write, _) => {}
        }
        let whole = |unit: u64| (kind.bytes / unit as f64).ceil();
        let merged = |unit: u64| {
            kind.sequential * kind.bytes / unit as f64 + (1.0 - kind.sequential) * whole(unit)
        };
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
            meter.count(IoShape {
                op: Op::Read,
                offset,
                bytes,
            })
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
