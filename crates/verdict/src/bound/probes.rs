//! How a phase reacts to more load: the doubling test.
//!
//! A saturated resource gives no more for twice the outstanding requests: throughput stays and
//! latency doubles (Little's law). What grows was not saturated.

use super::figures::Figures;
use crate::thresholds::{DROPS, FLAT, FLAT_OTHER_SIZE, GROWS};
use fathom_core::figure;
use fathom_core::result::{PhaseResult, ProbeKind, RunResult};

/// What more load did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reaction {
    /// The load as it was, in a run as short as the others.
    pub(super) same: Figures,
    /// Twice the outstanding requests.
    pub(super) depth: Figures,
    /// Twice the threads, if that was tried.
    pub(super) threads: Option<Figures>,
    /// Requests of another size, if they were tried.
    pub(super) other_size: Option<Figures>,
}

/// What the probes of a phase show, if there are any.
pub(super) fn reaction(result: &RunResult, phase: &PhaseResult) -> Option<Reaction> {
    let find = |kind: ProbeKind| {
        let mut of_phase = result
            .probes
            .iter()
            .filter(|probe| probe.of_phase == phase.name);
        of_phase
            .find(|probe| probe.kind == kind)
            .map(|probe| Figures::of(&probe.phase))
            .filter(|figures| figures.iops > 0.0)
    };
    Some(Reaction {
        same: find(ProbeKind::Same).unwrap_or_else(|| Figures::of(phase)),
        depth: find(ProbeKind::DoubleDepth)?,
        threads: find(ProbeKind::DoubleThreads),
        other_size: find(ProbeKind::OtherBlockSize),
    })
}

impl Reaction {
    /// Change of throughput by twice the outstanding requests.
    pub(super) fn by_depth(&self) -> f64 {
        self.depth.iops / self.same.iops - 1.0
    }

    /// Change of throughput by twice the threads.
    pub(super) fn by_threads(&self) -> Option<f64> {
        self.threads
            .map(|threads| threads.iops / self.same.iops - 1.0)
    }

    /// Ratio of the mean latencies.
    pub(super) fn latency_ratio(&self) -> f64 {
        self.depth.mean_ns / self.same.mean_ns
    }

    pub(super) fn is_flat(&self) -> bool {
        self.by_depth().abs() < FLAT
    }

    pub(super) fn grows(&self) -> bool {
        self.by_depth() > GROWS
    }

    pub(super) fn drops(&self) -> bool {
        self.by_depth() < -DROPS
    }

    pub(super) fn threads_help(&self) -> bool {
        self.by_threads().is_some_and(|change| change > GROWS)
    }

    /// Whether requests of another size move the same bytes: then bytes are the limit.
    pub(super) fn same_bytes(&self) -> Option<bool> {
        let other = self.other_size?;
        let bytes = other.bytes_per_second / self.same.bytes_per_second - 1.0;
        let requests = other.iops / self.same.iops - 1.0;
        if bytes.abs() < FLAT_OTHER_SIZE {
            Some(true)
        } else if requests.abs() < FLAT_OTHER_SIZE {
            Some(false)
        } else {
            None
        }
    }

    /// What was seen, in words.
    pub(super) fn words(&self) -> Vec<String> {
        let mut words = vec![format!(
            "twice the outstanding requests: {} IOPS instead of {}, {} instead of {} each",
            figure::iops(self.depth.iops),
            figure::iops(self.same.iops),
            figure::time(self.depth.mean_ns),
            figure::time(self.same.mean_ns)
        )];
        if let Some(threads) = &self.threads {
            words.push(format!(
                "twice the threads: {} IOPS",
                figure::iops(threads.iops)
            ));
        }
        if let Some(other) = &self.other_size {
            words.push(format!(
                "requests of {}: {} IOPS, {} MB/s instead of {} MB/s",
                figure::size(other.request_bytes().round() as u64),
                figure::iops(other.iops),
                figure::megabytes(other.bytes_per_second),
                figure::megabytes(self.same.bytes_per_second)
            ));
        }
        words
    }
}
