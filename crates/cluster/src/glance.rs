//! How a measurement stands at the end of an interval: for whoever watches it.

use crate::timeline::IntervalSum;
use fathom_core::interval::Part;

/// What a member did in the last interval that it reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Latest {
    /// Requests.
    pub ios: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Requests with an error.
    pub errors: u64,
    /// Length of the interval, nanoseconds.
    pub length_ns: u64,
}

/// How all members stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Glance {
    /// By rank; `None` for members without data in this phase.
    pub members: Vec<Option<Latest>>,
    /// The last row of the time series to which nothing more is to come, if it is a new one.
    pub row: Option<Row>,
}

/// A row of the time series.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Its number among rows of its length.
    pub number: u64,
    /// Intervals of the plan that it spans.
    pub span: u64,
    /// What happened in it.
    pub sum: IntervalSum,
}

impl Row {
    /// The part of the phase to which it belongs.
    pub const fn part(&self) -> Part {
        self.sum.part
    }
}
