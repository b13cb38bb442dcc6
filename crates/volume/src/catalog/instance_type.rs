//! An instance or VM size: what it lets through to its volumes.

use super::limits::{Accounting, Limit};
use super::rows::{self, EvidenceRow, Sources};
use super::{CatalogError, CatalogFile, Cloud, Confidence, Evidence, Media, Validity};
use fathom_core::{Cap, CapBurst, CapOwner, CapScope, CapUnit};
use serde::{Deserialize, Serialize};

/// How long a full bucket of an instance lasts at its maximum: both vendors say 30 minutes.
const BURST_SECONDS: f64 = 1_800.0;

/// An instance or VM size with one set of limits.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InstanceType {
    /// Whose it is.
    pub cloud: Cloud,
    /// Its name, as in `r5d.xlarge` or `Standard_E32s_v3`.
    pub name: String,
    /// Its series, where the vendor names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub series: Option<String>,
    /// Virtual processors that set its size and price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vcpus: Option<u32>,
    /// Virtual processors that work, where they are fewer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active_vcpus: Option<u32>,
    /// `x86_64` or `arm64`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arch: Option<String>,
    /// Physical cores that work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cores: Option<u32>,
    /// Network, bits a second that last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network_bits: Option<f64>,
    /// Network, bits a second at most, where that is more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network_max_bits: Option<f64>,
    /// Memory in MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_mib: Option<u64>,
    /// `nitro` or `xen`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hypervisor: Option<String>,
    /// `nvme` or `scsi`, where limits differ by it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interface: Option<String>,
    /// Whether volumes are attached by NVMe only.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_nvme: bool,
    /// Volumes that can be attached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_volumes: Option<u32>,
    /// Days of the first and the last document with these limits.
    pub validity: Validity,
    /// The way to network volumes; none where the vendor states no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<PathLimit>,
    /// The way to Azure's Premium SSD v2 and Ultra Disks, where it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fast: Option<PathLimit>,
    /// The way through the host's cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached: Option<PathLimit>,
    /// Size of the host's cache in GiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_gib: Option<f64>,
    /// Disks in the host.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub local: Option<LocalStore>,
    /// Who says so.
    pub evidence: Evidence,
}

/// A way from the machine to storage: its limits, and those for up to 30 minutes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PathLimit {
    /// Requests a second, sustained. None where the document of that day gives the maximum only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iops: Option<f64>,
    /// Bytes a second, sustained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_second: Option<f64>,
    /// Requests a second at most, where that is more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_iops: Option<f64>,
    /// Bytes a second at most, where that is more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_bytes_per_second: Option<f64>,
}

impl PathLimit {
    /// Requests and bytes a second that last; none where a document gives maxima only.
    pub fn lasting(&self) -> Option<(f64, f64)> {
        self.iops.zip(self.bytes_per_second)
    }
}

/// Disks in the host of an instance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LocalStore {
    /// How many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disks: Option<u32>,
    /// Size of each, 10^9 bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disk_gb: Option<f64>,
    /// What they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub media: Option<Media>,
    /// Requests a second, all together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iops: Option<f64>,
    /// Bytes a second, all together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_second: Option<f64>,
}

/// What the names of Azure have in common.
const AZURE: &str = "Standard_";

/// The name of a machine, without the prefix that all names of Azure have.
pub(crate) fn bare(name: &str) -> &str {
    name.strip_prefix(AZURE).unwrap_or(name)
}

impl InstanceType {
    /// Whether this is its name: in capitals or not, Azure's with or without `Standard_`.
    pub fn is_called(&self, name: &str) -> bool {
        let bare = self.name.strip_prefix(AZURE);
        self.name.eq_ignore_ascii_case(name)
            || bare.is_some_and(|bare| bare.eq_ignore_ascii_case(name))
    }

    /// Whether it has the latest of Amazon's hypervisors, which some volume types need.
    pub fn is_nitro(&self) -> bool {
        self.hypervisor.as_deref() == Some("nitro")
    }

    /// Whether it has graphics or machine-learning processors, by the name of its family.
    pub fn has_gpu(&self) -> bool {
        let name = bare(&self.name);
        let family = name.split(|c: char| c.is_ascii_digit()).next();
        let family = family.unwrap_or_default();
        match self.cloud {
            Cloud::Aws => ["g", "gr", "p", "f", "vt", "dl", "inf", "trn"].contains(&family),
            Cloud::Azure => family.starts_with('N'),
            // g1 has a share of a core.
            _ => family == "a" || family == "g" && !name.starts_with("g1"),
        }
    }

    /// The limits of a way, named for attribution: `r5d.xlarge` or `E32s_v3 cached`.
    pub fn limits(&self, path: &PathLimit, word: &str) -> Vec<Limit> {
        let name = match word {
            "" => self.name.clone(),
            word => format!("{} {word}", self.name),
        };
        let values = [
            (CapUnit::Iops, path.iops, path.max_iops),
            (
                CapUnit::BytesPerSecond,
                path.bytes_per_second,
                path.max_bytes_per_second,
            ),
        ];
        let limit = |(unit, base, max): (CapUnit, Option<f64>, Option<f64>)| {
            // Without a baseline the maximum is all that is known.
            let value = base.or(max)?;
            let burst = max.filter(|max| *max > value).map(|max| CapBurst {
                value: max,
                capacity: BURST_SECONDS * (max - value),
            });
            Some(Limit {
                cap: Cap {
                    name: name.clone(),
                    unit,
                    owner: CapOwner::Instance,
                    scope: CapScope::All,
                    value,
                    request_bytes: None,
                    burst,
                    source: self.evidence.to_string(),
                },
                accounting: Accounting::Once,
            })
        };
        values.into_iter().filter_map(limit).collect()
    }
}

/// The size whose I/O limits a constrained one has: `Standard_E32-16s_v3` has those of
/// `Standard_E32s_v3`.
pub(super) fn unconstrained(name: &str) -> Option<String> {
    let (before, after) = name.split_once('-')?;
    let digits = after.find(|c: char| !c.is_ascii_digit())?;
    let ends_in_digit = before.ends_with(|c: char| c.is_ascii_digit());
    (digits > 0 && ends_in_digit).then(|| format!("{before}{}", &after[digits..]))
}

#[derive(Deserialize)]
struct InstanceTypeRow {
    name: String,
    series: Option<String>,
    vcpus: Option<u32>,
    active_vcpus: Option<u32>,
    arch: Option<String>,
    cores: Option<u32>,
    net_gbps: Option<f64>,
    net_max_gbps: Option<f64>,
    nvme: Option<u8>,
    memory_mib: Option<u64>,
    hypervisor: Option<String>,
    interface: Option<String>,
    max_volumes: Option<u32>,
    seen_from: Option<String>,
    seen_to: Option<String>,
    base_iops: Option<f64>,
    base_mbps: Option<f64>,
    max_iops: Option<f64>,
    max_mbps: Option<f64>,
    cached_iops: Option<f64>,
    cached_mbps: Option<f64>,
    cache_gib: Option<f64>,
    fast_iops: Option<f64>,
    fast_mbps: Option<f64>,
    fast_max_iops: Option<f64>,
    fast_max_mbps: Option<f64>,
    store_disks: Option<u32>,
    store_disk_gb: Option<f64>,
    store_media: Option<Media>,
    store_iops: Option<f64>,
    store_mbps: Option<f64>,
    source: String,
    as_of: Option<String>,
    confidence: Option<Confidence>,
    note: Option<String>,
}

pub(super) fn read(
    file: &CatalogFile<'_>,
    cloud: Cloud,
    sources: &Sources,
) -> Result<Vec<InstanceType>, CatalogError> {
    let mut types = Vec::new();
    rows::read(file, |row: InstanceTypeRow| {
        types.push(row.into_type(cloud, sources)?);
        Ok(())
    })?;
    Ok(types)
}

/// A way, if anything is known of it. Rates in the files are in 10^6 bytes a second.
fn path(
    iops: Option<f64>,
    mbps: Option<f64>,
    max_iops: Option<f64>,
    max_mbps: Option<f64>,
) -> Option<PathLimit> {
    let bytes = |rate: Option<f64>| rate.map(|rate| rate * 1e6);
    let any = [iops, mbps, max_iops, max_mbps].iter().any(Option::is_some);
    any.then(|| PathLimit {
        iops,
        bytes_per_second: bytes(mbps),
        max_iops,
        max_bytes_per_second: bytes(max_mbps),
    })
}

impl InstanceTypeRow {
    fn into_type(self, cloud: Cloud, sources: &Sources) -> Result<InstanceType, String> {
        let local = LocalStore {
            disks: self.store_disks,
            disk_gb: self.store_disk_gb,
            media: self.store_media,
            iops: self.store_iops,
            bytes_per_second: self.store_mbps.map(|rate| rate * 1e6),
        };
        let has_local = local.disks.is_some() || local.iops.is_some();
        Ok(InstanceType {
            cloud,
            validity: rows::validity(self.seen_from.as_deref(), self.seen_to.as_deref())?,
            network: path(self.base_iops, self.base_mbps, self.max_iops, self.max_mbps),
            fast: path(
                self.fast_iops,
                self.fast_mbps,
                self.fast_max_iops,
                self.fast_max_mbps,
            ),
            cached: path(self.cached_iops, self.cached_mbps, None, None),
            cache_gib: self.cache_gib,
            local: has_local.then_some(local),
            evidence: sources.evidence(EvidenceRow {
                source: self.source,
                as_of: self.as_of.or(self.seen_to),
                confidence: self.confidence,
                note: self.note,
            })?,
            name: self.name,
            series: self.series,
            vcpus: self.vcpus,
            active_vcpus: self.active_vcpus,
            arch: self.arch,
            cores: self.cores,
            network_bits: self.net_gbps.map(|gbps| gbps * 1e9),
            network_max_bits: self.net_max_gbps.map(|gbps| gbps * 1e9),
            is_nvme: self.nvme == Some(1),
            memory_mib: self.memory_mib,
            hypervisor: self.hypervisor,
            interface: self.interface,
            max_volumes: self.max_volumes,
        })
    }
}
