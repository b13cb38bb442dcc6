//! Rates of a row.

use fathom_core::result::OpResult;
use fathom_core::summary::Spread;

/// Bytes of a KiB.
const KIB: f64 = 1024.0;

/// Rates, and the time that they are over.
pub(super) struct Rates {
    pub(super) iops: f64,
    pub(super) bytes_per_second: f64,
    pub(super) runtime_ms: u64,
}

impl Rates {
    /// Of requests and bytes over a time; none over no time.
    pub(super) fn over(time_ns: u64, ios: u64, bytes: u64) -> Self {
        let rate = |count: u64| match time_ns {
            0 => 0.0,
            _ => count as f64 / (time_ns as f64 / 1e9),
        };
        Self {
            iops: rate(ios),
            bytes_per_second: rate(bytes),
            runtime_ms: time_ns / 1_000_000,
        }
    }

    /// As the source of an import gives them: each of its operations has a time of its own, which
    /// follows from its rate.
    pub(super) fn told(results: &[&OpResult]) -> Self {
        let times = results.iter().filter(|op| op.iops > 0.0);
        let longest = times.map(|op| op.ios as f64 / op.iops).fold(0.0, f64::max);
        Self {
            iops: results.iter().map(|op| op.iops).sum(),
            bytes_per_second: results.iter().map(|op| op.bytes_per_second).sum(),
            runtime_ms: (longest * 1e3).round() as u64,
        }
    }
}

/// KiB/s and requests a second by interval, as the source of an import has sampled one operation.
pub(super) fn samples(results: &[&OpResult]) -> Option<(Spread, Spread)> {
    let [op] = results else {
        return None;
    };
    let (bytes, ios) = (op.bytes_per_second_by_interval, op.iops_by_interval);
    // A source that gives a mean alone has no samples.
    if ios.max <= 0.0 && bytes.max <= 0.0 {
        return None;
    }
    let bw = Spread {
        count: bytes.count,
        mean: bytes.mean / KIB,
        stddev: bytes.stddev / KIB,
        min: bytes.min / KIB,
        max: bytes.max / KIB,
    };
    (ios.count + bytes.count > 0).then_some((bw, ios))
}
