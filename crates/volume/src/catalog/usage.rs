//! How much a volume is used: what is billed by the request, not by what was ordered.

/// Seconds of a month of 730 hours.
const MONTH_SECONDS: f64 = 730.0 * 3_600.0;

/// What a volume is asked for, on average over a month.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// Billed transactions a second: requests, large ones counted for every unit begun.
    pub transactions_per_second: f64,
    /// Transactions a second beyond what the disk has without its burst on demand.
    pub burst_per_second: f64,
    /// GiB of snapshots that are kept.
    pub snapshot_gib: f64,
}

impl Usage {
    /// Transactions of a month, in units of 10,000.
    pub(super) fn ten_thousands(rate: f64) -> f64 {
        rate * MONTH_SECONDS / 10_000.0
    }
}
