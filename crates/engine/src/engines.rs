//! The engines, one file each. `kind.rs` has the table of them.

pub mod blocking;
pub mod files;
pub mod io_uring;
pub mod libaio;
pub mod mmap;
pub mod null;
pub mod nvme;
pub mod psync;
pub mod sim;
