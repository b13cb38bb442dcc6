//! A disk: its description and its counters.

use std::io::{ErrorKind, Result};

use super::{Calls, DRIVER, u32_at, u64_at};
use crate::block::{BlockDevice, BlockKind};
use crate::devnum::DevNum;

/// Numbers of `winioctl.h`, `ntdddisk.h` and `ntddstor.h`.
const IOCTL_DISK_PERFORMANCE: u32 = 0x0007_0020;
const IOCTL_DISK_GET_DRIVE_GEOMETRY_EX: u32 = 0x0007_00A0;
const IOCTL_STORAGE_GET_DEVICE_NUMBER: u32 = 0x002D_1080;
const FILE_DEVICE_DISK: u32 = 7;
pub(super) const IOCTL_STORAGE_QUERY_PROPERTY: u32 = 0x002D_1400;
const DEVICE: u32 = 0;
const WRITE_CACHE: u32 = 4;
const ALIGNMENT: u32 = 6;
const SEEK_PENALTY: u32 = 7;
const BUS_FILE: u32 = 15;
const BUS_SPACES: u32 = 16;
const BUS_NVME: u32 = 17;
const CACHE_WRITE_THROUGH: u32 = 1;
const CACHE_WRITE_BACK: u32 = 2;

/// Units of 100 ns in a millisecond.
const MILLISECOND: u64 = 10_000;

/// The name by which a disk is asked.
pub(super) fn path(number: u32) -> String {
    format!(r"\\.\PhysicalDrive{number}")
}

/// The number of a disk by any of its names.
pub(super) fn number(calls: &impl Calls, device: &str) -> Result<u32> {
    let found = calls.control(device, IOCTL_STORAGE_GET_DEVICE_NUMBER, &[], 12)?;
    if u32_at(&found, 0)? != FILE_DEVICE_DISK {
        return Err(ErrorKind::Unsupported.into());
    }
    u32_at(&found, 4)
}

/// How results call a disk.
fn name(number: u32) -> String {
    format!("PhysicalDrive{number}")
}

/// What was counted of a disk since it was there, as Linux prints it: a line of `/proc/diskstats`.
///
/// Requests are counted in 32 bits. A disk is busy when it is not idle.
pub(super) fn line(calls: &impl Calls, number: u32) -> Result<String> {
    let found = calls.control(&path(number), IOCTL_DISK_PERFORMANCE, &[], 88)?;
    let [read_bytes, written_bytes] = [u64_at(&found, 0)?, u64_at(&found, 8)?].map(|one| one / 512);
    let [read_ms, write_ms] =
        [u64_at(&found, 16)?, u64_at(&found, 24)?].map(|one| one / MILLISECOND);
    let idle = u64_at(&found, 32)?;
    let [reads, writes, in_flight] = [
        u32_at(&found, 40)?,
        u32_at(&found, 44)?,
        u32_at(&found, 48)?,
    ];
    let busy_ms = u64_at(&found, 56)?.saturating_sub(idle) / MILLISECOND;
    let queue_ms = read_ms + write_ms;
    let name = name(number);
    Ok(format!(
        "{DRIVER} {number} {name} {reads} 0 {read_bytes} {read_ms} {writes} 0 {written_bytes} \
         {write_ms} {in_flight} {busy_ms} {queue_ms}\n"
    ))
}

/// A property of a disk.
fn property(calls: &impl Calls, number: u32, id: u32, room: usize) -> Result<Vec<u8>> {
    let input = [id, 0, 0].map(u32::to_le_bytes).concat();
    calls.control(&path(number), IOCTL_STORAGE_QUERY_PROPERTY, &input, room)
}

/// What is known of a disk. What it does not say is none.
pub(super) fn describe(calls: &impl Calls, number: u32) -> BlockDevice {
    let descriptor = property(calls, number, DEVICE, 1024).unwrap_or_default();
    let text = |at: usize| {
        let offset = u32_at(&descriptor, at).ok().filter(|offset| *offset > 0)?;
        let bytes = descriptor.get(offset as usize..)?;
        let bytes = bytes.split(|byte| *byte == 0).next()?;
        let text = String::from_utf8_lossy(bytes).trim().to_owned();
        (!text.is_empty()).then_some(text)
    };
    let bus = u32_at(&descriptor, 28).ok();
    let geometry = calls.control(&path(number), IOCTL_DISK_GET_DRIVE_GEOMETRY_EX, &[], 256);
    let geometry = geometry.unwrap_or_default();
    let alignment = property(calls, number, ALIGNMENT, 28).unwrap_or_default();
    let seeks = property(calls, number, SEEK_PENALTY, 12).unwrap_or_default();
    let cache = property(calls, number, WRITE_CACHE, 28).unwrap_or_default();
    let cache = match u32_at(&cache, 8).ok() {
        Some(CACHE_WRITE_BACK) => Some("write back"),
        Some(CACHE_WRITE_THROUGH) => Some("write through"),
        _ => None,
    };
    BlockDevice {
        name: name(number),
        path: path(number).into(),
        dev: DevNum::new(DRIVER, number),
        kind: match bus {
            Some(BUS_NVME) => BlockKind::Nvme,
            Some(BUS_FILE) => BlockKind::Loop,
            _ => BlockKind::Disk,
        },
        label: (bus == Some(BUS_SPACES)).then(|| "Storage Space".to_owned()),
        model: text(16),
        vendor: text(12),
        serial: text(24),
        size_bytes: u64_at(&geometry, 24).unwrap_or_default(),
        start_bytes: None,
        disk: None,
        scheduler: None,
        nr_requests: None,
        rotational: seeks.get(8).map(|penalty| *penalty != 0),
        logical_block_bytes: u32_at(&alignment, 16).ok(),
        physical_block_bytes: u32_at(&alignment, 20).ok(),
        write_cache: cache.map(str::to_owned),
        max_sectors_kb: None,
        removable: descriptor.get(10).is_some_and(|flag| *flag != 0),
        read_only: false,
        is_swap: false,
        mount_points: Vec::new(),
        partitions: Vec::new(),
        holders: Vec::new(),
        slaves: Vec::new(),
        backing_file: None,
        backing_fs: None,
        backing_direct: None,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::fake::Fake;
    use super::*;
    use crate::diskstats::{self, DiskCounters};

    /// The answer to the question for counters, as `winioctl.h` lays it out.
    pub(crate) fn performance(reads: u32, written_bytes: u64) -> Vec<u8> {
        let longs = [
            u64::from(reads) * 4096,
            written_bytes,
            120_000,
            50_000,
            400_000,
        ];
        let ints = [reads, 7, 3, 0];
        let mut answer = longs.map(u64::to_le_bytes).concat();
        answer.extend(ints.map(u32::to_le_bytes).concat());
        answer.extend(1_400_000_u64.to_le_bytes());
        answer.resize(88, 0);
        answer
    }

    fn of_property(id: u32) -> u32 {
        IOCTL_STORAGE_QUERY_PROPERTY ^ id << 24
    }

    /// A drive as Windows describes one.
    pub(crate) fn machine() -> Fake {
        let mut descriptor = vec![0; 40];
        for (at, number) in [(12, 40_u32), (16, 49), (28, BUS_NVME)] {
            descriptor[at..at + 4].copy_from_slice(&number.to_le_bytes());
        }
        descriptor.extend(b"Example \0Disk 3000   \0");
        let mut geometry = vec![0; 32];
        geometry[24..].copy_from_slice(&(100_u64 << 30).to_le_bytes());
        let ints = |numbers: &[u32]| numbers.iter().flat_map(|one| one.to_le_bytes()).collect();
        let alignment: Vec<u8> = ints(&[1, 28, 64, 0, 512, 4096, 0]);
        let disk = path(2);
        Fake::default()
            .with(&disk, IOCTL_DISK_PERFORMANCE, performance(5, 1 << 20))
            .with(&disk, IOCTL_DISK_GET_DRIVE_GEOMETRY_EX, geometry)
            .with(
                &disk,
                IOCTL_STORAGE_GET_DEVICE_NUMBER,
                ints(&[FILE_DEVICE_DISK, 2, 0]),
            )
            .with(&disk, of_property(DEVICE), descriptor)
            .with(&disk, of_property(ALIGNMENT), alignment)
            .with(
                &disk,
                of_property(SEEK_PENALTY),
                vec![1, 0, 0, 0, 12, 0, 0, 0, 0],
            )
            .with(
                &disk,
                of_property(WRITE_CACHE),
                ints(&[1, 28, CACHE_WRITE_BACK, 0]),
            )
    }

    #[test]
    fn counters_of_windows_become_those_of_linux() {
        let lines = diskstats::parse(&line(&machine(), 2).unwrap()).unwrap();
        let counters = DiskCounters {
            reads: 5,
            read_bytes: 5 * 4096,
            read_time_ms: 12,
            writes: 7,
            written_bytes: 1 << 20,
            write_time_ms: 5,
            busy_time_ms: 100,
            queue_time_ms: 17,
            ..DiskCounters::default()
        };
        let found = &lines[0];
        let seen = (&*found.name, found.dev, found.in_flight, found.counters);
        assert_eq!(seen, ("PhysicalDrive2", DevNum::new(1, 2), 3, counters));
        let short = Fake::default().with(&path(2), IOCTL_DISK_PERFORMANCE, vec![0; 60]);
        let error = line(&short, 2).unwrap_err();
        assert_eq!(error.to_string(), "the answer is too short");
    }

    #[test]
    fn a_disk_says_what_it_is() {
        let found = describe(&machine(), 2);
        let texts = (
            found.vendor.as_deref(),
            found.model.as_deref(),
            found.serial,
        );
        assert_eq!(texts, (Some("Example"), Some("Disk 3000"), None));
        let blocks = (found.logical_block_bytes, found.physical_block_bytes);
        assert_eq!(blocks, (Some(512), Some(4096)));
        let seen = (found.kind, found.size_bytes, found.rotational);
        assert_eq!(seen, (BlockKind::Nvme, 100 << 30, Some(false)));
        assert_eq!(found.write_cache.as_deref(), Some("write back"));
        let silent = describe(&Fake::default(), 0);
        let seen = (
            silent.kind,
            silent.size_bytes,
            silent.rotational,
            silent.model,
        );
        assert_eq!(seen, (BlockKind::Disk, 0, None, None));
    }
}
