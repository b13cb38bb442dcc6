//! Windows: its engines.

mod handle;
pub mod iocp;
pub mod sync;
mod timer;
mod visit;

pub(crate) use visit::{AUTOMATIC, instead_of, visit};
