//! How a block device is attached and what uses it. A result needs both for its warnings.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::DeviceError;
use crate::sysfs::{Sysfs, names_in, text, value};

/// A PCI Express link, as it runs and as both ends could.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PcieLink {
    /// 10^9 transfers a second of one lane.
    pub gigatransfers: f64,
    pub lanes: u32,
    /// The most it can do.
    pub most_gigatransfers: f64,
    /// Lanes that it is capable of.
    pub most_lanes: u32,
}

/// What the kernel tells of a device's queue and attachment. `None`: it does not say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// Read-ahead of buffered reads, KiB.
    pub read_ahead_kib: Option<u64>,
    /// Whether requests are merged: 0 all, 1 simple ones, 2 none.
    pub no_merges: Option<u8>,
    /// Whether it has queues whose completions can be polled for.
    pub polls: Option<bool>,
    /// Target of write-back throttling, microseconds; 0 is off.
    pub write_back_throttle_us: Option<u64>,
    /// The nearest PCI Express link above it.
    pub link: Option<PcieLink>,
    /// What a software RAID is busy with, if it is not idle.
    pub background: Option<String>,
    /// The node whose memory and processors it is attached to, on a machine with several.
    pub node: Option<u32>,
    /// Its own thermometer, thousandths of a degree Celsius.
    pub millidegrees: Option<i64>,
    /// The kernel's number of it, which no other disk has had since the start (Linux 5.15).
    pub sequence: Option<u64>,
}

impl Limits {
    /// Those of a device by its kernel name; for a partition its disk's.
    pub fn read(sysfs: &Sysfs, name: &str) -> Result<Self, DeviceError> {
        let mut dir = sysfs.block_dir(name)?;
        if !dir.join("queue").exists() && dir.join("partition").exists() {
            dir.pop();
        }
        let queue = dir.join("queue");
        let activity = text(&dir, "md/sync_action").filter(|action| action != "idle");
        Ok(Self {
            read_ahead_kib: value(&queue, "read_ahead_kb"),
            no_merges: value(&queue, "nomerges"),
            polls: value(&queue, "io_poll").map(|polls: u8| polls != 0),
            write_back_throttle_us: value(&queue, "wbt_lat_usec"),
            link: link(sysfs.root(), &dir),
            background: activity,
            node: node(sysfs.root(), &dir),
            millidegrees: millidegrees(&dir),
            sequence: value(&dir, "diskseq"),
        })
    }
}

/// The link of the first directory upwards that has one.
fn link(root: &Path, dir: &Path) -> Option<PcieLink> {
    let mut above = dir
        .ancestors()
        .take_while(|above| above.starts_with(root) && *above != root);
    above.find_map(link_of)
}

/// The node that the first directory upwards tells; it is -1 where there is only one.
fn node(root: &Path, dir: &Path) -> Option<u32> {
    let mut above = dir
        .ancestors()
        .take_while(|above| above.starts_with(root) && *above != root);
    above.find_map(|dir| value(dir, "numa_node"))
}

fn link_of(dir: &Path) -> Option<PcieLink> {
    let rate = |attribute| {
        text(dir, attribute)?
            .split_whitespace()
            .next()?
            .parse()
            .ok()
    };
    Some(PcieLink {
        gigatransfers: rate("current_link_speed")?,
        lanes: value(dir, "current_link_width").filter(|lanes| *lanes > 0)?,
        most_gigatransfers: rate("max_link_speed")?,
        most_lanes: value(dir, "max_link_width")?,
    })
}

fn millidegrees(dir: &Path) -> Option<i64> {
    let device = fs::canonicalize(dir.join("device")).ok()?;
    let monitors = [device.clone(), device.join("hwmon")];
    let found: Vec<PathBuf> = monitors
        .iter()
        .flat_map(|place| {
            let names = names_in(place).unwrap_or_default();
            let ours = names.into_iter().filter(|name| {
                name.strip_prefix("hwmon")
                    .is_some_and(|number| !number.is_empty())
            });
            ours.map(|name| place.join(name)).collect::<Vec<_>>()
        })
        .collect();
    found.iter().find_map(|dir| value(dir, "temp1_input"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_platform::unix::fs::symlink;

    #[test]
    fn link_queue_and_heat_are_found() {
        let root = tempfile::tempdir().unwrap();
        let pci = root.path().join("devices/pci0000:00/0000:01:00.0");
        let nvme = pci.join("nvme/nvme0");
        let disk = nvme.join("nvme0n1");
        let write = |dir: &Path, name: &str, text: &str| {
            let file = dir.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        write(&pci, "current_link_speed", "8.0 GT/s PCIe\n");
        write(&pci, "current_link_width", "2\n");
        write(&pci, "max_link_speed", "8.0 GT/s PCIe\n");
        write(&pci, "max_link_width", "4\n");
        write(&pci, "numa_node", "1\n");
        write(&nvme, "numa_node", "-1\n");
        write(&nvme, "hwmon3/temp1_input", "41850\n");
        write(&disk, "queue/read_ahead_kb", "128\n");
        write(&disk, "queue/nomerges", "0\n");
        write(&disk, "diskseq", "12\n");
        write(&disk, "queue/io_poll", "1\n");
        fs::create_dir_all(root.path().join("class/block")).unwrap();
        symlink(&nvme, disk.join("device")).unwrap();
        symlink(&disk, root.path().join("class/block/nvme0n1")).unwrap();
        let root = fs::canonicalize(root.path()).unwrap();
        let found = Limits::read(&Sysfs::at(root), "nvme0n1").unwrap();
        let expected = Limits {
            read_ahead_kib: Some(128),
            no_merges: Some(0),
            polls: Some(true),
            write_back_throttle_us: None,
            link: Some(PcieLink {
                gigatransfers: 8.0,
                lanes: 2,
                most_gigatransfers: 8.0,
                most_lanes: 4,
            }),
            background: None,
            node: Some(1),
            millidegrees: Some(41_850),
            sequence: Some(12),
        };
        assert_eq!(found, expected);
    }
}
