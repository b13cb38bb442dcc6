//! Linux: its clock, its memory, and the priority of its requests.

mod clock;
mod memory;
mod priority;

/// What to try where permission to open a target is missing.
pub(crate) const MORE_RIGHTS: &str = "sudo, membership in the group that owns the device (often \
                                      `disk`), or a file of your own";

pub(crate) use clock::{
    KERNEL_CLOCK, monotonic_ns, monotonic_seconds, sharpen_sleep, sleep_until, utc,
};
pub(crate) use memory::{map, unmap};
pub use priority::set_io_priority;
