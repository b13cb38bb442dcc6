//! What an array of disks gives, and how many disks a load takes.
//!
//! Each read costs one request of a disk, each small random write as many as the penalty of the
//! array. A cache that gathers writes makes the penalty an upper bound.

use crate::layout::RaidLevel;

/// Requests of disks for one small random write.
pub const fn write_penalty(level: RaidLevel) -> f64 {
    match level {
        RaidLevel::Raid0 => 1.0,
        RaidLevel::Raid1 | RaidLevel::Raid10 => 2.0,
        RaidLevel::Raid5 => 4.0,
        RaidLevel::Raid6 => 6.0,
    }
}

/// Requests of disks for `iops` of the load, of which the share `reads` (0 to 1) reads.
pub fn backend_iops(level: RaidLevel, iops: f64, reads: f64) -> f64 {
    iops * (reads + write_penalty(level) * (1.0 - reads))
}

/// Requests of the load that disks of `disk_iops` each give: disks × IOPS ÷ (r + P × w).
pub fn frontend_iops(level: RaidLevel, disks: u32, disk_iops: f64, reads: f64) -> f64 {
    f64::from(disks) * disk_iops / backend_iops(level, 1.0, reads)
}

/// Disks that a load takes, never fewer than the array has at least.
pub fn disks_needed(level: RaidLevel, iops: f64, disk_iops: f64, reads: f64) -> u32 {
    let disks = (backend_iops(level, iops, reads) / disk_iops - 1e-9).ceil();
    let pairs = match level {
        RaidLevel::Raid10 => (disks / 2.0).ceil() * 2.0,
        _ => disks,
    };
    (pairs as u32).max(level.min_members() as u32)
}

/// Disks whose worth of data an array holds: the others hold copies or parity.
pub const fn data_disks(level: RaidLevel, disks: u32) -> u32 {
    match level {
        RaidLevel::Raid0 => disks,
        RaidLevel::Raid1 => 1,
        RaidLevel::Raid10 => disks / 2,
        RaidLevel::Raid5 => disks.saturating_sub(1),
        RaidLevel::Raid6 => disks.saturating_sub(2),
    }
}

#[cfg(test)]
#[expect(
    clippy::float_cmp,
    reason = "figures are rounded before they are compared"
)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_disks_of_175_by_level() {
        let tenth = |number: f64| (number * 10.0).round() / 10.0;
        let of = |reads: f64| {
            [
                RaidLevel::Raid0,
                RaidLevel::Raid10,
                RaidLevel::Raid5,
                RaidLevel::Raid6,
            ]
            .map(|level| tenth(frontend_iops(level, 16, 175.0, reads)))
        };
        assert_eq!(of(0.7), [2800.0, 2153.8, 1473.7, 1120.0]);
        assert_eq!(of(0.3), [2800.0, 1647.1, 903.2, 622.2]);
    }

    #[test]
    fn five_thousand_requests_by_level() {
        let of = |level| {
            let back = backend_iops(level, 5_000.0, 0.7).round();
            (back, disks_needed(level, 5_000.0, 180.0, 0.7))
        };
        assert_eq!(of(RaidLevel::Raid0), (5_000.0, 28));
        // 37 by division; a mirror has pairs.
        assert_eq!(of(RaidLevel::Raid10), (6_500.0, 38));
        assert_eq!(of(RaidLevel::Raid5), (9_500.0, 53));
        assert_eq!(of(RaidLevel::Raid6), (12_500.0, 70));
    }
}
