//! The load: workers that put a workload on storage, and what adds up what they saw.
//!
//! Each phase runs on threads ([`phase::on_threads`]) or in virtual time ([`phase::simulate`]), on
//! targets that somebody has opened for it, and what its workers hand over is added up.
#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of their own")
)]

pub mod aggregate;
pub mod amount;
pub mod assembly;
pub mod book;
pub mod control;
pub mod course;
mod cover;
pub mod error;
pub mod excerpt;
pub mod fill;
mod ior_fill;
pub mod journal;
pub mod journal_event;
mod levels;
pub mod observer;
mod pace;
pub mod pacer;
mod pause;
pub mod permutation;
pub mod phase;
pub mod place;
mod platform;
pub mod random;
mod rate_levels;
pub mod replay;
pub mod request;
pub mod rereads;
pub mod seed;
pub mod series;
pub mod share;
mod shared;
pub mod simulated;
pub mod slots;
pub mod start_line;
pub mod steady;
pub mod stream;
pub mod tally;
pub mod target_latency;
pub mod targets;
pub mod timeline;
pub mod verify;
pub mod walking;
pub mod watch;
pub mod worker;
pub mod zones;

pub use control::{Control, Wish};
pub use course::{Leg, PhaseOrder};
pub use error::LoadError;
pub use fill::Filler;
pub use journal::Entry;
pub use observer::{Event, Observer, Silent};
