//! What is doubtful in a result: every check reads the result and nothing else, so that a stored
//! result can be judged again.
//!
//! [`CHECKS`] is the table of all checks, one file each; [`judge`] runs them and sets the state.
//! [`THRESHOLDS`] are the numbers that they speak from, with where each comes from.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of their own")
)]

mod bound;
mod catalogue;
mod check;
mod checks;
mod coverage;
mod fitness;
mod io_limits;
mod ledger;
mod pauses;
mod probed;
mod subject;
mod threshold;
mod thresholds;
mod warm;

pub use bound::explain;
pub use catalogue::{
    CATALOGUE, ELSEWHERE, Entry, Example, FITNESS, GROUPS, Group, Topic, examples,
};
pub use check::{CHECKS, Check, judge};
pub use fitness::{Facts, FileFacts, fitness};
pub use threshold::{BOUND, Mark, Threshold, Unit};
pub use thresholds::THRESHOLDS;
