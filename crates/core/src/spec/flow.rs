//! Jobs that keep a ratio to each other.

use serde::{Deserialize, Serialize};

/// A flow that threads are in, and how much of it they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flow {
    /// Number of the flow in its phase.
    #[serde(default)]
    pub id: u32,
    /// Requests of each thread while one of weight 1 makes one.
    pub weight: u32,
}
