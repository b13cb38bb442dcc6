//! Windows: its engines.

mod handle;
pub mod iocp;
pub mod sync;
mod timer;
mod visit;

pub(crate) use visit::{AUTOMATIC, instead_of, visit};

/// What the clock of `std` is called.
pub(crate) const KERNEL_CLOCK: &str = "query_performance_counter";
