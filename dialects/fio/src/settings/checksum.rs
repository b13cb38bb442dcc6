//! What blocks are checked by.

use fathom_core::spec::BlockForm;

/// What `verify=` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Checksum {
    Off,
    On(BlockForm),
    /// The whole block is a pattern.
    Pattern,
}
