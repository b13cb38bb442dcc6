//! The load: workers that put a workload on storage, and what adds up what they saw.
//!
//! [`run()`] takes a [`RunPlan`] to a result: targets are prepared, each phase runs
//! on threads or in virtual time, and what its workers hand over is added up.
#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of their own")
)]

mod account;
pub mod aggregate;
mod aligned;
pub mod amount;
pub mod assembly;
pub mod book;
mod books;
pub mod cleanup;
pub mod control;
pub mod course;
pub mod depth_search;
pub mod error;
pub mod fill;
#[cfg(test)]
mod fixture;
pub mod floor;
mod hiccup;
mod idle;
pub mod journal;
pub mod layout;
pub mod ledger;
mod levels;
pub mod machine;
pub mod observer;
pub mod pacer;
pub mod permutation;
pub mod phase;
pub mod place;
pub mod plan;
pub mod prepare;
pub mod probing;
pub mod provenance;
pub mod ramp;
pub mod random;
pub mod read_back;
pub mod replay;
pub mod run;
pub mod seed;
pub mod series;
pub mod share;
mod shared;
pub mod slots;
pub mod start_line;
pub mod steady;
pub mod stream;
pub mod tally;
pub mod timeline;
pub mod verify;
pub mod walking;
mod witness;
pub mod worker;

pub use control::{Control, Wish};
pub use course::{Course, Leg};
pub use error::{ErrorKind, RunError};
pub use fill::Filler;
pub use journal::Entry;
pub use observer::{Event, Observer, Silent};
pub use plan::{EnginePlan, RunPlan, TargetBinding, Watching};
pub use run::{run, run_course};
