//! How requests meet the page cache, and when writes are made durable.

use serde::{Deserialize, Serialize};

/// Past or through the page cache, and how writes become durable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Durability {
    /// Open with `O_DIRECT`.
    pub direct: bool,
    /// Open with `O_DSYNC`: a write completes when its data is durable.
    pub write_through: bool,
    /// Flush after this number of writes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sync: Option<SyncEvery>,
}

impl Durability {
    /// Past the page cache, no flush.
    pub const PLAIN: Self = Self {
        direct: true,
        write_through: false,
        sync: None,
    };
}

/// A flush after every `writes` writes of a thread to a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SyncEvery {
    /// Number of writes between two flushes.
    pub writes: u32,
    /// `fdatasync` instead of `fsync`.
    pub data_only: bool,
}
