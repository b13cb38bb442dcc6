//! What the same job of several members found out in addition to the requests of the measured time,
//! added up: what it checked, and what it read back for that.

use fathom_core::Histogram;
use fathom_core::histogram::Packed;
use fathom_core::result::{
    CallCounts, EncodedHistogram, JobResult, OpResult, ReadBackResult, StuckThreads, Verified,
};
use fathom_core::summary::{LatencySummary, Spread};
use std::ops::AddAssign;

/// The sum of what only some have.
fn sum<T: Copy + Default + AddAssign>(all: impl Iterator<Item = Option<T>>) -> Option<T> {
    all.flatten().reduce(|mut sum, one| {
        sum += one;
        sum
    })
}

/// All blocks that were checked.
pub(super) fn verified<'a>(jobs: impl Iterator<Item = &'a JobResult>) -> Option<Verified> {
    sum(jobs.map(|job| job.verified))
}

/// All calls, if they were counted of each.
pub(super) fn calls<'a>(jobs: impl Iterator<Item = &'a JobResult>) -> Option<CallCounts> {
    let all: Option<Vec<CallCounts>> = jobs.map(|job| job.calls).collect();
    sum(all?.into_iter().map(Some))
}

/// The threads of all members that have not come back from the kernel.
pub(super) fn stuck<'a>(jobs: impl Iterator<Item = &'a JobResult>) -> Option<StuckThreads> {
    let all = jobs.filter_map(|job| job.stuck);
    all.reduce(|sum, one| StuckThreads {
        threads: sum.threads + one.threads,
        longest_ns: sum.longest_ns.max(one.longest_ns),
    })
}

/// All that was read back, over the time of the member that took longest.
pub(super) fn read_back<'a>(
    jobs: impl Iterator<Item = &'a JobResult> + Clone,
) -> Option<Box<ReadBackResult>> {
    let all = jobs.filter_map(|job| job.read_back.as_deref());
    let active_ns = all.clone().map(|back| back.active_ns).max()?;
    let reads = || all.clone().map(|back| &back.read);
    let total = |of: fn(&OpResult) -> u64| reads().map(of).sum::<u64>();
    let rate = |amount: u64| amount as f64 * 1e9 / active_ns.max(1) as f64;
    let (ios, bytes) = (total(|read| read.ios), total(|read| read.bytes));
    // The rows of members do not begin together once the measured time is over.
    let alone = |of: fn(&OpResult) -> Spread| match reads().map(of).collect::<Vec<_>>()[..] {
        [one] => one,
        _ => Spread::default(),
    };
    let service =
        histogram(reads().map(|read| (&read.service_ns, read.service_histogram.as_ref())));
    let service_ns = LatencySummary::of(&service);
    Some(Box::new(ReadBackResult {
        active_ns,
        read: OpResult {
            ios,
            bytes,
            iops: rate(ios),
            bytes_per_second: rate(bytes),
            errors: total(|read| read.errors),
            short: total(|read| read.short),
            short_bytes: total(|read| read.short_bytes),
            iops_by_interval: alone(|read| read.iops_by_interval),
            bytes_per_second_by_interval: alone(|read| read.bytes_per_second_by_interval),
            response_ns: service_ns.clone(),
            service_ns,
            service_histogram: Some(EncodedHistogram::of(&service)),
            ..OpResult::default()
        },
    }))
}

/// The sum of histograms that travelled with the exact figures of each; a damaged one adds nothing.
fn histogram<'a>(
    all: impl Iterator<Item = (&'a LatencySummary, Option<&'a EncodedHistogram>)>,
) -> Histogram {
    let mut sum = Packed::default();
    for (exact, encoded) in all {
        let Some(Ok(decoded)) = encoded.map(EncodedHistogram::decode) else {
            continue;
        };
        let packed = Packed::of_histogram(&decoded).with_moments(exact);
        // What does not fit leaves the sum as it was.
        let _ = sum.merge(&packed);
    }
    sum.histogram().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::Op;

    fn latency(service_ns: u64, ios: u64) -> (LatencySummary, EncodedHistogram) {
        let mut times = Histogram::default();
        times.record_n(service_ns, ios);
        (LatencySummary::of(&times), EncodedHistogram::of(&times))
    }

    /// A member that has made `ios` requests of each kind.
    fn member(ios: u64) -> JobResult {
        let (service_ns, service_histogram) = latency(1000 * ios, ios);
        let read = OpResult {
            ios,
            bytes: ios << 12,
            iops: ios as f64,
            bytes_per_second: (ios << 12) as f64,
            errors: 1,
            response_ns: service_ns.clone(),
            service_ns: service_ns.clone(),
            service_histogram: Some(service_histogram.clone()),
            ..OpResult::default()
        };
        let mut calls = CallCounts::default();
        calls.alone(ios);
        JobResult {
            verified: Some(Verified {
                blocks: 8 * ios,
                wrong: 1,
                ..Verified::default()
            }),
            read_back: Some(Box::new(ReadBackResult {
                active_ns: 1_000_000_000,
                read: read.clone(),
            })),
            calls: Some(calls),
            ops: [(Op::Read, read)].into(),
            ..JobResult::default()
        }
    }

    /// All that a member has of the kind is that of a cluster of it alone.
    #[test]
    fn one_member_is_added_up_to_itself() {
        let one = member(3);
        let jobs = || [&one].into_iter();
        assert_eq!(verified(jobs()), one.verified);
        assert_eq!(read_back(jobs()), one.read_back);
        assert_eq!(calls(jobs()), one.calls);
    }

    #[test]
    fn several_are_the_sum_of_all() {
        let (one, other, none) = (member(3), member(5), JobResult::default());
        let jobs = || [&one, &other, &none].into_iter();
        let verified = verified(jobs()).expect("two have checked");
        assert_eq!((verified.blocks, verified.wrong), (64, 2));
        // Of the one that has no counts nobody knows how many it made.
        assert_eq!(calls(jobs()), None);
        assert_eq!(
            calls([&one, &other].into_iter()).map(|all| all.submitted[1]),
            Some(8)
        );
        let back = read_back(jobs()).expect("two have read back").read;
        let service = &back.service_ns;
        assert_eq!((back.ios, back.errors, back.iops.round()), (8, 2, 8.0));
        assert_eq!((service.count, service.min, service.max), (8, 3000, 5000));
    }

    #[test]
    fn where_nobody_has_any_there_is_none() {
        let none = JobResult::default();
        let jobs = || [&none].into_iter();
        assert_eq!(verified(jobs()), None);
        assert_eq!(read_back(jobs()), None);
    }
}
