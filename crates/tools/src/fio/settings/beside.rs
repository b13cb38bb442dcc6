//! What sections do beside requests, and flags of requests.

use super::Settings;
use fathom_core::Nanos;
use fathom_core::spec::RequestFlag;

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

/// The program of a job of `exec`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::fio) struct ProgramTold {
    pub(in crate::fio) path: Option<String>,
    pub(in crate::fio) arguments: String,
    /// Time that it has to end when it is told to.
    pub(in crate::fio) grace: Nanos,
    /// Whether files have what it says.
    pub(in crate::fio) redirects: bool,
}

impl ProgramTold {
    /// That of a job that says nothing.
    pub(super) const UNSAID: Self = Self {
        path: None,
        arguments: String::new(),
        grace: Nanos::from_secs(1),
        redirects: true,
    };
}

impl Settings {
    /// Sets a flag of requests, or drops it.
    pub(in crate::fio) fn flag(&mut self, flag: RequestFlag, asked: bool) {
        self.job.flags.retain(|known| *known != flag);
        if asked {
            self.job.flags.push(flag);
        }
    }
}
