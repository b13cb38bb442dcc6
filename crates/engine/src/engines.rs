//! The engines, one file each. `visit.rs` leads from their names to them.

pub mod blocking;
pub mod files;
pub mod io_uring;
pub mod libaio;
pub mod mmap;
pub mod null;
pub mod nvme;
pub mod psync;
pub mod sim;
