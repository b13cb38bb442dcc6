//! Writes that an acknowledgement log records, and what is left of them after a power cut.
//!
//! - [`area`]: where it is written, with the permission that this needs.
//! - [`witness`]: who is told.
//! - [`writer`]: a step, its acknowledgement, the word to the witness, and then the next.
//! - [`read_back`]: what the places hold afterwards.
//! - [`keeper`]: the other end of a witness on another host.

pub mod area;
pub mod error;
mod folder;
pub mod keeper;
pub mod read_back;
pub mod witness;
pub mod writer;

pub use area::{Area, Wanted};
pub use error::DurabilityError;
pub use keeper::Keeper;
pub use read_back::ReadBack;
pub use witness::{LogAddress, Witness};
pub use writer::{LogState, write};
