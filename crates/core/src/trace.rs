//! A recorded list of requests, ready to be made again.

mod outline;
mod preparation;

pub use outline::Outline;
pub use preparation::Preparation;

use crate::op::Op;
use crate::spec::{IoKind, Replay};
use crate::units::Nanos;

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
    /// From its issue to its completion, if that was recorded.
    pub service: Option<Nanos>,
    /// Number of the thread that asked for it, among those of the trace; 0 where that was not
    /// recorded.
    pub task: u32,
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
        let mut preparation = Preparation::of(replay);
        for request in &self.requests {
            preparation.note(*request);
        }
        preparation.close();
        for request in &mut self.requests {
            *request = preparation.apply(*request);
        }
        if replay.packed {
            self.files.truncate(1);
        }
        self
    }

    /// Requests that were recorded, selected or not.
    pub const fn recorded(&self) -> u64 {
        self.requests.len() as u64 + self.left_out
    }

    /// What every target has to hold: the largest end of a request.
    pub fn end_bytes(&self) -> u64 {
        let ends = self.requests.iter().map(TraceRequest::end);
        ends.max().unwrap_or(0)
    }

    /// Whether it has requests of this operation.
    pub fn has(&self, op: Op) -> bool {
        self.requests.iter().any(|request| request.op == op)
    }

    /// The requests in short; see [`Outline::kinds`].
    pub fn kinds(&self) -> Vec<IoKind> {
        Outline::of(&self.requests).kinds()
    }
}

impl TraceRequest {
    /// A request to the first target, without a recorded completion or thread.
    pub const fn new(at: Nanos, op: Op, offset: u64, len: u32) -> Self {
        Self {
            at,
            offset,
            len,
            target: 0,
            op,
            data_only: false,
            service: None,
            task: 0,
        }
    }

    /// The byte behind its last.
    pub const fn end(&self) -> u64 {
        self.offset.saturating_add(self.len as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::outline::MOST_KINDS;
    use super::*;
    use crate::units::{Bytes, Percent};

    fn request(at_us: u64, op: Op, offset: u64, len: u32) -> TraceRequest {
        TraceRequest::new(Nanos::from_micros(at_us), op, offset, len)
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
