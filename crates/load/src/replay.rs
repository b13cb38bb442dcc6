//! Makes recorded requests again, by their own instants or as fast as completions allow.

use fathom_core::Nanos;
use fathom_core::trace::{Trace, TraceRequest};
use std::sync::Arc;

/// Where a thread is in its trace.
#[derive(Clone, Debug)]
pub struct Replayer {
    trace: Arc<Trace>,
    next: usize,
    start: Nanos,
    /// Whether requests wait for their instants.
    timed: bool,
    /// Number of targets; a single one takes all requests.
    targets: usize,
}

impl Replayer {
    /// At the begin of a prepared trace, on so many targets.
    pub const fn new(trace: Arc<Trace>, timed: bool, targets: usize) -> Self {
        Self {
            trace,
            next: 0,
            start: Nanos::ZERO,
            timed,
            targets,
        }
    }

    /// Sets the begin of the job.
    pub(crate) fn begin(&mut self, start: Nanos) {
        self.start = start;
    }

    /// The next request with the instant it is meant for and its target; none when all were made.
    pub(crate) fn peek(&self, now: Nanos) -> Option<(Nanos, usize, TraceRequest)> {
        let request = *self.trace.requests.get(self.next)?;
        let at = if self.timed {
            self.start.saturating_add(request.at)
        } else {
            now.max(self.start)
        };
        let target = if self.targets == 1 {
            0
        } else {
            usize::from(request.target)
        };
        Some((at, target, request))
    }

    /// The request that was looked at is made.
    pub(crate) fn advance(&mut self) {
        self.next += 1;
    }
}
