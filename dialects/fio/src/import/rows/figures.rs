//! The numbers of one job of fio.

use crate::import::options::Options;
use crate::import::shape::{Direction, Job, Latency, Sync};
use fathom_core::Histogram;
use fathom_core::Op;
use fathom_core::result::{EncodedHistogram, ErrorTally, JobResult, OpResult, ProcessUse};
use fathom_core::spec::Job as JobSpec;
use fathom_core::summary::{LatencySummary, Spread};
use fathom_tools::results::draft;

const MILLISECOND: u64 = 1_000_000;
const KIB: f64 = 1024.0;

pub(super) fn job(
    job: &Job,
    spec: &JobSpec,
    options: &Options<'_>,
    notes: &mut Vec<String>,
) -> JobResult {
    let mut result = draft::job(spec);
    result.active_ns = job.runtime_ms().saturating_mul(MILLISECOND);
    result.queue_depth_possible = options.possible_depth(result.queue_depth, spec.threads);
    for (op, direction) in job.operations() {
        if direction.total_ios > 0 {
            result.completed = result.completed.saturating_add(direction.total_ios);
            let subject = format!("{}: {}", spec.name, op.name());
            result.ops[op] = Some(operation(direction, &subject, notes));
        }
    }
    if let Some(sync) = job.sync.as_ref().filter(|sync| sync.total_ios > 0) {
        result.completed = result.completed.saturating_add(sync.total_ios);
        let subject = format!("{}: flush", spec.name);
        result.ops[Op::Flush] = Some(flush(sync, result.active_ns, &subject, notes));
    }
    let errno = if job.error == 0 {
        job.first_error
    } else {
        job.error
    };
    if errno != 0 || job.total_err > 0 {
        result.failed = job.total_err.max(1);
        result.errors = vec![failure(errno, result.failed)];
    }
    result
}

/// fio says which error was first, and of which operation it was only in its own words.
fn failure(errno: i32, count: u64) -> ErrorTally {
    let message = std::io::Error::from_raw_os_error(errno).to_string();
    let message = message.split(" (os error ").next().unwrap_or_default();
    ErrorTally {
        op: "request".to_owned(),
        errno,
        message: message.to_lowercase(),
        count,
        target: String::new(),
        first_offsets: Vec::new(),
    }
}

/// Adds what a job used of the processor to what its phase did.
pub(super) fn processor(job: &Job, process: &mut ProcessUse) {
    let at_work_ns = job.job_runtime as f64 * MILLISECOND as f64;
    let used = |percent: f64| (at_work_ns * percent / 100.0) as u64;
    process.user_ns = process.user_ns.saturating_add(used(job.usr_cpu));
    process.system_ns = process.system_ns.saturating_add(used(job.sys_cpu));
    process.major_faults = process.major_faults.saturating_add(job.majf);
    let minor = process.minor_faults.unwrap_or(0).saturating_add(job.minf);
    process.minor_faults = Some(minor);
}

fn operation(direction: &Direction, subject: &str, notes: &mut Vec<String>) -> OpResult {
    OpResult {
        ios: direction.total_ios,
        bytes: direction.io_bytes,
        iops: direction.iops,
        bytes_per_second: direction.bw_bytes,
        short: direction.short_ios,
        iops_by_interval: Spread {
            count: direction.iops_samples,
            mean: direction.iops_mean,
            stddev: direction.iops_stddev,
            min: direction.iops_min,
            max: direction.iops_max,
        },
        bytes_per_second_by_interval: Spread {
            count: direction.bw_samples,
            mean: direction.bw_mean * KIB,
            stddev: direction.bw_dev * KIB,
            min: direction.bw_min * KIB,
            max: direction.bw_max * KIB,
        },
        service_ns: summary(&direction.clat_ns, direction.total_ios),
        service_histogram: histogram(&direction.clat_ns, subject, notes),
        ..OpResult::default()
    }
}

fn flush(sync: &Sync, active_ns: u64, subject: &str, notes: &mut Vec<String>) -> OpResult {
    let seconds = active_ns as f64 / 1e9;
    OpResult {
        ios: sync.total_ios,
        iops: if active_ns > 0 {
            sync.total_ios as f64 / seconds
        } else {
            0.0
        },
        service_ns: summary(&sync.lat_ns, sync.total_ios),
        service_histogram: histogram(&sync.lat_ns, subject, notes),
        ..OpResult::default()
    }
}

/// The distribution as fio printed it. Before 3.17 it did not print the count, which is that of
/// the requests.
fn summary(latency: &Latency, ios: u64) -> LatencySummary {
    let is_measured = latency.max > 0;
    let percentiles = latency.percentile.iter();
    LatencySummary {
        count: latency.count.unwrap_or(if is_measured { ios } else { 0 }),
        mean: latency.mean,
        stddev: latency.stddev,
        min: latency.min,
        max: latency.max,
        percentiles: percentiles
            .map(|(name, value)| (short(name), *value))
            .collect(),
    }
}

/// `99.900000` as `99.9`.
fn short(percent: &str) -> String {
    if percent.contains('.') {
        percent
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_owned()
    } else {
        percent.to_owned()
    }
}

/// The bins as a histogram, if they are there and hold all the values.
fn histogram(
    latency: &Latency,
    subject: &str,
    notes: &mut Vec<String>,
) -> Option<EncodedHistogram> {
    if latency.bins.is_empty() {
        return None;
    }
    let bins = latency.bins.iter();
    let bins = bins.map(|(value, count)| Some((value.parse::<u64>().ok()?, *count)));
    let bins: Option<Vec<(u64, u64)>> = bins.collect();
    let all = bins.as_ref().and_then(|bins| {
        let mut counts = bins.iter().map(|(_, count)| *count);
        counts.try_fold(0_u64, u64::checked_add)
    });
    let agrees = latency.count.is_none_or(|count| Some(count) == all);
    let Some(bins) = bins.filter(|_| all.is_some() && agrees) else {
        notes.push(format!(
            "{subject}: the bins do not add up to N, so they are left out"
        ));
        return None;
    };
    let mut histogram = Histogram::new();
    for (value, count) in bins {
        histogram.record_n(value, count);
    }
    Some(EncodedHistogram::of(&histogram))
}
