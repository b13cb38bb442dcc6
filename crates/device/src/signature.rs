//! The contents of a block device, by the fixed bytes that file systems, volume managers and
//! partition tables write at fixed places. The places and bytes are in `signature/table.rs`.

mod confirm;
pub mod probe;
pub mod table;
#[cfg(test)]
mod tests;
pub mod unknown;

pub use probe::{Extent, Signature, canonical_name, detect, join};
pub use unknown::{DATA, examine, look};
