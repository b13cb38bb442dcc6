//! Where the time of slow requests went, and who was ahead of them.
//!
//! The time of a request starts when its bio is queued and ends with its completion. It has three
//! parts ([`Parts`](fathom_core::result::blame::Parts)). The largest part is not the cause: a
//! neighbour's large writes show as a wait in front of the driver, and too few tags as a wait for
//! one. So the cause is found by what was in the device, or ahead of a request, while it waited,
//! compared with usual requests.
//!
//! A capture is read twice: [`Census`] finds who asked for how much and how long it took,
//! [`Blaming`] looks at the slow requests of one of them. The memory of both does not grow with the
//! capture. [`of_spool`] does both with requests in memory.

mod blaming;
mod cause;
mod census;
mod disks;
mod names;
mod owners;
mod parts;
mod spooled;
mod surroundings;

pub use blaming::Blaming;
pub use census::{Census, Counted};
pub use names::{LeftOut, Names};
pub use spooled::of_spool;

#[cfg(test)]
mod tests;
