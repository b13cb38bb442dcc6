//! A phase in the few numbers that limits are compared with.

use crate::io_limits::stops_in_slices;
use fathom_core::Op;
use fathom_core::result::{LoadModel, PhaseResult};

/// The numbers of a phase, flushes aside.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Figures {
    pub(crate) iops: f64,
    pub(crate) read_iops: f64,
    pub(crate) write_iops: f64,
    pub(crate) bytes_per_second: f64,
    pub(crate) read_bytes_per_second: f64,
    pub(crate) write_bytes_per_second: f64,
    /// Mean service time.
    pub(crate) mean_ns: f64,
    /// Outstanding requests, mean over time.
    pub(crate) held: f64,
    /// Outstanding requests that the engine allows.
    pub(crate) slots: f64,
    /// Longest service time over the measured time: what of it a single stall may have taken.
    pub(crate) longest_share: f64,
    /// Whether every job keeps its slots full by design.
    pub(crate) is_full_loop: bool,
    /// Whether the load was stopped as the kernel's throttle does it.
    pub(crate) stops_in_slices: bool,
}

impl Figures {
    pub(super) fn of(phase: &PhaseResult) -> Self {
        let mut all = Self {
            is_full_loop: phase
                .jobs
                .iter()
                .all(|job| job.load_model == LoadModel::Closed && job.queue_depth_possible > 0),
            stops_in_slices: stops_in_slices(phase),
            ..Self::default()
        };
        let longest_ns = phase
            .jobs
            .iter()
            .flat_map(|job| job.ops.present())
            .map(|(_, one)| one.service_ns.max)
            .max();
        all.longest_share = longest_ns.unwrap_or(0) as f64 / phase.measured_ns.max(1) as f64;
        let mut total_ns = 0.0;
        let mut ios = 0.0;
        for job in &phase.jobs {
            all.held += job.queue_depth_held;
            all.slots += job.queue_depth_possible as f64;
            for (op, result) in job.ops.present().filter(|(op, _)| *op != Op::Flush) {
                all.iops += result.iops;
                all.bytes_per_second += result.bytes_per_second;
                total_ns += result.service_ns.mean * result.ios as f64;
                ios += result.ios as f64;
                if op == Op::Read {
                    all.read_iops += result.iops;
                    all.read_bytes_per_second += result.bytes_per_second;
                } else {
                    all.write_iops += result.iops;
                    all.write_bytes_per_second += result.bytes_per_second;
                }
            }
        }
        if ios > 0.0 {
            all.mean_ns = total_ns / ios;
        }
        all
    }

    /// The same mix at another rate.
    pub(super) fn at_iops(&self, iops: f64) -> Self {
        let factor = iops / self.iops;
        Self {
            iops,
            read_iops: self.read_iops * factor,
            write_iops: self.write_iops * factor,
            bytes_per_second: self.bytes_per_second * factor,
            read_bytes_per_second: self.read_bytes_per_second * factor,
            write_bytes_per_second: self.write_bytes_per_second * factor,
            ..*self
        }
    }

    /// Mean bytes of a request.
    pub(super) fn request_bytes(&self) -> f64 {
        self.bytes_per_second / self.iops
    }
}
