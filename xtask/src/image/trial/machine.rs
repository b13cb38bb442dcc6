//! A machine in QEMU that starts the image, with one disk to measure and perhaps a stick.
//!
//! It is emulated to the last instruction (TCG), so it needs no rights and no virtualisation of the
//! host, and is slow: what it measures means nothing, that it measures is what is tried.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result};

use super::super::{Files, OPTIONS};

/// The serial number of the disk that is measured.
pub(super) const SERIAL: &str = "TARGET-0001";

/// Seconds after which a machine that has not switched itself off is ended.
const PATIENCE_S: &str = "300";

const MEMORY_MIB: &str = "768";

/// Firmware for UEFI and the store of its variables.
const FIRMWARE: &str = "/usr/share/OVMF/OVMF_CODE_4M.fd";
const VARIABLES: &str = "/usr/share/OVMF/OVMF_VARS_4M.fd";

/// How it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Boot {
    /// Kernel and initrd are loaded by somebody else, as over a network.
    Kernel,
    /// A BIOS starts the ISO image in a CD drive.
    BiosCd,
    /// UEFI does.
    UefiCd,
    /// A BIOS starts the ISO image from a stick that it was copied onto.
    BiosStick,
    /// UEFI starts the unified kernel image from a FAT stick.
    UefiStick,
}

impl Boot {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Kernel => "kernel, initrd",
            Self::BiosCd => "BIOS, CD",
            Self::UefiCd => "UEFI, CD",
            Self::BiosStick => "BIOS, ISO on a stick",
            Self::UefiStick => "UEFI, UKI on a stick",
        }
    }
}

/// How the disk is attached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bus {
    Virtio,
    Nvme,
    Sata,
    Scsi,
    Megasas,
    Usb,
}

impl Bus {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Virtio => "virtio-blk",
            Self::Nvme => "nvme",
            Self::Sata => "ahci",
            Self::Scsi => "virtio-scsi",
            Self::Megasas => "megasas",
            Self::Usb => "usb-storage",
        }
    }

    /// Its controller, and the disk on it.
    fn devices(self) -> Vec<String> {
        let disk = |driver: &str| format!("{driver},drive=target,serial={SERIAL}");
        match self {
            Self::Virtio => vec![disk("virtio-blk-pci")],
            Self::Nvme => vec![disk("nvme")],
            Self::Sata => vec!["ahci,id=bus".to_owned(), disk("ide-hd,bus=bus.0")],
            Self::Scsi => vec![
                "virtio-scsi-pci,id=bus".to_owned(),
                disk("scsi-hd,bus=bus.0"),
            ],
            Self::Megasas => vec!["megasas,id=bus".to_owned(), disk("scsi-hd,bus=bus.0")],
            Self::Usb => vec![disk("usb-storage,bus=usb.0")],
        }
    }
}

/// What is tried together.
#[derive(Debug)]
pub(super) struct Machine<'a> {
    pub(super) boot: Boot,
    pub(super) bus: Bus,
    pub(super) disk: &'a Path,
    /// A FAT stick; the machine starts from it where it starts from a stick.
    pub(super) stick: Option<&'a Path>,
    /// More words for the kernel, where somebody else loads it.
    pub(super) words: &'a str,
    /// The ISO image, where it starts from one.
    pub(super) iso: &'a Path,
}

/// The programs that it needs, with the Debian packages that have them.
pub(super) fn missing() -> Option<&'static str> {
    if !crate::dist::program::is_there("qemu-system-x86_64") {
        return Some("qemu-system-x86_64 is missing (package qemu-system-x86)");
    }
    (!Path::new(FIRMWARE).exists()).then_some("the firmware for UEFI is missing (package ovmf)")
}

impl Machine<'_> {
    /// Runs it until it is off, and gives what its serial console said.
    pub(super) fn run(&self, files: &Files, place: &Path) -> Result<String> {
        let mut command = Command::new("timeout");
        command
            .args([
                PATIENCE_S,
                "qemu-system-x86_64",
                "-accel",
                "tcg",
                "-cpu",
                "max",
            ])
            .args(["-smp", "1", "-m", MEMORY_MIB, "-nographic", "-no-reboot"])
            .args(["-monitor", "none", "-serial", "stdio", "-net", "none"])
            .args([
                "-netdev",
                "user,id=net",
                "-device",
                "virtio-net-pci,netdev=net,romfile=",
            ])
            .args(["-device", "qemu-xhci,id=usb"])
            .arg("-drive")
            .arg(drive("target", self.disk))
            .stdin(Stdio::null())
            .stderr(Stdio::inherit());
        for device in self.bus.devices() {
            command.args(["-device", &device]);
        }
        let first = match self.boot {
            Boot::UefiStick => ",bootindex=1",
            _ => "",
        };
        if let Some(stick) = self.stick {
            command.arg("-drive").arg(drive("stick", stick));
            let device =
                format!("usb-storage,bus=usb.0,drive=stick,removable=on,serial=STICK{first}");
            command.args(["-device", &device]);
        }
        self.start(&mut command, files, place)?;
        let output = command.output().context("cannot run timeout")?;
        Ok(plain(&String::from_utf8_lossy(&output.stdout)))
    }

    /// What it starts from.
    fn start(&self, command: &mut Command, files: &Files, place: &Path) -> Result<()> {
        match self.boot {
            Boot::Kernel => {
                command.arg("-kernel").arg(files.path(".vmlinuz"));
                command.arg("-initrd").arg(files.path(".initrd"));
                command.arg("-append");
                command.arg(format!("{OPTIONS} {}", self.words));
            }
            Boot::BiosCd => {
                command.arg("-cdrom").arg(self.iso);
            }
            Boot::UefiCd => {
                firmware(command, place)?;
                command.arg("-cdrom").arg(self.iso);
            }
            Boot::BiosStick => {
                command.arg("-drive").arg(drive("iso", self.iso));
                let device = "usb-storage,bus=usb.0,drive=iso,removable=on,serial=ISO,bootindex=1";
                command.args(["-device", device]);
            }
            Boot::UefiStick => firmware(command, place)?,
        }
        Ok(())
    }
}

fn drive(id: &str, file: &Path) -> String {
    format!("if=none,id={id},format=raw,file={}", file.display())
}

fn firmware(command: &mut Command, place: &Path) -> Result<()> {
    let variables: PathBuf = place.join("variables.fd");
    fs::copy(VARIABLES, &variables)?;
    let flash = |options: &str, file: &str| format!("if=pflash,format=raw{options},file={file}");
    command.args(["-machine", "q35"]);
    command.args(["-drive", &flash(",readonly=on", FIRMWARE)]);
    command.args(["-drive", &flash("", &variables.to_string_lossy())]);
    Ok(())
}

/// Text without what a terminal is steered with.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\u{1b}' => {
                // A sequence ends with a letter; one without a bracket is a letter long.
                if letters.next() == Some('[') {
                    for letter in letters.by_ref() {
                        if letter.is_ascii_alphabetic() {
                            break;
                        }
                    }
                }
            }
            '\r' => {}
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_no_text() {
        assert_eq!(plain("\u{1b}c\u{1b}[?7l\u{1b}[2Ja\r\nb\u{1b}[1mc"), "a\nbc");
    }
}
