//! A volume type in one period of its history.

use super::law::{
    CountRule, Device, Fixed, Follows, Law, Media, Pooled, Provisioned, Scaled, Sharing,
    Throughput, Tier,
};
use super::rows::{self, EvidenceRow, Sources};
use super::{CatalogError, CatalogFile, Cloud, Confidence, Evidence, Validity};
use serde::{Deserialize, Serialize};

/// A volume type in one period of its history.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VolumeType {
    /// Whose it is.
    pub cloud: Cloud,
    /// Its name, as in `gp2` or `P30`.
    pub name: String,
    /// The family of a tier, as in `premium-ssd`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
    /// Days between which this held.
    pub validity: Validity,
    /// Smallest size in GiB; of a tier, the size above which it begins.
    pub min_gib: f64,
    /// Largest size in GiB; `f64::MAX`, and absent from JSON, where none is stated.
    #[serde(skip_serializing_if = "is_endless")]
    pub max_gib: f64,
    /// How its limits follow from size and order.
    #[serde(flatten)]
    pub law: Law,
    /// Bytes of one of the vendor's units of throughput: 1,048,576 for MiB/s, 10^6 for MB/s.
    pub unit_bytes: f64,
    /// How requests are counted: the rule, and bytes of a unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<(CountRule, u64)>,
    /// Bytes of a request that is billed as one transaction; none where requests are free.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub billed_bytes: Option<u64>,
    /// Transactions that are billed in an hour at most; none where no source states it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub billed_max_hour: Option<f64>,
    /// Share of volumes that are lost in a year, 0 to 1, as the vendor states it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost_a_year: Option<f64>,
    /// Its composition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub media: Option<Media>,
    /// Who says so.
    pub evidence: Evidence,
}

impl VolumeType {
    /// Whether this is its name, in capitals or not.
    pub fn is_called(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Whether it is a tier of a family.
    pub fn is_of_family(&self, family: &str) -> bool {
        let own = self.family.as_deref();
        own.is_some_and(|own| own.eq_ignore_ascii_case(family))
    }

    /// Whether it takes Azure's faster way from the machine, and is never cached by the host.
    pub fn is_fast(&self) -> bool {
        matches!(self.name.as_str(), "premium-ssd-v2" | "ultra")
    }

    /// Whether it is a disk in the host of a cloud's machine, whose data goes with the machine.
    pub fn is_in_host(&self) -> bool {
        matches!(self.law, Law::Device(_)) && self.cloud != Cloud::Local
    }

    /// Bytes of the unit of a type that counts a request as whole units, random ones too.
    pub fn whole_unit(&self) -> Option<u64> {
        let (rule, unit) = self.count?;
        (rule == CountRule::WholeMerge).then_some(unit)
    }

    /// The vendor's unit of throughput, for messages.
    pub fn unit(&self) -> &'static str {
        if self.unit_bytes > 1e6 {
            "MiB/s"
        } else {
            "MB/s"
        }
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature serde asks for"
)]
fn is_endless(gib: &f64) -> bool {
    *gib >= f64::MAX
}

/// A row of `volumes.csv`. What its columns mean is in `docs/catalog.md`.
#[derive(Deserialize)]
struct VolumeTypeRow {
    name: String,
    family: Option<String>,
    law: String,
    valid_from: Option<String>,
    valid_to: Option<String>,
    min_gib: Option<f64>,
    max_gib: Option<f64>,
    iops_min: Option<f64>,
    iops_max: Option<f64>,
    iops_write_max: Option<f64>,
    iops_per_gib: Option<f64>,
    iops_write_per_gib: Option<f64>,
    iops_included: Option<f64>,
    iops_gib_ratio: Option<f64>,
    iops_gib_ratio_min: Option<f64>,
    iops_other_instances: Option<f64>,
    unit: Option<String>,
    tput_min: Option<f64>,
    tput_max: Option<f64>,
    tput_write_max: Option<f64>,
    tput_per_gib: Option<f64>,
    tput_per_iops: Option<f64>,
    tput_per_iops_min: Option<f64>,
    tput_gib_ratio: Option<f64>,
    tput_gib_ratio_min: Option<f64>,
    tput_knee: Option<f64>,
    tput_per_iops_above: Option<f64>,
    tput_small: Option<f64>,
    tput_small_gib: Option<f64>,
    burst_iops: Option<f64>,
    burst_tput: Option<f64>,
    burst_tput_per_gib: Option<f64>,
    bucket_ios: Option<f64>,
    bucket_gib_per_gib: Option<f64>,
    bucket_seconds: Option<f64>,
    billed_kib: Option<u64>,
    billed_max_hour: Option<f64>,
    lost_a_year: Option<f64>,
    shares: Option<Sharing>,
    iops_per_mib: Option<f64>,
    count_kib: Option<u64>,
    count_rule: Option<CountRule>,
    ondemand_iops: Option<f64>,
    ondemand_tput: Option<f64>,
    plus_iops: Option<f64>,
    plus_tput: Option<f64>,
    media: Option<Media>,
    seek_ms: Option<f64>,
    rpm: Option<f64>,
    source: String,
    as_of: Option<String>,
    confidence: Option<Confidence>,
    note: Option<String>,
}

const GIB: f64 = 1_073_741_824.0;

pub(super) fn read(
    file: &CatalogFile<'_>,
    cloud: Cloud,
    sources: &Sources,
) -> Result<Vec<VolumeType>, CatalogError> {
    let mut types = Vec::new();
    rows::read(file, |row: VolumeTypeRow| {
        types.push(row.into_type(cloud, sources)?);
        Ok(())
    })?;
    Ok(types)
}

/// A column that the law of the row needs.
fn need(value: Option<f64>, column: &str) -> Result<f64, String> {
    value.ok_or_else(|| format!("the law of this row needs a number in `{column}`"))
}

impl VolumeTypeRow {
    fn into_type(self, cloud: Cloud, sources: &Sources) -> Result<VolumeType, String> {
        let unit_bytes = match self.unit.as_deref() {
            Some("MiB") => 1_048_576.0,
            Some("MB") | None => 1e6,
            Some(other) => return Err(format!("`{other}` is not a unit: MiB or MB")),
        };
        let law = self.law(unit_bytes)?;
        let count = match (self.count_rule, self.count_kib) {
            (Some(rule), Some(kib)) => Some((rule, kib << 10)),
            (None, None) => None,
            _ => return Err("`count_kib` and `count_rule` go together".to_owned()),
        };
        Ok(VolumeType {
            cloud,
            validity: rows::validity(self.valid_from.as_deref(), self.valid_to.as_deref())?,
            min_gib: self.min_gib.unwrap_or(0.0),
            max_gib: self.max_gib.unwrap_or(f64::MAX),
            law,
            unit_bytes,
            count,
            billed_bytes: self.billed_kib.map(|kib| kib << 10),
            billed_max_hour: self.billed_max_hour,
            lost_a_year: self.lost_a_year,
            media: self.media,
            evidence: sources.evidence(EvidenceRow {
                source: self.source,
                as_of: self.as_of,
                confidence: self.confidence,
                note: self.note,
            })?,
            name: self.name,
            family: self.family,
        })
    }

    fn law(&self, unit: f64) -> Result<Law, String> {
        Ok(match self.law.as_str() {
            "scaled" => Law::Scaled(Scaled {
                iops_per_gib: need(self.iops_per_gib, "iops_per_gib")?,
                iops_min: need(self.iops_min, "iops_min")?,
                iops_max: need(self.iops_max, "iops_max")?,
                bytes_max: need(self.tput_max, "tput_max")? * unit,
                small: self
                    .tput_small_gib
                    .zip(self.tput_small.map(|rate| rate * unit)),
                burst: self.burst_iops.zip(self.bucket_ios),
            }),
            "provisioned" => Law::Provisioned(self.provisioned(unit)?),
            "throughput" => Law::Throughput(Throughput {
                iops_max: need(self.iops_max, "iops_max")?,
                base: (
                    need(self.tput_per_gib, "tput_per_gib")? * unit,
                    need(self.tput_max, "tput_max")? * unit,
                ),
                burst: (
                    need(self.burst_tput_per_gib, "burst_tput_per_gib")? * unit,
                    need(self.burst_tput, "burst_tput")? * unit,
                ),
                bucket_bytes_per_gib: need(self.bucket_gib_per_gib, "bucket_gib_per_gib")? * GIB,
            }),
            "tier" => Law::Tier(self.tier(unit)?),
            "pooled" => Law::Pooled(self.by_size(unit, true)?),
            "by-size" => Law::Pooled(self.by_size(unit, false)?),
            "follows" => Law::Follows(Follows {
                bytes_min: need(self.tput_min, "tput_min")? * unit,
                bytes_max: need(self.tput_max, "tput_max")? * unit,
                per_gib: self.tput_gib_ratio.map(|most| {
                    let least = self.tput_gib_ratio_min.unwrap_or(0.0);
                    (least * unit, most * unit)
                }),
                iops_per_byte: need(self.iops_per_mib, "iops_per_mib")? / 1_048_576.0,
                iops_max: need(self.iops_max, "iops_max")?,
            }),
            "fixed" => Law::Fixed(Fixed {
                iops: need(self.iops_max, "iops_max")?,
                bytes: need(self.tput_max, "tput_max")? * unit,
            }),
            "device" => Law::Device(Device {
                seek: self
                    .seek_ms
                    .map(|milliseconds| (milliseconds * 1e6) as u64)
                    .zip(self.rpm),
            }),
            other => return Err(format!("`{other}` is not a law")),
        })
    }

    /// Limits by size, which all disks of the type on a machine share or each has.
    fn by_size(&self, unit: f64, shared: bool) -> Result<Pooled, String> {
        let per_gib = need(self.iops_per_gib, "iops_per_gib")?;
        let iops_max = need(self.iops_max, "iops_max")?;
        let bytes_max = need(self.tput_max, "tput_max")? * unit;
        let usual = if shared { Sharing::Apart } else { Sharing::All };
        Ok(Pooled {
            shared,
            included: (
                self.iops_included.unwrap_or(0.0),
                self.tput_min.unwrap_or(0.0) * unit,
            ),
            per_gib: (
                per_gib,
                self.iops_write_per_gib.unwrap_or(per_gib),
                need(self.tput_per_gib, "tput_per_gib")? * unit,
            ),
            max: (
                iops_max,
                self.iops_write_max.unwrap_or(iops_max),
                bytes_max,
                self.tput_write_max.map_or(bytes_max, |rate| rate * unit),
            ),
            sharing: self.shares.unwrap_or(usual),
        })
    }

    fn provisioned(&self, unit: f64) -> Result<Provisioned, String> {
        let in_bytes = |rate: Option<f64>| rate.map(|rate| rate * unit);
        Ok(Provisioned {
            iops_included: self.iops_included,
            iops_min: self.iops_min,
            iops_max: need(self.iops_max, "iops_max")?,
            iops_per_gib_max: self.iops_gib_ratio,
            iops_per_gib_min: self.iops_gib_ratio_min,
            iops_other_instances: self.iops_other_instances,
            bytes_included: in_bytes(self.tput_min),
            bytes_max: need(self.tput_max, "tput_max")? * unit,
            bytes_write_max: in_bytes(self.tput_write_max),
            bytes_per_iops: in_bytes(self.tput_per_iops),
            bytes_per_iops_min: in_bytes(self.tput_per_iops_min),
            knee: in_bytes(self.tput_knee).zip(in_bytes(self.tput_per_iops_above)),
        })
    }

    fn tier(&self, unit: f64) -> Result<Tier, String> {
        let in_bytes = |rate: Option<f64>| rate.map(|rate| rate * unit);
        let burst = match (self.burst_iops, in_bytes(self.burst_tput)) {
            (Some(iops), Some(bytes)) => {
                Some((iops, bytes, need(self.bucket_seconds, "bucket_seconds")?))
            }
            _ => None,
        };
        Ok(Tier {
            iops: need(self.iops_max, "iops_max")?,
            bytes: need(self.tput_max, "tput_max")? * unit,
            burst,
            on_demand: self.ondemand_iops.zip(in_bytes(self.ondemand_tput)),
            plus: self.plus_iops.zip(in_bytes(self.plus_tput)),
        })
    }
}
