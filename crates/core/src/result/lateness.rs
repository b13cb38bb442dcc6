//! Which part of a response time is lateness of the generator.
//!
//! A request of an open load that found a free slot has its service time from the storage, and its
//! lag from the generator. If all requests were so, the storage alone would have the distribution
//! of the service times. Of those that waited for a slot only the number is known, so a percentile
//! of the storage alone is at most the service time that as many more do not exceed.

use super::{JobResult, LoadModel, OpResult};
use crate::summary::PERCENTILES;

/// A percentile of the response time of an open load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lateness {
    /// Name of the percentile, in percent.
    pub percentile: &'static str,
    /// The response time.
    pub response_ns: u64,
    /// What the storage alone has, at most.
    pub storage_ns: u64,
}

impl Lateness {
    /// Of an operation at each percentile from p50 on for which it is known.
    pub fn of<'a>(job: &JobResult, op: &'a OpResult) -> impl Iterator<Item = Self> + use<'a> {
        let queued = job.queued.filter(|_| job.load_model == LoadModel::Open);
        let queued = queued.map(|queued| queued as f64 / op.ios.max(1) as f64);
        let at = move |(index, (percentile, quantile)): (usize, &(&'static str, f64))| {
            // With nobody queued the same percentile; else the next that leaves out as many more.
            let reach = quantile + queued?;
            let mut upper = PERCENTILES[index..].iter();
            let bound = upper.find(|(_, upper)| *upper >= reach);
            Some(Self {
                percentile,
                response_ns: op.response_ns.percentile(percentile)?,
                storage_ns: op.service_ns.percentile(bound?.0)?,
            })
        };
        let tail = |(_, (_, quantile)): &(usize, &(&str, f64))| *quantile >= 0.5;
        PERCENTILES.iter().enumerate().filter(tail).filter_map(at)
    }

    /// What the generator added, at least.
    pub const fn generator_ns(self) -> u64 {
        self.response_ns.saturating_sub(self.storage_ns)
    }

    /// Its share of the response time, 0 to 1.
    pub fn generator_share(self) -> f64 {
        self.generator_ns() as f64 / self.response_ns.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::histogram::Histogram;

    /// 20,000 requests of 100 us, one in a hundred of which took 1 ms, and was late by 3 ms.
    fn found(queued: Option<u64>) -> Vec<(&'static str, u64, u64)> {
        let mut service = Histogram::new();
        let mut response = Histogram::new();
        for number in 0..20_000_u64 {
            let is_slow = number % 100 == 7;
            service.record(if is_slow { 1_000_000 } else { 100_000 });
            response.record(if is_slow { 4_000_000 } else { 102_000 });
        }
        let op = OpResult {
            ios: 20_000,
            service_ns: service.summary(),
            response_ns: response.summary(),
            ..OpResult::default()
        };
        let job = JobResult {
            load_model: LoadModel::Open,
            queued,
            ..JobResult::default()
        };
        let of = |one: Lateness| {
            let rounded = |ns: u64| ns / 1_000;
            (
                one.percentile,
                rounded(one.response_ns),
                rounded(one.generator_ns()),
            )
        };
        Lateness::of(&job, &op).map(of).collect()
    }

    #[test]
    fn with_nobody_queued_it_is_the_difference_of_the_percentiles() {
        let expected = [
            ("50", 102, 1),
            ("75", 102, 1),
            ("90", 102, 1),
            ("95", 102, 1),
            ("99", 102, 1),
            ("99.9", 4_000, 3_000),
        ];
        assert_eq!(found(Some(0)), expected);
    }

    #[test]
    fn each_that_was_queued_makes_the_bound_wider() {
        // A fifth of a percent: p99 of the storage is at most its p99.9, and p99.9 is not known.
        let expected = [
            ("50", 102, 1),
            ("75", 102, 1),
            ("90", 102, 1),
            ("95", 102, 1),
            ("99", 102, 0),
        ];
        assert_eq!(found(Some(40)), expected);
        assert_eq!(found(Some(20_000)), []);
        assert_eq!(found(None), []);
    }

    #[test]
    fn a_share_is_of_the_response_time() {
        let one = Lateness {
            percentile: "99",
            response_ns: 400,
            storage_ns: 100,
        };
        assert_eq!((one.generator_ns(), one.generator_share()), (300, 0.75));
        let none = Lateness {
            storage_ns: 500,
            ..one
        };
        assert_eq!((none.generator_ns(), none.generator_share()), (0, 0.0));
    }
}
