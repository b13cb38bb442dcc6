//! One metric of many runs, in the order in which they were made.

use serde::Serialize;

/// What runs have in common that are put into one history: the same work on the same storage, as
/// far as is known without their documents.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeriesKey {
    /// Name of the workload.
    pub workload: String,
    /// Paths of the targets.
    pub targets: String,
    /// Name of the machine.
    pub hostname: String,
    /// Name of the engine.
    pub engine: String,
    /// `measured`, `simulated` or `imported`.
    pub origin: String,
    /// Name of the phase.
    pub phase: String,
    /// Name of the job.
    pub job: String,
    /// Operation.
    pub op: String,
    /// `closed`, `open` or `bursts`.
    pub load_model: String,
    /// Threads of the job.
    pub threads: u32,
    /// Requests outstanding.
    pub queue_depth: u32,
}

/// The value of one run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeriesPoint {
    /// Id of the run.
    pub run_id: String,
    /// Begin in UTC, RFC 3339.
    pub started_at: String,
    /// VALID, QUALIFIED, SUSPECT or INVALID.
    pub state: String,
    /// The disk that was measured, as in `vda, 275 GB virtio, ext4`; empty where it is not known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub disk: String,
    /// The number in the unit of its metric (1/s, B/s, ns); `None` where the sample does not
    /// support it, or where it would have to be averaged over repeats.
    pub value: Option<f64>,
}

/// The runs of one key.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Series {
    /// What they have in common.
    #[serde(flatten)]
    pub key: SeriesKey,
    /// The runs, the earliest first.
    pub points: Vec<SeriesPoint>,
}
