//! Placeholder.
#![forbid(unsafe_code)]

pub mod fill;
pub mod verify;

pub use fill::Filler;
