//! Which engine makes the requests of each job.

use crate::error::RunError;
use crate::plan::Plan;
use fathom_core::SmallSort as _;
use fathom_core::spec::Job;
use fathom_core::{EngineKind, Nanos, Op};
use fathom_engine::{EngineError, Needs, Selection, select};

/// The engines of a run, all of which can be used here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Engines {
    /// For the result.
    pub(crate) selection: Selection,
    /// That of jobs that name none.
    usual: EngineKind,
    /// Whether one holds for all jobs.
    for_all: bool,
}

impl Engines {
    /// Those that a plan asks for: one that is given for the run holds for all jobs.
    ///
    /// # Errors
    ///
    /// One of them cannot be used here.
    pub(crate) fn of(plan: &Plan) -> Result<Self, RunError> {
        refuse_files(plan)?;
        refuse_min_wait(plan)?;
        let engines = Self::by(plan, select)?;
        engines.refuse_beyond(plan)?;
        Ok(engines)
    }

    fn by(
        plan: &Plan,
        select: impl Fn(Option<EngineKind>, Needs) -> Result<Selection, EngineError>,
    ) -> Result<Self, EngineError> {
        let jobs = || plan.workload.phases.iter().flat_map(|phase| &phase.jobs);
        let needs = |of: &dyn Fn(&Job) -> bool| Needs {
            submission_polling: plan.engine.submission_polling,
            completion_polling: plan.engine.completion_polling,
            min_wait: plan.engine.min_wait > Nanos::ZERO,
            zone_resets: jobs().any(|job| of(job) && job.access.walk.is_at_write_pointers()),
            zone_appends: jobs().any(|job| of(job) && job.access.walk.appends()),
            trims: jobs()
                .filter(|job| of(job))
                .flat_map(|job| &job.kinds)
                .any(|kind| kind.op == Op::Trim),
        };
        let is_usual = |job: &Job| job.engine.is_none() && job.files.is_none();
        let for_all = plan.engine.kind.is_some() || jobs().all(is_usual);
        if for_all {
            let selection = select(plan.engine.kind, needs(&|_| true))?;
            return Ok(Self {
                usual: selection.kind,
                selection,
                for_all,
            });
        }
        let mut all: Vec<Selection> = Vec::new();
        let mut usual = None;
        for job in jobs() {
            let named = named(job);
            let is_known = match named {
                Some(kind) => all.iter().any(|one| one.kind == kind),
                None => usual.is_some(),
            };
            if is_known {
                continue;
            }
            let alike = |other: &Job| self::named(other) == named;
            let selection = select(named, needs(&alike))?;
            if named.is_none() {
                usual = Some(selection.kind);
            }
            if all.iter().all(|one| one.kind != selection.kind) {
                all.push(selection);
            }
        }
        // Targets are prepared for the one that needs them.
        all.small_sort_by_key(|one| !one.kind.is_real());
        let mut all = all.into_iter();
        let mut selection = all
            .next()
            .map_or_else(|| select(None, needs(&|_| true)), Ok)?;
        selection.beside = all.map(|one| one.kind).collect();
        if !selection.beside.is_empty() {
            selection.reason = format!("{}: by job", selection.names());
        }
        Ok(Self {
            usual: usual.unwrap_or(selection.kind),
            selection,
            for_all,
        })
    }

    pub(crate) fn of_job(&self, job: &Job) -> EngineKind {
        let own = named(job).filter(|_| !self.for_all);
        own.unwrap_or(self.usual)
    }

    /// What the engine of a job cannot do, be it that of the job or of the run.
    fn refuse_beyond(&self, plan: &Plan) -> Result<(), RunError> {
        let jobs = plan.workload.phases.iter().flat_map(|phase| &phase.jobs);
        for job in jobs {
            let kind = self.of_job(job);
            if let Some(limit) = job.limit_of(kind) {
                return Err(RunError::BeyondEngine {
                    job: job.name.clone(),
                    engine: kind.name(),
                    because: limit.because,
                    remedy: limit.instead,
                });
            }
        }
        Ok(())
    }

    /// Whether jobs differ in it.
    pub(crate) const fn differ(&self) -> bool {
        !self.selection.beside.is_empty()
    }
}

/// What a job has and no other needs to.
fn named(job: &Job) -> Option<EngineKind> {
    let files = job.files.map(|_| EngineKind::Files);
    files.or(job.engine)
}

/// Files are dealt with by an engine of their own, which is not chosen.
fn refuse_files(plan: &Plan) -> Result<(), RunError> {
    let jobs = plan.workload.phases.iter().flat_map(|phase| &phase.jobs);
    match (
        plan.engine.kind,
        jobs.into_iter().find(|job| job.files.is_some()),
    ) {
        (Some(kind), Some(job)) => Err(RunError::FilesEngine {
            job: job.name.clone(),
            engine: kind.name(),
        }),
        _ => Ok(()),
    }
}

/// A time limit for completions is of no use where only one is waited for, or none.
fn refuse_min_wait(plan: &Plan) -> Result<(), RunError> {
    let jobs = plan.workload.phases.iter().flat_map(|phase| &phase.jobs);
    let engine = &plan.engine;
    if engine.min_wait == Nanos::ZERO {
        return Ok(());
    }
    if engine.completion_polling || engine.submission_polling {
        return Err(RunError::MinWait {
            because: "completions are polled, so nothing waits for them in the kernel",
            remedy: "omit --iopoll and --sqpoll",
        });
    }
    let waits = |job: &Job| job.complete_batch.is_some_and(|batch| batch > 1);
    if jobs.into_iter().any(waits) {
        return Ok(());
    }
    Err(RunError::MinWait {
        because: "no job waits for more than one completion",
        remedy: "set --complete-batch to the number of completions to wait for",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::spec::{Phase, Workload};

    fn plan(engines: &[Option<EngineKind>]) -> Plan {
        let job = |engine: &Option<EngineKind>| Job {
            engine: *engine,
            ..Job::plain()
        };
        let phase = Phase {
            jobs: engines.iter().map(job).collect(),
            ..Phase::plain()
        };
        Plan::new(Workload {
            phases: vec![phase],
            ..Workload::plain()
        })
    }

    /// What is said, and what each job gets, where the machine chooses io_uring.
    fn chosen(plan: &Plan) -> (String, Vec<&'static str>) {
        let select = |kind: Option<EngineKind>, _| {
            let kind = kind.unwrap_or(EngineKind::IoUring);
            Ok(Selection::one(kind, format!("{kind}: why")))
        };
        let engines = Engines::by(plan, select).expect("all can be used");
        let jobs = plan.workload.phases[0].jobs.iter();
        let kinds = jobs.map(|job| engines.of_job(job).name());
        (engines.selection.reason.clone(), kinds.collect())
    }

    #[test]
    fn each_job_has_its_own_and_the_others_what_the_run_has() {
        use EngineKind::{IoUring, Libaio, Null, Psync};

        type Case<'a> = (&'a [Option<EngineKind>], &'a str, &'a [&'a str]);
        let cases: [Case<'_>; 5] = [
            (&[None, None], "io_uring: why", &["io_uring", "io_uring"]),
            (&[Some(Psync)], "psync: why", &["psync"]),
            (
                &[Some(Psync), Some(Libaio), Some(IoUring)],
                "psync, libaio, io_uring: by job",
                &["psync", "libaio", "io_uring"],
            ),
            (
                &[Some(Null), None, Some(IoUring)],
                "io_uring, null: by job",
                &["null", "io_uring", "io_uring"],
            ),
            (
                &[None, Some(Libaio)],
                "io_uring, libaio: by job",
                &["io_uring", "libaio"],
            ),
        ];
        for (engines, reason, kinds) in cases {
            let expected = (reason.to_owned(), kinds.to_vec());
            assert_eq!(chosen(&plan(engines)), expected);
        }
        let mut asked = plan(&[Some(Psync), Some(Libaio)]);
        asked.engine.kind = Some(EngineKind::Null);
        let expected = ("null: why".to_owned(), vec!["null", "null"]);
        assert_eq!(chosen(&asked), expected);
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn what_a_mapping_cannot_do_is_refused() {
        let because = |engine, direct, fresh| {
            let mut plan = plan(&[Some(engine)]);
            let job = &mut plan.workload.phases[0].jobs[0];
            (job.durability.direct, job.fresh) = (direct, fresh);
            Engines::of(&plan).map_err(|error| error.because().unwrap_or_default())
        };
        let allowed = |engine, direct, fresh| because(engine, direct, fresh).map(|_| ());
        assert_eq!(allowed(EngineKind::Psync, true, true), Ok(()));
        assert_eq!(allowed(EngineKind::Mmap, false, false), Ok(()));
        let direct = "a mapping uses the page cache, and this job requests direct I/O";
        assert_eq!(
            allowed(EngineKind::Mmap, true, false),
            Err(direct.to_owned())
        );
        let fresh = "a mapping cannot extend a file, and the files of this job start empty";
        assert_eq!(
            allowed(EngineKind::Mmap, false, true),
            Err(fresh.to_owned())
        );
    }

    #[test]
    fn a_time_for_a_wait_that_nobody_makes_is_refused() {
        let because = |polls: bool, batch| {
            let mut plan = plan(&[None]);
            plan.engine.min_wait = Nanos::from_micros(50);
            plan.engine.completion_polling = polls;
            plan.workload.phases[0].jobs[0].complete_batch = batch;
            refuse_min_wait(&plan).map_err(|error| error.because().unwrap_or_default())
        };
        assert_eq!(because(false, Some(8)), Ok(()));
        let one = "no job waits for more than one completion";
        assert_eq!(because(false, None), Err(one.to_owned()));
        assert_eq!(because(false, Some(1)), Err(one.to_owned()));
        let polled = "completions are polled, so nothing waits for them in the kernel";
        assert_eq!(because(true, Some(8)), Err(polled.to_owned()));
    }
}
