//! What one worker saw in one interval: counts, bytes, histograms. The unit of hand-off from
//! the thread that measures to the one that adds up.

use crate::histogram::Counts;
use crate::moments::Moments;
use crate::op::{Op, PerOp};
use crate::slowest::Slowest;
use crate::units::Nanos;
use serde::{Deserialize, Serialize};

/// Slices of an interval at most.
const SLICES: u64 = 20;
/// A slice is not shorter than this, unless the interval is.
const SHORTEST_SLICE: Nanos = Nanos::from_millis(50);
/// Slices that an interval has memory for: an interval can become longer than planned.
const SLICE_CAPACITY: usize = 4 * SLICES as usize;

/// Number and length of the slices of an interval of this length. A slice counts completions
/// only: it shows changes that are shorter than an interval.
pub fn slices_of(interval: Nanos) -> (u64, Nanos) {
    let count = (interval.0 / SHORTEST_SLICE.0).clamp(1, SLICES);
    (count, Nanos((interval.0 / count).max(1)))
}

/// Which part of a phase an interval belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Before the measured time.
    WarmUp,
    /// The measured time.
    #[default]
    Measure,
    /// After it.
    CoolDown,
}

/// Completions of one operation in one interval.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpInterval {
    /// Completed with all their bytes.
    pub ios: u64,
    /// Bytes that these moved.
    pub bytes: u64,
    /// Completed with an error.
    pub errors: u64,
    /// Completed without error and with fewer bytes than asked; counted nowhere else.
    pub short: u64,
    /// Bytes that these moved.
    pub short_bytes: u64,
    /// From the start of the preparation of a batch to its issue, for each request of it.
    pub generation: Moments,
    /// Issue to completion, in nanoseconds.
    pub service: Counts,
    /// Intended start to completion, in nanoseconds; only for open loads, where it differs.
    pub response: Option<Counts>,
    /// The generator's own time of each request, where it is kept one by one.
    pub split: Option<SplitCounts>,
    /// The slowest of them.
    pub slowest: Slowest,
}

/// What of a completed request was the generator's time, and all of it, in nanoseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct SplitCounts {
    /// Begin of the preparation to issue.
    pub generation: Counts,
    /// Begin of the preparation to completion.
    pub total: Counts,
}

/// Completions of one operation at one of several targets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TargetCounts {
    /// Completed with all their bytes.
    pub ios: u64,
    /// Bytes that these moved.
    pub bytes: u64,
    /// Issue to completion.
    pub service: Moments,
}

impl OpInterval {
    fn clear(&mut self) {
        self.ios = 0;
        self.bytes = 0;
        self.errors = 0;
        self.short = 0;
        self.short_bytes = 0;
        self.generation = Moments::default();
        self.service.clear();
        if let Some(response) = &mut self.response {
            response.clear();
        }
        if let Some(split) = &mut self.split {
            split.generation.clear();
            split.total.clear();
        }
        self.slowest.clear();
    }
}

/// What one worker saw in one interval.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interval {
    /// Which part of the phase.
    pub part: Part,
    /// Number within the part, from 0.
    pub index: u64,
    /// Begin on the engine's clock.
    pub start: Nanos,
    /// End on the engine's clock.
    pub end: Nanos,
    /// Requests that were in flight when it began.
    pub in_flight_before: u64,
    /// Requests issued.
    pub issued: u64,
    /// Arrivals that were due (open loads), issued or not.
    pub due: u64,
    /// Integral of the number of outstanding requests over time, in nanoseconds.
    pub in_flight_ns: u128,
    /// Completions by operation; only operations that the job can issue are there.
    pub ops: PerOp<Option<Box<OpInterval>>>,
    /// Completions by target, where several are kept apart, in their order.
    pub targets: Vec<PerOp<TargetCounts>>,
    /// Completions, flushes excluded, in each whole slice of the interval ([`slices_of`]).
    pub slices: Vec<u32>,
}

impl Interval {
    /// An empty interval with memory for the given operations, for the `slowest` of each, and for
    /// this number of pages of each histogram ([`Counts::with_room`]).
    pub fn for_ops(wanted: impl Fn(Op) -> bool, open: bool, slowest: usize, pages: usize) -> Self {
        let ops = PerOp::from_fn(|op| {
            wanted(op).then(|| {
                Box::new(OpInterval {
                    service: Counts::with_room(pages),
                    response: open.then(|| Counts::with_room(pages)),
                    slowest: Slowest::new(slowest),
                    ..OpInterval::default()
                })
            })
        });
        Self {
            ops,
            slices: Vec::with_capacity(SLICE_CAPACITY),
            ..Self::default()
        }
    }

    /// Completions so far, flushes excluded.
    pub fn ios(&self) -> u64 {
        let ops = Op::REQUESTS.into_iter();
        ops.filter_map(|op| self.ops[op].as_ref())
            .map(|op| op.ios)
            .sum()
    }

    /// With room for the generator's own time of each request, if it is wanted.
    #[must_use]
    pub fn splitting(mut self, wanted: bool, pages: usize) -> Self {
        for (_, op) in self.ops.iter_mut() {
            if let Some(op) = op {
                op.split = wanted.then(|| SplitCounts {
                    generation: Counts::with_room(pages),
                    total: Counts::with_room(pages),
                });
            }
        }
        self
    }

    /// With memory for this number of targets that are counted separately.
    #[must_use]
    pub fn with_targets(mut self, count: usize) -> Self {
        self.targets = vec![none(); count];
        self
    }

    /// Forgets what was counted and keeps the memory.
    pub fn clear(&mut self) {
        self.in_flight_before = 0;
        self.issued = 0;
        self.due = 0;
        self.in_flight_ns = 0;
        for (_, op) in self.ops.iter_mut() {
            if let Some(op) = op {
                op.clear();
            }
        }
        self.targets.fill(none());
        self.slices.clear();
    }
}

fn none() -> PerOp<TargetCounts> {
    PerOp::from_fn(|_| TargetCounts::default())
}
