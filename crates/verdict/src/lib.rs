//! Warnings about a result: every check reads the result and nothing else, so that a stored result
//! can be judged again.
//!
//! [`CHECKS`] is the table of all checks, one file each, which holds its codes, thresholds,
//! sentences and examples; [`judge`] runs them and sets the state.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of their own")
)]

mod application;
mod bound;
mod check;
mod checks;
mod code;
pub mod compare;
mod coverage;
mod example;
pub mod fit;
mod fitness;
mod group;
mod health;
mod hosts;
mod io_limits;
pub mod live;
mod pace;
#[cfg(test)]
mod page;
mod pauses;
mod probed;
mod prose;
mod requirement;
mod samples;
mod searched;
pub mod slo;
pub mod stats;
mod subject;
mod threshold;
mod traffic;
pub mod trend;
mod warm;

pub use application::{APPLICATIONS, Application, Need, Per, Weight};
pub use bound::{BOUND, explain, renew_remedies};
pub use check::{Check, Effect, Entry, Look, Needs, judge};
pub use checks::members_unequal::{SlowMember, slow_member};
pub use checks::traced::traced;
pub use checks::{BEFORE, BESIDE, CHECKS, Code};
pub use fitness::{Facts, FileFacts, LOOK, Space, fitness};
pub use group::{Group, Topic, topics};
pub use hosts::togetherness;
pub use io_limits::Moved;
pub use requirement::{Requirement, RequirementError};
pub use threshold::{Mark, Threshold, Unit};
