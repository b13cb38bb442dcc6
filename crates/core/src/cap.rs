//! A limit that somebody set on I/O: a volume's, an instance's, a link's, a cgroup's.
//!
//! One type for all who name limits: the user on the command line, the catalogue of volumes and
//! instances, the kernel's own settings. Attribution compares what was measured with these.

use serde::{Deserialize, Serialize};

/// What a cap limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CapUnit {
    /// Requests a second.
    Iops,
    /// Bytes a second.
    BytesPerSecond,
}

/// Which requests a cap counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CapScope {
    /// Reads and writes together.
    #[default]
    All,
    /// Reads alone.
    Reads,
    /// Writes alone.
    Writes,
}

/// A burst above a cap: a bucket of tokens that fills at the cap's own value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CapBurst {
    /// Rate while tokens last, in the cap's unit.
    pub value: f64,
    /// Tokens of a full bucket: requests or bytes.
    pub capacity: f64,
}

/// A limit on I/O with a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cap {
    /// Whose limit it is, as in `vm`, `gp2 volume` or `r5d.xlarge`.
    pub name: String,
    /// What it limits.
    pub unit: CapUnit,
    /// Which requests it counts.
    #[serde(default)]
    pub scope: CapScope,
    /// The sustained limit: requests or bytes a second.
    pub value: f64,
    /// Bytes that count as one request at most, where larger requests count as several; `None`
    /// where each request counts once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_bytes: Option<u64>,
    /// The burst above it, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub burst: Option<CapBurst>,
    /// Who says so: `the user`, a catalogue's source and date, a kernel file.
    pub source: String,
}
