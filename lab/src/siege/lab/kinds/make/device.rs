//! Devices.

use std::fs::File;
use std::os::unix::fs::{OpenOptionsExt as _, symlink};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::siege::fathom::Fathom;
use crate::siege::lab::Made;
use crate::siege::lab::contents::{DEVICE, EXT4, KIB, MIB, image, noise, partitioned as disk_with};
use crate::siege::lab::devices::{LoopDevice, Mount, Swap, on, system};
use crate::siege::lab::signatures;
use xtask::zram::Zram;

fn whole(device: LoopDevice) -> Made {
    Made::of(&device.path).watch(&device.path).guard(device)
}

fn holding(folder: &Path, bytes: &[u8]) -> Result<Made> {
    Ok(whole(LoopDevice::holding(folder, bytes)?))
}

/// A device that a run has written: no zeros, so that zeros that are written show.
pub(crate) fn written_loop(folder: &Path, _: &Fathom) -> Result<Made> {
    holding(folder, &written())
}

fn written() -> Vec<u8> {
    let mut bytes = vec![0; DEVICE];
    for (number, block) in (1..).zip(bytes.chunks_mut(4 * KIB)) {
        fathom_core::content::generate(block, number);
    }
    bytes
}

pub(crate) fn unknown_loop(folder: &Path, _: &Fathom) -> Result<Made> {
    holding(folder, &noise(11, DEVICE))
}

fn zram() -> Result<(PathBuf, Zram)> {
    let zram = Zram::add(DEVICE as u64)?;
    let path = zram.path();
    Ok((path, zram))
}

pub(crate) fn written_zram(_: &Path, _: &Fathom) -> Result<Made> {
    let (path, zram) = zram()?;
    std::fs::write(&path, written())?;
    Ok(Made::of(&path).watch(&path).guard(zram))
}

pub(crate) fn ext4(folder: &Path, _: &Fathom) -> Result<Made> {
    holding(folder, &image(folder, EXT4, DEVICE)?)
}

pub(crate) fn xfs(folder: &Path, _: &Fathom) -> Result<Made> {
    holding(folder, &image(folder, "mkfs.xfs -q -f", 300 * MIB)?)
}

pub(crate) fn btrfs(folder: &Path, _: &Fathom) -> Result<Made> {
    holding(folder, &image(folder, "mkfs.btrfs -q -f", 256 * MIB)?)
}

pub(crate) fn lvm(folder: &Path, _: &Fathom) -> Result<Made> {
    holding(folder, &signatures::lvm_physical_volume())
}

pub(crate) fn md(folder: &Path, _: &Fathom) -> Result<Made> {
    holding(folder, &signatures::md_member())
}

pub(crate) fn luks(folder: &Path, _: &Fathom) -> Result<Made> {
    holding(folder, &signatures::luks())
}

pub(crate) fn luks_second(folder: &Path, _: &Fathom) -> Result<Made> {
    holding(folder, &signatures::luks_without_first())
}

pub(crate) fn zfs(folder: &Path, _: &Fathom) -> Result<Made> {
    holding(folder, &signatures::zfs_member())
}

pub(crate) fn swap_area(folder: &Path, _: &Fathom) -> Result<Made> {
    holding(folder, &signatures::swap_area())
}

/// A disk with one partition that holds ext4, and the node of the partition.
fn disk(folder: &Path) -> Result<(LoopDevice, PathBuf)> {
    let inside = image(folder, EXT4, DEVICE)?;
    let backing = folder.join("backing");
    std::fs::write(&backing, disk_with(&inside))?;
    let disk = LoopDevice::over(&backing, "--partscan")?;
    let partition = PathBuf::from(format!("{}p1", disk.path.display()));
    std::fs::metadata(&partition).context("the kernel made no node for the partition")?;
    Ok((disk, partition))
}

pub(crate) fn partitioned(folder: &Path, _: &Fathom) -> Result<Made> {
    let (disk, partition) = disk(folder)?;
    Ok(whole(disk).watch(partition))
}

pub(crate) fn partition(folder: &Path, _: &Fathom) -> Result<Made> {
    let (disk, partition) = disk(folder)?;
    let made = Made::of(&partition).watch(&partition).watch(&disk.path);
    Ok(made.guard(disk))
}

/// A device that holds the journal of a file system elsewhere.
fn journal_device(folder: &Path) -> Result<LoopDevice> {
    let device = LoopDevice::empty(folder, DEVICE as u64)?;
    on("mkfs.ext4 -q -F -b 4096 -O journal_dev", &device.path)?;
    Ok(device)
}

pub(crate) fn journal(folder: &Path, _: &Fathom) -> Result<Made> {
    Ok(whole(journal_device(folder)?))
}

fn mounted_as(folder: &Path, options: &str) -> Result<(LoopDevice, Mount)> {
    let device = LoopDevice::holding(folder, &image(folder, EXT4, DEVICE)?)?;
    let mount = Mount::new(&device.path, options, &folder.join("mounted"))?;
    Ok((device, mount))
}

pub(crate) fn mounted(folder: &Path, _: &Fathom) -> Result<Made> {
    let (device, mount) = mounted_as(folder, "-t ext4 -o noatime")?;
    Ok(whole(device).guard(mount))
}

pub(crate) fn mounted_read_only(folder: &Path, _: &Fathom) -> Result<Made> {
    let (device, mount) = mounted_as(folder, "-t ext4 -o ro")?;
    Ok(whole(device).guard(mount))
}

pub(crate) fn mounted_partition(folder: &Path, _: &Fathom) -> Result<Made> {
    let (disk, partition) = disk(folder)?;
    let mount = Mount::new(&partition, "-t ext4 -o noatime", &folder.join("mounted"))?;
    let made = Made::of(&partition).watch(&partition).watch(&disk.path);
    Ok(made.guard(disk).guard(mount))
}

pub(crate) fn disk_of_mounted_partition(folder: &Path, _: &Fathom) -> Result<Made> {
    let (disk, partition) = disk(folder)?;
    let mount = Mount::new(&partition, "-t ext4 -o noatime", &folder.join("mounted"))?;
    Ok(whole(disk).watch(partition).guard(mount))
}

/// Only the first of its devices is in the table of mounts.
pub(crate) fn second_of_btrfs(folder: &Path, _: &Fathom) -> Result<Made> {
    const SIZE: usize = 24 * MIB;
    let at = |name: &str| folder.join(name);
    for name in ["one", "two"] {
        File::create(at(name))?.set_len(SIZE as u64)?;
    }
    let one = LoopDevice::over(&at("one"), "")?;
    let two = LoopDevice::over(&at("two"), "")?;
    let words = ["-q", "-f", "--mixed", "-d", "single", "-m", "single"].map(PathBuf::from);
    let words = [words.as_slice(), &[one.path.clone(), two.path.clone()]].concat();
    system("mkfs.btrfs", &words)?;
    on("btrfs device scan", &two.path)?;
    let mount = Mount::new(&one.path, "-t btrfs -o noatime", &at("mounted"))?;
    let made = Made::of(&two.path).watch(&two.path).watch(&one.path);
    Ok(made.guard(one).guard(two).guard(mount))
}

pub(crate) fn journal_in_use(folder: &Path, _: &Fathom) -> Result<Made> {
    let journal = journal_device(folder)?;
    let backing = folder.join("data");
    File::create(&backing)?.set_len(DEVICE as u64)?;
    let data = LoopDevice::over(&backing, "")?;
    let device = format!("device={}", journal.path.display());
    let words = [
        "-q",
        "-F",
        "-b",
        "4096",
        "-E",
        "lazy_itable_init=0",
        "-J",
        &device,
    ];
    let words = [
        words.map(PathBuf::from).as_slice(),
        std::slice::from_ref(&data.path),
    ]
    .concat();
    system("mkfs.ext4", &words)?;
    let mount = Mount::new(&data.path, "-t ext4 -o noatime", &folder.join("mounted"))?;
    let made = Made::of(&journal.path)
        .watch(&journal.path)
        .watch(&data.path);
    Ok(made.guard(journal).guard(data).guard(mount))
}

pub(crate) fn zram_swap(_: &Path, _: &Fathom) -> Result<Made> {
    let (path, zram) = zram()?;
    let swap = Swap::on(&path)?;
    // The kernel swaps where it likes.
    let made = Made::of(&path).watch_begin(&path, 4096);
    Ok(made.guard(zram).guard(swap))
}

pub(crate) fn held(folder: &Path, _: &Fathom) -> Result<Made> {
    let device = LoopDevice::holding(folder, &vec![0; DEVICE])?;
    let exclusive = rustix::fs::OFlags::EXCL.bits().cast_signed();
    let holder = File::options()
        .read(true)
        .custom_flags(exclusive)
        .open(&device.path)?;
    Ok(whole(device).guard(holder))
}

pub(crate) fn read_only_loop(folder: &Path, _: &Fathom) -> Result<Made> {
    let backing = folder.join("backing");
    std::fs::write(&backing, vec![0; DEVICE])?;
    Ok(whole(LoopDevice::over(&backing, "--read-only")?))
}

/// The same by a link to it.
fn linked(folder: &Path, mut made: Made) -> Result<Made> {
    let link = folder.join("link");
    symlink(&made.target, &link)?;
    made.target = link;
    Ok(made)
}

pub(crate) fn link_to_mounted(folder: &Path, fathom: &Fathom) -> Result<Made> {
    linked(folder, mounted(folder, fathom)?)
}

pub(crate) fn link_to_ext4(folder: &Path, fathom: &Fathom) -> Result<Made> {
    linked(folder, ext4(folder, fathom)?)
}
