//! One row for each operation of each job: all of its figures over the measured time.

use super::{Sheet, blank_unknown, cell, place};
use fathom_core::result::{JobResult, LoadModel, OpResult, ResultField, RunResult};
use fathom_core::summary::{LatencySummary, PERCENTILES};

const FIGURES: [&str; 17] = [
    "load_model",
    "threads",
    "queue_depth",
    "queue_depth_held",
    "offered_iops",
    "measured_ns",
    "active_ns",
    "ios",
    "bytes",
    "errors",
    "short",
    "iops",
    "bytes_per_second",
    "iops_stddev",
    "iops_min",
    "iops_max",
    "intervals",
];

/// Columns that some imports know nothing of, and the field of the document behind each.
const OF_SUMMARY: &[(&str, ResultField)] = &[
    ("load_model", ResultField::LoadModel),
    ("threads", ResultField::Threads),
    ("queue_depth", ResultField::QueueDepth),
    ("queue_depth_held", ResultField::QueueDepthHeld),
    ("ios", ResultField::Ios),
    ("bytes", ResultField::Bytes),
    ("errors", ResultField::Failed),
    ("short", ResultField::Short),
    ("iops", ResultField::Iops),
    ("bytes_per_second", ResultField::BytesPerSecond),
    ("iops_stddev", ResultField::Iops),
    ("iops_min", ResultField::IopsByIntervalMin),
    ("iops_max", ResultField::IopsByIntervalMax),
    ("service_stddev_ns", ResultField::ServiceNsStddev),
    ("service_min_ns", ResultField::ServiceNsMin),
    ("service_max_ns", ResultField::ServiceNsMax),
];

pub(crate) fn render(result: &RunResult) -> String {
    let mut header = place::header(FIGURES);
    header.extend(latency_header("service"));
    header.extend(latency_header("response"));
    let mut rows = Sheet::new(&header);
    for phase in &result.phases {
        for job in &phase.jobs {
            for (op, figures) in job.ops.present() {
                let mut row = place::cells(result, phase, &job.name, op);
                row.extend(self::figures(job, phase.measured_ns, figures));
                row.extend(latency(&figures.service_ns));
                row.extend(latency(&figures.response_ns));
                blank_unknown(&mut row, &header, &result.provenance.origin, OF_SUMMARY);
                rows.push(row);
            }
        }
    }
    rows.finish()
}

fn figures(job: &JobResult, measured_ns: u64, op: &OpResult) -> [String; FIGURES.len()] {
    let model = match job.load_model {
        LoadModel::Closed => "closed",
        LoadModel::Open => "open",
        LoadModel::Bursts => "bursts",
    };
    let by_interval = (op.iops_by_interval.count > 0).then_some(&op.iops_by_interval);
    [
        model.to_owned(),
        job.threads.to_string(),
        job.queue_depth.min(job.queue_depth_possible).to_string(),
        job.queue_depth_held.to_string(),
        cell(job.offered_iops),
        measured_ns.to_string(),
        job.active_ns.to_string(),
        op.ios.to_string(),
        op.bytes.to_string(),
        op.errors.to_string(),
        op.short.to_string(),
        op.iops.to_string(),
        op.bytes_per_second.to_string(),
        cell(by_interval.map(|spread| spread.stddev)),
        cell(by_interval.map(|spread| spread.min)),
        cell(by_interval.map(|spread| spread.max)),
        op.iops_by_interval.count.to_string(),
    ]
}

fn latency_header(time: &str) -> Vec<String> {
    let moments = ["mean", "stddev", "min", "max"].map(str::to_owned);
    let percentiles = PERCENTILES.map(|(name, _)| format!("p{name}"));
    let names = moments.into_iter().chain(percentiles);
    names.map(|name| format!("{time}_{name}_ns")).collect()
}

/// In the order of the header; empty where the sample does not support it.
fn latency(summary: &LatencySummary) -> Vec<String> {
    let known = (summary.count > 0).then_some(summary);
    let mut cells = vec![
        cell(known.map(|known| known.mean)),
        cell(known.map(|known| known.stddev)),
        cell(known.map(|known| known.min)),
        cell(known.map(|known| known.max)),
    ];
    cells.extend(PERCENTILES.map(|(name, _)| cell(summary.percentile(name))));
    cells
}
