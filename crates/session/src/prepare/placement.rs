//! How a target lies on its device and how that is attached, looked at before the run.

use super::{PreparedTarget, extent};
use fathom_core::result::{
    DeviceLimits, Evidence, Extents, Health, HeldContent, Link, Missing, TargetDevice, TargetLayout,
};
use fathom_device::{
    BlockKind, DeviceError, ExtentMap, Limits, Sysfs, Topology, direct_align_bytes, nvme_health,
};
use fathom_engine::TargetKind;
use fathom_load::fill::Writes;
use fathom_platform::fs::{Advice, IFlags};
use fathom_platform::unix::fs::FileExt as _;
use std::fs::File;
use std::io;

/// Blocks of a device that are looked at for zeros, all over the range that is used.
pub(super) const SAMPLES: u32 = 64;
const SAMPLE_BYTES: u64 = 4096;

/// How the used range of a target lies; none for what has no place.
pub(super) fn layout(
    target: &PreparedTarget,
    (start, end): (u64, u64),
    writes: &Writes,
) -> Option<Box<TargetLayout>> {
    let kind = target.kind?;
    if matches!(kind, TargetKind::CharDevice | TargetKind::Directory) || end <= start {
        return None;
    }
    let mut layout = TargetLayout {
        span_bytes: end - start,
        ..TargetLayout::default()
    };
    match fathom_device::input::open(target.contents_at()) {
        Ok(file) if kind == TargetKind::File => {
            of_file(&file, (start, end), &mut layout);
            // What is laid out is never zeros.
            if target.reads && !target.made_by_fathom {
                sample(&file, (start, end), &mut layout);
            }
        }
        Ok(file) if target.reads => sample(&file, (start, end), &mut layout),
        Ok(_) => {}
        Err(error) => lacks(&mut layout, Evidence::FileLayout, &error),
    }
    // What the run itself has laid out by now is new.
    if target.writes && target.laid == (0, 0) && !writes.is_empty() {
        let file = fathom_device::input::open(target.contents_at());
        layout.held = file.and_then(|file| held(&file, (start, end), writes)).ok();
    }
    Some(Box::new(layout))
}

/// Looks for content that the run writes in blocks all over the range.
fn held(file: &File, range: (u64, u64), writes: &Writes) -> io::Result<HeldContent> {
    let mut found = HeldContent::default();
    for_each_sample(file, range, |offset, block| {
        found.sampled += 1;
        found.held += u32::from(writes.makes(block, offset));
    })?;
    Ok(found)
}

fn of_file(file: &File, (start, end): (u64, u64), layout: &mut TargetLayout) {
    match extent::hole_bytes(file, start, end) {
        Ok(bytes) => layout.hole_bytes = Some(bytes),
        Err(error) => lacks(layout, Evidence::FileLayout, &error),
    }
    match ExtentMap::written_back(file, start, end) {
        Ok(map) => {
            layout.extents = Some(Extents {
                count: map.count,
                mapped_bytes: map.mapped_bytes,
                unwritten_bytes: map.unwritten_bytes,
                delayed_bytes: map.delayed_bytes,
                encoded_bytes: map.encoded_bytes,
                shared_bytes: map.shared_bytes,
            });
        }
        Err(error) => lacks(layout, Evidence::FileLayout, &error),
    }
    let attributes = fathom_platform::fs::ioctl_getflags(file).ok();
    layout.in_place = attributes.map(|all| all.contains(IFlags::NOCOW));
    match direct_align_bytes(file) {
        Ok(Some(bytes)) => layout.direct_align_bytes = Some(bytes),
        Ok(None) => {
            let error = io::Error::other(
                "the kernel or file system does not report it through \
                                         statx",
            );
            lacks(layout, Evidence::DirectAlignment, &error);
        }
        Err(error) => lacks(layout, Evidence::DirectAlignment, &error),
    }
}

/// Looks at blocks all over the range for zeros.
fn sample(file: &File, range: (u64, u64), layout: &mut TargetLayout) {
    let (mut sampled, mut zero) = (0, 0);
    let ended = for_each_sample(file, range, |_, block| {
        sampled += 1;
        zero += u32::from(block.iter().all(|byte| *byte == 0));
    });
    if let Err(error) = &ended {
        lacks(layout, Evidence::Contents, error);
    }
    if sampled > 0 || ended.is_err() {
        layout.blocks_sampled = Some(sampled);
        layout.blocks_zero = Some(zero);
    }
}

/// Reads blocks all over a range that has enough of them, and leaves no page of theirs behind.
fn for_each_sample(
    file: &File,
    (start, end): (u64, u64),
    mut each: impl FnMut(u64, &[u8]),
) -> io::Result<()> {
    let blocks = (end - start) / SAMPLE_BYTES;
    if blocks < u64::from(SAMPLES) {
        return Ok(());
    }
    // Reading ahead would fill the page cache with what is measured later.
    let _ = fathom_platform::fs::fadvise(file, 0, None, Advice::Random);
    let mut block = [0; SAMPLE_BYTES as usize];
    for sample in 0..SAMPLES {
        let number = u128::from(blocks - 1) * u128::from(sample) / u128::from(SAMPLES - 1);
        let offset = start + number as u64 * SAMPLE_BYTES;
        file.read_exact_at(&mut block, offset)?;
        let length = std::num::NonZeroU64::new(SAMPLE_BYTES);
        let _ = fathom_platform::fs::fadvise(file, offset, length, Advice::DontNeed);
        each(offset, &block);
    }
    Ok(())
}

fn lacks(layout: &mut TargetLayout, evidence: Evidence, error: &io::Error) {
    let reason = error.to_string();
    layout.missing.push(Missing { evidence, reason });
}

/// Adds to the devices of a target how they are attached and limited.
pub(super) fn describe(devices: &mut [TargetDevice], topology: &Topology, sysfs: &Sysfs) {
    let rows = || topology.devices.iter().flat_map(fathom_device::Tree::rows);
    for described in devices {
        let Some(row) = rows().find(|row| row.device.name == described.name) else {
            continue;
        };
        let limits = Limits::read(sysfs, &described.name).unwrap_or_default();
        let device = row.device;
        described.limits = Some(Box::new(DeviceLimits {
            physical_block_bytes: device.physical_block_bytes.map(u64::from),
            start_bytes: device.start_bytes,
            max_request_bytes: device.max_sectors_kb.map(|kib| u64::from(kib) * 1024),
            read_ahead_bytes: limits.read_ahead_kib.map(|kib| kib * 1024),
            no_merges: limits.no_merges,
            polls: limits.polls,
            write_back_throttle_us: limits.write_back_throttle_us,
            link: limits.link.map(|link| Link {
                gigatransfers: link.gigatransfers,
                lanes: link.lanes,
                most_gigatransfers: link.most_gigatransfers,
                most_lanes: link.most_lanes,
            }),
            background: limits.background,
            begin_millidegrees: limits.millidegrees,
            sequence: limits.sequence,
            end_millidegrees: None,
            idle_iops: None,
            node: limits.node,
            ..DeviceLimits::default()
        }));
        if device.kind == BlockKind::Nvme {
            let health = read_health(&device.name);
            if let Some(limits) = &mut described.limits {
                limits.health_missing = health.as_ref().err().cloned();
                limits.begin_health = health.ok();
            }
        }
    }
}

/// What an NVMe controller says of its health, by the name of a namespace.
fn read_health(name: &str) -> Result<Health, String> {
    let found = nvme_health::read(&std::path::Path::new("/dev").join(name));
    found.map_err(|error| match error.kind() {
        io::ErrorKind::PermissionDenied => "only root can read its health log".to_owned(),
        _ => format!("its health log cannot be read: {error}"),
    })
}

/// Looks for the devices again after the run, and reads their thermometers and health logs.
pub(crate) fn look_again(devices: &mut [TargetDevice], sysfs: &Sysfs) {
    for device in devices {
        let Some(limits) = &mut device.limits else {
            continue;
        };
        let now = Limits::read(sysfs, &device.name);
        limits.is_gone = match &now {
            Err(error) => matches!(error, DeviceError::NoDevice { .. }),
            // What was plugged in again may have the name, and is another disk to the kernel.
            Ok(now) => limits.sequence.is_some() && now.sequence != limits.sequence,
        };
        if limits.begin_health.is_some() {
            let health = read_health(&device.name);
            limits.health_missing = health.as_ref().err().cloned();
            limits.end_health = health.ok();
        }
        if limits.begin_millidegrees.is_some() {
            limits.end_millidegrees = now.ok().and_then(|limits| limits.millidegrees);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_that_the_kernel_knows_no_more_is_gone() {
        let tree = tempfile::tempdir().expect("a directory");
        let sysfs = Sysfs::at(tree.path());
        let device = |name: &str| TargetDevice {
            name: name.to_owned(),
            limits: Some(Box::default()),
            ..TargetDevice::default()
        };
        std::fs::create_dir_all(tree.path().join("class/block/sda")).expect("a device");
        let mut devices = [device("sda"), device("sdb")];
        look_again(&mut devices, &sysfs);
        let gone = devices.map(|device| device.limits.is_some_and(|limits| limits.is_gone));
        assert_eq!(gone, [false, true]);
    }

    #[test]
    fn one_that_came_back_under_its_name_is_gone_all_the_same() {
        let tree = tempfile::tempdir().expect("a directory");
        let sysfs = Sysfs::at(tree.path());
        let disk = tree.path().join("class/block/sda");
        std::fs::create_dir_all(disk.join("queue")).expect("a device");
        let is_gone = |before: Option<u64>, now: &str| {
            std::fs::write(disk.join("diskseq"), now).expect("an attribute");
            let mut device = [TargetDevice {
                name: "sda".to_owned(),
                limits: Some(Box::new(DeviceLimits {
                    sequence: before,
                    ..DeviceLimits::default()
                })),
                ..TargetDevice::default()
            }];
            look_again(&mut device, &sysfs);
            device.map(|device| device.limits.is_some_and(|limits| limits.is_gone))
        };
        let found = [
            is_gone(Some(7), "7\n"),
            is_gone(Some(7), "9\n"),
            // Kernels before 5.15 do not count them.
            is_gone(None, "9\n"),
        ];
        assert_eq!(found, [[false], [true], [false]]);
    }
}
