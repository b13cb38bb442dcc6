//! The numbers of a time span, line by line, before they are laid out.

use super::latency::{Chart, Served};
use super::moments::Moments;
use super::series::Buckets;
use crate::effective::{self, Part};
use crate::profile::{Target, TimeSpan};
use fathom_core::result::{
    JobResult, OpResult, Origin, PhaseResult, ResultField, RunResult, TargetLatency, TargetShare,
    WorkerOp, WorkerResult,
};
use fathom_core::summary::Spread;
use fathom_core::{Op, PerOp};
use std::collections::BTreeMap;

/// How far rounding to two digits takes a rate from itself, as a share of it.
const ROUNDED: f64 = 1e-4;

/// Which requests a table is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Table {
    Total,
    Read,
    Write,
}

impl Table {
    pub(super) const ALL: [Self; 3] = [Self::Total, Self::Read, Self::Write];

    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Total => "Total IO",
            Self::Read => "Read IO",
            Self::Write => "Write IO",
        }
    }
}

/// Requests of one operation.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flow {
    pub(super) ios: u64,
    pub(super) bytes: u64,
    /// Requests a second as the result has them; 0 where only the counts are known.
    iops: f64,
    /// Bytes a second, likewise.
    bytes_per_second: f64,
    pub(super) latency: Moments,
}

impl Flow {
    fn of_op(op: Option<&OpResult>) -> Self {
        op.map_or_else(Self::default, |op| Self {
            ios: op.ios,
            bytes: op.bytes,
            iops: op.iops,
            bytes_per_second: op.bytes_per_second,
            latency: Moments::of_summary(&op.service_ns),
        })
    }

    fn of_share(op: Option<&WorkerOp>) -> Self {
        op.map_or_else(Self::default, |op| Self {
            ios: op.ios,
            bytes: op.bytes,
            latency: Moments::of_spread(&op.service_ns),
            ..Self::default()
        })
    }

    #[must_use]
    fn and(self, other: Self) -> Self {
        Self {
            ios: self.ios + other.ios,
            bytes: self.bytes + other.bytes,
            iops: self.iops + other.iops,
            bytes_per_second: self.bytes_per_second + other.bytes_per_second,
            latency: self.latency.and(other.latency),
        }
    }
}

/// One line of a table: a thread at a target.
#[derive(Clone, Debug)]
pub(super) struct FigureLine {
    pub(super) thread: u64,
    /// Threads that it stands for.
    threads: u64,
    pub(super) path: String,
    pub(super) size_bytes: u64,
    /// Where the shares of its distribution went, if it has one.
    pub(super) parts: Vec<Part>,
    pub(super) read: Flow,
    pub(super) write: Flow,
    /// Deviation of requests a second: all, reads, writes.
    pub(super) stddevs: [f64; 3],
    /// The buckets, where they are known for this line alone.
    pub(super) buckets: Option<Buckets>,
}

impl FigureLine {
    /// Numbers of the threads that it stands for.
    pub(super) fn threads(&self) -> std::ops::Range<u64> {
        self.thread..self.thread + self.threads
    }
}

/// All numbers of a time span.
#[derive(Debug)]
pub(super) struct Figures<'a> {
    pub(super) origin: &'a Origin,
    pub(super) span: &'a TimeSpan,
    pub(super) phase: &'a PhaseResult,
    /// Processors of the machine.
    pub(super) cpus: u32,
    pub(super) lines: Vec<FigureLine>,
    pub(super) read: Flow,
    pub(super) write: Flow,
    pub(super) buckets: Buckets,
    pub(super) stddevs: [f64; 3],
    /// One for each path: its latencies, over all jobs that used it.
    pub(super) targets: Vec<(String, Chart)>,
    pub(super) total: Chart,
}

impl<'a> Figures<'a> {
    pub(super) fn of(result: &'a RunResult, span: &'a TimeSpan, phase: &'a PhaseResult) -> Self {
        let bucket_ms = span.iops_bucket_ms.unwrap_or(1000);
        let mut lines = Vec::new();
        let mut thread = 0;
        for (index, job) in phase.jobs.iter().enumerate() {
            let target = NamedTarget::of(result, span, job, index);
            let mut shares = job.workers.iter().map(|worker| worker.share.as_ref());
            let is_apart = !job.workers.is_empty() && shares.all(|share| share.is_some());
            if is_apart && (job.workers.len() > 1 || target.is_apart(job)) {
                for (worker, number) in job.workers.iter().zip(thread..) {
                    target.of_worker(worker, number, phase, bucket_ms, &mut lines);
                }
            } else {
                let buckets = Buckets::of(phase, bucket_ms, |other| other == index);
                lines.push(target.of_job(job, thread, buckets));
            }
            thread += u64::from(job.threads);
        }
        let sum = |op: Op| {
            let flows = phase.jobs.iter().map(|job| Flow::of_op(job.ops.get(op)));
            flows.fold(Flow::default(), Flow::and)
        };
        let buckets = Buckets::of(phase, bucket_ms, |_| true);
        let origin = &result.provenance.origin;
        let times = origin.knows(ResultField::Ios) && !phase.jobs.iter().any(has_untold_times);
        let places = phase.jobs.iter().enumerate();
        let served: Vec<(String, Served<'_>)> = places
            .flat_map(|(index, job)| NamedTarget::of(result, span, job, index).served(job))
            .collect();
        let mut paths: Vec<&String> = Vec::new();
        for (path, _) in &served {
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        let chart = |path: &String| {
            let parts = served.iter().filter(|(place, _)| place == path);
            (path.clone(), Chart::of(parts.map(|(_, part)| *part), times))
        };
        Self {
            origin,
            span,
            phase,
            cpus: result.provenance.host.cpus,
            read: sum(Op::Read),
            write: sum(Op::Write),
            stddevs: buckets.stddevs(),
            buckets,
            targets: paths.into_iter().map(chart).collect(),
            total: Chart::of(phase.jobs.iter().map(Served::Job), times),
            lines,
        }
    }

    /// Whether requests are known by time: always, but for some imports.
    pub(super) fn knows_series(&self) -> bool {
        !self.origin.is_imported()
            || self.origin.knows(ResultField::Ios) && !self.phase.intervals.is_empty()
    }

    /// Whether the processors are known, or that they were not looked at one by one.
    pub(super) fn knows_processors(&self) -> bool {
        !self.origin.is_imported() || !self.phase.process.processors.is_empty()
    }

    /// Measured time in seconds; none where the source of an import does not state it.
    pub(super) fn seconds(&self) -> Option<f64> {
        let measured_ns = self.phase.measured_ns;
        (measured_ns > 0).then_some(measured_ns as f64 / 1e9)
    }

    /// Requests and bytes a second: those that an import states, else over the measured time.
    pub(super) fn rates(&self, flow: Flow) -> [Option<f64>; 2] {
        let parts = [(flow.iops, flow.ios), (flow.bytes_per_second, flow.bytes)];
        parts.map(|(stated, amount)| {
            if amount == 0 {
                return Some(0.0);
            }
            let over_time = self.seconds().map(|seconds| amount as f64 / seconds);
            // Rates that were rounded before they are summed are less exact than those over a time
            // that they agree with.
            let agree = over_time.is_some_and(|rate| (stated - rate).abs() <= rate * ROUNDED);
            if self.origin.is_imported() && stated > 0.0 && !agree {
                Some(stated)
            } else {
                over_time
            }
        })
    }

    pub(super) fn threads(&self) -> u64 {
        self.phase
            .jobs
            .iter()
            .map(|job| u64::from(job.threads))
            .sum()
    }

    /// Whether a line stands for several threads or targets.
    pub(super) fn is_coarse(&self) -> bool {
        let counts = self.phase.jobs.iter().map(|job| {
            let targets = job.targets.len().max(1) as u64;
            u64::from(job.threads) * targets
        });
        self.lines.len() as u64 != counts.sum::<u64>()
    }
}

/// Whether requests were made of which no time is known.
fn has_untold_times(job: &JobResult) -> bool {
    let mut sides = [Op::Read, Op::Write]
        .into_iter()
        .filter_map(|op| job.ops.get(op));
    sides.any(|side| side.ios > 0 && side.service_ns.count == 0)
}

/// Whether a job has a target of its time span; those of other names were bound to other paths.
fn uses(job: &JobResult, target: &Target) -> bool {
    job.targets.len() < 2 || job.targets.contains(&target.path)
}

/// A target as the lines name it.
struct NamedTarget {
    path: String,
    size_bytes: u64,
    parts: Vec<Part>,
    /// Path, size and parts of each, where there are several.
    each: Vec<(String, u64, Vec<Part>)>,
    /// The size of each path that the job has.
    known: BTreeMap<String, u64>,
}

impl NamedTarget {
    fn of(result: &RunResult, span: &TimeSpan, job: &JobResult, index: usize) -> Self {
        let targets: Vec<&Target> = match span.threads {
            0 => span.targets.get(index).into_iter().collect(),
            // Jobs of a pool are its groups of threads.
            _ => span
                .targets
                .iter()
                .filter(|target| uses(job, target))
                .collect(),
        };
        let asked: Vec<&str> = targets.iter().map(|target| target.path.as_str()).collect();
        let known = &result.provenance.targets;
        let size_of = |path: &String| {
            let target = known.iter().find(|target| target.path == *path);
            target.map_or(0, |target| target.size_bytes)
        };
        let sizes: Vec<u64> = job.targets.iter().map(size_of).collect();
        let parts = match (targets.as_slice(), sizes.as_slice()) {
            ([target], [size]) => effective::parts(target, *size),
            // One of several stands for all: they have the same settings.
            ([target, ..], [_, ..]) => {
                let size = sizes.iter().min().copied();
                effective::parts(target, size.unwrap_or(0))
            }
            _ => Vec::new(),
        };
        let each = if targets.len() == sizes.len() {
            let each = targets.iter().zip(&sizes);
            each.map(|(target, size)| (target.path.clone(), *size, effective::parts(target, *size)))
                .collect()
        } else {
            Vec::new()
        };
        Self {
            path: if asked.is_empty() {
                job.targets.join(", ")
            } else {
                asked.join(", ")
            },
            size_bytes: sizes.iter().sum(),
            parts,
            each,
            known: job.targets.iter().cloned().zip(sizes).collect(),
        }
    }

    /// The requests of a job by path: those of each target, where they were kept apart.
    fn served<'a>(&self, job: &'a JobResult) -> Vec<(String, Served<'a>)> {
        if job.target_latencies.is_empty() {
            return vec![(self.path.clone(), Served::Job(job))];
        }
        let is_named = self.each.len() == job.target_latencies.len();
        let of_one = |(index, target): (usize, &'a TargetLatency)| {
            let path = match self.each.get(index).filter(|_| is_named) {
                Some((path, ..)) => path,
                None => &target.target,
            };
            (path.clone(), Served::Target(target))
        };
        let targets = job.target_latencies.iter().enumerate();
        targets.map(of_one).collect()
    }

    /// Whether the targets of a job are counted separately, thread by thread.
    fn is_apart(&self, job: &JobResult) -> bool {
        self.known.len() > 1
            && job.workers.iter().all(|worker| {
                let share = worker.share.as_ref();
                share.is_some_and(|share| !share.targets.is_empty())
            })
    }

    fn of_job(&self, job: &JobResult, thread: u64, buckets: Buckets) -> FigureLine {
        FigureLine {
            thread,
            threads: u64::from(job.threads.max(1)),
            path: self.path.clone(),
            size_bytes: self.size_bytes,
            parts: self.parts.clone(),
            read: Flow::of_op(job.ops.get(Op::Read)),
            write: Flow::of_op(job.ops.get(Op::Write)),
            stddevs: buckets.stddevs(),
            buckets: Some(buckets),
        }
    }

    /// The lines of a thread: one, or one for each of its targets.
    fn of_worker(
        &self,
        worker: &WorkerResult,
        thread: u64,
        phase: &PhaseResult,
        bucket_ms: u32,
        lines: &mut Vec<FigureLine>,
    ) {
        let Some(share) = &worker.share else {
            return;
        };
        let told = |target: &TargetShare| Buckets::of_share(phase, bucket_ms, target);
        let alone = [(self.path.clone(), self.size_bytes, self.parts.clone())];
        let named: Vec<_> = match share.targets.as_slice() {
            [] => {
                let done = (&share.ops, share.iops_by_interval);
                return lines.push(line(thread, &alone[0], done, None));
            }
            targets if targets.len() == self.each.len() => self.each.clone(),
            [_] if self.known.len() < 2 => alone.to_vec(),
            // Not every thread uses every target of its job.
            targets => {
                let size_of = |path: &String| self.known.get(path).copied().unwrap_or_default();
                let named = targets.iter().map(|share| &share.target);
                named
                    .map(|path| (path.clone(), size_of(path), Vec::new()))
                    .collect()
            }
        };
        for (target, named) in share.targets.iter().zip(&named) {
            let done = (&target.ops, target.iops_by_interval);
            lines.push(line(thread, named, done, told(target)));
        }
    }
}

/// The line of a thread at a target.
fn line(
    thread: u64,
    (path, size_bytes, parts): &(String, u64, Vec<Part>),
    (ops, all): (&PerOp<Option<WorkerOp>>, Spread),
    buckets: Option<Buckets>,
) -> FigureLine {
    let (read, write) = (ops.get(Op::Read), ops.get(Op::Write));
    let stddev = |op: Option<&WorkerOp>| op.map_or(0.0, |op| op.iops_by_interval.stddev);
    let counted = [all.stddev, stddev(read), stddev(write)];
    FigureLine {
        thread,
        threads: 1,
        path: path.clone(),
        size_bytes: *size_bytes,
        parts: parts.clone(),
        read: Flow::of_share(read),
        write: Flow::of_share(write),
        stddevs: buckets.as_ref().map_or(counted, Buckets::stddevs),
        buckets,
    }
}

/// The requests of a table, of those of a line or of all lines.
pub(super) fn flow(table: Table, read: Flow, write: Flow) -> Flow {
    match table {
        Table::Total => read.and(write),
        Table::Read => read,
        Table::Write => write,
    }
}
