//! The engines: those that every system has, one file each, and those of this one, which are below
//! `platform`. `visit.rs` leads from their names to them.

pub mod null;
pub(crate) mod platform;
pub mod sim;

pub use platform::*;
