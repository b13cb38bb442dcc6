//! What a thread may issue in the measured time, and how a job's amounts are shared out.

use fathom_core::spec::{Job, Pacing};
use std::num::NonZeroU64;

/// What a job is to do, over all its threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amounts {
    /// Requests, if they are limited.
    pub ios: Option<u64>,
    /// Bytes, if they are limited.
    pub bytes: Option<u64>,
    /// Bytes of a burst, if it works in bursts.
    pub burst: Option<u64>,
    /// The longest request of the job in bytes, in units of which bytes are shared out.
    pub unit_bytes: u64,
    /// Threads of the job.
    pub threads: u32,
}

/// The requests and bytes that a thread may still issue. It begins with some of both: a thread
/// without a share is never made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount {
    ios: u64,
    bytes: u64,
}

/// Each file once, where that is the amount.
fn once(job: &Job) -> Option<u64> {
    let files = job.files.filter(|files| files.once)?;
    Some(files.shape(job.threads).files())
}

impl Amounts {
    /// The amounts of a job.
    pub fn of(job: &Job) -> Self {
        Self {
            ios: if job.compat().idle {
                Some(0)
            } else {
                job.stop.ios.or_else(|| once(job))
            },
            bytes: job.stop.bytes.map(|bytes| bytes.0),
            burst: match job.pacing {
                Pacing::Cyclic { bytes, .. } | Pacing::Triggered { bytes } => Some(bytes.0),
                Pacing::Closed { .. } | Pacing::Open { .. } => None,
            },
            unit_bytes: job.largest_io().0.max(1),
            threads: job.threads,
        }
    }

    /// The threads that have something to do: the first ones, no more than there are requests in
    /// all and in a burst.
    pub fn threads_at_work(self) -> u32 {
        let bytes = self.bytes.into_iter().chain(self.burst);
        let by_bytes = bytes.map(|bytes| bytes.div_ceil(self.unit_bytes));
        let requests = self.ios.into_iter().chain(by_bytes).min();
        let threads = u64::from(self.threads);
        requests.map_or(threads, |requests| requests.min(threads)) as u32
    }

    /// The share of one of the threads at work; none without amounts. Together they issue as many
    /// requests as one thread would, and with requests of several lengths at most one each more.
    pub fn share(self, thread: u32) -> Option<Amount> {
        if self.ios.is_none() && self.bytes.is_none() {
            return None;
        }
        let ios = self.ios.map_or(u64::MAX, |ios| self.part(ios, thread));
        let bytes = self.bytes;
        let bytes = bytes.map_or(u64::MAX, |bytes| self.part_of_bytes(bytes, thread));
        Some(Amount::new(NonZeroU64::new(ios)?, NonZeroU64::new(bytes)?))
    }

    /// The bytes of a burst that are one of the threads' at work, shared out in the same way.
    pub fn share_of_burst(self, thread: u32) -> Option<u64> {
        self.burst.map(|bytes| self.part_of_bytes(bytes, thread))
    }

    /// The part of a thread at work in some things that cannot be divided.
    fn part(self, things: u64, thread: u32) -> u64 {
        let (thread, threads) = (u64::from(thread), u64::from(self.threads_at_work()));
        things / threads + u64::from(thread < things % threads)
    }

    /// The part of a thread at work in some bytes: whole requests, but for the last one's last.
    fn part_of_bytes(self, bytes: u64, thread: u32) -> u64 {
        let units = bytes.div_ceil(self.unit_bytes);
        let whole = self.part(units, thread).saturating_mul(self.unit_bytes);
        if thread + 1 == self.threads_at_work() {
            let last = bytes - (units - 1) * self.unit_bytes;
            whole - (self.unit_bytes - last)
        } else {
            whole
        }
    }
}

impl Amount {
    /// At most `ios` requests, and none once `bytes` bytes have been requested.
    pub const fn new(ios: NonZeroU64, bytes: NonZeroU64) -> Self {
        Self {
            ios: ios.get(),
            bytes: bytes.get(),
        }
    }

    /// The same amount, counted in requests alone, if each is of `len` bytes.
    #[must_use]
    pub const fn in_requests_of(self, len: u32) -> Self {
        if self.is_in_requests() || len == 0 {
            return self;
        }
        let enough = self.bytes.div_ceil(len as u64);
        Self {
            ios: if enough < self.ios { enough } else { self.ios },
            bytes: u64::MAX,
        }
    }

    /// Whether bytes are not counted.
    pub const fn is_in_requests(&self) -> bool {
        self.bytes == u64::MAX
    }

    /// Requests left, as far as these are counted.
    #[inline]
    pub const fn requests(&self) -> u64 {
        self.ios
    }

    /// Takes a number of requests at once, of which bytes are not counted; whether nothing is left.
    #[inline]
    pub const fn take_requests(&mut self, count: u32) -> bool {
        self.ios = self.ios.saturating_sub(count as u64);
        self.ios == 0
    }

    /// Takes a request; whether nothing is left.
    #[inline]
    pub const fn take(&mut self, len: u32) -> bool {
        self.ios = self.ios.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(len as u64);
        self.ios == 0 || self.bytes == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What a thread issues with requests of `len` bytes.
    fn issued(mut amount: Amount, len: u32) -> u64 {
        let mut count = 1;
        while !amount.take(len) {
            count += 1;
        }
        count
    }

    proptest! {
        #[test]
        fn the_threads_issue_what_one_would(
            threads in 1_u32..70,
            ios in prop::option::of(1_u64..300),
            bytes in prop::option::of(1_u64..1_000_000),
            pages in 1_u64..9,
        ) {
            let unit_bytes = 4096 * pages;
            let amounts = Amounts { ios, bytes, burst: None, unit_bytes, threads };
            let shares: Option<Vec<Amount>> =
                (0..amounts.threads_at_work()).map(|thread| amounts.share(thread)).collect();
            let by_bytes = bytes.map(|bytes| bytes.div_ceil(unit_bytes));
            let asked = ios.into_iter().chain(by_bytes).min();
            let together = shares.map(|shares| {
                shares.into_iter().map(|share| issued(share, unit_bytes as u32)).sum::<u64>()
            });
            prop_assert_eq!(together, asked);
        }
    }

    #[test]
    fn shares_add_up_to_the_amounts() {
        let amounts = Amounts {
            ios: Some(10),
            bytes: Some(50_000),
            burst: None,
            unit_bytes: 4096,
            threads: 4,
        };
        let shares: Vec<_> = (0..amounts.threads_at_work())
            .filter_map(|thread| amounts.share(thread))
            .map(|amount| (amount.ios, amount.bytes))
            .collect();
        // 13 requests of 4 KiB hold the bytes, the last of them not filled.
        assert_eq!(shares, [(3, 16_384), (3, 12_288), (2, 12_288), (2, 9_040)]);
        let fewer = Amounts {
            ios: Some(2),
            ..amounts
        };
        assert_eq!(fewer.threads_at_work(), 2);
    }

    #[test]
    fn a_burst_is_shared_out_in_requests_and_nobody_waits_without_one() {
        let amounts = Amounts {
            ios: None,
            bytes: None,
            burst: Some(20_000),
            unit_bytes: 8192,
            threads: 4,
        };
        let threads = 0..amounts.threads_at_work();
        let shares: Vec<_> = threads.filter_map(|t| amounts.share_of_burst(t)).collect();
        assert_eq!(shares, [8192, 8192, 3616]);
        assert_eq!(amounts.share(0), None);
    }
}
