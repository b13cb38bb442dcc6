//! The rules by which the limits of a volume follow from its size and what is ordered.
//!
//! Rates of bytes are in bytes a second here; the files give them in the vendor's unit.

use serde::{Deserialize, Serialize};

/// What a volume is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Media {
    /// Solid state, behind a network or a disk interface.
    Ssd,
    /// Rotating.
    Hdd,
    /// Solid state on PCIe.
    Nvme,
}

/// How requests are counted against limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CountRule {
    /// A larger request counts once for every unit begun.
    Split,
    /// As `Split`; small requests that continue each other are merged to units.
    SplitMerge,
    /// As `SplitMerge`; and a small request that continues none counts as a whole unit, of bytes
    /// too.
    WholeMerge,
}

/// The rule of a volume type.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase", tag = "law")]
pub enum Law {
    /// IOPS grow with the size, and burst on credit.
    Scaled(Scaled),
    /// IOPS and perhaps throughput are ordered.
    Provisioned(Provisioned),
    /// Throughput grows with the size, and bursts on credit.
    Throughput(Throughput),
    /// Fixed by a step of size.
    Tier(Tier),
    /// By size, from what each has anyway; perhaps shared by all disks of the type on a machine.
    Pooled(Pooled),
    /// Throughput is ordered, and IOPS follow it.
    Follows(Follows),
    /// The same for every size.
    Fixed(Fixed),
    /// A device's own: nothing limits it but itself.
    Device(Device),
}

/// IOPS by size, as of gp2.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Scaled {
    /// IOPS for each GiB.
    pub iops_per_gib: f64,
    /// The lower limit.
    pub iops_min: f64,
    /// The upper limit.
    pub iops_max: f64,
    /// Throughput, bytes a second.
    pub bytes_max: f64,
    /// Throughput up to a small size: that size in GiB, and bytes a second.
    pub small: Option<(f64, f64)>,
    /// Burst: IOPS, and requests in a full bucket.
    pub burst: Option<(f64, f64)>,
}

/// Ordered IOPS, as of gp3, io1, io2, Premium SSD v2, Ultra, Hyperdisk.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Provisioned {
    /// IOPS without an order; none where they must be ordered.
    pub iops_included: Option<f64>,
    /// Fewest that can be ordered.
    pub iops_min: Option<f64>,
    /// Most that can be ordered.
    pub iops_max: f64,
    /// Most for each GiB.
    pub iops_per_gib_max: Option<f64>,
    /// Fewest for each GiB.
    pub iops_per_gib_min: Option<f64>,
    /// Most under instances that are not of the latest kind.
    pub iops_other_instances: Option<f64>,
    /// Throughput without an order, bytes a second; none where it follows from the IOPS.
    pub bytes_included: Option<f64>,
    /// Most throughput, bytes a second.
    pub bytes_max: f64,
    /// Most throughput of writes where it differs, bytes a second.
    pub bytes_write_max: Option<f64>,
    /// Bytes a second for each of the IOPS.
    pub bytes_per_iops: Option<f64>,
    /// Fewest bytes a second that can be ordered for each of the IOPS.
    pub bytes_per_iops_min: Option<f64>,
    /// Where throughput grows slower from some point on: bytes a second at that point, and for
    /// each of the IOPS beyond.
    pub knee: Option<(f64, f64)>,
}

/// Throughput by size, as of st1 and sc1.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Throughput {
    /// Most requests a second.
    pub iops_max: f64,
    /// Bytes a second for each GiB, sustained, and the most of it.
    pub base: (f64, f64),
    /// The same while credit lasts.
    pub burst: (f64, f64),
    /// Bytes of credit in a full bucket for each GiB of size.
    pub bucket_bytes_per_gib: f64,
}

/// A step of size, as P30.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tier {
    /// Requests a second.
    pub iops: f64,
    /// Bytes a second.
    pub bytes: f64,
    /// Burst on credit: IOPS, bytes a second, seconds that a full bucket lasts.
    pub burst: Option<(f64, f64, f64)>,
    /// Burst on demand, at a price: IOPS, bytes a second.
    pub on_demand: Option<(f64, f64)>,
    /// With the option performance plus: IOPS, bytes a second.
    pub plus: Option<(f64, f64)>,
}

/// By size: shared by all disks of the type on a machine, as of Persistent Disk, or of each, as of
/// ESSD.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pooled {
    /// Whether all disks of the type on a machine have these limits together.
    pub shared: bool,
    /// Before any size: IOPS, bytes a second.
    pub included: (f64, f64),
    /// For each GiB of all disks: read IOPS, write IOPS, bytes a second.
    pub per_gib: (f64, f64, f64),
    /// At most: read IOPS, write IOPS, bytes a second read, bytes a second written.
    pub max: (f64, f64, f64, f64),
    /// What reads and writes have in common.
    pub sharing: Sharing,
}

/// Ordered throughput with the IOPS that follow, as of Hyperdisk Throughput.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Follows {
    /// Least throughput, bytes a second.
    pub bytes_min: f64,
    /// Most throughput, bytes a second.
    pub bytes_max: f64,
    /// Least and most throughput for each GiB, bytes a second.
    pub per_gib: Option<(f64, f64)>,
    /// Requests a second for each byte a second.
    pub iops_per_byte: f64,
    /// Most requests a second.
    pub iops_max: f64,
}

/// What reads and writes of a pool have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Sharing {
    /// Nothing: each has limits of its own.
    #[default]
    Apart,
    /// The maximum of requests; bytes are limited apart.
    Iops,
    /// All limits: what one uses, the other lacks.
    All,
}

/// The same for every size.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fixed {
    /// Requests a second.
    pub iops: f64,
    /// Bytes a second.
    pub bytes: f64,
}

/// A device in the machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Device {
    /// Seek time in nanoseconds and revolutions a minute of a rotating one.
    pub seek: Option<(u64, f64)>,
}

impl Device {
    /// Random requests a second at depth 1: 1 / (seek + half a revolution).
    pub fn random_iops(&self) -> Option<f64> {
        let (seek_ns, rpm) = self.seek?;
        Some(1e9 / (seek_ns as f64 + half_turn_ns(rpm)))
    }
}

/// Mean wait for the right place of the disk to come round.
pub(super) fn half_turn_ns(rpm: f64) -> f64 {
    30e9 / rpm
}
