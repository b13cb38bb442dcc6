//! A session: from a plan to a judged result.
//!
//! [`measure()`] takes a [`RunPlan`] to a [`Judged`] result: targets are prepared, each phase runs
//! on threads or in virtual time, what its workers hand over is added up, and it is said how far
//! that can be trusted. A [`Session`] does the same and can be ended, asked for an explanation, or
//! led along phases that are decided on the way.
#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of their own")
)]

mod account;
mod aligned;
pub mod cleanup;
mod ebs_counts;
pub mod error;
pub mod explain;
#[cfg(test)]
mod fixture;
mod idle;
mod instance;
mod judged;
pub mod layout;
mod listed;
pub mod measure;
pub mod plan;
pub mod prepare;
pub mod probing;
pub mod provenance;
pub mod ramp;
pub mod read_back;
pub mod run;
pub mod verify_target;

pub use fathom_load::control::{Control, Wish};
pub use fathom_load::course::{Course, Leg};
pub use fathom_load::journal::Entry;
pub use fathom_load::observer::{Event, Observer, Silent};

pub use error::{ErrorKind, RunError};
pub use explain::Explain;
pub use judged::Judged;
pub use measure::{Session, Way, measure};
pub use plan::{EnginePlan, RunPlan, TargetBinding, Watching};
pub use run::{run, run_course};
