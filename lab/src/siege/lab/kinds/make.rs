//! How each kind is made, in a folder of its own.

mod device;
mod file;

pub(super) use device::*;
pub(super) use file::*;
