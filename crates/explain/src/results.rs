//! Results that another crate has read, as evidence: our own, and those that `import` reads.

use crate::evidence::{Data, Direction, Disk, Evidence, Latency, Load, Side};
use fathom_core::SmallSort as _;
use fathom_core::result::{JobResult, Origin, PhaseResult, ResultField, RunResult};
use fathom_core::spec::{Fill, Job, Pacing};
use fathom_core::summary::LatencySummary;
use fathom_core::{Level, Op};

/// Tools whose results are imported; other results are our own.
const TOOLS: [&str; 3] = ["fio", "diskspd", "iometer"];

/// The evidence in a result: of each job of each phase.
pub(crate) fn of_result(result: &RunResult, lines: (usize, usize)) -> Vec<Evidence> {
    let provenance = &result.provenance;
    let (name, version) = match &provenance.origin {
        Origin::Imported { tool, .. } => tool.split_once('-').unwrap_or((tool, "")),
        Origin::Measured | Origin::Simulated { .. } => ("fathom", provenance.version.as_str()),
    };
    let known = TOOLS
        .into_iter()
        .find(|tool| name.eq_ignore_ascii_case(tool));
    let tool = known.unwrap_or("fathom");
    let mut all = Vec::new();
    for phase in &result.phases {
        for (job, spec) in result.job_specs(phase) {
            let mut one = Evidence::new(tool, "result");
            version.clone_into(&mut one.version);
            one.title = match phase.jobs.as_slice() {
                [_] => phase.name.clone(),
                _ => format!("{}/{}", phase.name, job.name),
            };
            one.lines = lines;
            one.load = load(result, job, spec);
            measured(&mut one, &provenance.origin, phase, job);
            let caveats = result.caveats.iter();
            let serious = caveats.filter(|caveat| caveat.level > Level::Qualified);
            one.warnings = serious.map(|caveat| caveat.message.clone()).collect();
            if one.is_measured() {
                all.push(one);
            }
        }
    }
    all
}

fn load(result: &RunResult, job: &JobResult, spec: Option<&Job>) -> Load {
    let origin = &result.provenance.origin;
    let threads = origin.known(ResultField::Threads, f64::from(job.threads));
    let threads = threads.filter(|threads| *threads > 0.0);
    let mut load = Load {
        jobs: threads,
        depth: threads.and_then(|threads| {
            let depth = origin.known(ResultField::QueueDepth, job.queue_depth as f64)?;
            Some(depth / threads).filter(|depth| *depth > 0.0)
        }),
        target: job.targets.first().cloned().unwrap_or_default(),
        engine: result.provenance.engine.name.clone(),
        ..Load::default()
    };
    let Some(spec) = spec.filter(|_| origin.knows(ResultField::Workload)) else {
        return load;
    };
    load.is_complete = true;
    load.direct = Some(spec.durability.direct);
    load.size = spec.size.map(|size| size.0 as f64);
    load.flush_every = match spec.durability {
        durability if durability.write_through => Some(1.0),
        _ => spec.writes_per_flush(),
    };
    load.flush_at_end = Some(spec.sync_at_end);
    load.is_limited = !matches!(spec.pacing, Pacing::Closed { .. });
    load.data = Some(match spec.data.fill {
        Fill::Zero => Data::Zeros,
        Fill::Random | Fill::Scrambled if spec.data.compressible_to.0 >= 100.0 => Data::Random,
        _ => Data::Compressible,
    });
    let same = |pick: fn(&fathom_core::spec::IoKind) -> f64| {
        let mut values = spec.kinds.iter().map(pick);
        let first = values.next()?;
        values
            .all(|value| value.total_cmp(&first).is_eq())
            .then_some(first)
    };
    load.block = same(|kind| kind.block_size.0 as f64);
    load.random = match same(|kind| kind.random.0) {
        Some(0.0) => Some(false),
        Some(100.0) => Some(true),
        _ => None,
    };
    let weight = |is_read: bool| {
        let kinds = spec.kinds.iter();
        let own = kinds.filter(move |kind| !is_read || kind.op == Op::Read);
        own.map(|kind| kind.weight).sum::<f64>()
    };
    load.read_percent =
        Some(100.0 * weight(true) / weight(false)).filter(|share| share.is_finite());
    load
}

fn measured(one: &mut Evidence, origin: &Origin, phase: &PhaseResult, job: &JobResult) {
    let nanos = if job.active_ns > 0 {
        job.active_ns
    } else {
        phase.measured_ns
    };
    let seconds = nanos as f64 / 1e9;
    one.runtime_s = Some(seconds).filter(|seconds| *seconds > 0.0);
    one.errors = job.failed as f64;
    for (op, done) in job.ops.present() {
        if op == Op::Flush {
            one.flush = latency(origin, &done.service_ns);
            continue;
        }
        let direction = match op {
            Op::Read => Direction::Read,
            Op::Write => Direction::Write,
            _ => continue,
        };
        let spread = done.iops_by_interval;
        let is_known = origin.knows(ResultField::IopsByIntervalMin) && spread.count > 1;
        let positive = |value: f64| Some(value).filter(|value| *value > 0.0);
        let side = Side {
            direction,
            requests: origin
                .known(ResultField::Ios, done.ios as f64)
                .and_then(positive),
            iops: origin
                .known(ResultField::Iops, done.iops)
                .and_then(positive),
            rate: positive(done.bytes_per_second),
            bytes: positive(done.bytes as f64),
            latency: latency(origin, &done.service_ns).or_else(|| averaged(phase, op)),
            samples: is_known.then_some([spread.min, spread.max, spread.mean, spread.stddev]),
            ..Side::default()
        };
        if side.iops.is_some() || side.rate.is_some() || side.latency.is_some() {
            one.sides.push(side);
        }
    }
    let process = &phase.process;
    let is_alone = phase.jobs.len() == 1;
    if is_alone && origin.knows(ResultField::Process) && process.user_ns + process.system_ns > 0 {
        let share = |used: u64| used as f64 * 100.0 / nanos as f64 / f64::from(job.threads.max(1));
        one.cpu = Some((share(process.user_ns), share(process.system_ns)));
        let switches = process.voluntary_switches + process.involuntary_switches;
        one.switches = Some(switches as f64).filter(|switches| *switches > 0.0);
    }
    if is_alone && origin.knows(ResultField::Devices) {
        let disks = phase.devices.iter().map(|device| Disk {
            name: device.device.clone(),
            requests: (device.reads as f64, device.writes as f64),
            merged: (device.reads_merged as f64, device.writes_merged as f64),
            util: Some(device.busy_ns as f64 * 100.0 / phase.measured_ns.max(1) as f64),
            is_stacked: false,
        });
        one.disks = disks.collect();
        let is_several = one.disks.len() > 1;
        for disk in &mut one.disks {
            disk.is_stacked =
                is_several && ["md", "dm-"].iter().any(|kind| disk.name.starts_with(kind));
        }
    }
    if is_alone && let Some(step) = phase.interval_s() {
        one.series = Some((step, phase.rates())).filter(|(_, rates)| !rates.is_empty());
    }
}

/// The mean over intervals, of logs that have nothing else.
fn averaged(phase: &PhaseResult, op: Op) -> Option<Latency> {
    let intervals = phase.intervals.iter().flat_map(|one| &one.jobs);
    let means = intervals.filter_map(|job| Some(job.ops.get(op)?.service_ns.mean));
    let means: Vec<f64> = means.filter(|mean| *mean > 0.0).collect();
    (!means.is_empty()).then(|| Latency {
        mean: Some(means.iter().sum::<f64>() / means.len() as f64),
        ..Latency::default()
    })
}

fn latency(origin: &Origin, summary: &LatencySummary) -> Option<Latency> {
    let known = |field, value| origin.known(field, value);
    let percentiles = summary.percentiles.iter();
    let mut percentiles: Vec<(f64, f64)> = percentiles
        .filter_map(|(at, time)| Some((at.parse().ok()?, *time as f64)))
        .collect();
    percentiles.small_sort_by(|a, b| a.0.total_cmp(&b.0));
    (summary.mean > 0.0).then(|| Latency {
        min: known(ResultField::ServiceNsMin, summary.min as f64),
        mean: Some(summary.mean),
        max: known(ResultField::ServiceNsMax, summary.max as f64),
        deviation: known(ResultField::ServiceNsStddev, summary.stddev),
        percentiles,
        samples: Some(summary.count as f64).filter(|count| *count > 0.0),
    })
}
