//! What a Google Cloud machine lets through to all its disks of a type.

use super::rows::{self, EvidenceRow, Sources};
use super::{CatalogError, CatalogFile, Cloud, Evidence, InstanceType, Law, Sharing, VolumeType};
use fathom_core::{CapScope, CapUnit};
use serde::{Deserialize, Serialize};

/// Limits of a machine, or of a series and a range of processors, for one type of disk.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DiskLimit {
    /// As in `n2`.
    pub series: String,
    /// The type of disk.
    pub disk: String,
    /// Fewest and most processors.
    pub vcpus: (u32, u32),
    /// The machine, where the row is of one; `*` at its end stands for anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    /// At most: reads and writes a second.
    pub iops: (f64, f64),
    /// At most: bytes read and written a second.
    pub bytes_per_second: (f64, f64),
    /// Who says so.
    pub evidence: Evidence,
}

impl DiskLimit {
    /// Whether this row is about a machine and a type of disk.
    pub fn is_of(&self, instance: &InstanceType, disk: &str) -> bool {
        if self.disk != disk || instance.series.as_deref() != Some(&self.series) {
            return false;
        }
        let Some(name) = &self.machine else {
            // A range of processors does not include machines that have a share of a core.
            let own = instance.cores.and(instance.vcpus).unwrap_or(0);
            return (self.vcpus.0..=self.vcpus.1).contains(&own);
        };
        match name.strip_suffix('*') {
            Some(begin) => instance.name.starts_with(begin),
            None => instance.name == *name,
        }
    }

    /// The limits on a volume type: unit, operations, requests or bytes a second.
    pub fn caps(&self, volume: &VolumeType) -> [(CapUnit, CapScope, f64); 6] {
        let (is_shared, are_bytes) = match &volume.law {
            Law::Pooled(law) => (law.sharing != Sharing::Apart, law.sharing == Sharing::All),
            _ => (true, volume.name.starts_with("hyperdisk")),
        };
        let caps = |unit, (reads, writes): (f64, f64), is_shared: bool| {
            let all = if is_shared {
                reads.max(writes)
            } else {
                f64::INFINITY
            };
            [
                (unit, CapScope::All, all),
                (unit, CapScope::Reads, reads),
                (unit, CapScope::Writes, writes),
            ]
        };
        let [a, b, c] = caps(CapUnit::Iops, self.iops, is_shared);
        let [d, e, f] = caps(CapUnit::BytesPerSecond, self.bytes_per_second, are_bytes);
        [a, b, c, d, e, f]
    }
}

/// Whether a series takes a type of disk.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeriesDisk {
    /// Whose series it is.
    pub cloud: Cloud,
    /// As in `c4d`.
    pub series: String,
    /// The type of disk.
    pub disk: String,
    /// Fewest and most processors.
    pub vcpus: (u32, u32),
    /// Whether it takes them.
    pub takes: bool,
    /// Who says so.
    pub evidence: Evidence,
}

impl SeriesDisk {
    /// Whether this row is about the series of a machine and a type of disk.
    pub fn is_about(&self, instance: &InstanceType, disk: &VolumeType) -> bool {
        let is_it = disk.name == self.disk || disk.is_of_family(&self.disk);
        is_it && instance.cloud == self.cloud && instance.series.as_deref() == Some(&self.series)
    }
}

const MIB: f64 = 1_048_576.0;

pub(super) fn read(
    file: &CatalogFile<'_>,
    sources: &Sources,
) -> Result<Vec<DiskLimit>, CatalogError> {
    #[derive(Deserialize)]
    struct DiskLimitRow {
        series: String,
        disk: String,
        vcpu_min: Option<u32>,
        vcpu_max: Option<u32>,
        machine: Option<String>,
        read_iops: f64,
        write_iops: f64,
        read_mibps: f64,
        write_mibps: f64,
        source: String,
        as_of: Option<String>,
    }
    let mut limits = Vec::new();
    rows::read(file, |row: DiskLimitRow| {
        limits.push(DiskLimit {
            series: row.series,
            disk: row.disk,
            vcpus: (row.vcpu_min.unwrap_or(0), row.vcpu_max.unwrap_or(u32::MAX)),
            machine: row.machine,
            iops: (row.read_iops, row.write_iops),
            bytes_per_second: (row.read_mibps * MIB, row.write_mibps * MIB),
            evidence: sources.evidence(EvidenceRow::of(row.source, row.as_of))?,
        });
        Ok(())
    })?;
    Ok(limits)
}

pub(super) fn read_series(
    file: &CatalogFile<'_>,
    cloud: Cloud,
    sources: &Sources,
) -> Result<Vec<SeriesDisk>, CatalogError> {
    #[derive(Deserialize)]
    struct SeriesDiskRow {
        series: String,
        disk: String,
        vcpu_min: Option<u32>,
        vcpu_max: Option<u32>,
        takes: u8,
        source: String,
        as_of: Option<String>,
    }
    let mut series = Vec::new();
    rows::read(file, |row: SeriesDiskRow| {
        series.push(SeriesDisk {
            cloud,
            series: row.series,
            disk: row.disk,
            vcpus: (row.vcpu_min.unwrap_or(0), row.vcpu_max.unwrap_or(u32::MAX)),
            takes: row.takes == 1,
            evidence: sources.evidence(EvidenceRow::of(row.source, row.as_of))?,
        });
        Ok(())
    })?;
    Ok(series)
}
