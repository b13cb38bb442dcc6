//! What an intended page cache answered: the warm mode.

use crate::threshold::thresholds;
use crate::traffic::Traffic;
use fathom_core::figure::{percent, size, time};
use fathom_core::result::{OpResult, PhaseResult, RunResult};
use fathom_core::{Histogram, Op};

thresholds! {
    /// Difference at which two times of what missed a warm page cache agree, and at which the
    /// requests of the device are as many as ours that missed
    WARM_AGREES: f64 = 0.10, Share, Decided;
    /// Requests that must have missed it for that
    WARM_LEAST: u64 = 100, Count, Decided;
}

/// A phase whose reads may come from the page cache, by its hit ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Warm {
    /// Share of the bytes read that the device did not read.
    pub(crate) hits: f64,
    /// Share to expect of uniform random reads: memory over what is read, 1 at most.
    expected: f64,
    /// Bytes of the targets.
    span_bytes: u64,
    memory_bytes: u64,
    /// Mean time of a request that missed, nanoseconds: as our slowest ones have it, and as the
    /// device counted; none where there are too few, or where they cannot be distinguished.
    misses: Option<(f64, f64)>,
}

impl Warm {
    /// The reads of `phase`, of which the device read `ratio`.
    pub(crate) fn of(
        result: &RunResult,
        phase: &PhaseResult,
        traffic: &Traffic,
        ratio: f64,
    ) -> Self {
        let hits = 1.0 - ratio.clamp(0.0, 1.0);
        let readers = phase.jobs.iter().filter(|job| job.ops[Op::Read].is_some());
        let paths: Vec<&String> = readers.flat_map(|job| &job.targets).collect();
        let targets = result.provenance.targets.iter();
        let targets = targets.filter(|target| paths.contains(&&target.path));
        let span_bytes = targets.map(|target| target.size_bytes).sum();
        let memory_bytes = result.provenance.host.usable_bytes();
        Self {
            hits,
            expected: (memory_bytes as f64 / span_bytes as f64).min(1.0),
            span_bytes,
            memory_bytes,
            misses: misses(phase, traffic, hits),
        }
    }

    /// All of it, as a part of a sentence.
    pub(crate) fn sentence(&self) -> String {
        let answered = format!(
            "the page cache served {} of the bytes read, as requested. With {} of memory and {} of \
             data, {} of random reads are expected",
            percent(self.hits * 100.0),
            size(self.memory_bytes),
            size(self.span_bytes),
            percent(self.expected * 100.0)
        );
        let Some((ours, theirs)) = self.misses else {
            return answered;
        };
        let agree = if (ours / theirs - 1.0).abs() <= WARM_AGREES {
            "which agree"
        } else {
            "which do not agree"
        };
        format!(
            "{answered}. The other requests took {}, {} at the device, {agree}",
            time(ours),
            time(theirs)
        )
    }
}

/// The mean of the slowest requests, as many as missed, and that of the device's. With R of all,
/// and h of them hits of `R_mem`, it is `(R - h R_mem) / (1 - h)`: `R_dev`.
fn misses(phase: &PhaseResult, traffic: &Traffic, hits: f64) -> Option<(f64, f64)> {
    // Read-ahead makes one request of the device for many of ours.
    let alike =
        (traffic.read.request_ratio() / traffic.read.byte_ratio() - 1.0).abs() <= WARM_AGREES;
    if !alike || !traffic.counts_once() || traffic.write.device.ios * 20 > traffic.read.device.ios {
        return None;
    }
    let jobs = phase.jobs.iter();
    let reads: Vec<&OpResult> = jobs.filter_map(|job| job.ops.get(Op::Read)).collect();
    let mut all = Histogram::new();
    for read in &reads {
        all.add(&read.service_histogram.as_ref()?.decode().ok()?);
    }
    let missed = ((1.0 - hits) * all.len() as f64) as u64;
    if missed < WARM_LEAST {
        return None;
    }
    let mut left = missed;
    let buckets: Vec<(u64, u64)> = all.buckets().collect();
    let sum = buckets.iter().rev().fold(0.0, |sum, (edge_ns, count)| {
        let taken = left.min(*count);
        left -= taken;
        sum + *edge_ns as f64 * taken as f64
    });
    let device = phase.devices.iter();
    let mut device = device.filter(|one| traffic.leaves.contains(&one.device));
    let device = device.next().filter(|one| one.queue_ns > 0)?;
    Some((
        sum / missed as f64,
        device.queue_ns as f64 / (device.reads + device.writes) as f64,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::fixture;

    #[test]
    fn the_slowest_requests_are_those_that_missed() {
        let mut result = fixture::random_read();
        let phase = &mut result.phases[0];
        let read = phase.jobs[0].ops[Op::Read].as_mut().expect("it reads");
        let (ios, bytes) = (1_000, 4_096_000);
        (read.ios, read.bytes) = (ios, bytes);
        let mut times: Histogram = Histogram::new();
        times.record_n(1_000, 600);
        times.record_n(100_000, 400);
        read.service_histogram = Some(fathom_core::result::EncodedHistogram::of(&times));
        let device = &mut phase.devices[0];
        (device.reads, device.read_bytes) = (400, 400 * 4096);
        device.queue_ns = 400 * 95_000;
        let warm = |result: &RunResult| {
            let phase = &result.phases[0];
            let ledger = Traffic::of(result, phase).expect("a device");
            Warm::of(result, phase, &ledger, ledger.read.byte_ratio()).sentence()
        };
        let expected = "the page cache served 60.0 % of the bytes read, as requested. With 24 GiB \
                        of memory and 64 GiB of data, 37.5 % of random reads are expected. The \
                        other requests took 100 µs, 95.0 µs at the device, which agree";
        assert_eq!(warm(&result), expected);
        // Read ahead in one request for two of ours.
        result.phases[0].devices[0].reads = 200;
        let expected = "the page cache served 60.0 % of the bytes read, as requested. With 24 GiB \
                        of memory and 64 GiB of data, 37.5 % of random reads are expected";
        assert_eq!(warm(&result), expected);
    }
}
