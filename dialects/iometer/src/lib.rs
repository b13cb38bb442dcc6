//! Iometer's configuration files (`.icf`).
//!
//! A file says what requests there are (access specifications), who makes them (managers and
//! their workers), on what (targets), and how a test steps through all of it (the test setup).
//! Every step becomes a phase, every worker a job with a thread of its own.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of their own")
)]

mod call;
mod icf;
mod import;
mod keys;
mod layout;
mod lines;
mod options;
mod page;
mod parse;
mod program;
mod steps;
mod translate;

pub use layout::render;
pub use page::page;
pub use program::PROGRAM;
pub use translate::{detect, translate};
