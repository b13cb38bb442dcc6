//! A recorded list of requests, ready to be made again.

use crate::op::Op;
use crate::spec::{IoKind, Replay};
use crate::units::{Bytes, Nanos, Percent};
use std::collections::BTreeMap;

/// Most kinds of requests that a summary tells apart.
const MOST_KINDS: usize = 64;

/// What is moved as a whole where a trace is packed.
const REGION_BYTES: u64 = 1 << 20;

/// One recorded request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceRequest {
    /// When it was made, since the start of the trace.
    pub at: Nanos,
    /// Byte offset in its target.
    pub offset: u64,
    /// Bytes.
    pub len: u32,
    /// Number of its target among those of the trace.
    pub target: u16,
    /// What it did.
    pub op: Op,
    /// A flush that may leave out metadata.
    pub data_only: bool,
}

/// Recorded requests, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Paths that were recorded; a request names one by its position.
    pub files: Vec<String>,
    /// The requests; their instants do not go back.
    pub requests: Vec<TraceRequest>,
    /// Recorded requests that were not selected.
    pub left_out: u64,
}

impl Trace {
    /// The requests that `replay` makes of a trace, its instants brought to the speed asked for.
    #[must_use]
    pub fn prepared(mut self, replay: &Replay) -> Self {
        for request in &mut self.requests {
            request.at = match replay.speed {
                Some(speed) => Nanos((request.at.0 as f64 * 100.0 / speed.0).round() as u64),
                None => Nanos::ZERO,
            };
            request.offset /= replay.shrink.max(1);
        }
        if replay.packed {
            self.pack();
        }
        self
    }

    /// Moves the regions that have requests together, in their order, those of one target after
    /// those of another. Requests that follow on each other still do.
    fn pack(&mut self) {
        let regions = |request: &TraceRequest| {
            let last = u64::from(request.len).saturating_sub(1);
            let last = request.offset.saturating_add(last);
            (request.offset / REGION_BYTES, last / REGION_BYTES)
        };
        let mut places: BTreeMap<(u16, u64), u64> = BTreeMap::new();
        for request in self.requests.iter().filter(|one| one.op != Op::Flush) {
            let (first, last) = regions(request);
            places.extend((first..=last).map(|region| ((request.target, region), 0)));
        }
        for (place, region) in (0..).zip(places.values_mut()) {
            *region = place;
        }
        for request in &mut self.requests {
            let region = places.get(&(request.target, regions(request).0));
            let region = region.copied().unwrap_or(0);
            request.offset = region * REGION_BYTES + request.offset % REGION_BYTES;
            request.target = 0;
        }
        self.files.truncate(1);
    }

    /// Requests that were recorded, selected or not.
    pub const fn recorded(&self) -> u64 {
        self.requests.len() as u64 + self.left_out
    }

    /// What every target has to hold: the largest end of a request.
    pub fn end_bytes(&self) -> u64 {
        let ends = self.requests.iter();
        let ends = ends.map(|request| request.offset.saturating_add(u64::from(request.len)));
        ends.max().unwrap_or(0)
    }

    /// Whether it has requests of this operation.
    pub fn has(&self, op: Op) -> bool {
        self.requests.iter().any(|request| request.op == op)
    }

    /// The requests in short: operations and sizes with their numbers as weights, the most
    /// frequent ones and the largest of each operation; the share of those that do not follow on
    /// the one before, and the greatest step of which their places and lengths are multiples.
    pub fn kinds(&self) -> Vec<IoKind> {
        let mut counts: BTreeMap<(usize, u32), Counts> = BTreeMap::new();
        let mut ends: BTreeMap<u16, u64> = BTreeMap::new();
        for request in &self.requests {
            let Some(op) = OPS.iter().position(|op| *op == request.op) else {
                continue;
            };
            let entry = counts.entry((op, request.len)).or_default();
            let follows = ends.get(&request.target) == Some(&request.offset);
            entry.all += 1;
            entry.jumps += u64::from(!follows);
            entry.step = greatest_common(entry.step, request.offset);
            ends.insert(request.target, request.offset + u64::from(request.len));
        }
        let mut all: Vec<_> = counts.into_iter().collect();
        if all.len() > MOST_KINDS {
            let last = all.last().map(|(key, _)| *key);
            let ends_op = |index: usize| {
                let next = all.get(index + 1);
                next.is_none_or(|next| next.0.0 != all[index].0.0)
            };
            let largest: Vec<_> = (0..all.len())
                .filter(|index| ends_op(*index))
                .map(|index| all[index].0)
                .chain(last)
                .collect();
            let mut frequent: Vec<u64> = all.iter().map(|(_, counts)| counts.all).collect();
            frequent.sort_unstable_by(|one, other| other.cmp(one));
            let least = frequent[MOST_KINDS - OPS.len()];
            // The alignment of the rest shows what is left out.
            let steps = all
                .iter()
                .map(|((_, len), counts)| greatest_common(counts.step, (*len).into()));
            let step = steps.fold(0, greatest_common);
            all.retain(|(key, counts)| counts.all > least || largest.contains(key));
            for (_, counts) in &mut all {
                counts.step = step;
            }
        }
        let kind = |((op, len), counts): ((usize, u32), Counts)| IoKind {
            op: OPS[op],
            block_size: Bytes(u64::from(len)),
            random: Percent((counts.jumps as f64 * 1e4 / counts.all as f64).round() / 100.0),
            align: Bytes(greatest_common(counts.step, len.into()).max(1)),
            weight: counts.all as f64,
        };
        all.into_iter().map(kind).collect()
    }
}

/// What is counted of requests of one operation and size.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    all: u64,
    /// Those that do not follow on the one before.
    jumps: u64,
    /// The greatest number of which all their offsets are multiples.
    step: u64,
}

/// The greatest common divisor; of 0 and another number, that.
const fn greatest_common(mut one: u64, mut other: u64) -> u64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

const OPS: [Op; 3] = [Op::Read, Op::Write, Op::Trim];

#[cfg(test)]
mod tests {
    use super::*;

    fn request(at_us: u64, op: Op, offset: u64, len: u32) -> TraceRequest {
        TraceRequest {
            at: Nanos::from_micros(at_us),
            offset,
            len,
            target: 0,
            op,
            data_only: false,
        }
    }

    fn trace() -> Trace {
        Trace {
            files: vec!["a".into()],
            requests: vec![
                request(0, Op::Read, 0, 4096),
                request(10, Op::Read, 4096, 4096),
                request(30, Op::Write, 81_920, 8192),
                request(50, Op::Flush, 0, 0),
            ],
            left_out: 0,
        }
    }

    #[test]
    fn a_trace_is_brought_to_speed_and_place() {
        let replay = Replay {
            speed: Some(Percent(50.0)),
            shrink: 10,
            ..Replay::all("t")
        };
        let expected = [
            request(0, Op::Read, 0, 4096),
            request(20, Op::Read, 409, 4096),
            request(60, Op::Write, 8192, 8192),
            request(100, Op::Flush, 0, 0),
        ];
        assert_eq!(trace().prepared(&replay).requests, expected);
        assert_eq!(trace().prepared(&replay).end_bytes(), 16_384);
    }

    #[test]
    fn a_packed_trace_has_no_gaps() {
        let mib = 1 << 20;
        let mut spread = trace();
        spread.files.push("b".into());
        spread.requests = vec![
            request(0, Op::Read, 900 * mib + 4096, 4096),
            request(0, Op::Write, 7 * mib - 4096, 8192),
            request(0, Op::Flush, 0, 0),
            TraceRequest {
                target: 1,
                ..request(0, Op::Read, 0, 4096)
            },
        ];
        let replay = Replay {
            packed: true,
            ..Replay::all("t")
        };
        let packed = spread.prepared(&replay);
        let expected = [
            request(0, Op::Read, 2 * mib + 4096, 4096),
            request(0, Op::Write, mib - 4096, 8192),
            request(0, Op::Flush, 0, 0),
            request(0, Op::Read, 3 * mib, 4096),
        ];
        assert_eq!(
            (packed.files.len(), packed.requests),
            (1, expected.to_vec())
        );
    }

    #[test]
    fn a_summary_counts_what_there_is() {
        let kind = |op, len, random, weight| IoKind {
            op,
            block_size: Bytes(len),
            random: Percent(random),
            align: Bytes(len),
            weight,
        };
        assert_eq!(
            trace().kinds(),
            [
                kind(Op::Read, 4096, 50.0, 2.0),
                kind(Op::Write, 8192, 100.0, 1.0)
            ]
        );
        let mut many = trace();
        many.requests = (1..1000)
            .map(|index| request(0, Op::Read, 0, index * 512))
            .collect();
        let kinds = many.kinds();
        let last = kinds.last().map(|kind| kind.block_size);
        // What is left out is told by what is not.
        let aligned = kinds.iter().all(|kind| kind.align == Bytes(512));
        assert_eq!(
            (kinds.len() <= MOST_KINDS, last, aligned),
            (true, Some(Bytes(999 * 512)), true)
        );
    }
}
