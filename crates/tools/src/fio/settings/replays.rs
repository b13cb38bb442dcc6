//! What the options of a job say of a replay.

/// A replay, as its options say it.
#[derive(Clone, Debug, Default)]
pub(in crate::fio) struct Replays {
    /// Paths of traces, for the clones in turn.
    pub(in crate::fio) traces: Vec<String>,
    pub(in crate::fio) no_stall: bool,
    /// Percent of the recorded speed; 0 for all of it.
    pub(in crate::fio) time_scale: u64,
    pub(in crate::fio) redirect: Option<String>,
    pub(in crate::fio) scale: u64,
}
