//! The numbers of a row of fio's report, out of the results of its jobs.
//!
//! Service time (issue to completion) is fio's completion latency, generation time (begin of the
//! preparation to issue) its submission latency, which synchronous engines have none of. The total
//! is their sum: that of each request where it was kept one by one; else the mean exactly, the
//! deviation as if the two were independent, the extremes as if they fell together, and no
//! percentiles. Percentiles are those of the merged histograms.
//! Processor time is that of the process in the phase, shared among the rows by the time of their
//! threads. Depths are those at each call of the engine; in an import, the mean held, in one
//! bucket.

mod rates;
mod samples;
mod sum;
mod untold;

use super::FioLayout;
use super::stage::{Stage, cpu_ns};
use super::steady::Steadiness;
use crate::FioJob;
use crate::Unified;
use fathom_core::interval::Part;
use fathom_core::result::{
    CallCounts, EncodedHistogram, EndReason, ErrorTally, JobResult, OpResult, PhaseResult,
    RunResult,
};
use fathom_core::summary::{LatencySummary, Spread};
use fathom_core::{EngineKind, Histogram, Nanos, Op, Tolerated};
use rates::Rates;
use samples::series;
use std::collections::{BTreeMap, HashMap};
pub(super) use sum::added_up;

/// A distribution of latencies in nanoseconds.
#[derive(Clone, Debug, Default)]
pub(super) struct Latency {
    pub(super) count: u64,
    pub(super) min: u64,
    pub(super) max: u64,
    pub(super) mean: f64,
    pub(super) stddev: f64,
    /// None when the result holds no histogram.
    pub(super) histogram: Option<Histogram>,
    /// Percentiles by their names where there is no histogram, as of an import.
    told: BTreeMap<String, u64>,
}

/// One direction of a row.
#[derive(Clone, Debug, Default)]
pub(super) struct Direction {
    pub(super) ios: u64,
    pub(super) bytes: u64,
    pub(super) short: u64,
    pub(super) iops: f64,
    pub(super) bytes_per_second: f64,
    pub(super) runtime_ms: u64,
    /// Submission: without samples where it was not measured.
    pub(super) submission: Latency,
    /// Completion.
    pub(super) latency: Latency,
    /// Both.
    pub(super) total: Latency,
    /// KiB/s by interval.
    pub(super) bw: Spread,
    pub(super) iops_samples: Spread,
    /// Share of the bandwidth of its group in percent.
    pub(super) of_group: f64,
}

/// One row.
#[derive(Clone, Debug)]
pub(super) struct Figures<'a> {
    pub(super) row: &'a FioJob,
    /// Reads, writes and trims, each with its name; or all of them as `mixed`.
    pub(super) directions: Vec<(&'static str, Direction)>,
    pub(super) sync: Latency,
    pub(super) sync_ios: u64,
    pub(super) error: i32,
    /// Whether that is the end of the job.
    pub(super) is_failed: bool,
    /// All errors and the number of the first, where they are counted.
    pub(super) errors: Option<(u64, i32)>,
    pub(super) elapsed_s: u64,
    pub(super) runtime_ms: u64,
    pub(super) user_percent: f64,
    pub(super) system_percent: f64,
    pub(super) switches: u64,
    pub(super) major_faults: u64,
    pub(super) minor_faults: u64,
    /// Shares of 1, 2, 4, 8, 16, 32 and 64 or more in flight, in percent.
    pub(super) depth_shares: [f64; 7],
    /// Shares of the calls that submitted and completed 0, up to 4, 8, 16, 32, 64 and more, in
    /// percent.
    pub(super) submitted_shares: [f64; 7],
    pub(super) completed_shares: [f64; 7],
    /// All requests.
    pub(super) all: Latency,
    /// Outstanding requests of a clone, or what a search for them found.
    pub(super) depth: u32,
    /// How the search for a steady state went, if there was one.
    pub(super) steady: Option<Steadiness>,
}

const OPS: [Op; 3] = [Op::Read, Op::Write, Op::Trim];
/// What is asked of whole files, all that changes something last.
const OF_FILES: [Op; 4] = [Op::Stat, Op::Create, Op::Rename, Op::Unlink];
const NAMES: [&str; 3] = ["read", "write", "trim"];

/// The figures of all rows whose jobs are in the result.
pub(super) fn figures<'a>(result: &RunResult, layout: &'a FioLayout) -> Vec<Figures<'a>> {
    let stages = Stage::all(result);
    let rows = layout.rows.iter().filter_map(|row| {
        let Some(stage) = stages.get(row.phase.as_str()) else {
            // What has not begun yet is reported as well, as fio does.
            let phase = PhaseResult::empty(&row.phase);
            return layout
                .is_interim
                .then(|| one(row, &Stage::new(&phase), &|_| false));
        };
        let of_run = result.provenance.engine.name.as_str();
        let submits = |job: &JobResult| match job.engine.as_str() {
            "" => submits(of_run, row),
            own => submits(own, row),
        };
        Some(one(row, stage, &submits))
    });
    let mut all: Vec<Figures<'a>> = rows.map(Figures::without_untold).collect();
    share_groups(&mut all);
    all
}

/// All operations that are counted in this direction.
fn counted(direction: Op) -> Vec<Op> {
    let (looking, others) = OF_FILES.split_at(1);
    let of_files = match direction {
        Op::Read => looking,
        Op::Write => others,
        _ => &[],
    };
    [&[direction], of_files].concat()
}

/// What made the requests of a row, whose phase this is.
pub(super) fn engine(result: &RunResult, stage: Option<&Stage<'_>>, row: &FioJob) -> String {
    let mut names: Vec<&str> = Vec::new();
    if let Some(stage) = stage {
        let jobs = stage.jobs(&row.members).into_iter();
        let engines = jobs.map(|number| stage.phase.jobs[number].engine.as_str());
        names.extend(engines.filter(|engine| !engine.is_empty()));
    }
    names.dedup();
    if names.is_empty() {
        names.push(&result.provenance.engine.name);
    }
    names.join(", ")
}

/// Whether submission is a step of its own: with an engine that takes requests and gives them back
/// later.
fn submits(engine: &str, row: &FioJob) -> bool {
    EngineKind::named(engine).is_none_or(|kind| {
        let batches = kind.capabilities().batches;
        batches && (!kind.is_nowhere() || row.depth > 1)
    })
}

/// Whether submission is a step of its own in this job.
type Submits<'a> = &'a dyn Fn(&JobResult) -> bool;

/// How long a job was at work as fio counts it: with the flushes in the end.
fn at_work_ns(job: &JobResult) -> u64 {
    job.active_ns + job.end_flush_ns.unwrap_or(0)
}

fn one<'a>(row: &'a FioJob, stage: &Stage<'_>, submits: Submits<'_>) -> Figures<'a> {
    let phase = stage.phase;
    let indices = stage.jobs(&row.members);
    let jobs: Vec<&JobResult> = indices.iter().map(|index| &phase.jobs[*index]).collect();
    let active_ns = jobs.iter().map(|job| at_work_ns(job)).max().unwrap_or(0);
    let back_ns = |job: &&JobResult| job.read_back.as_ref().map_or(0, |back| back.active_ns);
    let with_back_ns = jobs.iter().map(|job| at_work_ns(job) + back_ns(job)).max();
    let of = |ops: &[Op]| of_row(row, stage, (&indices, ops), submits);
    let apart = OPS.map(|op| of(&counted(op)));
    let mixed = of(&[&OPS[..], &OF_FILES].concat());
    let all = mixed.latency.clone();
    let named = NAMES.into_iter().zip(apart);
    let directions = match row.unified {
        Unified::None => named.collect(),
        Unified::Mixed => vec![("mixed", mixed)],
        Unified::Both => named.chain([("mixed", mixed)]).collect(),
    };
    let errors = jobs.iter().flat_map(|job| &job.errors);
    let share = Share::of(stage, &jobs);
    let clones_ns = active_ns as f64 * f64::from(row.clones);
    // Who made no request has used no processor for them, and no clone more than one: what is above
    // that in a short run was not used for requests.
    let process = &phase.process;
    let used_ns = (process.user_ns + process.system_ns) as f64 * share.0;
    let of_clones = |cpu_ns: u64| match clones_ns {
        0.0 => 0.0,
        all => cpu_ns as f64 * share.0 * 100.0 / all.max(used_ns),
    };
    let calls = calls_of(&jobs);
    let held: f64 = jobs.iter().map(|job| job.queue_depth_held).sum();
    let depth = row.depth;
    let end_ns = phase.start_ns.saturating_add(phase.measured_ns);
    let tallies: Vec<&ErrorTally> = errors.collect();
    let first = tallies.first().map(|tally| number_of(tally));
    let counted = (
        tallies.iter().map(|tally| tally.count).sum(),
        first.unwrap_or(0),
    );
    let sync = flushes(row, &jobs);
    Figures {
        row,
        directions,
        sync_ios: sync.count,
        sync,
        error: first.unwrap_or(0),
        is_failed: is_failed(row, phase, &jobs),
        errors: row.goes_on_with.is_some().then_some(counted),
        elapsed_s: end_ns / 1_000_000_000 + 1,
        runtime_ms: with_back_ns.unwrap_or(0) / 1_000_000 * u64::from(row.clones),
        user_percent: of_clones(process.user_ns),
        system_percent: of_clones(process.system_ns),
        switches: share.part(phase.process.voluntary_switches + phase.process.involuntary_switches),
        major_faults: share.part(phase.process.major_faults),
        minor_faults: share.part(phase.process.minor_faults.unwrap_or(0)),
        depth_shares: calls.map_or_else(
            || depth_shares(held / f64::from(row.clones.max(1))),
            |calls| shares(calls.in_flight),
        ),
        submitted_shares: shares(calls.unwrap_or_default().submitted),
        completed_shares: shares(calls.unwrap_or_default().completed),
        all,
        depth,
        steady: Steadiness::of(row, stage, &indices),
    }
}

/// The flushes of a row that fio counts.
fn flushes(row: &FioJob, jobs: &[&JobResult]) -> Latency {
    let all = jobs.iter().filter_map(|job| job.ops.get(Op::Flush));
    Latency::sum(all.filter(|_| row.counts_flushes).map(Latency::of_service))
}

/// Whether a job has had errors with which it does not go on.
fn is_failed(row: &FioJob, phase: &PhaseResult, jobs: &[&JobResult]) -> bool {
    let none = Tolerated::default();
    let tolerated = row.goes_on_with.as_ref().unwrap_or(&none);
    let ends_it = |tally: &ErrorTally| {
        let is_of_reads = tally.op == Op::Read.name() || tally.op == CHECK;
        let op = if is_of_reads { Op::Read } else { Op::Write };
        !tolerated.has(op, tally.errno)
    };
    let is_bad = |job: &&JobResult| {
        let is_wrong = job.verified.is_some_and(|found| found.wrong > 0);
        let is_untold = job.errors.is_empty() && (job.failed > 0 || is_wrong);
        is_untold || job.errors.iter().any(ends_it)
    };
    phase.ended_by == EndReason::Errors || jobs.iter().any(is_bad)
}

/// The calls of all of them, where each has counted them.
fn calls_of(jobs: &[&JobResult]) -> Option<CallCounts> {
    let sum = jobs.iter().map(|job| job.calls).reduce(|sum, more| {
        let (mut sum, more) = (sum?, more?);
        sum += more;
        Some(sum)
    });
    sum.flatten()
}

/// How errors of checks are named in a result.
const CHECK: &str = "verify";

/// What fio says of a block that is not what was written (`EILSEQ`).
const EILSEQ: i32 = 84;

/// The part of what the process used that belongs to some jobs.
struct Share(f64);

impl Share {
    fn of(stage: &Stage<'_>, jobs: &[&JobResult]) -> Self {
        let mine: u64 = jobs.iter().map(|job| cpu_ns(job)).sum();
        if stage.cpu_ns > 0 {
            return Self(mine as f64 / stage.cpu_ns as f64);
        }
        Self(jobs.len() as f64 / stage.phase.jobs.len().max(1) as f64)
    }

    fn part(&self, of: u64) -> u64 {
        (of as f64 * self.0).round() as u64
    }
}

/// Parts of their sum in percent.
fn shares(counts: [u64; 7]) -> [f64; 7] {
    let sum: u64 = counts.iter().sum();
    counts.map(|count| count as f64 * 100.0 / sum.max(1) as f64)
}

/// All in the bucket of the mean, where the calls were not counted.
fn depth_shares(held: f64) -> [f64; 7] {
    let mut shares = [0.0; 7];
    if held > 0.0 {
        let bucket = (held.round().max(1.0)).log2().floor() as usize;
        shares[bucket.min(6)] = 100.0;
    }
    shares
}

/// Some operations of a job, and how long they took together.
struct Done<'a> {
    ops: Vec<&'a OpResult>,
    active_ns: u64,
}

impl<'a> Done<'a> {
    /// fio counts what is read back in the end among the reads, and the time of it among theirs.
    fn of(job: &'a JobResult, ops: &[Op]) -> Self {
        let has = |op: &&OpResult| op.ios + op.errors + op.short > 0;
        let measured = ops.iter().filter_map(|op| job.ops.get(*op)).filter(has);
        let mut ops_done: Vec<&OpResult> = measured.collect();
        let mut active_ns = if ops_done.is_empty() {
            0
        } else {
            at_work_ns(job)
        };
        let back = job.read_back.as_deref().filter(|_| ops.contains(&Op::Read));
        if let Some(back) = back.filter(|back| has(&&back.read)) {
            ops_done.push(&back.read);
            active_ns += back.active_ns;
        }
        Self {
            ops: ops_done,
            active_ns,
        }
    }
}

/// Some operations of some jobs, added up.
fn direction(stage: &Stage<'_>, indices: &[usize], ops: &[Op], submits: Submits<'_>) -> Direction {
    let jobs = indices.iter().map(|index| &stage.phase.jobs[*index]);
    let done: Vec<Done<'_>> = jobs.map(|job| Done::of(job, ops)).collect();
    let results: Vec<&OpResult> = done.iter().flat_map(|done| done.ops.clone()).collect();
    if results.is_empty() {
        return Direction::default();
    }
    let sum = |of: fn(&OpResult) -> u64| results.iter().map(|op| of(op)).sum::<u64>();
    let (ios, bytes) = (sum(|op| op.ios), sum(|op| op.bytes));
    let active_ns = done.iter().map(|done| done.active_ns).max().unwrap_or(0);
    let rates = if stage.is_imported {
        Rates::told(&results)
    } else {
        Rates::over(active_ns, ios, bytes)
    };
    let told = rates::samples(&results).filter(|_| stage.is_imported);
    let (bw, iops_samples) = told.unwrap_or_else(|| series(stage, indices, ops));
    let each = || results.iter().copied();
    let latency = Latency::sum(each().map(Latency::of_service));
    let prepared = Latency::sum(each().filter_map(Latency::of_generation));
    let jobs = indices.iter().map(|index| &stage.phase.jobs[*index]);
    let submitting = jobs.zip(&done).filter(|&(job, _)| submits(job));
    let submitted = submitting.flat_map(|(_, done)| done.ops.iter().copied());
    let total = if each().all(|op| op.split.is_some()) {
        Latency::sum(each().filter_map(Latency::of_total))
    } else {
        prepared.before(&latency)
    };
    Direction {
        ios,
        bytes,
        short: sum(|op| op.short),
        iops: rates.iops,
        bytes_per_second: rates.bytes_per_second,
        runtime_ms: rates.runtime_ms,
        submission: Latency::sum(submitted.filter_map(Latency::of_generation)),
        latency,
        total,
        bw,
        iops_samples,
        of_group: 0.0,
    }
}

/// Some operations of a row's jobs.
fn of_row(
    row: &FioJob,
    stage: &Stage<'_>,
    (indices, ops): (&[usize], &[Op]),
    submits: Submits<'_>,
) -> Direction {
    let done = direction(stage, indices, ops, submits);
    match row.steady {
        Some(steady) => of_whole_run(done, stage, (indices, ops), steady.begin),
        None => done,
    }
}

/// The same with the requests, bytes and time of all rounds, as fio counts them; latencies stay
/// those of the steady window.
fn of_whole_run(
    done: Direction,
    stage: &Stage<'_>,
    (indices, ops): (&[usize], &[Op]),
    begin: Nanos,
) -> Direction {
    let all = stage.intervals(indices);
    let all = all.filter(|(one, _)| one.part != Part::CoolDown && one.start_ns >= begin.0);
    let (mut ios, mut bytes, mut time_ns) = (0, 0, 0);
    for (interval, entries) in all {
        for op in entries
            .iter()
            .flat_map(|entry| ops.iter().filter_map(|op| entry.ops.get(*op)))
        {
            ios += op.ios;
            bytes += op.bytes;
        }
        time_ns += interval.length_ns;
    }
    if ios <= done.ios {
        return done;
    }
    let rates = Rates::over(time_ns, ios, bytes);
    Direction {
        ios,
        bytes,
        iops: rates.iops,
        bytes_per_second: rates.bytes_per_second,
        runtime_ms: rates.runtime_ms,
        ..done
    }
}

/// Fills in what each direction has of its group's bandwidth.
fn share_groups(all: &mut [Figures<'_>]) {
    let mut totals: HashMap<(u32, &'static str), f64> = HashMap::new();
    for figures in &*all {
        for (name, direction) in &figures.directions {
            let total = totals.entry((figures.row.group, name)).or_default();
            *total += direction.bytes_per_second / 1024.0;
        }
    }
    for figures in all {
        let group = figures.row.group;
        for (name, direction) in &mut figures.directions {
            let total = totals.get(&(group, *name)).copied().unwrap_or(0.0);
            if total > 0.0 {
                direction.of_group = (direction.bw.mean * 100.0 / total).min(100.0);
            }
        }
    }
}

impl Latency {
    /// From issue to completion.
    fn of_service(op: &OpResult) -> Self {
        Self::of(&op.service_ns, op.service_histogram.as_ref())
    }

    /// The generator's own time, of each request where it was kept so.
    fn of_generation(op: &OpResult) -> Option<Self> {
        if let Some(split) = &op.split {
            return Some(Self::of(
                &split.generation_ns,
                Some(&split.generation_histogram),
            ));
        }
        let spread = op.generation_ns?;
        Some(Self {
            count: spread.count,
            min: spread.min as u64,
            max: spread.max as u64,
            mean: spread.mean,
            stddev: spread.stddev,
            ..Self::default()
        })
    }

    /// Both together, where they were kept of each request.
    fn of_total(op: &OpResult) -> Option<Self> {
        let split = op.split.as_ref()?;
        Some(Self::of(&split.total_ns, Some(&split.total_histogram)))
    }

    fn of(summary: &LatencySummary, histogram: Option<&EncodedHistogram>) -> Self {
        let told = match histogram {
            Some(_) => BTreeMap::new(),
            None => summary.percentiles.clone(),
        };
        Self {
            told,
            count: summary.count,
            min: summary.min,
            max: summary.max,
            mean: summary.mean,
            stddev: summary.stddev,
            histogram: histogram.and_then(|histogram| histogram.decode().ok()),
        }
    }

    /// Distributions added up: moments from the summaries, which are exact, percentiles from the
    /// histograms.
    fn sum(parts: impl Iterator<Item = Self>) -> Self {
        let mut sum = Self::default();
        let mut squares = 0.0;
        for part in parts.filter(|part| part.count > 0) {
            let count = part.count as f64;
            let is_first = sum.count == 0;
            sum.min = if is_first {
                part.min
            } else {
                sum.min.min(part.min)
            };
            sum.max = sum.max.max(part.max);
            sum.mean += part.mean * count;
            squares += (part.stddev.powi(2) + part.mean.powi(2)) * count;
            // Of several, percentiles cannot be added up.
            sum.told = if is_first { part.told } else { BTreeMap::new() };
            sum.histogram = match (sum.histogram.take(), part.histogram) {
                (None, Some(first)) if is_first => Some(first),
                (Some(mut all), Some(more)) => {
                    all.add(&more);
                    Some(all)
                }
                _ => None,
            };
            sum.count += part.count;
        }
        if sum.count > 0 {
            let count = sum.count as f64;
            sum.mean /= count;
            sum.stddev = (squares / count - sum.mean.powi(2)).max(0.0).sqrt();
        }
        sum
    }

    /// This one and another that follows it, of which no pairs are known.
    fn before(&self, second: &Self) -> Self {
        if self.count == 0 || second.count == 0 {
            return second.clone();
        }
        Self {
            count: second.count,
            min: self.min + second.min,
            max: self.max + second.max,
            mean: self.mean + second.mean,
            stddev: self.stddev.hypot(second.stddev),
            ..Self::default()
        }
    }

    /// A percentile in nanoseconds, if the histogram is there or the source gave it.
    pub(super) fn percentile(&self, percent: f64) -> Option<u64> {
        if let Some(histogram) = &self.histogram {
            return Some(histogram.quantile_ns(percent / 100.0));
        }
        let mut told = self.told.iter();
        let found = told.find(|(name, _)| name.parse() == Ok(percent));
        found.map(|(_, value)| *value)
    }

    /// The percentiles that are wanted, in nanoseconds; all that the source of an import gave.
    pub(super) fn percentiles(&self, wanted: &[f64]) -> Vec<(f64, u64)> {
        let names = self.told.keys().filter_map(|name| name.parse().ok());
        let mut told: Vec<f64> = names.collect();
        told.sort_by(f64::total_cmp);
        let is_told = self.histogram.is_none();
        let values = if is_told { &told } else { wanted }.iter().copied();
        values
            .filter_map(|percent| Some((percent, self.percentile(percent)?)))
            .collect()
    }

    /// Shares in percent of the values between edges in nanoseconds, the last without end.
    pub(super) fn shares(&self, edges: &[u64]) -> Vec<f64> {
        let Some(histogram) = self.histogram.as_ref().filter(|h| !h.is_empty()) else {
            return vec![0.0; edges.len()];
        };
        let below = |edge: u64| histogram.count_up_to(edge.saturating_sub(1));
        let all = histogram.len() as f64;
        edges
            .windows(2)
            .map(|pair| below(pair[1]).saturating_sub(below(pair[0])) as f64 * 100.0 / all)
            .collect()
    }
}

/// A key, its unit in nanoseconds, and its buckets by name with their upper edges.
type Series = (&'static str, u64, &'static [(&'static str, u64)]);

/// Edges of fio's three series of latencies in nanoseconds, and the names of their buckets.
pub(super) const EDGES: [Series; 3] = [
    ("latency_ns", 1, &STEPS),
    ("latency_us", 1_000, &STEPS),
    ("latency_ms", 1_000_000, &MILLISECONDS),
];

const STEPS: [(&str, u64); 10] = [
    ("2", 2),
    ("4", 4),
    ("10", 10),
    ("20", 20),
    ("50", 50),
    ("100", 100),
    ("250", 250),
    ("500", 500),
    ("750", 750),
    ("1000", 1000),
];

const MILLISECONDS: [(&str, u64); 12] = [
    ("2", 2),
    ("4", 4),
    ("10", 10),
    ("20", 20),
    ("50", 50),
    ("100", 100),
    ("250", 250),
    ("500", 500),
    ("750", 750),
    ("1000", 1000),
    ("2000", 2000),
    (">=2000", u64::MAX / 1_000_000),
];

/// The shares of one series, with the names of its buckets.
pub(super) fn latency_shares(all: &Latency, series: usize) -> Vec<(&'static str, f64)> {
    let (_, unit, steps) = EDGES[series];
    let first = if series == 0 { 0 } else { unit };
    let edges = steps.iter().map(|(_, edge)| edge.saturating_mul(unit));
    let edges: Vec<u64> = std::iter::once(first).chain(edges).collect();
    let names = steps.iter().map(|(name, _)| *name);
    names.zip(all.shares(&edges)).collect()
}

/// The number of an error as fio gives it.
fn number_of(error: &ErrorTally) -> i32 {
    match error.errno {
        0 => EILSEQ,
        number => number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::result::{IntervalJob, IntervalOp, IntervalResult};

    /// A second of a job with so many reads of 4 KiB.
    fn second(number: u64, part: Part, ios: u64) -> IntervalResult {
        let read = IntervalOp {
            ios,
            bytes: ios * 4096,
            ..IntervalOp::default()
        };
        IntervalResult {
            part,
            start_ns: number * 1_000_000_000,
            length_ns: 1_000_000_000,
            jobs: vec![IntervalJob {
                ops: [(Op::Read, read)].into(),
                ..IntervalJob::default()
            }],
        }
    }

    #[test]
    fn a_steady_run_is_counted_whole_but_for_its_ramp() {
        let parts = [Part::WarmUp, Part::WarmUp, Part::Measure, Part::CoolDown];
        let seconds = (0..).zip(parts).zip([10, 20, 30, 40]);
        let phase = PhaseResult {
            intervals: seconds
                .map(|((number, part), ios)| second(number, part, ios))
                .collect(),
            ..PhaseResult::empty("a")
        };
        let window = || Direction {
            ios: 30,
            bytes: 30 * 4096,
            runtime_ms: 1000,
            ..Direction::default()
        };
        let of = |begin_s, ops: &[Op]| {
            let begin = Nanos::from_secs(begin_s);
            let whole = of_whole_run(window(), &Stage::new(&phase), (&[0], ops), begin);
            (whole.ios, whole.bytes, whole.runtime_ms, whole.iops.round())
        };
        assert_eq!(of(0, &[Op::Read]), (60, 60 * 4096, 3000, 20.0));
        assert_eq!(of(1, &[Op::Read]), (50, 50 * 4096, 2000, 25.0));
        // What did nothing before stays as it is.
        assert_eq!(of(0, &[Op::Write]), (30, 30 * 4096, 1000, 0.0));
    }
}
