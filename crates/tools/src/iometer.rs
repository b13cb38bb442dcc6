//! Iometer's configuration files (`.icf`).
//!
//! A file says what requests there are (access specifications), who makes them (managers and
//! their workers), on what (targets), and how a test steps through all of it (the test setup).
//! Every step becomes a phase, every worker a job with a thread of its own.

mod call;
mod icf;
mod import;
mod keys;
mod layout;
mod lines;
mod options;
mod parse;
mod program;
mod steps;
mod translate;

pub use layout::render;
pub(crate) use program::PROGRAM;
pub use translate::{detect, translate};

use crate::coverage;

/// The page of the documentation, as it has to read.
pub fn page() -> String {
    format!(
        "{}\n## Keys and values\n\n{}",
        include_str!("iometer/page.md"),
        coverage::markdown(&keys::rows())
    )
}
