//! The table of signatures: a row a place and its bytes. Offsets and bytes are facts of the
//! on-disk formats, from the kernel's headers and the formats' own descriptions.

use std::io;

use crate::signature::probe::Probe;

/// A place on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// Bytes from the start.
    Start(u64),
    /// `back` bytes before the end, rounded down to a multiple of `align`, then `plus` bytes on.
    End {
        /// Bytes before the end.
        back: u64,
        /// Multiple to round down to.
        align: u64,
        /// Bytes to add then.
        plus: u64,
    },
}

/// A signature: `magic` at any of the places, and what else must hold there.
pub struct SignatureRow {
    /// Name for the user.
    pub name: &'static str,
    /// Places.
    pub at: &'static [At],
    /// Bytes to find there.
    pub magic: &'static [u8],
    /// What else must hold, given the place.
    pub confirm: fn(&Probe<'_>, u64) -> io::Result<bool>,
}

const fn row(name: &'static str, at: &'static [At], magic: &'static [u8]) -> SignatureRow {
    SignatureRow {
        name,
        at,
        magic,
        confirm: certain,
    }
}

const fn row_if(
    name: &'static str,
    at: &'static [At],
    magic: &'static [u8],
    confirm: fn(&Probe<'_>, u64) -> io::Result<bool>,
) -> SignatureRow {
    SignatureRow {
        name,
        at,
        magic,
        confirm,
    }
}

const fn end(back: u64) -> At {
    At::End {
        back,
        align: 512,
        plus: 0,
    }
}

const KIB: u64 = 1024;
const START: &[At] = &[At::Start(0)];

/// Swap and hibernation mark the end of the first page, whose size differs between machines.
const PAGE_ENDS: &[At] = &[
    At::Start(4 * KIB - 10),
    At::Start(8 * KIB - 10),
    At::Start(16 * KIB - 10),
    At::Start(32 * KIB - 10),
    At::Start(64 * KIB - 10),
];

/// Second header of LUKS2, which survives a wiped first one.
const LUKS_SECOND: &[At] = &[
    At::Start(16 * KIB),
    At::Start(32 * KIB),
    At::Start(64 * KIB),
    At::Start(128 * KIB),
    At::Start(256 * KIB),
    At::Start(512 * KIB),
    At::Start(1024 * KIB),
    At::Start(2048 * KIB),
    At::Start(4096 * KIB),
];

/// The uberblock rings of the four ZFS labels of 256 KiB each, two at either end.
const ZFS_RINGS: &[At] = &[
    At::Start(128 * KIB),
    At::Start(384 * KIB),
    At::End {
        back: 512 * KIB,
        align: 256 * KIB,
        plus: 128 * KIB,
    },
    At::End {
        back: 256 * KIB,
        align: 256 * KIB,
        plus: 128 * KIB,
    },
];

const MD_MAGIC_LE: &[u8] = &[0xfc, 0x4e, 0x2b, 0xa9];
const MD_MAGIC_BE: &[u8] = &[0xa9, 0x2b, 0x4e, 0xfc];
const MD_0_90: &[At] = &[At::End {
    back: 64 * KIB,
    align: 64 * KIB,
    plus: 0,
}];
/// Versions 1.1, 1.2 and 1.0, in this order.
const MD_1: &[At] = &[
    At::Start(0),
    At::Start(4 * KIB),
    At::End {
        back: 8 * KIB,
        align: 4 * KIB,
        plus: 0,
    },
];

const BCACHE_MAGIC: &[u8] = &[
    0xc6, 0x85, 0x73, 0xf6, 0x4e, 0x1a, 0x45, 0xca, 0x82, 0x65, 0xf5, 0x7f, 0x48, 0xba, 0x6d, 0x81,
];
const BCACHEFS_MAGIC: &[u8] = &[
    0xc6, 0x85, 0x73, 0xf6, 0x66, 0xce, 0x90, 0xa9, 0xd9, 0x6a, 0x60, 0xcf, 0x80, 0x3d, 0xf7, 0xef,
];

/// Every signature known. Containers first, so that `gpt+vfat+ext4` reads from the outside in.
pub const ROWS: &[SignatureRow] = &[
    row(
        "gpt",
        &[At::Start(512), At::Start(4 * KIB), end(512), end(4 * KIB)],
        b"EFI PART",
    ),
    row_if("mbr", &[At::Start(510)], &[0x55, 0xaa], is_partition_table),
    row_if("mdraid", MD_1, MD_MAGIC_LE, is_md_1),
    row_if("mdraid", MD_0_90, MD_MAGIC_LE, is_md_0_90_le),
    row_if("mdraid", MD_0_90, MD_MAGIC_BE, is_md_0_90_be),
    row("isw_raid", &[end(1024)], b"Intel Raid ISM Cfg Sig. "),
    row("ddf_raid", &[end(512)], &[0xde, 0x11, 0xde, 0x11]),
    row_if(
        "lvm2",
        &[
            At::Start(0),
            At::Start(512),
            At::Start(1024),
            At::Start(1536),
        ],
        b"LABELONE",
        is_lvm2_label,
    ),
    row("luks", START, b"LUKS\xba\xbe"),
    row("luks", LUKS_SECOND, b"SKUL\xba\xbe"),
    row("bitlocker", &[At::Start(3)], b"-FVE-FS-"),
    row("bcache", &[At::Start(4 * KIB + 24)], BCACHE_MAGIC),
    row("vdo", START, b"dmvdo001"),
    row("integrity", START, b"integrt\0"),
    row("verity", START, b"verity\0\0"),
    row_if("zfs", ZFS_RINGS, b"", has_uberblock),
    row("bluestore", START, b"bluestore block device"),
    row("oracleasm", &[At::Start(32)], b"ORCLDISK"),
    row_if("ext4", &[At::Start(KIB + 56)], &[0x53, 0xef], is_ext4),
    row_if("ext3", &[At::Start(KIB + 56)], &[0x53, 0xef], is_ext3),
    row_if("ext2", &[At::Start(KIB + 56)], &[0x53, 0xef], is_ext2),
    row_if("jbd", &[At::Start(KIB + 56)], &[0x53, 0xef], is_ext_journal),
    row("xfs", START, b"XFSB"),
    row("btrfs", &[At::Start(64 * KIB + 64)], b"_BHRfS_M"),
    row("bcachefs", &[At::Start(4 * KIB + 24)], BCACHEFS_MAGIC),
    row(
        "f2fs",
        &[At::Start(KIB), At::Start(5 * KIB)],
        &[0x10, 0x20, 0xf5, 0xf2],
    ),
    row("vfat", &[At::Start(54)], b"FAT12   "),
    row("vfat", &[At::Start(54)], b"FAT16   "),
    row("vfat", &[At::Start(82)], b"FAT32   "),
    row_if("vfat", &[At::Start(510)], &[0x55, 0xaa], is_fat_boot_sector),
    row("ntfs", &[At::Start(3)], b"NTFS    "),
    row("exfat", &[At::Start(3)], b"EXFAT   "),
    row("apfs", &[At::Start(32)], b"NXSB"),
    row("jfs", &[At::Start(32 * KIB)], b"JFS1"),
    row("reiserfs", &[At::Start(64 * KIB + 52)], b"ReIsErFs"),
    row("reiserfs", &[At::Start(64 * KIB + 52)], b"ReIsEr2Fs"),
    row("reiserfs", &[At::Start(64 * KIB + 52)], b"ReIsEr3Fs"),
    row("gfs2", &[At::Start(64 * KIB)], &[0x01, 0x16, 0x19, 0x70]),
    row("iso9660", &[At::Start(32 * KIB + 1)], b"CD001"),
    row(
        "udf",
        &[At::Start(34 * KIB + 1), At::Start(36 * KIB + 1)],
        b"NSR02",
    ),
    row(
        "udf",
        &[At::Start(34 * KIB + 1), At::Start(36 * KIB + 1)],
        b"NSR03",
    ),
    row("squashfs", START, b"hsqs"),
    row("squashfs", START, b"sqsh"),
    row("erofs", &[At::Start(KIB)], &[0xe2, 0xe1, 0xf5, 0xe0]),
    row("swap", PAGE_ENDS, b"SWAPSPACE2"),
    row("swap", PAGE_ENDS, b"SWAP-SPACE"),
    row("swsuspend", PAGE_ENDS, b"S1SUSPEND"),
    row("swsuspend", PAGE_ENDS, b"S2SUSPEND"),
    row("swsuspend", PAGE_ENDS, b"ULSUSPEND"),
    row("swsuspend", PAGE_ENDS, b"LINHIB0001"),
];

/// Other tools' names, in lower case, and ours.
pub const ALIASES: &[(&str, &str)] = &[
    ("dos", "mbr"),
    ("md", "mdraid"),
    ("linux_raid_member", "mdraid"),
    ("isw_raid_member", "isw_raid"),
    ("ddf_raid_member", "ddf_raid"),
    ("lvm", "lvm2"),
    ("lvm2_member", "lvm2"),
    ("luks1", "luks"),
    ("luks2", "luks"),
    ("crypto_luks", "luks"),
    ("zfs_member", "zfs"),
    ("fat", "vfat"),
    ("fat16", "vfat"),
    ("fat32", "vfat"),
    ("msdos", "vfat"),
    ("swsusp", "swsuspend"),
    ("ceph_bluestore", "bluestore"),
];

#[expect(
    clippy::unnecessary_wraps,
    reason = "it stands in a table of functions that read"
)]
fn certain(_: &Probe<'_>, _: u64) -> io::Result<bool> {
    Ok(true)
}

/// The four entries of a master boot record: each active or not, at least one in use, and not
/// merely protecting a GPT or being the boot code of a file system.
fn is_partition_table(probe: &Probe<'_>, _: u64) -> io::Result<bool> {
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
fn is_fat_boot_sector(probe: &Probe<'_>, _: u64) -> io::Result<bool> {
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
fn is_md_1(probe: &Probe<'_>, offset: u64) -> io::Result<bool> {
    let version = probe.read::<4>(offset + 4)?.map(u32::from_le_bytes);
    let sector = probe.read::<8>(offset + 144)?.map(u64::from_le_bytes);
    Ok(version == Some(1) && sector == Some(offset / 512))
}

fn is_md_0_90_le(probe: &Probe<'_>, offset: u64) -> io::Result<bool> {
    Ok(probe.read::<4>(offset + 4)?.map(u32::from_le_bytes) == Some(0))
}

fn is_md_0_90_be(probe: &Probe<'_>, offset: u64) -> io::Result<bool> {
    Ok(probe.read::<4>(offset + 4)?.map(u32::from_be_bytes) == Some(0))
}

fn is_lvm2_label(probe: &Probe<'_>, offset: u64) -> io::Result<bool> {
    probe.has(offset + 24, b"LVM2 001")
}

/// Any of the 128 slots of 1 KiB begins with an uberblock, in either byte order.
fn has_uberblock(probe: &Probe<'_>, offset: u64) -> io::Result<bool> {
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
fn ext_features(probe: &Probe<'_>) -> io::Result<[u32; 3]> {
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

fn is_ext_journal(probe: &Probe<'_>, _: u64) -> io::Result<bool> {
    Ok(ext_features(probe)?[1] & EXT_JOURNAL_DEVICE != 0)
}

fn is_ext4(probe: &Probe<'_>, _: u64) -> io::Result<bool> {
    let [_, incompatible, read_only] = ext_features(probe)?;
    Ok(incompatible & EXT_JOURNAL_DEVICE == 0
        && (incompatible & !EXT3_INCOMPATIBLE != 0 || read_only & !EXT3_READ_ONLY_COMPATIBLE != 0))
}

fn is_ext3(probe: &Probe<'_>, at: u64) -> io::Result<bool> {
    let has_journal = ext_features(probe)?[0] & EXT_HAS_JOURNAL != 0;
    Ok(has_journal && !is_ext4(probe, at)? && !is_ext_journal(probe, at)?)
}

fn is_ext2(probe: &Probe<'_>, at: u64) -> io::Result<bool> {
    Ok(!is_ext3(probe, at)? && !is_ext4(probe, at)? && !is_ext_journal(probe, at)?)
}
