//! Explains outputs of storage tools: what they show, what is wrong with them, and what decides it.
//!
//! - [`paste`]: lines of a paste without the prompts, quotes and prefixes around an output.
//! - [`evidence`]: one neutral type for what any output shows.
//! - `readers`: a file for each format, with a line in their table.
//! - `results`: evidence from results that another crate has read.
//! - `rules`: a file for each rule, with a line in their table; they know no format.
//! - [`answer`]: the answer in one sentence, its findings, and how good the result is.
//!
//! Nothing in a paste is executed, and nothing here does I/O.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![expect(
    clippy::format_push_string,
    reason = "an answer is written once; growing sentences read better than write! does"
)]

pub mod against;
pub mod answer;
mod command;
mod decide;
pub mod evidence;
pub mod explanation;
pub mod facts;
pub mod finding;
pub mod good;
mod inferred;
mod layers;
mod measured;
pub mod mentions;
mod number;
pub mod paste;
mod readers;
mod reading;
mod results;
pub mod rules;
mod sentences;
pub mod stated;
mod utilisation;
mod waiting;

pub use decide::quoted;
pub use readers::formats;
pub use reading::{Importer, Reading, language, read};
