//! The unified kernel image: one program for UEFI that holds kernel, initrd and command line
//! (UAPI.5 of uapi-group.org). The stub of systemd starts the content of its sections.

use std::fs;
use std::process::Command;

use anyhow::{Context as _, Result};

use super::OPTIONS;
use super::packages::Packages;
use crate::dist::program;

const STUB: &str = "usr/lib/systemd/boot/efi/linuxx64.efi.stub";

/// Sections begin on a page.
const PAGE_BYTES: u64 = 4096;

/// Makes it.
pub(super) fn make(packages: &Packages, kernel: &[u8], initrd: &[u8]) -> Result<Vec<u8>> {
    let stub = packages.file(STUB)?;
    let place = tempfile::tempdir().context("cannot make a folder")?;
    let release = b"ID=fathom\nNAME=Fathom\nPRETTY_NAME=\"Fathom live image\"\n";
    let sections: [(&str, &[u8]); 4] = [
        (".osrel", release),
        (".cmdline", OPTIONS.as_bytes()),
        (".linux", kernel),
        (".initrd", initrd),
    ];
    let mut command = Command::new("objcopy");
    let mut address = end(&program::text(
        Command::new("objdump").arg("-h").arg(&stub),
    )?)?;
    for (name, bytes) in sections {
        let file = place.path().join(&name[1..]);
        fs::write(&file, bytes)?;
        address = address.next_multiple_of(PAGE_BYTES);
        command.arg("--add-section");
        command.arg(format!("{name}={}", file.display()));
        command.arg("--change-section-vma");
        command.arg(format!("{name}={address:#x}"));
        address += bytes.len() as u64;
    }
    let out = place.path().join("image.efi");
    command.arg(&stub).arg(&out);
    program::output(&mut command)?;
    timeless(fs::read(&out)?)
}

/// Without the time at which objcopy wrote it, 8 bytes into the header of a PE file, and without
/// the sum over all bytes that has it in it, 88 bytes into the header. Firmware checks signatures,
/// never this sum; 0 says that there is none.
fn timeless(mut program: Vec<u8>) -> Result<Vec<u8>> {
    let header = program.get(0x3c..0x40).context("no PE file")?;
    let header = u32::from_le_bytes(header.try_into()?) as usize;
    for at in [8, 88] {
        let field = program.get_mut(header + at..header + at + 4);
        field.context("no PE header")?.fill(0);
    }
    Ok(program)
}

/// Where the last section ends, in a table of objdump: index, name, size, address …
fn end(table: &str) -> Result<u64> {
    let ends = table.lines().filter_map(|line| {
        let cells: Vec<&str> = line.split_whitespace().collect();
        cells.first()?.parse::<u32>().ok()?;
        let hex = |cell: &str| u64::from_str_radix(cell, 16).ok();
        Some(hex(cells.get(2)?)? + hex(cells.get(3)?)?)
    });
    ends.max().context("the stub has no sections")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_sections_come_behind_the_last() {
        let table = "Idx Name  Size      VMA               LMA\n  \
                     0 .text 0000f9ac  0000000000005000  0000000000005000  00000400  2**4\n\
                     CONTENTS, ALLOC, LOAD, READONLY, CODE\n  \
                     1 .sbat 000000ef  0000000000030000  0000000000030000  00024a00  2**2\n";
        assert_eq!(end(table).unwrap(), 0x300ef);
    }
}
