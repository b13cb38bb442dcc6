//! How a target lies on its device: extents, holes, alignment, limits; found before the run.

use super::Missing;
use crate::is_default::is_default;
use serde::{Deserialize, Serialize};

/// How a target lies on its device. Absent counts could not be had; `missing` says why.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TargetLayout {
    /// Bytes of the range that was looked at.
    pub span_bytes: u64,
    /// Bytes of it that were never written and take no room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hole_bytes: Option<u64>,
    /// The file system's extents, if it tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extents: Option<Extents>,
    /// Unit to which direct I/O must be aligned; 0 where the file has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direct_align_bytes: Option<u32>,
    /// Whether the file is written in place and without checksums (attribute `C`), where the file
    /// system keeps attributes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_place: Option<bool>,
    /// Blocks of a device that were looked at for zeros.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocks_sampled: Option<u32>,
    /// Of those, all zeros.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocks_zero: Option<u32>,
    /// Of a target that is written, what it held before the first request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<HeldContent>,
    /// What could not be looked at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Missing>,
}

/// Blocks of a target, sampled over the range in use, before the run writes to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HeldContent {
    /// Number of blocks of 4 KiB.
    pub sampled: u32,
    /// Of these, blocks that held what the run writes: bytes of the same salt, or the same pattern
    /// at the same offset.
    pub held: u32,
}

/// Extents of a file by FIEMAP, bytes by their state; an extent may be in several states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Extents {
    /// Their number.
    pub count: u64,
    /// Bytes of the file that have blocks.
    pub mapped_bytes: u64,
    /// Reserved and never written: read as zeros without I/O.
    pub unwritten_bytes: u64,
    /// Not yet given a place.
    pub delayed_bytes: u64,
    /// Kept with the metadata, compressed or encrypted.
    pub encoded_bytes: u64,
    /// Shared with another file or snapshot.
    pub shared_bytes: u64,
}

/// How a block device is attached and limited, as the kernel tells.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeviceLimits {
    /// Unit below which the device reads, modifies and writes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub physical_block_bytes: Option<u64>,
    /// Where a partition begins on its disk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_bytes: Option<u64>,
    /// Largest request that the kernel sends down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_request_bytes: Option<u64>,
    /// Read-ahead of buffered reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_ahead_bytes: Option<u64>,
    /// `queue/nomerges`: 0 merges, 1 only simple ones, 2 none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_merges: Option<u8>,
    /// `queue/io_poll`: whether completions can be polled for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub polls: Option<bool>,
    /// Target latency of write-back throttling, microseconds; 0 is off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write_back_throttle_us: Option<u64>,
    /// The link as it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<Link>,
    /// What the device's software is busy with, as a resync of a RAID.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub background: Option<String>,
    /// The kernel's number of it (`diskseq`), which no other disk has had since the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequence: Option<u64>,
    /// Whether the kernel knew it no more after the run, or another under its name.
    #[serde(default, skip_serializing_if = "is_default")]
    pub is_gone: bool,
    /// Temperature before the run, thousandths of a degree Celsius.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begin_millidegrees: Option<i64>,
    /// Temperature after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_millidegrees: Option<i64>,
    /// Requests a second before the run, while the tool did nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle_iops: Option<f64>,
    /// The node of the machine that it is attached to, where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<u32>,
    /// What an NVMe controller says of its health before the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begin_health: Option<Health>,
    /// And after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_health: Option<Health>,
    /// Why an NVMe controller did not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub health_missing: Option<String>,
}

/// What an NVMe controller says of its health, from its SMART / health information log page (log
/// 02h of the NVM Express base specification). All counts are since it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Health {
    /// Bits: 0 spare low, 1 temperature, 2 degraded, 3 read-only, 4 backup of the volatile memory
    /// failed, 5 persistent memory region unreliable.
    pub critical_warning: u8,
    /// Composite temperature, kelvin; 0 where it does not say.
    pub kelvin: u16,
    /// Spare capacity left, percent.
    pub spare_percent: u8,
    /// Below which the controller warns.
    pub spare_threshold_percent: u8,
    /// Estimate of the life that is used, percent; may exceed 100.
    pub used_percent: u8,
    /// Data that could not be kept whole.
    pub media_errors: u64,
    /// Time above the warning temperature, minutes.
    pub warning_minutes: u32,
    /// Time above the critical temperature, minutes.
    pub critical_minutes: u32,
    /// Times that it slowed down lightly for heat (thermal management temperature 1).
    pub throttled_lightly: u32,
    /// Times that it slowed down heavily for heat (thermal management temperature 2).
    pub throttled_heavily: u32,
    /// Time for which it was slowed down lightly, seconds.
    pub throttled_lightly_s: u32,
    /// Time for which it was slowed down heavily, seconds.
    pub throttled_heavily_s: u32,
}

/// A PCI Express link.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Link {
    /// Transfers a second of one lane as it runs, 10^9.
    pub gigatransfers: f64,
    /// Lanes as it runs.
    pub lanes: u32,
    /// Transfers a second that it is capable of.
    pub most_gigatransfers: f64,
    /// Lanes that it is capable of.
    pub most_lanes: u32,
}

impl Link {
    /// Bytes a second of one direction, after line coding: 8b/10b up to 5 GT/s, 128b/130b above
    /// (PCI Express Base Specification).
    pub fn bytes_per_second(&self) -> f64 {
        let coding = if self.gigatransfers <= 5.0 {
            0.8
        } else {
            128.0 / 130.0
        };
        self.gigatransfers * 1e9 * coding / 8.0 * f64::from(self.lanes)
    }

    /// Whether it runs below what both ends are capable of.
    pub fn is_degraded(&self) -> bool {
        self.lanes < self.most_lanes || self.gigatransfers < self.most_gigatransfers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_carries_what_the_tables_say() {
        let link = |gigatransfers, lanes| Link {
            gigatransfers,
            lanes,
            most_gigatransfers: 16.0,
            most_lanes: 4,
        };
        let tenths = |link: &Link| (link.bytes_per_second() / 1e5).round() as u64;
        let cases = [(2.5, 4, 10_000), (8.0, 4, 39_385), (16.0, 4, 78_769)];
        for (gigatransfers, lanes, expected) in cases {
            assert_eq!(tenths(&link(gigatransfers, lanes)), expected);
        }
        assert!(link(16.0, 2).is_degraded() && !link(16.0, 4).is_degraded());
    }
}
