//! What is doubtful in a result: every check reads the result and nothing else, so that a stored
//! result can be judged again.
//!
//! [`CHECKS`] is the table of all checks, one file each; [`judge`] runs them and sets the state.
//! Thresholds are constants with their source beside them.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod bound;
mod check;
mod checks;
mod ledger;
mod subject;

pub use bound::explain;
pub use check::{CHECKS, Check, judge};
