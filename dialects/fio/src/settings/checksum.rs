//! What blocks are checked by.

use fathom_core::spec::BlockForm;

/// What `verify=` asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Checksum {
    #[default]
    Off,
    On(BlockForm),
    /// The whole block is a pattern.
    Pattern,
}
