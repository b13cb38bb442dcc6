//! What sections do beside requests, and flags of requests.

use fathom_core::Nanos;

/// The processor time that a job of `cpuio` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::fio) struct Burn {
    /// Share of the time in percent; 0 where it is not said.
    pub(in crate::fio) percent: u64,
    /// Time between two pauses.
    pub(in crate::fio) chunk: Nanos,
    /// Whether it ends with the jobs beside it.
    pub(in crate::fio) ends_with_others: bool,
}

impl Burn {
    /// That of a job that says nothing.
    pub(super) const UNSAID: Self = Self {
        percent: 0,
        chunk: Nanos::from_micros(50_000),
        ends_with_others: false,
    };
}

/// When files are made and removed, and which there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::fio) struct MadeTold {
    /// Folders whose files are all meant.
    pub(in crate::fio) folders: Vec<String>,
    /// Whether they are not laid out before.
    pub(in crate::fio) on_open: bool,
    /// Whether they are removed between two passes.
    pub(in crate::fio) each_loop: bool,
}
