//! The seam between the load and the storage, and everything behind it.
//!
//! An [`Engine`] takes requests and gives completions; it also owns the clock, so that the same
//! load runs in real and in virtual time. This crate and `fathom-device` are the only ones that
//! may hold `unsafe`.
#![deny(missing_docs)]

mod engine;
pub mod engines;
mod error;
mod io;
pub mod sim;

pub use engine::Engine;
pub use error::EngineError;
pub use io::{Completion, Progress, Submission, Wait};
