//! A request as it was chosen, and where it may go.

use fathom_core::Op;

/// The part of a target that a job uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// First byte.
    pub start: u64,
    /// Length in bytes.
    pub len: u64,
}

/// One request, as chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Byte offset in the target.
    pub offset: u64,
    /// Bytes.
    pub len: u32,
    /// What to do.
    pub op: Op,
}
