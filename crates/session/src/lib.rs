//! A session: from a plan to a judged result.
//!
//! [`measure()`] takes a [`Plan`] to a [`Judged`] result: targets are prepared, each phase runs on
//! threads or in virtual time, what its workers hand over is added up, and it is said how far that
//! can be trusted. A [`Session`] does the same and can be ended, begin together with others, or be
//! led along phases that are decided on the way.
#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of their own")
)]

mod account;
mod aligned;
mod amounts;
pub mod bindings;
pub mod blame;
pub mod campaign;
pub mod capture;
pub mod cleanup;
pub mod cluster;
mod cluster_error;
pub mod contents;
mod counters;
pub mod durability;
mod ebs_counts;
mod engines;
pub mod error;
pub mod explain;
mod explaining;
#[cfg(test)]
mod fixture;
mod foretold;
mod idle;
mod instance;
mod judged;
pub mod layout;
mod listed;
pub mod live;
mod local;
pub mod measure;
pub mod pairs;
pub mod plan;
pub mod prepare;
pub mod probing;
mod provenance;
pub mod ramp;
mod ramping;
pub mod read_back;
mod rereading;
mod run;
mod source;
pub mod start;
pub mod traces;
pub mod twin;
pub mod verify_target;
mod write_back;

pub use fathom_load::control::{Control, Wish};
pub use fathom_load::course::{Leg, PhaseOrder};
pub use fathom_load::journal::Entry;
pub use fathom_load::journal_event::JournalEvent;
pub use fathom_load::observer::{Event, HostNow, Observer, Silent, Standing};

pub use contents::ContentError;
pub use error::{ErrorKind, RunError};
pub use explain::Explain;
pub use instance::caps_below;
pub use judged::Judged;
pub use measure::{Session, measure};
pub use plan::{EnginePlan, MadeFiles, Plan, TargetBinding, Watching, draw_seed};
pub use start::Starter;
pub use traces::TraceError;
