//! Runs of workloads on storage.

use crate::definitions::{Definition, Flags, Rates, Run, Storage, Work};
use crate::loops::{self, Loop, Step, steps, suffix};
use crate::parameter::Wrong;
use crate::shares::shares;
use crate::storage::{Shape, shape};
use crate::translate::Translator;
use fathom_core::op::Op;
use fathom_core::spec::validate::MOST_JOBS;
use fathom_core::spec::{
    Arrivals, Data, Distribution, HotRange, IoKind, Job, Pacing, Phase, Verify,
};
use fathom_core::units::{Bytes, Percent, Rate};
use fathom_tools::plain_job::job;
use fathom_tools::translation::Standing;
use std::collections::HashMap;

/// A workload of a run, with the values of a step and its share of the requests.
#[derive(Clone, Debug)]
struct Active {
    name: String,
    works: Vec<(Work, f64)>,
    storage: Vec<Definition<Storage>>,
    /// The share of all requests.
    share: f64,
}

impl Active {
    fn first(&self) -> &Work {
        &self.works[0].0
    }

    fn largest(&self) -> u64 {
        let sizes = self.works.iter().flat_map(|(work, _)| &work.sizes);
        sizes.map(|(size, _)| *size).max().unwrap_or(0)
    }
}

impl Translator<'_> {
    /// The phases of a run.
    pub(crate) fn raw(&mut self, run: &Definition<Run>) -> Result<Vec<Phase>, Wrong> {
        loops::check(&run.is.loops, false)?;
        if !run.is.operations.is_empty() {
            let message = "operations are of files, and the run has storage".to_owned();
            return Err((message, "leave them out, or fwd=".to_owned()));
        }
        let steps = steps(&run.is.loops);
        let rates: Vec<Option<f64>> = match &run.is.rates {
            Rates::Max => vec![None],
            Rates::List(list) => list.iter().copied().map(Some).collect(),
        };
        self.count(
            steps
                .as_ref()
                .map(|steps| steps.len().saturating_mul(rates.len())),
        )?;
        let mut phases = Vec::new();
        for step in steps.iter().flatten() {
            let active = self.active(run, step)?;
            for rate in &rates {
                let paced = rate.filter(|_| rates.len() > 1);
                let paced = paced.map(|rate| format!(" iorate={rate}"));
                let name = suffix(step) + paced.as_deref().unwrap_or_default();
                let mut phase = self.phase(run, &name, false)?;
                for one in &active {
                    phase
                        .jobs
                        .extend(self.jobs_of(run, step, one, &active, *rate)?);
                }
                phases.push(phase);
            }
        }
        Ok(phases)
    }

    /// The workloads of a step; those that share their storage in every respect are one.
    fn active(&mut self, run: &Definition<Run>, step: &Step) -> Result<Vec<Active>, Wrong> {
        let definitions = self.definitions;
        let works = Self::chosen("wd", &run.is.work, &definitions.work.list)?;
        let skews: Vec<Option<f64>> = works.iter().map(|work| work.is.skew).collect();
        let shares = shares(&skews)?;
        let (mut all, mut targets) = (Vec::new(), 0);
        for (work, share) in works.iter().zip(&shares) {
            let names = if run.is.storage.is_empty() {
                &work.is.storage
            } else {
                &run.is.storage
            };
            if names.is_empty() {
                let message = format!("the workload `{}` has no storage", work.name);
                return Err((message, "sd= with the names of storage".to_owned()));
            }
            let mut is = work.is.clone();
            let mut storage: Vec<Definition<Storage>> = Self::chosen("sd", names, &self.storage)?
                .into_iter()
                .cloned()
                .collect();
            for (what, value) in step {
                set(*what, *value, &mut is, &mut storage);
            }
            let flags = run.is.flags.or(is.flags);
            for one in &mut storage {
                one.is.flags = flags.unwrap_or(one.is.flags);
            }
            check(&work.name, &is)?;
            targets += storage.len();
            all.push(Active {
                name: work.name.clone(),
                works: vec![(is, *share)],
                storage,
                share: *share,
            });
            if targets > MOST_JOBS {
                return Err(too_many());
            }
        }
        if all.len() > 1 && are_one(&all) {
            return Ok(vec![merged(all)]);
        }
        let has_skew = skews.iter().any(Option::is_some);
        if has_skew && all.len() > 1 && run.is.rates == Rates::Max {
            let message = "without a rate, workloads of different storage go as fast as they can";
            self.note(Standing::Approximated, "skew", message);
        }
        self.share_threads(&mut all);
        Ok(all)
    }

    /// Workloads on one target share its threads.
    fn share_threads(&mut self, all: &mut [Active]) {
        let mut users: HashMap<String, u32> = HashMap::new();
        for storage in all.iter().flat_map(|one| &one.storage) {
            *users.entry(storage.name.clone()).or_default() += 1;
        }
        for storage in all.iter_mut().flat_map(|one| &mut one.storage) {
            let users = users[&storage.name];
            if users > 1 {
                storage.is.threads = (storage.is.threads / users).max(1);
                let message = "each of several workloads has an equal part of the threads of its \
                               storage, where vdbench gives a thread to whichever is next";
                self.note(Standing::Approximated, "threads", message);
            }
        }
    }

    /// The jobs of a workload: one for all storage that is used alike.
    fn jobs_of(
        &mut self,
        run: &Definition<Run>,
        step: &Step,
        one: &Active,
        all: &[Active],
        rate: Option<f64>,
    ) -> Result<Vec<Job>, Wrong> {
        let mut groups: Vec<(Shape, Vec<String>, &str)> = Vec::new();
        let mut known: HashMap<Shape, usize> = HashMap::new();
        for storage in &one.storage {
            let Some(lun) = &storage.is.lun else {
                let message = format!("`sd={}` has no lun", storage.name);
                return Err((message, "lun= with a file or a device".to_owned()));
            };
            let lun = self.path(lun);
            if lun.starts_with("/dev/") && !storage.is.flags.direct {
                let message = format!("`{lun}` is a device, which is used past the page cache");
                return Err((message, "openflags=o_direct, as vdbench demands".to_owned()));
            }
            let part = one.first().part;
            let shape = shape(&storage.is, &lun, part, one.largest(), self.surroundings)?;
            let index = *known.entry(shape).or_insert(groups.len());
            if index == groups.len() {
                groups.push((shape, Vec::new(), &storage.name));
            }
            groups[index].1.push(lun);
        }
        self.jobs += groups.len();
        if self.jobs > MOST_JOBS {
            return Err(too_many());
        }
        let rate = rate_of(one, all, rate)?;
        let is_alone = all.len() == 1 && groups.len() == 1;
        let (targets, several) = (one.storage.len() as f64, groups.len() > 1);
        let mut jobs = Vec::new();
        for (shape, luns, first) in groups {
            let name = if several {
                format!("{}/{first}", one.name)
            } else {
                one.name.clone()
            };
            let share = luns.len() as f64 / targets;
            let mut job = self.job(name, one, shape, luns, step)?;
            if let Some(rate) = rate {
                job.pacing = Pacing::Open {
                    rate: Rate::Iops(rate * share),
                    arrivals: if run.is.constant {
                        Arrivals::Constant
                    } else {
                        Arrivals::Poisson
                    },
                };
            }
            if let Some(bytes) = run.is.bytes {
                if !is_alone {
                    let message = "maxdata= of several workloads at once is not possible";
                    return Err((message.to_owned(), "one workload, or elapsed=".to_owned()));
                }
                job.stop.bytes = Some(Bytes(bytes));
                job.stop.with_warm_up = true;
            }
            jobs.push(job);
        }
        Ok(jobs)
    }

    fn job(
        &self,
        name: String,
        one: &Active,
        shape: Shape,
        luns: Vec<String>,
        step: &Step,
    ) -> Result<Job, Wrong> {
        let mut job = job(name);
        let targets = luns.len() as u64;
        job.targets = luns;
        let first = one.first();
        job.threads = first.streams;
        job.queue_depth = shape.threads.div_ceil(first.streams);
        job.size = shape.size.map(Bytes);
        job.offset = Bytes(shape.offset);
        job.window = shape.window.map(Bytes);
        let Flags {
            direct,
            durable,
            fsync,
        } = shape.flags;
        job.durability.direct = direct;
        job.durability.write_through = durable;
        job.kinds = one
            .works
            .iter()
            .flat_map(|(work, share)| kinds(work, *share, shape))
            .collect();
        job.sync_at_end = fsync && job.writes();
        job.access.distribution = distribution(first, shape)?;
        if first.to_the_end {
            let Some(length) = shape.length else {
                let message = "seekpct=eof needs the size of the storage".to_owned();
                return Err((message, "size= of the sd".to_owned()));
            };
            let largest = one.largest().max(1);
            job.stop.bytes = Some(Bytes((length / largest * largest).saturating_mul(targets)));
            job.stop.with_warm_up = true;
        }
        if job.writes() {
            self.fill(&mut job, step);
        }
        Ok(job)
    }

    /// What writes carry, and how that is checked.
    fn fill(&self, job: &mut Job, step: &Step) {
        let general = &self.definitions.general;
        let looped = step.iter().find(|(what, _)| *what == Loop::Compression);
        let compression = looped.map_or(general.compression, |(_, value)| *value);
        job.data = Data {
            compressible_to: Percent(100.0 / compression),
            duplicate: Percent(100.0 - 100.0 / general.dedup),
            ..Data::PLAIN
        };
        job.verify = match self.verify {
            // Reads among the writes are checked as well.
            Verify::ReadWritten if job.reads() => Verify::Check,
            verify => verify,
        };
        if job.verify == Verify::ReadWritten {
            job.set_compat(|compat| compat.verify_backlog = Some(1));
        }
    }
}

fn too_many() -> Wrong {
    let message = format!("the runs of the file have more than {MOST_JOBS} jobs together");
    (message, "fewer workloads or steps".to_owned())
}

/// Changes what a loop changes.
fn set(what: Loop, value: f64, work: &mut Work, storage: &mut [Definition<Storage>]) {
    match what {
        Loop::Threads => storage
            .iter_mut()
            .for_each(|one| one.is.threads = value as u32),
        Loop::HitArea => storage
            .iter_mut()
            .for_each(|one| one.is.hit_area = value as u64),
        Loop::Transfer => work.sizes = vec![(value as u64, 100.0)],
        Loop::Reads => work.reads = value,
        Loop::Random => work.random = value,
        Loop::ReadHits => work.read_hits = value,
        Loop::WriteHits => work.write_hits = value,
        // That of content, and those of files.
        Loop::Compression | Loop::Depth | Loop::Width | Loop::Files | Loop::Sizes => {}
    }
}

/// What contradicts itself in a workload.
fn check(name: &str, work: &Work) -> Result<(), Wrong> {
    let wrong =
        |message: &str, remedy: &str| Err((format!("`wd={name}`: {message}"), remedy.to_owned()));
    if work.sizes.iter().any(|(size, _)| !size.is_multiple_of(512)) {
        return wrong("a request is no multiple of 512 bytes", "xfersize=4k");
    }
    let hits = work.read_hits.max(work.write_hits) > 0.0;
    if hits && work.random < 100.0 {
        return wrong(
            "hits of sequential requests are not possible",
            "seekpct=100",
        );
    }
    let has_both = work.reads > 0.0 && work.reads < 100.0;
    if hits && has_both && work.read_hits.total_cmp(&work.write_hits).is_ne() {
        let remedy = "rhpct= and whpct= alike, or a workload for each";
        return wrong("reads and writes have other shares of hits", remedy);
    }
    if work.streams > 1 && work.random > 0.0 {
        return wrong("streams are of sequential requests", "seekpct=0");
    }
    Ok(())
}

/// Whether workloads differ in nothing but their requests, so that one job can have them all: they
/// share the threads of their storage then, as with vdbench.
fn are_one(all: &[Active]) -> bool {
    let plain = |work: &Work| {
        work.rate.is_none()
            && work.read_hits.max(work.write_hits) <= 0.0
            && work.streams == 1
            && !work.to_the_end
    };
    let names = |one: &Active| -> Vec<String> {
        one.storage
            .iter()
            .map(|storage| storage.name.clone())
            .collect()
    };
    let flags = |one: &Active| -> Vec<Flags> {
        one.storage.iter().map(|storage| storage.is.flags).collect()
    };
    let sequential = all.iter().filter(|one| one.first().random < 100.0);
    let first = &all[0];
    sequential.count() <= 1
        && all.iter().all(|one| {
            plain(one.first())
                && one.first().part == first.first().part
                && names(one) == names(first)
                && flags(one) == flags(first)
        })
}

fn merged(all: Vec<Active>) -> Active {
    let mut names: Vec<String> = all.iter().take(3).map(|one| one.name.clone()).collect();
    if all.len() > 3 {
        names.push((all.len() - 3).to_string());
    }
    let name = names.join("+");
    let storage = all[0].storage.clone();
    Active {
        name,
        works: all.into_iter().flat_map(|one| one.works).collect(),
        storage,
        share: 1.0,
    }
}

/// Requests a second of a workload: its own, or its share of what those leave.
fn rate_of(one: &Active, all: &[Active], rate: Option<f64>) -> Result<Option<f64>, Wrong> {
    if one.first().rate.is_some() {
        return Ok(one.first().rate);
    }
    let Some(rate) = rate else { return Ok(None) };
    let own: f64 = all.iter().filter_map(|other| other.first().rate).sum();
    let sharing = all.iter().filter(|other| other.first().rate.is_none());
    let shares: f64 = sharing.map(|other| other.share).sum();
    let rate = (rate - own) * one.share / shares.max(f64::MIN_POSITIVE);
    if rate > 0.0 {
        return Ok(Some(rate));
    }
    let message = format!("the rate leaves nothing for the workload `{}`", one.name);
    Err((message, "a larger iorate=, or a skew above 0".to_owned()))
}

fn kinds(work: &Work, share: f64, shape: Shape) -> Vec<IoKind> {
    let mut kinds = Vec::new();
    for (size, part) in &work.sizes {
        for (op, reads) in [(Op::Read, work.reads), (Op::Write, 100.0 - work.reads)] {
            let weight = share * part * reads / 100.0;
            if weight > 0.0 {
                kinds.push(IoKind {
                    op,
                    block_size: Bytes(*size),
                    random: Percent(work.random),
                    align: Bytes(shape.align.unwrap_or(*size)),
                    weight,
                });
            }
        }
    }
    kinds
}

/// Hits go to the first bytes of the storage.
fn distribution(work: &Work, shape: Shape) -> Result<Distribution, Wrong> {
    let hits = if work.reads > 0.0 {
        work.read_hits
    } else {
        work.write_hits
    };
    if hits <= 0.0 {
        return Ok(Distribution::Uniform);
    }
    let Some(length) = shape.length.filter(|length| *length > shape.hit_area) else {
        let message = "the storage has to be known, and larger than the hit area".to_owned();
        return Err((message, "size= of the sd, or a smaller hitarea=".to_owned()));
    };
    let range = HotRange {
        ios: Percent(hits),
        of: Percent(shape.hit_area as f64 * 100.0 / length as f64),
    };
    Ok(Distribution::Hot {
        ranges: vec![range],
    })
}
