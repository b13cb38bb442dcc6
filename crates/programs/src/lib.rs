//! The table of other programs: all that is known of one is in its crate, which gives its row.
//! A build may leave any of them out.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of their own")
)]

mod inputs;
mod results;
mod sentence;
mod table;
mod traces;
mod writers;

pub use inputs::{detect, dialects, find};
pub use results::{detect_result, read_results, result_formats};
pub use sentence::sentence;
pub use table::PROGRAMS;
pub use traces::{read_trace, trace_format};
pub use writers::{writer, writers};
