//! The engines of Linux.

pub mod files;
pub mod io_uring;
pub mod libaio;
#[cfg(target_arch = "x86_64")]
pub mod mmap;
pub mod nvme;
mod probe;
pub mod psync;
mod trim;
mod visit;

pub(crate) use visit::{AUTOMATIC, instead_of, missing, visit};
