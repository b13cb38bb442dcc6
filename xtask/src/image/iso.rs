//! The ISO image: starts from a CD and from a stick it was copied onto, by BIOS and by UEFI.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};

use super::packages::Packages;
use super::{OPTIONS, stamp};
use crate::dist::{Release, program};
use crate::sources;

/// What GRUB needs to find and start the kernel.
const MODULES: [&str; 10] = [
    "configfile",
    "echo",
    "iso9660",
    "linux",
    "normal",
    "part_gpt",
    "part_msdos",
    "search",
    "serial",
    "terminal",
];

/// What it needs on a BIOS in addition.
const BIOS: [&str; 1] = ["biosdisk"];

/// What it needs under UEFI in addition: without a driver for the display the kernel starts on a
/// dark screen ("no suitable video mode found").
const EFI: [&str; 1] = ["all_video"];

/// The program that makes the loaders.
pub(super) const GRUB: &str = "grub-mkimage";

/// The partition that UEFI starts from, in KiB: one loader.
const EFI_KIB: u64 = 2048;

/// Name of the volume, by which the loader finds it.
const VOLUME: &str = "FATHOM_LIVE";

/// Makes it.
pub(super) fn make(
    packages: &Packages,
    release: &Release,
    kernel: &[u8],
    initrd: &[u8],
) -> Result<Vec<u8>> {
    let place = tempfile::tempdir().context("cannot make a folder")?;
    let root = place.path().join("root");
    fs::create_dir_all(root.join("boot/grub"))?;
    fs::write(root.join("boot/vmlinuz"), kernel)?;
    fs::write(root.join("boot/initrd"), initrd)?;
    let config = fs::read_to_string(sources::root().join("xtask/image/grub.cfg"))?;
    let config = config.replace("@OPTIONS@", OPTIONS);
    fs::write(root.join("boot/grub/grub.cfg"), config)?;
    let first = place.path().join("first.cfg");
    fs::write(
        &first,
        format!("search --set=root --label {VOLUME}\nset prefix=($root)/boot/grub\n"),
    )?;
    let bios = packages.file("usr/lib/grub/i386-pc")?;
    let eltorito = root.join("boot/grub/eltorito.img");
    loader(&bios, "i386-pc-eltorito", &first, &BIOS, &eltorito)?;
    let efi = packages.file("usr/lib/grub/x86_64-efi")?;
    let program = place.path().join("BOOTX64.EFI");
    loader(&efi, "x86_64-efi", &first, &EFI, &program)?;
    let partition = place.path().join("efi.img");
    efi_partition(&partition, &program, release)?;
    stamp(&root, release.epoch_s)?;
    let out = place.path().join("image.iso");
    let mut command = Command::new("xorriso");
    command
        .args(["-as", "mkisofs", "-quiet", "-r", "-V", VOLUME, "-o"])
        .arg(&out)
        .args(["-b", "boot/grub/eltorito.img", "-no-emul-boot"])
        .args(["-boot-load-size", "4", "-boot-info-table"])
        .args(["--grub2-boot-info", "--grub2-mbr"])
        .arg(bios.join("boot_hybrid.img"))
        .args(["--protective-msdos-label", "-partition_offset", "16"])
        .args(["-append_partition", "2", "0xef"])
        .arg(&partition)
        .args(["-eltorito-alt-boot", "-e"])
        .args(["--interval:appended_partition_2:all::", "-no-emul-boot"])
        .arg(&root)
        .env("SOURCE_DATE_EPOCH", release.epoch_s.to_string());
    program::output(&mut command)?;
    Ok(fs::read(&out)?)
}

/// GRUB with the modules that it needs.
fn loader(folder: &Path, format: &str, config: &Path, more: &[&str], out: &Path) -> Result<()> {
    let mut command = Command::new(GRUB);
    command
        .args(["-O", format, "-p", "/boot/grub", "-d"])
        .arg(folder)
        .arg("-c")
        .arg(config)
        .arg("-o")
        .arg(out)
        .args(MODULES)
        .args(more);
    program::output(&mut command).map(drop)
}

/// A FAT file system with a loader where UEFI looks for one.
fn efi_partition(image: &Path, loader: &Path, release: &Release) -> Result<()> {
    fs::write(image, [])?;
    let sectors = (EFI_KIB * 2).to_string();
    let mtools = |name: &str| {
        let mut command = Command::new(name);
        command
            .env("SOURCE_DATE_EPOCH", release.epoch_s.to_string())
            .env("TZ", "UTC")
            .arg("-i")
            .arg(image);
        command
    };
    let mut format = mtools("mformat");
    format.args(["-C", "-T", &sectors, "-h", "2", "-s", "32"]);
    // A serial number of the release, where mformat would take the time.
    let number = format!("{:08x}", release.epoch_s as u32);
    program::output(format.args(["-N", &number, "::"]))?;
    program::output(mtools("mmd").args(["::/EFI", "::/EFI/BOOT"]))?;
    let mut copy = mtools("mcopy");
    copy.arg(loader).arg("::/EFI/BOOT/BOOTX64.EFI");
    program::output(&mut copy).map(drop)
}
