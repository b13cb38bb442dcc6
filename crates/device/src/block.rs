//! One block device and what the kernel tells of it.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::devnum::DevNum;
use crate::error::DeviceError;
use crate::mounts::Mount;
use crate::nodes::NodeKind;
use crate::sysfs::{self, Sysfs};
use crate::system::System;
use crate::topology::upper;

/// sysfs gives sizes and starts in sectors of 512 bytes whatever the device says.
const SECTOR_BYTES: u64 = 512;

/// What sort of block device it is, as far as a storage administrator would ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum BlockKind {
    /// Whole disk of a driver not named below: SCSI, SATA, SAS, USB, Xen.
    Disk,
    /// NVMe namespace.
    Nvme,
    /// Disk given by a hypervisor over virtio.
    Virtio,
    /// Partition of a disk.
    Partition,
    /// Logical volume.
    Lvm,
    /// Encrypted device-mapper volume.
    Crypt,
    /// Several paths to one disk.
    Multipath,
    /// Any other device-mapper volume.
    DeviceMapper,
    /// Software RAID.
    Md,
    /// Disk cached by another.
    Bcache,
    /// File or device shown as a disk.
    Loop,
    /// Compressed memory.
    Zram,
    /// Memory: brd, persistent memory.
    Ram,
    /// Disk over a network: nbd, rbd, drbd.
    Network,
    /// CD, DVD.
    Optical,
}

impl fmt::Display for BlockKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Disk => "disk",
            Self::Nvme => "nvme",
            Self::Virtio => "virtio",
            Self::Partition => "partition",
            Self::Lvm => "lvm",
            Self::Crypt => "crypt",
            Self::Multipath => "multipath",
            Self::DeviceMapper => "dm",
            Self::Md => "md",
            Self::Bcache => "bcache",
            Self::Loop => "loop",
            Self::Zram => "zram",
            Self::Ram => "ram",
            Self::Network => "network",
            Self::Optical => "optical",
        })
    }
}

/// A place where the device's file system is mounted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MountPoint {
    /// Directory.
    pub path: PathBuf,
    /// File-system type.
    pub fs_type: String,
    /// Options of the mount, then of the file system, as the kernel prints them.
    pub options: String,
}

/// A block device. `None` means that the kernel does not say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BlockDevice {
    /// Kernel name, as `sda1` or `dm-3`.
    pub name: String,
    /// Device node, as `/dev/sda1`.
    pub path: PathBuf,
    /// Device number.
    pub dev: DevNum,
    /// Sort of device.
    pub kind: BlockKind,
    /// Name given by an administrator: `vg-lv` of a logical volume or another device-mapper name.
    pub label: Option<String>,
    /// Model, as the device says. For a partition nothing: ask its disk.
    pub model: Option<String>,
    /// Vendor, as the device says.
    pub vendor: Option<String>,
    /// Serial number, as the device says.
    pub serial: Option<String>,
    /// Capacity.
    pub size_bytes: u64,
    /// Where a partition begins on its disk.
    pub start_bytes: Option<u64>,
    /// The disk of a partition.
    pub disk: Option<String>,
    /// Active I/O scheduler, `none` included. For a partition its disk's, like all limits below.
    pub scheduler: Option<String>,
    /// Requests that the scheduler or driver accepts before it makes submitters wait.
    pub nr_requests: Option<u32>,
    /// Whether it seeks.
    pub rotational: Option<bool>,
    /// Smallest addressable unit, which direct I/O must be aligned to.
    pub logical_block_bytes: Option<u32>,
    /// Unit below which the device reads, modifies and writes.
    pub physical_block_bytes: Option<u32>,
    /// `write back` or `write through`, as the kernel believes.
    pub write_cache: Option<String>,
    /// Largest request the kernel sends down, in KiB; larger ones are split.
    pub max_sectors_kb: Option<u32>,
    /// Media can be taken out.
    pub removable: bool,
    /// Cannot be written.
    pub read_only: bool,
    /// Used as swap.
    pub is_swap: bool,
    /// Where it is mounted.
    pub mount_points: Vec<MountPoint>,
    /// Partitions, by kernel name.
    pub partitions: Vec<String>,
    /// Devices built on this one.
    pub holders: Vec<String>,
    /// Devices this one is built on.
    pub slaves: Vec<String>,
    /// What an attached loop device shows.
    pub backing_file: Option<PathBuf>,
    /// Type of the file system that keeps that file, of an overlay that of its upper directory;
    /// none for a loop device over a device, or over a file that this name space does not show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backing_fs: Option<String>,
    /// Whether an attached loop device passes by the page cache of its backing file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backing_direct: Option<bool>,
}

impl BlockDevice {
    /// Reads one device by kernel name.
    pub fn read(system: &System, name: &str) -> Result<Self, DeviceError> {
        let dir = system.sysfs.block_dir(name)?;
        let no_device = || DeviceError::NoDevice {
            device: name.to_owned(),
        };
        let dev: DevNum = sysfs::text(&dir, "dev").ok_or_else(no_device)?.parse()?;
        let disk_dir = match dir.parent() {
            Some(parent) if dir.join("partition").exists() => Some(parent),
            _ => None,
        };
        let queue = disk_dir.unwrap_or(&dir).join("queue");
        let sectors: u64 = sysfs::value(&dir, "size").unwrap_or(0);
        let start: Option<u64> = sysfs::value(&dir, "start");
        let backing_file = backing_file(&system.sysfs, name)?;
        let backing_fs = backing_file
            .as_ref()
            .and_then(|file| keeper(system, file))
            .map(|mount| mount.fs_type.clone());
        Ok(Self {
            name: name.to_owned(),
            path: node_path(name),
            dev,
            kind: kind_of(name, &dir),
            label: sysfs::text(&dir, "dm/name"),
            model: sysfs::text(&dir, "device/model").or_else(|| sysfs::text(&dir, "device/name")),
            vendor: vendor_of(&dir),
            serial: serial_of(&dir),
            size_bytes: sectors * SECTOR_BYTES,
            start_bytes: disk_dir.and(start).map(|sector| sector * SECTOR_BYTES),
            disk: disk_dir
                .and_then(Path::file_name)
                .map(|n| n.to_string_lossy().into_owned()),
            scheduler: sysfs::text(&queue, "scheduler").map(|text| active_scheduler(&text)),
            nr_requests: sysfs::value(&queue, "nr_requests"),
            rotational: sysfs::flag(&queue, "rotational"),
            logical_block_bytes: sysfs::value(&queue, "logical_block_size"),
            physical_block_bytes: sysfs::value(&queue, "physical_block_size"),
            write_cache: sysfs::text(&queue, "write_cache"),
            max_sectors_kb: sysfs::value(&queue, "max_sectors_kb"),
            removable: sysfs::flag(disk_dir.unwrap_or(&dir), "removable").unwrap_or(false),
            read_only: sysfs::flag(&dir, "ro").unwrap_or(false),
            is_swap: system.swap_on(dev),
            mount_points: system
                .mounts_of(dev, name)?
                .into_iter()
                .map(mount_point)
                .collect(),
            partitions: partitions_in(&dir)?,
            holders: sysfs::names_in(&dir.join("holders"))?,
            slaves: sysfs::names_in(&dir.join("slaves"))?,
            backing_fs,
            backing_direct: backing_file
                .as_ref()
                .and_then(|_| sysfs::flag(&dir, "loop/dio")),
            backing_file,
        })
    }

    /// Reads one device by number.
    pub fn by_number(system: &System, dev: DevNum) -> Result<Self, DeviceError> {
        Self::read(system, &system.sysfs.block_name(dev)?)
    }
}

fn mount_point(mount: &crate::mounts::Mount) -> MountPoint {
    MountPoint {
        path: mount.mount_point.clone(),
        fs_type: mount.fs_type.clone(),
        options: format!("{},{}", mount.options, mount.super_options),
    }
}

/// `/dev/NAME`, where sysfs writes `!` for a slash in the name.
pub(crate) fn node_path(name: &str) -> PathBuf {
    Path::new("/dev").join(name.replace('!', "/"))
}

/// Names of the partitions of the disk with this directory.
pub(crate) fn partitions_in(dir: &Path) -> Result<Vec<String>, DeviceError> {
    let mut names = sysfs::names_in(dir)?;
    names.retain(|name| dir.join(name).join("partition").exists());
    Ok(names)
}

/// What a loop device shows; none if it is no loop device or not attached.
pub(crate) fn backing_file(sysfs: &Sysfs, name: &str) -> Result<Option<PathBuf>, DeviceError> {
    let file = sysfs.block_dir(name)?.join("loop/backing_file");
    let Ok(bytes) = crate::input::read(&file) else {
        return Ok(None);
    };
    // The path is not escaped; only the one newline at the end is the kernel's.
    let path = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
    let path: &std::ffi::OsStr = fathom_platform::unix::ffi::OsStrExt::from_bytes(path);
    Ok((!path.is_empty()).then(|| PathBuf::from(path)))
}

/// The mount that keeps a backing file. Of a file that was deleted meanwhile the kernel still gives
/// the name it had, with a remark behind it.
fn keeper<'a>(system: &'a System, file: &Path) -> Option<&'a Mount> {
    let name = file
        .to_str()
        .and_then(|name| name.strip_suffix(" (deleted)"));
    let is_there = system.nodes.stat(file);
    let place = match (&is_there, name) {
        (Ok(node), _) if node.kind != NodeKind::File => return None,
        (Ok(_), _) => file,
        (Err(_), Some(name)) => Path::new(name).parent()?,
        (Err(_), None) => return None,
    };
    let mount = system
        .mounts
        .of_path(&system.nodes.canonical(place).ok()?)?;
    Some(upper(system, mount, 0).unwrap_or(mount))
}

/// The scheduler in brackets, or the only word there is.
pub(crate) fn active_scheduler(text: &str) -> String {
    text.split_whitespace()
        .find_map(|word| word.strip_prefix('[')?.strip_suffix(']'))
        .unwrap_or(text)
        .to_owned()
}

fn vendor_of(dir: &Path) -> Option<String> {
    // A PCI or virtio device has a number here (0x1af4), which names nobody.
    sysfs::text(dir, "device/vendor").filter(|vendor| !vendor.starts_with("0x"))
}

fn serial_of(dir: &Path) -> Option<String> {
    sysfs::text(dir, "serial")
        .or_else(|| sysfs::text(dir, "device/serial"))
        .or_else(|| {
            // SCSI: the unit serial number page, after a header of four bytes.
            let page = crate::input::read(dir.join("device/vpd_pg80")).ok()?;
            let serial = String::from_utf8_lossy(page.get(4..)?).trim().to_owned();
            (!serial.is_empty()).then_some(serial)
        })
        .or_else(|| usb_serial(dir))
}

/// The serial number of the USB device that a disk is, or sits in: few of them tell one over SCSI.
fn usb_serial(dir: &Path) -> Option<String> {
    let is_whole = !dir.join("partition").exists();
    let mut above = dir.ancestors().skip(1).filter(|_| is_whole);
    let device = above.find(|dir| dir.join("idVendor").exists())?;
    sysfs::text(device, "serial")
}

/// Name prefixes of drivers that have a kind of their own.
const KIND_BY_PREFIX: &[(&str, BlockKind)] = &[
    ("nvme", BlockKind::Nvme),
    ("vd", BlockKind::Virtio),
    ("md", BlockKind::Md),
    ("bcache", BlockKind::Bcache),
    ("loop", BlockKind::Loop),
    ("zram", BlockKind::Zram),
    ("ram", BlockKind::Ram),
    ("pmem", BlockKind::Ram),
    ("nbd", BlockKind::Network),
    ("rbd", BlockKind::Network),
    ("drbd", BlockKind::Network),
    ("sr", BlockKind::Optical),
    ("dm-", BlockKind::DeviceMapper),
];

fn kind_of(name: &str, dir: &Path) -> BlockKind {
    if dir.join("partition").exists() {
        return BlockKind::Partition;
    }
    // Device-mapper users write their name before the first dash of the UUID.
    match sysfs::text(dir, "dm/uuid")
        .as_deref()
        .and_then(|uuid| uuid.split('-').next())
    {
        Some("LVM") => return BlockKind::Lvm,
        Some("CRYPT") => return BlockKind::Crypt,
        Some("mpath") => return BlockKind::Multipath,
        // Made by kpartx: `part1-mpath-...`.
        Some(part) if part.starts_with("part") => return BlockKind::Partition,
        _ => {}
    }
    KIND_BY_PREFIX
        .iter()
        .find(|(prefix, _)| name.starts_with(prefix))
        .map_or(BlockKind::Disk, |(_, kind)| *kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Machine;

    fn data() -> MountPoint {
        MountPoint {
            path: "/data".into(),
            fs_type: "ext4".into(),
            options: "rw,relatime,rw".into(),
        }
    }

    #[test]
    fn reads_a_disk() {
        let mut machine = Machine::new();
        machine.disk("sda", DevNum::new(8, 0), 500);
        machine.attribute("sda", "device/model", "Example 9000  \n");
        machine.attribute("sda", "device/vendor", "ATA     \n");
        machine.attribute("sda", "device/vpd_pg80", "\0\u{1}\0\u{4}  S123");
        machine.attribute("sda", "queue/scheduler", "none [mq-deadline] kyber\n");
        machine.attribute("sda", "queue/nr_requests", "64\n");
        machine.attribute("sda", "queue/rotational", "1\n");
        machine.attribute("sda", "queue/logical_block_size", "512\n");
        machine.attribute("sda", "queue/physical_block_size", "4096\n");
        machine.attribute("sda", "queue/write_cache", "write back\n");
        machine.attribute("sda", "queue/max_sectors_kb", "1280\n");
        machine.attribute("sda", "ro", "0\n");
        machine.attribute("sda", "removable", "1\n");
        machine.partition("sda", "sda1", DevNum::new(8, 1), 100);
        machine.mount("8:1", "/data", "ext4", "/dev/sda1");
        let system = machine.system();

        let disk = BlockDevice::read(&system, "sda").unwrap();
        let expected = BlockDevice {
            name: "sda".into(),
            path: "/dev/sda".into(),
            dev: DevNum::new(8, 0),
            kind: BlockKind::Disk,
            label: None,
            model: Some("Example 9000".into()),
            vendor: Some("ATA".into()),
            serial: Some("S123".into()),
            size_bytes: 500 << 20,
            start_bytes: None,
            disk: None,
            scheduler: Some("mq-deadline".into()),
            nr_requests: Some(64),
            rotational: Some(true),
            logical_block_bytes: Some(512),
            physical_block_bytes: Some(4096),
            write_cache: Some("write back".into()),
            max_sectors_kb: Some(1280),
            removable: true,
            read_only: false,
            is_swap: false,
            mount_points: vec![],
            partitions: vec!["sda1".into()],
            holders: vec![],
            slaves: vec![],
            backing_file: None,
            backing_fs: None,
            backing_direct: None,
        };
        assert_eq!(disk, expected);

        let partition = BlockDevice::by_number(&system, DevNum::new(8, 1)).unwrap();
        let expected = BlockDevice {
            name: "sda1".into(),
            path: "/dev/sda1".into(),
            dev: DevNum::new(8, 1),
            kind: BlockKind::Partition,
            model: None,
            vendor: None,
            serial: None,
            size_bytes: 100 << 20,
            start_bytes: Some(1 << 20),
            disk: Some("sda".into()),
            mount_points: vec![data()],
            partitions: vec![],
            ..expected
        };
        assert_eq!(partition, expected);
    }

    #[test]
    fn kinds_follow_names_and_mapper_users() {
        let mut machine = Machine::new();
        let cases = [
            ("nvme0n1", "", BlockKind::Nvme),
            ("vda", "", BlockKind::Virtio),
            ("xvda", "", BlockKind::Disk),
            ("md127", "", BlockKind::Md),
            ("loop7", "", BlockKind::Loop),
            ("zram0", "", BlockKind::Zram),
            ("sr0", "", BlockKind::Optical),
            ("dm-0", "LVM-abc", BlockKind::Lvm),
            ("dm-1", "CRYPT-LUKS2-abc", BlockKind::Crypt),
            ("dm-2", "mpath-3600", BlockKind::Multipath),
            ("dm-3", "part1-mpath-3600", BlockKind::Partition),
            ("dm-4", "", BlockKind::DeviceMapper),
        ];
        for (minor, (name, uuid, _)) in (0..).zip(&cases) {
            machine.disk(name, DevNum::new(252, minor), 1);
            if !uuid.is_empty() {
                machine.attribute(name, "dm/uuid", uuid);
            }
        }
        let system = machine.system();
        for (name, _, kind) in cases {
            assert_eq!(
                BlockDevice::read(&system, name).unwrap().kind,
                kind,
                "{name}"
            );
        }
    }

    #[test]
    fn a_name_with_a_slash() {
        assert_eq!(node_path("cciss!c0d0"), Path::new("/dev/cciss/c0d0"));
        assert_eq!(active_scheduler("none"), "none");
    }
}
