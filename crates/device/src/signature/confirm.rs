//! What must hold besides the bytes of a row of the table, where they alone do not decide.

use std::io;

use crate::signature::probe::Probe;

const KIB: u64 = 1024;

#[expect(
    clippy::unnecessary_wraps,
    reason = "it stands in a table of functions that read"
)]
pub(super) fn certain(_: &Probe<'_>, _: u64) -> io::Result<bool> {
    Ok(true)
}

/// The four entries of a master boot record: each active or not, at least one in use, and not
/// merely protecting a GPT or being the boot code of a file system.
pub(super) fn is_partition_table(probe: &Probe<'_>, _: u64) -> io::Result<bool> {
    const GPT_PROTECTIVE: u8 = 0xee;
    let Some(sector) = probe.read::<512>(0)? else {
        return Ok(false);
    };
    let entries: Vec<&[u8]> = sector[446..510].chunks(16).collect();
    let is_in_use = |entry: &&[u8]| entry[4] != 0 && entry[12..16] != [0; 4];
    let is_valid = entries.iter().all(|entry| matches!(entry[0], 0x00 | 0x80));
    let has_gpt = probe.has(512, b"EFI PART")? || probe.has(4 * KIB, b"EFI PART")?;
    let only_protects = has_gpt
        && entries
            .iter()
            .filter(|e| is_in_use(e))
            .all(|e| e[4] == GPT_PROTECTIVE);
    let is_boot_code = is_fat_boot_sector(probe, 0)?
        || &sector[3..11] == b"NTFS    "
        || &sector[3..11] == b"EXFAT   ";
    Ok(is_valid && entries.iter().any(is_in_use) && !only_protects && !is_boot_code)
}

/// The parameter block that FAT drivers demand, since the names at 54 and 82 are only customary.
pub(super) fn is_fat_boot_sector(probe: &Probe<'_>, _: u64) -> io::Result<bool> {
    let Some(b) = probe.read::<64>(0)? else {
        return Ok(false);
    };
    let sector_bytes = u16::from_le_bytes([b[11], b[12]]);
    let reserved = u16::from_le_bytes([b[14], b[15]]);
    Ok((b[0] == 0xe9 || (b[0] == 0xeb && b[2] == 0x90))
        && matches!(sector_bytes, 512 | 1024 | 2048 | 4096)
        && b[13].is_power_of_two()
        && reserved != 0
        && matches!(b[16], 1 | 2)
        && (b[21] == 0xf0 || b[21] >= 0xf8))
}

/// Major version 1, and the superblock says that it lies where it was found.
pub(super) fn is_md_1(probe: &Probe<'_>, offset: u64) -> io::Result<bool> {
    let version = probe.read::<4>(offset + 4)?.map(u32::from_le_bytes);
    let sector = probe.read::<8>(offset + 144)?.map(u64::from_le_bytes);
    Ok(version == Some(1) && sector == Some(offset / 512))
}

pub(super) fn is_md_0_90_le(probe: &Probe<'_>, offset: u64) -> io::Result<bool> {
    Ok(probe.read::<4>(offset + 4)?.map(u32::from_le_bytes) == Some(0))
}

pub(super) fn is_md_0_90_be(probe: &Probe<'_>, offset: u64) -> io::Result<bool> {
    Ok(probe.read::<4>(offset + 4)?.map(u32::from_be_bytes) == Some(0))
}

pub(super) fn is_lvm2_label(probe: &Probe<'_>, offset: u64) -> io::Result<bool> {
    probe.has(offset + 24, b"LVM2 001")
}

/// Any of the 128 slots of 1 KiB begins with an uberblock, in either byte order.
pub(super) fn has_uberblock(probe: &Probe<'_>, offset: u64) -> io::Result<bool> {
    const MAGIC: u64 = 0x00ba_b10c;
    let mut ring = vec![0; 128 * 1024];
    if !probe.fill(offset, &mut ring)? {
        return Ok(false);
    }
    let is_uberblock =
        |slot: &[u8]| slot[..8] == MAGIC.to_le_bytes() || slot[..8] == MAGIC.to_be_bytes();
    Ok(ring.chunks(1024).any(is_uberblock))
}

/// The feature words of an ext superblock: compatible, incompatible, read-only compatible.
pub(super) fn ext_features(probe: &Probe<'_>) -> io::Result<[u32; 3]> {
    let words = probe.read::<12>(KIB + 92)?.unwrap_or_default();
    let word = |n: usize| u32::from_le_bytes([words[n], words[n + 1], words[n + 2], words[n + 3]]);
    Ok([word(0), word(4), word(8)])
}

const EXT_HAS_JOURNAL: u32 = 0x4;
const EXT_JOURNAL_DEVICE: u32 = 0x8;
/// file types, needs recovery, meta block groups.
const EXT3_INCOMPATIBLE: u32 = 0x2 | 0x4 | 0x10;
/// sparse superblocks, large files, hashed directories.
const EXT3_READ_ONLY_COMPATIBLE: u32 = 0x1 | 0x2 | 0x4;

pub(super) fn is_ext_journal(probe: &Probe<'_>, _: u64) -> io::Result<bool> {
    Ok(ext_features(probe)?[1] & EXT_JOURNAL_DEVICE != 0)
}

pub(super) fn is_ext4(probe: &Probe<'_>, _: u64) -> io::Result<bool> {
    let [_, incompatible, read_only] = ext_features(probe)?;
    Ok(incompatible & EXT_JOURNAL_DEVICE == 0
        && (incompatible & !EXT3_INCOMPATIBLE != 0 || read_only & !EXT3_READ_ONLY_COMPATIBLE != 0))
}

pub(super) fn is_ext3(probe: &Probe<'_>, at: u64) -> io::Result<bool> {
    let has_journal = ext_features(probe)?[0] & EXT_HAS_JOURNAL != 0;
    Ok(has_journal && !is_ext4(probe, at)? && !is_ext_journal(probe, at)?)
}

pub(super) fn is_ext2(probe: &Probe<'_>, at: u64) -> io::Result<bool> {
    Ok(!is_ext3(probe, at)? && !is_ext4(probe, at)? && !is_ext_journal(probe, at)?)
}
