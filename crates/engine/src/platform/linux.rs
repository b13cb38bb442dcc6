//! Linux: its engines, and what they stand on.

mod clock;
pub mod files;
pub mod io_uring;
pub mod libaio;
mod memory;
#[cfg(target_arch = "x86_64")]
pub mod mmap;
pub mod nvme;
mod priority;
mod probe;
pub mod psync;
mod trim;
mod visit;

/// What to try where permission to open a target is missing.
pub(crate) const MORE_RIGHTS: &str = "sudo, membership in the group that owns the device (often \
                                      `disk`), or a file of your own";

pub(crate) use clock::{
    KERNEL_CLOCK, monotonic_ns, monotonic_seconds, sharpen_sleep, sleep_until, utc,
};
pub(crate) use files::create;
pub(crate) use memory::{map, unmap};
pub use priority::set_io_priority;
pub(crate) use visit::{AUTOMATIC, instead_of, missing, visit};
