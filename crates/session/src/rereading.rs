//! After a phase whose jobs ask for it: a load of its own that reads back what they have written.

use fathom_core::result::{JobResult, PhaseResult, ReadBackResult, Verified};
use fathom_core::spec::{Compat, Durability, IoKind, Job, JobStop, Phase, Verify};
use fathom_core::{Nanos, Op};
use fathom_load::assembly::PhasePlan;
use fathom_load::observer::{Event, Observer};
use fathom_load::rereads::Rereads;
use fathom_load::targets::JobTargets;
use std::sync::Arc;

/// The jobs of a phase that read back what they have written, as jobs that read.
pub(crate) struct Rereading {
    phase: Phase,
    targets: Vec<JobTargets>,
    rereads: Vec<Option<Arc<Rereads>>>,
    /// The position of each in the phase.
    positions: Vec<usize>,
}

impl Rereading {
    /// What is to be read back of a phase that began at `start`; none if there is nothing.
    /// `goes_somewhere` tells whether the requests of a job reach storage.
    pub(crate) fn of(
        plan: &PhasePlan<'_>,
        start: Nanos,
        goes_somewhere: &dyn Fn(&Job) -> bool,
    ) -> Option<Self> {
        let mut rereading = Self {
            phase: Phase {
                name: plan.phase.name.clone(),
                ..Phase::plain()
            },
            targets: Vec::new(),
            rereads: Vec::new(),
            positions: Vec::new(),
        };
        let jobs = plan.phase.jobs.iter().zip(plan.targets).enumerate();
        for (position, (job, targets)) in jobs.filter(|(_, (job, _))| goes_somewhere(job)) {
            let Some(rereads) = rereads(job, targets, start).filter(|all| all.requests() > 0)
            else {
                continue;
            };
            rereading.phase.jobs.push(reader(job, &rereads));
            rereading.targets.push(targets.clone());
            rereading.positions.push(position);
            rereading.rereads.push(Some(Arc::new(rereads)));
        }
        (!rereading.phase.jobs.is_empty()).then_some(rereading)
    }

    /// The plan of the load, as part of that of the phase.
    pub(crate) fn plan<'a>(&'a self, of: &PhasePlan<'a>) -> PhasePlan<'a> {
        PhasePlan {
            phase: &self.phase,
            targets: &self.targets,
            rereads: &self.rereads,
            ..*of
        }
    }

    /// Tells an observer how far it has come and which requests it has made, as those of a phase
    /// that began at `start`, and nothing else that belongs to the phase.
    pub(crate) fn progress<'a>(
        &'a self,
        start: Nanos,
        observer: &'a mut dyn Observer,
    ) -> Progress<'a> {
        let paths = self.targets.iter().flat_map(|targets| &targets.paths);
        Progress {
            observer,
            start,
            positions: &self.positions,
            path: paths
                .map(String::as_str)
                .next()
                .unwrap_or_default()
                .to_owned(),
            done_bytes: 0,
            total_bytes: {
                let all = self.rereads.iter().flatten();
                all.map(|rereads| rereads.bytes()).sum()
            },
        }
    }

    /// Adds what was found to the results of the jobs.
    pub(crate) fn add(found: PhaseResult, to: &mut PhaseResult) {
        for mut found in found.jobs {
            let same = |job: &&mut JobResult| job.name == found.name;
            let Some(job) = to.jobs.iter_mut().find(same) else {
                continue;
            };
            if let Some(more) = found.verified {
                *job.verified.get_or_insert(Verified::default()) += more;
            }
            job.errors.append(&mut found.errors);
            job.read_back = found.ops[Op::Read].take().map(|read| {
                Box::new(ReadBackResult {
                    active_ns: found.active_ns,
                    read,
                })
            });
        }
    }
}

/// What a job reads back of a phase that began at `start`; none where it reads nothing, or no
/// account was kept of what it wrote.
pub(crate) fn rereads(job: &Job, targets: &JobTargets, start: Nanos) -> Option<Rereads> {
    if job.verify != Verify::ReadWritten {
        return None;
    }
    Rereads::of(targets, start, write_bytes(job))
}

/// The longest write of a job.
pub(crate) fn write_bytes(job: &Job) -> u32 {
    let writes = job.kinds.iter().filter(|kind| kind.op == Op::Write);
    let longest = writes.map(|kind| kind.block_size.0).max();
    longest.unwrap_or(job.largest_io().0) as u32
}

/// A job that reads what another wrote: with its threads and its depth, as fast as they can.
pub(crate) fn reader(job: &Job, rereads: &Rereads) -> Job {
    let block_size = fathom_core::Bytes(write_bytes(job).into());
    let mut kind = IoKind::plain(Op::Read, block_size);
    if let (None, Some(block)) = (job.only_io(), job.compat().verify_interval) {
        // A read may hold several writes, and a pattern begins anew in each block of them.
        kind.align = block;
    }
    Job {
        name: job.name.clone(),
        targets: job.targets.clone(),
        engine: job.engine,
        threads: job.threads,
        queue_depth: job.queue_depth,
        queue_scope: job.queue_scope,
        submit_batch: job.submit_batch,
        complete_batch: job.complete_batch,
        size: job.size,
        offset: job.offset,
        window: job.window,
        durability: Durability {
            direct: job.durability.direct,
            ..Job::plain().durability
        },
        data: job.data,
        verify: Verify::Check,
        compat: Compat {
            verify_as: job.compat().verify_as,
            verify_interval: job.compat().verify_interval,
            ..Compat::default()
        }
        .boxed(),
        stop: JobStop {
            ios: Some(rereads.requests()),
            ..JobStop::default()
        },
        kinds: vec![kind],
        ..Job::plain()
    }
}

/// Tells of the read-back what concerns it.
pub(crate) struct Progress<'a> {
    observer: &'a mut dyn Observer,
    /// Begin of the phase.
    start: Nanos,
    positions: &'a [usize],
    path: String,
    done_bytes: u64,
    total_bytes: u64,
}

impl Observer for Progress<'_> {
    fn event(&mut self, event: &Event<'_>) {
        let interval = match event {
            Event::Interval { interval } => interval,
            Event::Requests {
                job,
                thread,
                entries,
                ..
            } => {
                let event = Event::Requests {
                    job: self.positions.get(*job).copied().unwrap_or(*job),
                    thread: *thread,
                    start: self.start,
                    entries,
                };
                return self.observer.event(&event);
            }
            _ => return,
        };
        let reads = interval.jobs.iter().filter_map(|job| job.ops.get(Op::Read));
        self.done_bytes += reads.map(|read| read.bytes).sum::<u64>();
        self.observer.event(&Event::Verify {
            path: &self.path,
            done_bytes: self.done_bytes.min(self.total_bytes),
            total_bytes: self.total_bytes,
        });
    }
}
