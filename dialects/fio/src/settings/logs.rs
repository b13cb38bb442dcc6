//! What the options of a job say of logs and traces.

use crate::log_lines::FioWindowValue;
use fathom_core::Nanos;

/// What the options of a job ask for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Logs {
    /// Prefixes; empty for the name of the job.
    pub(crate) bandwidth: Option<String>,
    pub(crate) latency: Option<String>,
    pub(crate) iops: Option<String>,
    pub(crate) histogram: Option<String>,
    pub(crate) window: Nanos,
    /// That of rates, where it is not the same as of latencies.
    pub(crate) bandwidth_window: Option<Nanos>,
    pub(crate) iops_window: Option<Nanos>,
    pub(crate) histogram_window: Nanos,
    pub(crate) coarseness: u32,
    pub(crate) value: FioWindowValue,
    pub(crate) offset: bool,
    pub(crate) epoch: bool,
    pub(crate) priority: bool,
    pub(crate) issue: bool,
    pub(crate) together: bool,
    /// File of the trace.
    pub(crate) trace: Option<String>,
}

impl Logs {
    /// A window of rates: without windows each request is a line, whatever theirs is.
    pub(crate) fn of_rates(&self, own: Option<Nanos>) -> Nanos {
        match self.window {
            Nanos::ZERO => Nanos::ZERO,
            window => own.unwrap_or(window),
        }
    }
}
