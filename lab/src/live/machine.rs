//! A machine in QEMU that starts the image, with one disk to measure and perhaps a stick.
//!
//! It is emulated to the last instruction (TCG), so it needs no rights and no virtualisation of the
//! host, and is slow: what it measures means nothing, that it measures is what is tried.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result};

use xtask::image::{Files, OPTIONS, network};

/// The serial number of the disk that is measured.
pub(super) const SERIAL: &str = "TARGET-0001";

/// Seconds after which a machine that has not switched itself off is ended.
const PATIENCE_S: &str = "300";

/// The same where firmware fetches the image over the network, a small piece at a time, or where
/// somebody types.
const LONG_PATIENCE_S: &str = "900";

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
    /// A BIOS starts from the network: iPXE fetches the script, kernel and initrd by TFTP.
    BiosNetwork,
    /// UEFI fetches the unified kernel image by TFTP.
    UefiNetwork,
}

impl Boot {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Kernel => "kernel, initrd",
            Self::BiosCd => "BIOS, CD",
            Self::UefiCd => "UEFI, CD",
            Self::BiosStick => "BIOS, ISO on a stick",
            Self::UefiStick => "UEFI, UKI on a stick",
            Self::BiosNetwork => "BIOS, iPXE by TFTP",
            Self::UefiNetwork => "UEFI, UKI by TFTP",
        }
    }

    const fn is_by_network(self) -> bool {
        matches!(self, Self::BiosNetwork | Self::UefiNetwork)
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
    /// The ISO image or the unified kernel image, where it starts from one with a site.
    pub(super) iso: &'a Path,
    /// What is typed on its serial console, each behind a text that it waits for; nothing where
    /// only the text is waited for.
    pub(super) typed: &'a [(String, String)],
}

/// What came of a machine.
#[derive(Debug)]
pub(super) struct Console {
    /// What its serial console said.
    pub(super) text: String,
    /// The text that was waited for in vain.
    pub(super) missing: Option<String>,
}

/// The programs that it needs, with the Debian packages that have them.
pub(super) fn missing() -> Option<&'static str> {
    if !xtask::dist::program::is_there("qemu-system-x86_64") {
        return Some("qemu-system-x86_64 is missing (package qemu-system-x86)");
    }
    (!Path::new(FIRMWARE).exists()).then_some("the firmware for UEFI is missing (package ovmf)")
}

impl Machine<'_> {
    /// Runs it until it is off, and gives what its serial console said.
    pub(super) fn run(&self, files: &Files, place: &Path) -> Result<Console> {
        let patience_s = if self.boot.is_by_network() || !self.typed.is_empty() {
            LONG_PATIENCE_S
        } else {
            PATIENCE_S
        };
        let mut command = Command::new("timeout");
        command
            .args([
                patience_s,
                "qemu-system-x86_64",
                "-accel",
                "tcg",
                "-cpu",
                "max",
            ])
            .args(["-smp", "1", "-m", MEMORY_MIB, "-nographic", "-no-reboot"])
            .args(["-monitor", "none", "-serial", "stdio", "-net", "none"])
            .args(["-device", "qemu-xhci,id=usb"])
            .arg("-drive")
            .arg(drive("target", self.disk))
            .stderr(Stdio::inherit());
        self.network(&mut command, files, place)?;
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
        let (said, missing) = conversed(&mut command, self.typed)?;
        Ok(Console {
            text: plain(&String::from_utf8_lossy(&said)),
            missing,
        })
    }

    /// A network with a card, and with a server of files where it starts from that.
    fn network(&self, command: &mut Command, files: &Files, place: &Path) -> Result<()> {
        // Without its own program no card asks for a start; UEFI has one for it.
        let plain = "virtio-net-pci,netdev=net,romfile=";
        if !self.boot.is_by_network() {
            command.args(["-netdev", "user,id=net", "-device", plain]);
            return Ok(());
        }
        let folder = place.join("tftp");
        fs::create_dir(&folder)?;
        let (first, card) = if self.boot == Boot::BiosNetwork {
            let script = self.script(files, &folder)?;
            (script, "virtio-net-pci,netdev=net,bootindex=0".to_owned())
        } else {
            symlink(self.iso, folder.join("live.efi"))?;
            ("live.efi".to_owned(), format!("{plain},bootindex=0"))
        };
        let server = format!("user,id=net,tftp={},bootfile=/{first}", folder.display());
        command.args(["-netdev", &server, "-device", &card]);
        Ok(())
    }

    /// Puts the script of iPXE with the job, kernel and initrd into a folder; its name.
    fn script(&self, files: &Files, folder: &Path) -> Result<String> {
        for ending in [".vmlinuz", ".initrd"] {
            let file = files.path(ending);
            let name = file.file_name().context("a file has a name")?;
            symlink(&file, folder.join(name))?;
        }
        let script = fs::read_to_string(files.path(".ipxe"))?;
        fs::write(
            folder.join("live.ipxe"),
            network::with_job(&script, self.words),
        )?;
        Ok("live.ipxe".to_owned())
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
            Boot::UefiStick | Boot::UefiNetwork => firmware(command, place)?,
            Boot::BiosNetwork => {}
        }
        Ok(())
    }
}

/// Runs a machine to its end and types each answer when what it waits for was said. Gives all that
/// was said, and what was waited for in vain.
fn conversed(
    command: &mut Command,
    typed: &[(String, String)],
) -> Result<(Vec<u8>, Option<String>)> {
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.context("cannot run timeout")?;
    let mut keyboard = child.stdin.take().context("it is piped")?;
    let mut screen = child.stdout.take().context("it is piped")?;
    let (mut said, mut heard) = (Vec::new(), 0);
    let mut turns = typed.iter().peekable();
    let mut some = [0; 4096];
    loop {
        while let Some((question, answer)) = turns.peek() {
            let Some(end) = end_of(&said[heard..], question.as_bytes()) else {
                break;
            };
            heard += end;
            if !answer.is_empty() {
                // A machine that has gone is missed by what it was to say.
                let _ = keyboard.write_all(format!("{answer}\r").as_bytes());
            }
            turns.next();
        }
        match screen.read(&mut some)? {
            0 => break,
            count => said.extend_from_slice(&some[..count]),
        }
    }
    child.wait()?;
    Ok((said, turns.next().map(|(question, _)| question.clone())))
}

/// Where a text ends that is among these bytes.
fn end_of(bytes: &[u8], text: &[u8]) -> Option<usize> {
    let mut windows = bytes.windows(text.len());
    windows
        .position(|some| some == text)
        .map(|at| at + text.len())
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
    fn an_answer_is_typed_when_it_is_asked_for() {
        let mut command = Command::new("sh");
        command.args([
            "-c",
            "printf 'name? '; read n; echo \"$n!\"; printf 'age? '; read a",
        ]);
        let turn = |question: &str, answer: &str| (question.to_owned(), answer.to_owned());
        let typed = [
            turn("name? ", "a\n"),
            turn("age? ", "7\n"),
            turn("more? ", ""),
        ];
        let (said, missing) = conversed(&mut command, &typed).unwrap();
        let said = String::from_utf8(said).unwrap();
        assert_eq!(
            (said.as_str(), missing),
            ("name? a!\nage? ", Some("more? ".to_owned()))
        );
    }

    #[test]
    fn what_steers_a_terminal_is_no_text() {
        assert_eq!(plain("\u{1b}c\u{1b}[?7l\u{1b}[2Ja\r\nb\u{1b}[1mc"), "a\nbc");
    }
}
