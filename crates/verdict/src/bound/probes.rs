//! How a phase reacts to more load: the doubling test.
//!
//! A saturated resource gives no more for twice the outstanding requests: throughput stays and
//! latency doubles (Little's law). What grows was not saturated. The same load is run before and
//! after the doubling: what changed meanwhile by itself, as when a burst ended, is not its doing.

use super::figures::Figures;
use crate::bound::thresholds::{
    DOUBLED, DROPS, FLAT, FLAT_OTHER_SIZE, GROWS, STALL_EXPLAINS, STILL_SAME,
};
use fathom_core::figure;
use fathom_core::result::{PhaseResult, ProbeKind, RunResult};

/// What more load did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reaction {
    /// The load as it was, in runs as short as the others: before and after the doubling.
    pub(super) same: Figures,
    pub(super) again: Option<Figures>,
    /// Twice the outstanding requests.
    pub(super) depth: Figures,
    /// Twice the threads, if that was tried.
    pub(super) threads: Option<Figures>,
    /// Requests of another size, if they were tried.
    pub(super) other_size: Option<Figures>,
}

/// A short run in addition to a phase, if it was made.
pub(super) fn find(result: &RunResult, phase: &PhaseResult, kind: ProbeKind) -> Option<Figures> {
    let mut of_phase = result
        .probes
        .iter()
        .filter(|probe| probe.of_phase == phase.name);
    of_phase
        .find(|probe| probe.kind == kind)
        .map(|probe| Figures::of(&probe.phase))
        .filter(|figures| figures.iops > 0.0)
}

/// What the probes of a phase show, if there are any and they doubled what they were to double.
pub(super) fn reaction(result: &RunResult, phase: &PhaseResult) -> Option<Reaction> {
    let find = |kind: ProbeKind| find(result, phase, kind);
    let same = find(ProbeKind::Same).unwrap_or_else(|| Figures::of(phase));
    let depth = find(ProbeKind::DoubleDepth)?;
    (depth.slots > same.slots).then_some(Reaction {
        same,
        again: find(ProbeKind::SameAgain),
        depth,
        threads: find(ProbeKind::DoubleThreads),
        other_size: find(ProbeKind::OtherBlockSize),
    })
}

impl Reaction {
    /// Whether the same load gave the same before and after the doubling.
    pub(super) fn is_still_the_same(&self) -> bool {
        let change = self.again.map(|again| again.iops / self.same.iops - 1.0);
        change.is_none_or(|change| change.abs() <= STILL_SAME)
    }

    /// The load as it was: the mean of both, or the later one where they differ. What came after
    /// the doubling was found in the same state as the doubling, if anything was.
    pub(super) fn base(&self) -> Figures {
        match self.again {
            Some(again) if self.is_still_the_same() => {
                let iops = f64::midpoint(self.same.iops, again.iops);
                Figures {
                    mean_ns: f64::midpoint(self.same.mean_ns, again.mean_ns),
                    ..self.same.at_iops(iops)
                }
            }
            Some(again) => again,
            None => self.same,
        }
    }

    /// Change of throughput by twice the outstanding requests.
    pub(super) fn by_depth(&self) -> f64 {
        self.depth.iops / self.base().iops - 1.0
    }

    /// Change of throughput by twice the threads.
    pub(super) fn by_threads(&self) -> Option<f64> {
        let base = self.again.unwrap_or(self.same);
        self.threads.map(|threads| threads.iops / base.iops - 1.0)
    }

    /// Ratio of the mean latencies.
    pub(super) fn latency_ratio(&self) -> f64 {
        self.depth.mean_ns / self.base().mean_ns
    }

    pub(super) fn is_flat(&self) -> bool {
        self.by_depth().abs() < FLAT
    }

    /// Flat, and each request took twice as long: something is full.
    pub(super) fn is_full(&self) -> bool {
        let ratio = self.latency_ratio();
        self.is_flat() && ratio >= DOUBLED.0 && ratio <= DOUBLED.1
    }

    /// Flat, and each request took as long as before: the slots are not filled.
    pub(super) fn is_unfilled(&self) -> bool {
        self.is_flat() && self.latency_ratio() < 1.0 + GROWS
    }

    pub(super) fn grows(&self) -> bool {
        let before = self
            .again
            .map_or(self.same.iops, |again| again.iops.max(self.same.iops));
        self.by_depth() > GROWS && self.depth.iops > (1.0 + GROWS) * before
    }

    /// Less for more load, and not because it became less by itself, or stood still once.
    pub(super) fn drops(&self) -> bool {
        self.by_depth() < -DROPS && self.is_still_the_same() && !self.is_stalled()
    }

    /// Whether less for more load is the doing of a single very long request, longer by far than
    /// before the doubling.
    pub(super) fn is_stalled(&self) -> bool {
        let stalled = self.depth.longest_share - self.base().longest_share;
        self.by_depth() < -DROPS && stalled >= -self.by_depth() * STALL_EXPLAINS
    }

    pub(super) fn threads_help(&self) -> bool {
        self.by_threads().is_some_and(|change| change > GROWS)
    }

    /// Whether requests of another size move the same bytes: then bytes are the limit.
    pub(super) fn same_bytes(&self) -> Option<bool> {
        let other = self.other_size?;
        let base = self.again.unwrap_or(self.same);
        let bytes = other.bytes_per_second / base.bytes_per_second - 1.0;
        let requests = other.iops / base.iops - 1.0;
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
        let mut words = Vec::new();
        let base = self.base();
        if let Some(again) = self.again
            && !self.is_still_the_same()
        {
            words.push(format!(
                "the same load gave {} IOPS before the doubling and {} after it. The storage \
                 changed in between, for example at the end of a burst",
                figure::iops(self.same.iops),
                figure::iops(again.iops)
            ));
        }
        words.push(format!(
            "twice the outstanding requests: {} IOPS instead of {}, {} instead of {} each",
            figure::iops(self.depth.iops),
            figure::iops(base.iops),
            figure::time(self.depth.mean_ns),
            figure::time(base.mean_ns)
        ));
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
                figure::megabytes(base.bytes_per_second)
            ));
        }
        words
    }
}
