//! What the jobs of a workload ask of one target, all together.

use super::PrepareError;
use fathom_core::Bytes;
use fathom_core::spec::{BlockForm, Data, Fill, Job, Phase, Verify};
use fathom_load::fill::Writes;
use fathom_load::request::Window;
use fathom_load::verify::Proof;
use std::path::Path;

/// The jobs that use a target; at least one.
#[derive(Clone, Debug)]
pub(super) struct Demand<'a> {
    jobs: Vec<&'a Job>,
    /// Whether any of their phases may end before they have done all.
    is_timed: bool,
}

impl<'a> Demand<'a> {
    pub(super) fn new(first: &'a Job) -> Self {
        Self {
            jobs: vec![first],
            is_timed: false,
        }
    }

    pub(super) fn add(&mut self, job: &'a Job) {
        self.jobs.push(job);
    }

    /// Notes a phase of a job.
    pub(super) fn note(&mut self, phase: &Phase) {
        self.is_timed |= phase.duration.is_some() || phase.steady.is_some();
    }

    pub(super) const fn is_timed(&self) -> bool {
        self.is_timed
    }

    /// All of them, in the order of their phases.
    pub(super) fn jobs(&self) -> impl Iterator<Item = &Job> {
        self.jobs.iter().copied()
    }

    /// The first of them.
    pub(super) fn first(&self) -> &Job {
        self.jobs[0]
    }

    /// The size that the workload gives the target, if any job does.
    pub(super) fn size_bytes(&self) -> Option<u64> {
        let given = |job: &&Job| {
            job.size
                .map(|size| size.0)
                .max(job.window.map(|window| job.offset.0 + window.0))
        };
        self.jobs.iter().filter_map(given).max()
    }

    /// Refuses a target that is smaller than some job needs, be it for one request.
    pub(super) fn check_fits(&self, path: &Path, has: Extent) -> Result<(), PrepareError> {
        let neediest = self.jobs.iter().max_by_key(|job| has.needed_bytes(job));
        match neediest {
            Some(job) if has.needed_bytes(job) > has.size_bytes => Err(PrepareError::TooSmall {
                path: path.to_owned(),
                size_bytes: has.size_bytes,
                needed_bytes: has.needed_bytes(job),
                job: job.name.clone(),
            }),
            _ => Ok(()),
        }
    }

    pub(super) fn reads(&self) -> bool {
        self.jobs.iter().any(|job| job.reads())
    }

    pub(super) fn writes(&self) -> bool {
        self.jobs.iter().any(|job| job.destroys())
    }

    /// The ways in which it is opened, each once: direct and not.
    pub(super) fn directs(&self) -> Vec<bool> {
        let wanted = |direct| self.jobs.iter().any(|job| job.durability.direct == direct);
        [true, false].into_iter().filter(|d| wanted(*d)).collect()
    }

    /// The content that its jobs write in a run with this salt, as far as two runs may write the
    /// same: what is stamped is new in each.
    pub(super) fn content(&self, salt: u64) -> Writes {
        let writers = self.jobs().filter(|job| job.writes());
        let repeating = writers.filter(|job| !job.verify.stamps());
        Writes::new(salt, repeating.map(|job| job.data))
    }

    /// Whether the file begins empty, because the first of its jobs fills it, or another member
    /// does before this one reads it.
    pub(super) fn is_fresh(&self) -> bool {
        self.jobs.iter().any(|job| job.fresh)
    }

    /// Whether the target is to be filled until there is no room left.
    pub(super) fn fills_up(&self) -> bool {
        self.jobs.iter().any(|job| job.stop.when_full)
    }

    /// Whether a file that is laid out gets blocks that pass for written ones.
    ///
    /// Where a job looks for what another has written, nothing else is to look like it. Neither
    /// where no job of this run looks: another program, and a later run, tells blocks with fio's
    /// headers or of a pattern from written ones by nothing.
    pub(super) fn stamps(&self) -> bool {
        let stamps = |job: &&Job| {
            let tells = job.compat().verify_as == BlockForm::Fathom && !job.data.fill.is_given();
            job.verify.stamps() && (tells || self.checks())
        };
        let stamps = self.jobs.iter().any(stamps);
        self.must_be_stamped() || stamps && !self.misses_unwritten()
    }

    /// Whether a job checks what it reads, whoever has written it.
    pub(super) fn checks(&self) -> bool {
        self.jobs.iter().any(|job| job.verify == Verify::Check)
    }

    /// Whether a job looks for what others have written.
    pub(super) fn misses_unwritten(&self) -> bool {
        self.jobs.iter().any(|job| job.misses_unwritten())
    }

    /// What the blocks of a file that is laid out are right by, if any are.
    pub(super) fn proof(&self, run: u64) -> Option<Proof> {
        let mut stamping = self.jobs.iter().filter(|_| self.stamps());
        let job = stamping.find(|job| job.verify.stamps() && !job.misses_unwritten())?;
        Some(Proof::of(job, run, job.offset.0))
    }

    /// Whether blocks are checked that a job may write, and need not have written before. What
    /// jobs check that only read is there already, or it is lost: nobody stamps it for them.
    pub(super) fn must_be_stamped(&self) -> bool {
        let writers = self.jobs.iter();
        let writers = writers.filter(|job| job.destroys() && job.verify.stamps());
        writers.into_iter().any(|job| match job.verify {
            Verify::Check => job.reads(),
            Verify::ReadBack => true,
            Verify::Off | Verify::Stamp | Verify::ReadWritten => false,
        })
    }

    /// Whether some job checks the existing content, and no job changes it.
    pub(super) fn only_verifies(&self) -> bool {
        let verifies = |job: &&Job| job.verify.checks() && job.reads();
        !self.writes() && self.jobs.iter().any(verifies)
    }

    /// What a layout carries: as the first job that writes, or the first. What a file holds is
    /// known only to the load; random bytes stand for it, and for what nobody but a job is to have
    /// written.
    pub(super) fn data(&self) -> Data {
        let writer = self.jobs.iter().find(|job| job.destroys());
        let data = &writer.unwrap_or(&self.jobs[0]).data;
        match data.fill {
            Fill::File => Data::PLAIN,
            fill if fill.is_given() && self.misses_unwritten() && !self.stamps() => Data::PLAIN,
            _ => *data,
        }
    }

    /// From the first to the last byte that any job uses of a target of this size.
    pub(super) fn used(&self, has: Extent) -> (u64, u64) {
        Self::hull(self.jobs.iter().map(|job| has.window(job))).unwrap_or((0, has.size_bytes))
    }

    /// The part of what is used that may be written before the load begins: not what a job that
    /// only reads is to check.
    pub(super) fn writable(&self, has: Extent) -> (u64, u64) {
        let spared = |job: &&&Job| !job.verify.checks() || job.destroys();
        Self::hull(self.jobs.iter().filter(spared).map(|job| has.window(job))).unwrap_or((0, 0))
    }

    fn hull(windows: impl Iterator<Item = Window>) -> Option<(u64, u64)> {
        let bounds = windows.map(|window| (window.start, window.start + window.len));
        bounds.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
    }

    /// Refuses direct requests that the target cannot do for their alignment.
    pub(super) fn check_alignment(
        &self,
        path: &Path,
        align_bytes: u32,
        direct: bool,
    ) -> Result<(), PrepareError> {
        let jobs = self.jobs.iter();
        for job in jobs.filter(|job| job.durability.direct == direct) {
            let kinds = job
                .kinds
                .iter()
                .flat_map(|kind| [("block size", kind.block_size), ("alignment", kind.align)]);
            let stride = job.access.stride.map(|stride| ("stride", stride));
            let offset = [("offset", job.offset)];
            for (what, value) in kinds.chain(stride).chain(offset) {
                if !value.0.is_multiple_of(u64::from(align_bytes.max(1))) {
                    return Err(PrepareError::Unaligned {
                        path: path.to_owned(),
                        job: job.name.clone(),
                        what,
                        value,
                        align_bytes,
                    });
                }
            }
        }
        Ok(())
    }
}

/// How large a target is, and whether a workload's `size` says how much of it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    /// All of it.
    pub(super) size_bytes: u64,
    /// A device is there as it is: a size that a workload gives to files does not limit it.
    pub(super) device: bool,
}

impl Extent {
    /// A file, or a target without storage.
    pub(super) const fn file(size_bytes: u64) -> Self {
        Self {
            size_bytes,
            device: false,
        }
    }

    fn size_of(self, job: &Job) -> Option<Bytes> {
        job.size.filter(|_| !self.device)
    }

    /// What a job cannot do without.
    fn needed_bytes(self, job: &Job) -> u64 {
        let least = job.offset.0 + job.window.map_or(job.largest_io(), |window| window).0;
        least.max(self.size_of(job).unwrap_or(Bytes(0)).0)
    }

    /// The part that a job uses.
    pub(super) fn window(self, job: &Job) -> Window {
        let size = self
            .size_of(job)
            .map_or(self.size_bytes, |size| size.0.min(self.size_bytes));
        let end = job
            .window
            .map_or(size, |window| (job.offset.0 + window.0).min(size));
        Window {
            start: job.offset.0,
            len: end.saturating_sub(job.offset.0),
        }
    }
}
