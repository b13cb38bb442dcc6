//! Disks in the host of a machine: how many, and what all of them give together.

use super::rows::{self, EvidenceRow, Sources};
use super::{CatalogError, CatalogFile, Cloud, Evidence, Media};
use serde::{Deserialize, Serialize};

/// Random requests for which the vendors state IOPS, bytes.
const STATED_BYTES: f64 = 4_096.0;

/// The disks in the host of a machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InstanceStore {
    /// The vendor of the machine.
    pub cloud: Cloud,
    /// As in `m5d.xlarge`.
    pub machine: String,
    /// Number of disks.
    pub disks: u32,
    /// Size of each, 10^9 bytes.
    pub disk_gb: f64,
    /// Kind of the disks.
    pub media: Media,
    /// Random requests of 4 KiB a second of all disks, read and written; none where the vendor
    /// does not state it.
    pub iops: (Option<f64>, Option<f64>),
    /// Bytes a second of all disks, read and written.
    pub bytes_per_second: (Option<f64>, Option<f64>),
    /// Who says so.
    pub evidence: Evidence,
}

impl InstanceStore {
    /// What one disk gives to a mix of reads and writes, each in requests and bytes a second.
    ///
    /// Reads and writes share the time of a disk. Where no throughput is stated, the stated
    /// requests of 4 KiB set it. None where the vendor does not state a rate that the mix needs.
    pub fn each(&self, reads: (f64, f64), writes: (f64, f64)) -> Option<(f64, f64)> {
        let time = |rate: f64, most: Option<f64>| match rate {
            0.0 => Some(0.0),
            rate => most.map(|most| rate / most),
        };
        let given = |read: f64, written: f64, most: (Option<f64>, Option<f64>)| {
            let time = time(read, most.0)? + time(written, most.1)?;
            Some((read + written) / time / f64::from(self.disks))
        };
        let least = |iops: Option<f64>| iops.map(|iops| iops * STATED_BYTES);
        let bytes = (
            self.bytes_per_second.0.or(least(self.iops.0)),
            self.bytes_per_second.1.or(least(self.iops.1)),
        );
        let iops = given(reads.0, writes.0, self.iops)?;
        Some((iops, given(reads.1, writes.1, bytes)?))
    }
}

pub(super) fn read(
    file: &CatalogFile<'_>,
    cloud: Cloud,
    sources: &Sources,
) -> Result<Vec<InstanceStore>, CatalogError> {
    #[derive(Deserialize)]
    struct InstanceStoreRow {
        name: String,
        disks: u32,
        disk_gb: f64,
        media: Media,
        read_iops: Option<f64>,
        write_iops: Option<f64>,
        read_mbps: Option<f64>,
        write_mbps: Option<f64>,
        source: String,
        as_of: Option<String>,
    }
    let bytes = |rate: Option<f64>| rate.map(|rate| rate * 1e6);
    let mut stores = Vec::new();
    rows::read(file, |row: InstanceStoreRow| {
        stores.push(InstanceStore {
            cloud,
            machine: row.name,
            disks: row.disks,
            disk_gb: row.disk_gb,
            media: row.media,
            iops: (row.read_iops, row.write_iops),
            bytes_per_second: (bytes(row.read_mbps), bytes(row.write_mbps)),
            evidence: sources.evidence(EvidenceRow::of(row.source, row.as_of))?,
        });
        Ok(())
    })?;
    Ok(stores)
}

#[cfg(test)]
mod tests {
    use crate::catalog::Catalog;

    #[test]
    fn reads_and_writes_share_the_time_of_a_disk() {
        let catalog = Catalog::embedded();
        let each = |name: &str, reads: f64, kib: f64| {
            let at = "2026-11-22".parse().unwrap();
            let row = catalog.instance(name, None, at).unwrap();
            let rates = |share: f64| (share, share * kib * 1_024.0);
            let store = catalog.instance_store(row)?;
            let (iops, bytes) = store.each(rates(reads), rates(1.0 - reads))?;
            Some((iops.round(), (bytes / 1e6).round()))
        };
        // 234,000 reads or 114,000 writes of two disks; no MB/s are stated.
        assert_eq!(each("m5d.4xlarge", 1.0, 64.0), Some((117_000.0, 479.0)));
        assert_eq!(each("m5d.4xlarge", 0.0, 64.0), Some((57_000.0, 233.0)));
        assert_eq!(each("m5d.4xlarge", 0.5, 64.0), Some((76_655.0, 314.0)));
        assert_eq!(each("L8s_v4", 1.0, 64.0), Some((137_500.0, 750.0)));
        let google = each("c4d-standard-32-lssd", 1.0, 64.0);
        assert_eq!(google, Some((150_000.0, 655.0)));
        // Hard disks without a rate, and a machine without disks.
        assert_eq!(each("d3.xlarge", 1.0, 64.0), None);
        assert_eq!(each("m5.large", 1.0, 64.0), None);
    }
}
