//! The table of signatures: a row a place and its bytes. Offsets and bytes are facts of the
//! on-disk formats, from the kernel's headers and the formats' own descriptions.

use std::io;

use crate::signature::confirm::{
    certain, has_uberblock, is_ext_journal, is_ext2, is_ext3, is_ext4, is_fat_boot_sector,
    is_lvm2_label, is_md_0_90_be, is_md_0_90_le, is_md_1, is_partition_table,
};
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
