//! What blocks are checked by.

use fathom_core::spec::BlockForm;

/// What `verify=` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::fio) enum Checksum {
    Off,
    On(BlockForm),
    /// The whole block is a pattern.
    Pattern,
}
