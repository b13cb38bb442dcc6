//! What the options of a job say of logs and traces.

use crate::fio::log_lines::FioWindowValue;
use fathom_core::Nanos;

/// What the options of a job ask for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "a list of independent options, each yes or no"
)]
pub(in crate::fio) struct Logs {
    /// Prefixes; empty for the name of the job.
    pub(in crate::fio) bandwidth: Option<String>,
    pub(in crate::fio) latency: Option<String>,
    pub(in crate::fio) iops: Option<String>,
    pub(in crate::fio) histogram: Option<String>,
    pub(in crate::fio) window: Nanos,
    /// That of rates, where it is not the same as of latencies.
    pub(in crate::fio) bandwidth_window: Option<Nanos>,
    pub(in crate::fio) iops_window: Option<Nanos>,
    pub(in crate::fio) histogram_window: Nanos,
    pub(in crate::fio) coarseness: u32,
    pub(in crate::fio) value: FioWindowValue,
    pub(in crate::fio) offset: bool,
    pub(in crate::fio) epoch: bool,
    pub(in crate::fio) priority: bool,
    pub(in crate::fio) issue: bool,
    pub(in crate::fio) together: bool,
    /// File of the trace.
    pub(in crate::fio) trace: Option<String>,
}

impl Logs {
    /// A window of rates: without windows each request is a line, whatever theirs is.
    pub(in crate::fio) fn of_rates(&self, own: Option<Nanos>) -> Nanos {
        match self.window {
            Nanos::ZERO => Nanos::ZERO,
            window => own.unwrap_or(window),
        }
    }
}
