//! How late each request of a timed replay is issued.

use fathom_core::Nanos;
use fathom_core::histogram::{Counts, Histogram};
use fathom_core::result::{REPLAY_LATE_NS, ReplayLag};

/// The lags of the requests that one worker issued in the measured time.
#[derive(Clone, Debug)]
pub struct ReplayLags {
    lags: Histogram,
    late: u64,
    late_queued: u64,
}

impl ReplayLags {
    /// With memory for all lags.
    pub(super) fn new() -> Self {
        Self {
            lags: Histogram::with_room(Counts::PAGES),
            late: 0,
            late_queued: 0,
        }
    }

    /// Counts a request, which may have waited for a free slot.
    pub(super) fn record(&mut self, lag: Nanos, has_waited: bool) {
        self.lags.record(lag.0);
        let is_late = lag.0 > REPLAY_LATE_NS;
        self.late += u64::from(is_late);
        self.late_queued += u64::from(is_late && has_waited);
    }

    /// What all workers of a job counted; none if no request was issued.
    pub(crate) fn together<'a>(all: impl Iterator<Item = &'a Self>) -> Option<ReplayLag> {
        let mut lags = Histogram::new();
        let mut sum = ReplayLag::default();
        for one in all {
            lags.add(&one.lags);
            sum.late += one.late;
            sum.late_queued += one.late_queued;
        }
        sum.time_ns = lags.summary();
        (!lags.is_empty()).then_some(sum)
    }
}
