//! A session: from a plan to a result.
//!
//! [`run()`] takes a [`RunPlan`] to a result: targets are prepared, each phase runs
//! on threads or in virtual time, and what its workers hand over is added up.
#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of their own")
)]

mod account;
mod aligned;
pub mod cleanup;
pub mod error;
#[cfg(test)]
mod fixture;
mod idle;
pub mod layout;
mod listed;
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
pub use plan::{EnginePlan, RunPlan, TargetBinding, Watching};
pub use run::{run, run_course};
