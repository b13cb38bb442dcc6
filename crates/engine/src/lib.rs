//! The seam between the load and the storage, and everything behind it.
//!
//! An [`Engine`] takes requests and gives completions; it also owns the clock, so that the same
//! load runs in real and in virtual time. This crate, `fathom-device`, `fathom-nvme` and
//! `fathom-platform` are the only ones that may hold `unsafe`.
//!
//! One engine serves one thread: it is made there, over targets that are open already
//! ([`OpenTarget`]), with a table of slots. A slot is the number of a request in flight and of its
//! buffer. The thread pushes requests into free slots and calls [`Engine::turn`], which submits
//! them, waits for enough completions or for an instant, and hands over what has completed.
//!
//! Which engine it is, is decided once, by [`select`]; from there [`visit()`] leads to
//! the type, so that the loop is compiled for each engine and calls it directly.
#![deny(missing_docs)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of their own")
)]

pub mod alloc;
mod buffer;
pub mod clock;
mod config;
mod delivered;
mod engine;
pub mod engines;
mod error;
mod failure;
pub mod file_tree;
mod io;
mod namespace;
mod nvme_status;
mod platform;
mod selection;
pub mod sim;
mod spin;
mod target;
mod vectors;
mod visit;

pub use buffer::BufferPool;
pub use clock::Clock;
pub use config::EngineConfig;
pub use engine::{Engine, EngineVisitor, OsEngine};
pub use error::EngineError;
pub use failure::Failure;
pub use file_tree::FileTree;
pub use io::{Completion, Progress, Submission, Wait};
pub use namespace::Namespace;
pub use platform::set_io_priority;
pub use selection::{Needs, Selection, select};
pub use spin::Spin;
pub use target::{FilesUse, OpenOptions, OpenTarget, TargetKind};
pub use vectors::Vectors;
pub use visit::{available, is_of_this_system, visit};
