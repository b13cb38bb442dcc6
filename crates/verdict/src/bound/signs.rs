//! The signs that tell apart what makes a rate fall: each a question to a result, answered by yes,
//! by no, or not at all.

use super::caps::lies_at;
use super::figures::Figures;
use crate::bound::thresholds::{
    BECOMES_READ, CACHE_BYTES, CREDIT_SPARE, DIRTY_AT_LIMIT, FLASH_SHARE, READS_ALIKE,
    READS_FASTER, STEAL_RISES,
};
use crate::checks::cpu_quota::THROTTLED;
use crate::checks::thermal::HEAT_MILLIDEGREES;
use crate::checks::writeback_ack::WRITE_BACK_CERTAIN;
use crate::stats::{Fall, FallShape, is_plateau};
use fathom_core::result::IntervalJob;
use fathom_core::result::{IntervalResult, PhaseResult, ProbeKind, RunResult};
use fathom_core::{Cap, CapOwner, CapUnit, Op};

/// A question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// Whether anything is written.
    Writes,
    /// Whether reads became slower as well.
    ReadsSlowed,
    /// Whether the later rate is as regular as a limit makes it.
    Regular,
    /// Whether the rate falls and recovers again and again.
    SawTooth,
    /// Whether it went down over several intervals.
    Gradual,
    /// Whether the later rate lies at a limit of the volume.
    AtVolumeLimit,
    /// Whether it lies at one of the instance.
    AtInstanceLimit,
    /// Whether that limit has a burst that the credit used fits into.
    CreditListed,
    /// Whether a rest bought the burst that the later rate fills in that time.
    RefillsAtBase,
    /// Whether all jobs, each on targets of its own, fell at once.
    AllAtOnce,
    /// Whether what was written until then is such a share of the device as fast cells have.
    ShareOfDevice,
    /// Whether what was written beyond the later rate fits into the memory of a controller.
    CacheBytes,
    /// Whether a write took far less than a read, and then as much.
    WriteBecomesRead,
    /// Whether writes go through the page cache.
    Buffered,
    /// Whether the kernel holds as many dirty pages as it lets writers make.
    DirtyAtLimit,
    /// Whether the device grew hot.
    Hot,
    /// Whether the processor was kept from the tool.
    ProcessorKept,
}

/// All that is asked.
#[derive(Debug)]
pub(super) struct Scene<'a> {
    pub(super) result: &'a RunResult,
    pub(super) phase: &'a PhaseResult,
    pub(super) figures: Figures,
    pub(super) caps: &'a [Cap],
    pub(super) fall: Fall,
    /// Intervals before and after.
    pub(super) before: Vec<&'a IntervalResult>,
    pub(super) after: Vec<&'a IntervalResult>,
}

impl Sign {
    pub(super) fn ask(self, scene: &Scene<'_>) -> Option<bool> {
        match self {
            Self::Writes => Some(scene.figures.write_iops > 0.0),
            Self::ReadsSlowed => scene.reads_slowed(),
            Self::Regular => Some(scene.is_regular()),
            Self::SawTooth => Some(scene.fall.shape == FallShape::SawTooth),
            Self::Gradual => Some(scene.fall.shape == FallShape::Gradual),
            Self::AtVolumeLimit => scene.at_limit(CapOwner::Volume),
            Self::AtInstanceLimit => scene.at_limit(CapOwner::Instance),
            Self::CreditListed => scene.credit_listed(),
            Self::RefillsAtBase => scene.recovered(),
            Self::AllAtOnce => scene.all_at_once(),
            Self::ShareOfDevice => scene.share_of_device(),
            Self::CacheBytes => scene.cache_bytes(),
            Self::WriteBecomesRead => scene.write_becomes_read(),
            Self::Buffered => scene.buffered(),
            Self::DirtyAtLimit => scene.dirty_at_limit(),
            Self::Hot => scene.hot(),
            Self::ProcessorKept => scene.processor_kept(),
        }
    }

    /// The sign in words.
    pub(super) const fn words(self, is: bool) -> &'static str {
        match (self, is) {
            (Self::Writes, true) => "there are writes",
            (Self::Writes, false) => "nothing is written",
            (Self::ReadsSlowed, true) => "reads became slower as well",
            (Self::ReadsSlowed, false) => "reads did not become slower",
            (Self::Regular, true) => "the later rate is regular",
            (Self::Regular, false) => "the later rate is not regular",
            (Self::SawTooth, true) => "the rate dips repeatedly",
            (Self::SawTooth, false) => "the rate does not dip repeatedly",
            (Self::Gradual, true) => "it fell gradually",
            (Self::Gradual, false) => "it fell at once",
            (Self::AtVolumeLimit, true) => "the later rate is a limit of the volume",
            (Self::AtVolumeLimit, false) => "the later rate is not a limit of the volume",
            (Self::AtInstanceLimit, true) => "the later rate is a limit of the instance",
            (Self::AtInstanceLimit, false) => "the later rate is not a limit of the instance",
            (Self::CreditListed, true) => "the used credit fits into its bucket",
            (Self::CreditListed, false) => "the used credit is more than its bucket holds",
            (Self::RefillsAtBase, true) => {
                "an idle time restored the credit that the later rate \
                                         predicts"
            }
            (Self::RefillsAtBase, false) => {
                "an idle time did not restore the credit that the \
                                         later rate predicts"
            }
            (Self::AllAtOnce, true) => "all targets fell at once",
            (Self::AllAtOnce, false) => "not all targets fell",
            (Self::ShareOfDevice, true) => "the written amount is a typical share of the device",
            (Self::ShareOfDevice, false) => {
                "the written amount is not a typical share of the \
                                         device"
            }
            (Self::CacheBytes, true) => "the amount written above the later rate fits a controller",
            (Self::CacheBytes, false) => {
                "the amount written above the later rate does not fit a controller"
            }
            (Self::WriteBecomesRead, true) => {
                "a write first took less than a read, and then as \
                                         much"
            }
            (Self::WriteBecomesRead, false) => "a write was never much faster than a read",
            (Self::Buffered, true) => "writes use the page cache",
            (Self::Buffered, false) => "writes bypass the page cache",
            (Self::DirtyAtLimit, true) => "the dirty pages are at the kernel's limit",
            (Self::DirtyAtLimit, false) => "the dirty pages are below the kernel's limit",
            (Self::Hot, true) => "the device became hot",
            (Self::Hot, false) => "the device did not become hot",
            (Self::ProcessorKept, true) => "the run was short of CPU time",
            (Self::ProcessorKept, false) => "the run was not short of CPU time",
        }
    }
}

/// Mean service time of an operation over intervals, nanoseconds.
fn mean_ns(intervals: &[&IntervalResult], op: Op) -> Option<f64> {
    let (mut total, mut count) = (0.0, 0.0);
    for one in intervals
        .iter()
        .flat_map(|one| &one.jobs)
        .filter_map(|job| job.ops.get(op))
    {
        total += one.service_ns.mean * one.ios as f64;
        count += one.ios as f64;
    }
    (count > 0.0).then(|| total / count)
}

fn written_bytes(intervals: &[&IntervalResult]) -> f64 {
    let ops = intervals.iter().flat_map(|one| &one.jobs);
    let bytes = ops
        .filter_map(|job| job.ops.get(Op::Write))
        .map(|op| op.bytes);
    bytes.sum::<u64>() as f64
}

impl Scene<'_> {
    /// In a mixed load by their service time; with writes alone by reads that were made after it.
    fn reads_slowed(&self) -> Option<bool> {
        if self.figures.write_iops <= 0.0 {
            return Some(true);
        }
        if let Some(before) = mean_ns(&self.before, Op::Read) {
            let after = mean_ns(&self.after, Op::Read)?;
            let fell = self.fall.before / self.fall.after;
            return Some(after / before >= fell.sqrt());
        }
        let reads = self.probe(ProbeKind::Reads)?.iops / self.fall.after;
        if (reads - 1.0).abs() <= READS_ALIKE {
            Some(true)
        } else {
            (reads >= READS_FASTER).then_some(false)
        }
    }

    fn probe(&self, kind: ProbeKind) -> Option<Figures> {
        let mut probes = self.result.probes.iter();
        let of_phase = |name: &str| name == self.phase.name;
        let found = probes.find(|probe| of_phase(&probe.of_phase) && probe.kind == kind)?;
        Some(Figures::of(&found.phase)).filter(|figures| figures.iops > 0.0)
    }

    fn is_regular(&self) -> bool {
        let rates: Vec<f64> = self.after.iter().map(|one| one.iops()).collect();
        is_plateau(&rates)
    }

    /// The limits at which the later rate lies.
    fn limits(&self) -> impl Iterator<Item = &Cap> {
        let plateau = self.figures.at_iops(self.fall.after);
        self.caps.iter().filter(move |cap| lies_at(&plateau, cap))
    }

    fn at_limit(&self, owner: CapOwner) -> Option<bool> {
        let fits = |cap: &Cap| cap.owner == owner || cap.owner == CapOwner::Unknown;
        if self.limits().any(fits) {
            return Some(true);
        }
        self.caps
            .iter()
            .any(|cap| cap.owner == owner)
            .then_some(false)
    }

    fn credit_listed(&self) -> Option<bool> {
        let cap = self.limits().find(|cap| cap.burst.is_some())?;
        let used = match cap.unit {
            CapUnit::Iops => self.fall.above,
            CapUnit::BytesPerSecond => self.fall.above * self.figures.request_bytes(),
        };
        Some(used <= cap.burst?.capacity * CREDIT_SPARE)
    }

    fn recovered(&self) -> Option<bool> {
        let found = super::recovery::recovery(self.result, self.phase)?;
        Some(found.is_as_expected())
    }

    /// Where each job has targets that no other has.
    fn all_at_once(&self) -> Option<bool> {
        let jobs = &self.phase.jobs;
        let shared = jobs.iter().enumerate().any(|(index, job)| {
            let others = jobs[index + 1..].iter();
            let mut others = others.flat_map(|other| &other.targets);
            others.any(|target| job.targets.contains(target))
        });
        if jobs.len() < 2 || shared {
            return None;
        }
        let fell = self.fall.before / self.fall.after;
        let rate = |intervals: &[&IntervalResult], number: usize| {
            let ios: u64 = intervals
                .iter()
                .flat_map(|one| &one.jobs)
                .filter(|job| job.job as usize == number)
                .map(IntervalJob::ios)
                .sum();
            ios as f64 / intervals.len() as f64
        };
        let each =
            |number: usize| rate(&self.before, number) >= fell.sqrt() * rate(&self.after, number);
        Some((0..jobs.len()).all(each))
    }

    fn share_of_device(&self) -> Option<bool> {
        let targets = &self.result.provenance.targets;
        let [target] = targets.as_slice() else {
            return None;
        };
        let disks = target.devices.iter().filter(|device| device.leaf);
        let size: u64 = disks.map(|device| device.size_bytes).sum();
        if size == 0 || self.figures.write_iops <= 0.0 {
            return None;
        }
        let share = written_bytes(&self.before) / size as f64;
        Some(share >= FLASH_SHARE.0 && share <= FLASH_SHARE.1)
    }

    fn cache_bytes(&self) -> Option<bool> {
        if self.figures.write_iops <= 0.0 {
            return None;
        }
        let above = self.fall.above * self.figures.write_bytes_per_second / self.figures.iops;
        Some(above >= CACHE_BYTES.0 && above <= CACHE_BYTES.1)
    }

    /// A read's time is that of the same load, or of the reads that were made after it.
    fn write_becomes_read(&self) -> Option<bool> {
        let (before, after) = (
            mean_ns(&self.before, Op::Write)?,
            mean_ns(&self.after, Op::Write)?,
        );
        let probe = || self.probe(ProbeKind::Reads).map(|reads| reads.mean_ns);
        let read_before = mean_ns(&self.before, Op::Read).or_else(probe)?;
        let read_after = mean_ns(&self.after, Op::Read).or_else(probe)?;
        if before >= BECOMES_READ * read_before {
            return Some(false);
        }
        let both = before < WRITE_BACK_CERTAIN * read_before && after >= BECOMES_READ * read_after;
        both.then_some(true)
    }

    fn buffered(&self) -> Option<bool> {
        let mut writers = self
            .phase
            .jobs
            .iter()
            .filter(|job| job.ops[Op::Write].is_some())
            .peekable();
        writers.peek()?;
        let direct = |job: &fathom_core::result::JobResult| {
            let spec = self.result.job_spec(&self.phase.name, &job.name)?;
            Some(spec.durability.direct || spec.durability.write_through)
        };
        let all: Option<Vec<bool>> = writers.map(direct).collect();
        Some(all?.iter().any(|direct| !direct))
    }

    fn dirty_at_limit(&self) -> Option<bool> {
        let paging = self.phase.ledger.as_ref()?.paging.as_ref()?;
        let limit = paging.dirty_limit_bytes;
        (limit > 0).then_some(paging.dirty_bytes as f64 >= DIRTY_AT_LIMIT * limit as f64)
    }

    fn hot(&self) -> Option<bool> {
        let targets = self.result.provenance.targets.iter();
        let devices = targets
            .flat_map(|target| &target.devices)
            .filter(|device| device.leaf);
        let rises = devices.filter_map(|device| {
            let limits = device.limits.as_ref()?;
            Some(limits.end_millidegrees? - limits.begin_millidegrees?)
        });
        rises.max().map(|rise| rise > HEAT_MILLIDEGREES)
    }

    /// By the quota over the whole phase, or by what the hypervisor kept more after it than before.
    fn processor_kept(&self) -> Option<bool> {
        let quota = self
            .phase
            .ledger
            .as_ref()
            .and_then(|ledger| ledger.generator.throttled_ns);
        let throttled = quota.map(|ns| ns as f64 > THROTTLED * self.phase.measured_ns as f64);
        let stolen = self
            .stolen()
            .map(|(before, after)| after - before > STEAL_RISES);
        match (throttled, stolen) {
            (None, None) => None,
            (a, b) => Some(a == Some(true) || b == Some(true)),
        }
    }

    /// Percent of the processor time that the hypervisor kept, before and after.
    fn stolen(&self) -> Option<(f64, f64)> {
        let begin = self.after.first()?.start_ns;
        let mean = |is_late: bool| {
            let part = self
                .phase
                .machine
                .iter()
                .filter(|one| (one.start_ns >= begin) == is_late);
            let shares: Vec<f64> = part
                .filter_map(|one| Some(one.cpu?.steal_percent))
                .collect();
            let count = shares.len() as f64;
            (count > 0.0).then(|| shares.iter().sum::<f64>() / count)
        };
        Some((mean(false)?, mean(true)?))
    }
}
