//! What the options of a job say of a replay.

/// A replay, as its options say it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Replays {
    /// Paths of traces, for the clones in turn.
    pub(crate) traces: Vec<String>,
    pub(crate) no_stall: bool,
    /// Percent of the recorded speed; 0 for all of it.
    pub(crate) time_scale: u64,
    pub(crate) redirect: Option<String>,
    pub(crate) scale: u64,
}
