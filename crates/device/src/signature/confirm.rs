//! Further conditions for rows of the table whose bytes alone do not decide.

use std::io;

use crate::signature::probe::Probe;

const KIB: u64 = 1024;

#[expect(
    clippy::unnecessary_wraps,
    reason = "a table holds the functions that read"
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

pub(super) fn is_lvm1_label(probe: &Probe<'_>, offset: u64) -> io::Result<bool> {
    let version = probe.read::<2>(offset + 2)?.map(u16::from_le_bytes);
    Ok(matches!(version, Some(1 | 2)))
}

/// Blocks of the type that FileVault's volumes are described by.
pub(super) fn is_core_storage(probe: &Probe<'_>, _: u64) -> io::Result<bool> {
    probe.has(10, &[0x10, 0])
}

/// The superblock says how long it is.
pub(super) fn is_nilfs2(probe: &Probe<'_>, offset: u64) -> io::Result<bool> {
    let length = probe.read::<2>(offset + 2)?.map(u16::from_le_bytes);
    Ok(length.is_some_and(|length| (0x40..=1024).contains(&length)))
}

const GFS_FORMAT: u32 = 1309;

fn gfs_format(probe: &Probe<'_>, offset: u64) -> io::Result<Option<u32>> {
    Ok(probe.read::<4>(offset + 24)?.map(u32::from_be_bytes))
}

pub(super) fn is_gfs(probe: &Probe<'_>, offset: u64) -> io::Result<bool> {
    Ok(gfs_format(probe, offset)? == Some(GFS_FORMAT))
}

pub(super) fn is_gfs2(probe: &Probe<'_>, offset: u64) -> io::Result<bool> {
    Ok(gfs_format(probe, offset)? != Some(GFS_FORMAT))
}

/// A log of XFS on a device of its own begins anywhere in its first 256 KiB.
pub(super) fn has_xfs_log_record(probe: &Probe<'_>, _: u64) -> io::Result<bool> {
    const MAGIC: &[u8] = &[0xfe, 0xed, 0xba, 0xbe];
    let mut log = vec![0; 256 * 1024];
    if !probe.fill(0, &mut log)? {
        return Ok(false);
    }
    let number = |sector: &[u8], at: usize| {
        sector[at..at + 4]
            .iter()
            .fold(0_u32, |n, b| n << 8 | u32::from(*b))
    };
    let is_record = |sector: &[u8]| {
        sector.starts_with(MAGIC)
            && matches!(number(sector, 8), 1 | 2)
            && matches!(number(sector, 300), 1..=3)
    };
    Ok(log.chunks(512).any(is_record))
}

/// One of the four entries is there and of a type of that system.
pub(super) fn is_atari_table(probe: &Probe<'_>, _: u64) -> io::Result<bool> {
    let Some(sector) = probe.read::<512>(0)? else {
        return Ok(false);
    };
    let mut entries = sector[0x1c6..0x1f6].chunks(12);
    Ok(entries.any(|entry| {
        entry[0] & 0x7f == 1
            && matches!(
                &entry[1..4],
                b"GEM" | b"BGM" | b"XGM" | b"LNX" | b"SWP" | b"RAW"
            )
    }))
}

/// The block behind the driver descriptor is an entry of the partition map.
pub(super) fn is_mac_table(probe: &Probe<'_>, _: u64) -> io::Result<bool> {
    for block_bytes in [512, 1024, 2048, 4096] {
        if probe.has(block_bytes, b"PM\0\0")? || probe.has(block_bytes, b"TS\0\0")? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The words of the label add up to nothing.
pub(super) fn is_sgi_label(probe: &Probe<'_>, _: u64) -> io::Result<bool> {
    let Some(label) = probe.read::<512>(0)? else {
        return Ok(false);
    };
    let words = label
        .chunks(4)
        .map(|w| u32::from_be_bytes([w[0], w[1], w[2], w[3]]));
    Ok(words.fold(0, u32::wrapping_add) == 0)
}

/// The words of the label cancel out.
pub(super) fn is_sun_label(probe: &Probe<'_>, _: u64) -> io::Result<bool> {
    let Some(label) = probe.read::<512>(0)? else {
        return Ok(false);
    };
    let words = label.chunks(2).map(|w| u16::from_be_bytes([w[0], w[1]]));
    Ok(words.fold(0, |sum, word| sum ^ word) == 0)
}

/// The sum of the bytes before it.
pub(super) fn is_via_raid(probe: &Probe<'_>, offset: u64) -> io::Result<bool> {
    let block = probe.read::<51>(offset)?.unwrap_or([1; 51]);
    let sum = block[..50]
        .iter()
        .fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
    Ok(block[2] <= 2 && sum == block[50])
}

/// Magic and sum of a sector.
pub(super) fn is_silicon_medley_raid(probe: &Probe<'_>, offset: u64) -> io::Result<bool> {
    const SUM_AT: usize = 0x13e;
    let block = probe.read::<0x140>(offset)?.unwrap_or([0; 0x140]);
    let words = block[..SUM_AT]
        .chunks(2)
        .map(|w| u16::from_le_bytes([w[0], w[1]]));
    let sum = words.fold(0, u16::wrapping_add).wrapping_neg();
    Ok(block[0x60..0x64] == [0, 0, 0, 0x2f] && sum.to_le_bytes() == block[SUM_AT..])
}

pub(super) fn is_adaptec_raid(probe: &Probe<'_>, offset: u64) -> io::Result<bool> {
    probe.has(offset + 256, b"DPTM")
}

/// The words of the description add up to nothing, or to one.
pub(super) fn is_jmicron_raid(probe: &Probe<'_>, offset: u64) -> io::Result<bool> {
    let block = probe.read::<128>(offset)?.unwrap_or([7; 128]);
    let words = block.chunks(2).map(|w| u16::from_le_bytes([w[0], w[1]]));
    Ok(words.fold(0, u16::wrapping_add) <= 1)
}
