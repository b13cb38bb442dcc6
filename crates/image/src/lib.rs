//! The live image, as far as it can be said without reading or running anything.
//!
//! - [`cpio`]: archives that a kernel unpacks into its first file system.
//! - [`slot`]: the room that every image has for the configuration and the keys of a site.
//! - [`site`]: what may be in the folder of a site, and where the system has it.
//! - [`job`]: what a machine that starts the image is to do, from the command line of its kernel or
//!   from a file.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod cpio;
pub mod job;
pub mod site;
pub mod slot;

pub use cpio::Archive;
pub use job::{Job, JobError, Then};
pub use slot::SlotError;
