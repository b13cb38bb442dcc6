//! Runs of workloads on many files.

use crate::definitions::{Definition, FileOperation, FileSystem, FileWork, Rates, Run};
use crate::loops::{Loop, Step, check, steps, suffix};
use crate::parameter::Wrong;
use crate::shares::shares;
use crate::translate::Translator;
use fathom_core::op::Op;
use fathom_core::spec::validate::MOST_JOBS;
use fathom_core::spec::{Arrivals, FileKind, FilePlaces, Files, IoKind, Job, Pacing, Phase};
use fathom_core::units::{Bytes, Percent, Rate};
use fathom_tools::plain_job::job;
use fathom_tools::translation::Standing;

impl Translator<'_> {
    /// The phases of a run on files.
    pub(crate) fn on_files(&mut self, run: &Definition<Run>) -> Result<Vec<Phase>, Wrong> {
        check(&run.is.loops, true)?;
        let steps = steps(&run.is.loops);
        let rates: Vec<Option<f64>> = match &run.is.rates {
            Rates::Max => vec![None],
            Rates::List(list) => list.iter().copied().map(Some).collect(),
        };
        let operations: Vec<Option<FileOperation>> = if run.is.operations.is_empty() {
            vec![None]
        } else {
            run.is.operations.iter().copied().map(Some).collect()
        };
        let each = rates.len() * operations.len();
        self.count(steps.as_ref().map(|steps| steps.len().saturating_mul(each)))?;
        let mut phases = Vec::new();
        for step in steps.iter().flatten() {
            for operation in &operations {
                for rate in &rates {
                    let operated =
                        operation.map(|operation| format!(" operation={}", operation.name()));
                    let paced = rate.filter(|_| rates.len() > 1);
                    let paced = paced.map(|rate| format!(" fwdrate={rate}"));
                    let name = [Some(suffix(step)), operated, paced];
                    let name: String = name.into_iter().flatten().collect();
                    let jobs = self.file_jobs(run, step, *operation, *rate)?;
                    let once = jobs.iter().any(Job::deals_once);
                    let phase = self.phase(run, &name, once)?;
                    phases.push(Phase { jobs, ..phase });
                }
            }
        }
        Ok(phases)
    }

    fn file_jobs(
        &mut self,
        run: &Definition<Run>,
        step: &Step,
        operation: Option<FileOperation>,
        rate: Option<f64>,
    ) -> Result<Vec<Job>, Wrong> {
        let definitions = self.definitions;
        let works = Self::chosen("fwd", &run.is.file_work, &definitions.file_work.list)?;
        let skews: Vec<Option<f64>> = works.iter().map(|work| work.is.skew).collect();
        let shares = shares(&skews)?;
        if skews.iter().any(Option::is_some) && rate.is_none() && works.len() > 1 {
            let message = "without a rate, each workload goes as fast as it can";
            self.note(Standing::Approximated, "skew", message);
        }
        let mut jobs = Vec::new();
        for (work, share) in works.iter().zip(shares) {
            let all = &definitions.file_systems.list;
            let systems = Self::chosen("fsd", &work.is.file_systems, all)?;
            if systems.is_empty() {
                let message = format!("the workload `{}` has no files", work.name);
                return Err((message, "fsd= with the names of trees".to_owned()));
            }
            self.jobs += systems.len();
            if self.jobs > MOST_JOBS {
                let message = format!("the runs have more than {MOST_JOBS} jobs together");
                return Err((message, "fewer workloads or steps".to_owned()));
            }
            let mut is = work.is.clone();
            is.flags = run.is.flags.or(is.flags);
            if let Some(operation) = operation {
                (is.operation, is.reads) = (operation, None);
            }
            let parts = systems.len();
            for system in systems {
                let mut tree = system.is.clone();
                for (what, value) in step {
                    set(*what, *value, &mut is, &mut tree);
                }
                let name = if parts > 1 {
                    format!("{}/{}", work.name, system.name)
                } else {
                    work.name.clone()
                };
                let part = Part {
                    threads: (is.threads / parts as u32).max(1),
                    rate: rate.map(|rate| rate * share / parts as f64),
                    constant: run.is.constant,
                };
                jobs.push(self.file_job(name, &is, &tree, &part)?);
            }
        }
        Ok(jobs)
    }

    fn file_job(
        &mut self,
        name: String,
        work: &FileWork,
        tree: &FileSystem,
        part: &Part,
    ) -> Result<Job, Wrong> {
        let Some(anchor) = &tree.anchor else {
            let message = format!("`{name}` has a tree without an anchor");
            return Err((message, "anchor= with a directory".to_owned()));
        };
        let FileOperation { op, of_directories } = work.operation;
        let kinds = kinds(work, tree)?;
        if kinds
            .iter()
            .any(|kind| matches!(kind.op, Op::Stat | Op::Unlink))
            && !of_directories
        {
            let message = "files that are neither read nor written are empty";
            self.note(Standing::Approximated, "sizes", message);
        }
        let changes = matches!(op, Op::Create | Op::Unlink) && work.reads.is_none();
        let once = work.once || changes;
        let flags = work.flags.unwrap_or(tree.flags);
        let mut job = job(name);
        job.targets = vec![self.path(anchor)];
        job.threads = part.threads;
        if !all_files(work, tree).is_multiple_of(u64::from(part.threads)) {
            let message = "each thread has as many files of its own: their number is rounded up";
            self.note(Standing::Approximated, "files", message);
        }
        job.files = Some(files(work, tree, part.threads, once, flags.fsync));
        job.access.without_repetition = once && work.random;
        if let Some(rate) = part.rate {
            // A file is one request here, and several of vdbench.
            let size = kinds
                .iter()
                .map(|kind| kind.block_size.0)
                .max()
                .unwrap_or(0);
            let requests = size.div_ceil(work.transfer.max(1)).max(1);
            job.pacing = Pacing::Open {
                rate: Rate::Iops(rate / requests as f64),
                arrivals: if part.constant {
                    Arrivals::Constant
                } else {
                    Arrivals::Poisson
                },
            };
        }
        job.kinds = kinds;
        Ok(job)
    }
}

/// What a job has of its workload.
struct Part {
    threads: u32,
    rate: Option<f64>,
    constant: bool,
}

/// Changes what a loop changes.
fn set(what: Loop, value: f64, work: &mut FileWork, tree: &mut FileSystem) {
    match what {
        Loop::Threads => work.threads = value as u32,
        Loop::Transfer => work.transfer = value as u64,
        Loop::Reads => work.reads = Some(value),
        Loop::Depth => tree.depth = value as u64,
        Loop::Width => tree.width = value as u64,
        Loop::Files => tree.files = value as u64,
        Loop::Sizes => tree.sizes = vec![(value as u64, 100.0)],
        // None of a run on files.
        Loop::Random | Loop::ReadHits | Loop::WriteHits | Loop::HitArea | Loop::Compression => {}
    }
}

fn kinds(work: &FileWork, tree: &FileSystem) -> Result<Vec<IoKind>, Wrong> {
    let size = || match tree.sizes.as_slice() {
        [(size, _)] => Ok(*size),
        [] => Err((
            "the files have no size".to_owned(),
            "sizes= of the fsd".to_owned(),
        )),
        _ => Err((
            "files of several sizes are not possible".to_owned(),
            "one size, or an fsd= for each with its share as skew=".to_owned(),
        )),
    };
    let op = work.operation.op;
    let weights = match work.reads {
        Some(reads) => vec![(Op::Read, reads), (Op::Write, 100.0 - reads)],
        None => vec![(op, 100.0)],
    };
    if work.once && weights.iter().filter(|(_, weight)| *weight > 0.0).count() > 1 {
        let message = "each file once is read or written, not both".to_owned();
        return Err((message, "operation=, or fileselect=random".to_owned()));
    }
    let mut kinds = Vec::new();
    for (op, weight) in weights.into_iter().filter(|(_, weight)| *weight > 0.0) {
        let moved = match op {
            Op::Read | Op::Write => size()?,
            _ => 0,
        };
        let mut kind = IoKind::plain(op, Bytes(moved));
        kind.weight = weight;
        if !work.random {
            kind.random = Percent::ZERO;
        }
        kinds.push(kind);
    }
    Ok(kinds)
}

fn is_of_directories(work: &FileWork) -> bool {
    work.operation.of_directories && work.reads.is_none()
}

/// The files or directories of all threads.
fn all_files(work: &FileWork, tree: &FileSystem) -> u64 {
    let level = |level: u64| tree.width.saturating_pow(level.min(64) as u32);
    let all = (1..=tree.depth.min(64))
        .map(level)
        .fold(0, u64::saturating_add);
    let of_directories = is_of_directories(work);
    let holding = if tree.everywhere || of_directories {
        all
    } else {
        level(tree.depth)
    };
    let each = if of_directories { 1 } else { tree.files };
    holding.saturating_mul(each)
}

/// The files of each thread.
fn files(work: &FileWork, tree: &FileSystem, threads: u32, once: bool, sync: bool) -> Files {
    let of_directories = is_of_directories(work);
    let plain = Files {
        count: all_files(work, tree).div_ceil(u64::from(threads)),
        directories: FilePlaces::Shared,
        once,
        ..Files::PLAIN
    };
    if of_directories {
        return Files {
            of: FileKind::Directory,
            ..plain
        };
    }
    let writes = matches!(work.operation.op, Op::Write | Op::Create) || work.reads.is_some();
    Files {
        depth: tree.depth.min(u64::from(u32::MAX)) as u32,
        branches: tree.width.min(u64::from(u32::MAX)) as u32,
        leaves: !tree.everywhere,
        sync: sync && writes,
        ..plain
    }
}
