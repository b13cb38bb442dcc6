//! The table of signatures: a row a place and its bytes. Offsets and bytes are facts of the
//! on-disk formats, from the kernel's headers and the formats' own descriptions.

use std::io;

use crate::signature::confirm::{
    certain, has_uberblock, has_xfs_log_record, is_adaptec_raid, is_atari_table, is_core_storage,
    is_ext_journal, is_ext2, is_ext3, is_ext4, is_fat_boot_sector, is_gfs, is_gfs2,
    is_jmicron_raid, is_lvm1_label, is_lvm2_label, is_mac_table, is_md_0_90_be, is_md_0_90_le,
    is_md_1, is_nilfs2, is_partition_table, is_sgi_label, is_silicon_medley_raid, is_sun_label,
    is_via_raid,
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
    end_of(back, 512, 0)
}

const fn end_of(back: u64, align: u64, plus: u64) -> At {
    At::End { back, align, plus }
}

const KIB: u64 = 1024;
const SECTOR: u64 = 512;
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
    end_of(512 * KIB, 256 * KIB, 128 * KIB),
    end_of(256 * KIB, 256 * KIB, 128 * KIB),
];

const MD_MAGIC_LE: &[u8] = &[0xfc, 0x4e, 0x2b, 0xa9];
const MD_MAGIC_BE: &[u8] = &[0xa9, 0x2b, 0x4e, 0xfc];
const MD_0_90: &[At] = &[end_of(64 * KIB, 64 * KIB, 0)];
/// Versions 1.1, 1.2 and 1.0, in this order.
const MD_1: &[At] = &[
    At::Start(0),
    At::Start(4 * KIB),
    end_of(8 * KIB, 4 * KIB, 0),
];

/// Where Promise's controllers keep their description, in sectors before the end.
const PROMISE: &[At] = &[
    end(63 * SECTOR),
    end(255 * SECTOR),
    end(256 * SECTOR),
    end(16 * SECTOR),
    end(399 * SECTOR),
    end(591 * SECTOR),
    end(675 * SECTOR),
    end(735 * SECTOR),
    end(911 * SECTOR),
    end(974 * SECTOR),
    end(991 * SECTOR),
    end(951 * SECTOR),
    end(3087 * SECTOR),
];

/// The three copies of the private header of Windows' logical disk manager: one behind the master
/// boot record, two in the database of 1 MiB at the end of the disk or of its partition.
const LDM: &[At] = &[
    At::Start(6 * SECTOR),
    end(1024 * KIB - 1856 * SECTOR),
    end(SECTOR),
];

const LAST_SECTOR: &[At] = &[end(SECTOR)];
/// The field before the last 4 KiB that all versions of DRBD have the magic in.
const DRBD: &[At] = &[end_of(4 * KIB, 512, 60), end_of(4 * KIB, 4096, 60)];
const MINIX: &[At] = &[At::Start(KIB + 16)];
const MINIX_3: &[At] = &[At::Start(KIB + 24)];
const OCFS2: &[At] = &[
    At::Start(KIB),
    At::Start(2 * KIB),
    At::Start(4 * KIB),
    At::Start(8 * KIB),
];
/// Superblocks of UFS, by where its variants put them.
const UFS: &[At] = &[
    At::Start(1372),
    At::Start(8 * KIB + 1372),
    At::Start(64 * KIB + 1372),
    At::Start(256 * KIB + 1372),
];
/// Superblocks of System V, each in the second half of a block.
const SYSV: &[At] = &[
    At::Start(512 + 504),
    At::Start(9 * KIB + 512 + 504),
    At::Start(15 * KIB + 512 + 504),
    At::Start(18 * KIB + 512 + 504),
];
const NILFS2: &[At] = &[At::Start(KIB + 6), end_of(8 * SECTOR, 512, 6)];
/// Volume labels of DASDs: the third block, of each size that blocks have, with and without a key.
const DASD: &[At] = &[
    At::Start(KIB),
    At::Start(KIB + 4),
    At::Start(2 * KIB),
    At::Start(2 * KIB + 4),
    At::Start(4 * KIB),
    At::Start(4 * KIB + 4),
    At::Start(8 * KIB),
    At::Start(8 * KIB + 4),
];
/// Descriptors of UDF, which may follow those of ISO 9660.
const UDF: &[At] = &[
    At::Start(34 * KIB + 1),
    At::Start(36 * KIB + 1),
    At::Start(38 * KIB + 1),
    At::Start(40 * KIB + 1),
    At::Start(42 * KIB + 1),
    At::Start(44 * KIB + 1),
    At::Start(46 * KIB + 1),
    At::Start(48 * KIB + 1),
];
const STRATIS_MAGIC: &[u8] = b"!Stra0tis\x86\xff\x02^\x41rh";
/// The GUID in the boot sector of a removable disk with BitLocker, which is else that of FAT.
const BITLOCKER_TO_GO: &[u8] = &[
    0x3b, 0xd6, 0x67, 0x49, 0x29, 0x2e, 0xd8, 0x4a, 0x83, 0x99, 0xf6, 0xa3, 0x39, 0xe3, 0xd0, 0x01,
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
    row("ldm", LDM, b"PRIVHEAD"),
    row("aix", START, &[0xc9, 0xc2, 0xd4, 0xc1]),
    row_if("atari", START, b"", is_atari_table),
    row(
        "bsd",
        &[At::Start(64), At::Start(128), At::Start(512)],
        &[0x57, 0x45, 0x56, 0x82],
    ),
    row("dasd", DASD, &[0xe5, 0xd6, 0xd3, 0xf1]),
    row("dasd", DASD, &[0xd3, 0xd5, 0xe7, 0xf1]),
    row("dasd", DASD, &[0xc3, 0xd4, 0xe2, 0xf1]),
    row_if("mac", START, b"ER", is_mac_table),
    row_if("sgi", START, &[0x0b, 0xe5, 0xa9, 0x41], is_sgi_label),
    row("solaris", &[At::Start(512 + 12)], &[0xee, 0xde, 0x0d, 0x60]),
    row_if("sun", &[At::Start(508)], &[0xda, 0xbe], is_sun_label),
    row(
        "ultrix",
        &[At::Start(16312)],
        &[0x57, 0x29, 0x03, 0, 1, 0, 0, 0],
    ),
    row(
        "unixware",
        &[At::Start(29 * SECTOR + 4)],
        &[0x0d, 0x60, 0xe5, 0xca],
    ),
    row_if("mdraid", MD_1, MD_MAGIC_LE, is_md_1),
    row_if("mdraid", MD_0_90, MD_MAGIC_LE, is_md_0_90_le),
    row_if("mdraid", MD_0_90, MD_MAGIC_BE, is_md_0_90_be),
    row("isw_raid", &[end(1024)], b"Intel Raid ISM Cfg Sig. "),
    row("ddf_raid", &[end(512)], &[0xde, 0x11, 0xde, 0x11]),
    row("lsi_mega_raid", LAST_SECTOR, b"$XIDE$"),
    row_if("via_raid", LAST_SECTOR, &[0x55, 0xaa], is_via_raid),
    row_if(
        "silicon_medley_raid",
        LAST_SECTOR,
        b"",
        is_silicon_medley_raid,
    ),
    row("nvidia_raid", &[end(2 * SECTOR)], b"NVIDIA  "),
    row(
        "promise_fasttrack_raid",
        PROMISE,
        b"Promise Technology, Inc.",
    ),
    row(
        "hpt45x_raid",
        &[end(11 * SECTOR)],
        &[0xf3, 0x16, 0x78, 0x5a],
    ),
    row(
        "hpt45x_raid",
        &[end(11 * SECTOR)],
        &[0xfd, 0x16, 0x78, 0x5a],
    ),
    row("hpt37x_raid", &[At::Start(4640)], &[0xf0, 0x16, 0x78, 0x5a]),
    row("hpt37x_raid", &[At::Start(4640)], &[0xfd, 0x16, 0x78, 0x5a]),
    row_if(
        "adaptec_raid",
        LAST_SECTOR,
        &[0x37, 0xfc, 0x4d, 0x1e],
        is_adaptec_raid,
    ),
    row_if("jmicron_raid", LAST_SECTOR, b"JM", is_jmicron_raid),
    row("drbd", DRBD, &[0x83, 0x74, 0x02, 0x6b]),
    row("drbd", DRBD, &[0x83, 0x74, 0x02, 0x6c]),
    row("drbd", DRBD, &[0x83, 0x74, 0x02, 0x6d]),
    row("drbdmanage_control_volume", START, b"$DRBDmgr=q"),
    row("drbdproxy_datalog", START, b"DRBDdlh*"),
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
    row_if("lvm1", START, b"HM", is_lvm1_label),
    row("dm_snapshot_cow", START, b"SnAp"),
    row(
        "stratis",
        &[At::Start(SECTOR + 4), At::Start(9 * SECTOR + 4)],
        STRATIS_MAGIC,
    ),
    row(
        "vmfs_volume",
        &[At::Start(1024 * KIB)],
        &[0x0d, 0xd0, 0x01, 0xc0],
    ),
    row("ubi", START, b"UBI#"),
    row_if("cs_fvault2", &[At::Start(88)], b"CS", is_core_storage),
    row("luks", START, b"LUKS\xba\xbe"),
    row("luks", LUKS_SECOND, b"SKUL\xba\xbe"),
    row("bitlocker", &[At::Start(3)], b"-FVE-FS-"),
    row("bitlocker", &[At::Start(424)], BITLOCKER_TO_GO),
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
    row_if("xfs_external_log", START, b"", has_xfs_log_record),
    row("exfs", START, b"EXFS"),
    row("btrfs", &[At::Start(64 * KIB + 64)], b"_BHRfS_M"),
    row(
        "bcachefs",
        &[
            At::Start(4 * KIB + 24),
            At::Start(2048 * KIB + 24),
            end_of(1024 * KIB, 512, 24),
        ],
        BCACHEFS_MAGIC,
    ),
    row(
        "f2fs",
        &[At::Start(KIB), At::Start(5 * KIB)],
        &[0x10, 0x20, 0xf5, 0xf2],
    ),
    row("vfat", &[At::Start(54)], b"FAT12   "),
    row("vfat", &[At::Start(54)], b"FAT16   "),
    row("vfat", &[At::Start(82)], b"FAT32   "),
    row_if("vfat", &[At::Start(54)], b"MSDOS", is_fat_boot_sector),
    row_if("vfat", &[At::Start(82)], b"MSWIN", is_fat_boot_sector),
    row_if("vfat", &[At::Start(510)], &[0x55, 0xaa], is_fat_boot_sector),
    row("ntfs", &[At::Start(3)], b"NTFS    "),
    row("exfat", &[At::Start(3)], b"EXFAT   "),
    row("refs", START, b"\0\0\0ReFS\0"),
    row("hpfs", &[At::Start(8 * KIB)], &[0x49, 0xe8, 0x95, 0xf9]),
    row("hfs", &[At::Start(KIB)], b"BD"),
    row("hfsplus", &[At::Start(KIB)], b"H+"),
    row("hfsplus", &[At::Start(KIB)], b"HX"),
    row("apfs", &[At::Start(32)], b"NXSB"),
    row("jfs", &[At::Start(32 * KIB)], b"JFS1"),
    row("reiserfs", &[At::Start(64 * KIB + 52)], b"ReIsErFs"),
    row("reiserfs", &[At::Start(64 * KIB + 52)], b"ReIsEr2Fs"),
    row("reiserfs", &[At::Start(64 * KIB + 52)], b"ReIsEr3Fs"),
    row(
        "reiserfs",
        &[At::Start(8 * KIB + 52), At::Start(8 * KIB + 20)],
        b"ReIsErFs",
    ),
    row("reiser4", &[At::Start(64 * KIB)], b"ReIsEr4"),
    row_if(
        "gfs",
        &[At::Start(64 * KIB)],
        &[0x01, 0x16, 0x19, 0x70],
        is_gfs,
    ),
    row_if(
        "gfs2",
        &[At::Start(64 * KIB)],
        &[0x01, 0x16, 0x19, 0x70],
        is_gfs2,
    ),
    row(
        "scoutfs",
        &[At::Start(64 * KIB + 4)],
        &[0x8b, 0x42, 0x3c, 0x10],
    ),
    row("ocfs", &[At::Start(8 * KIB)], b"OracleCFS"),
    row("ocfs2", OCFS2, b"OCFSV2"),
    row("vmfs", &[At::Start(2048 * KIB)], &[0x5e, 0xf1, 0xab, 0x2f]),
    row_if("nilfs2", NILFS2, &[0x34, 0x34], is_nilfs2),
    row("mpool", START, b"mpoolDev"),
    row("zonefs", START, b"SFOZ"),
    row("ubifs", START, &[0x31, 0x18, 0x10, 0x06]),
    row("minix", MINIX, &[0x7f, 0x13]),
    row("minix", MINIX, &[0x8f, 0x13]),
    row("minix", MINIX, &[0x13, 0x7f]),
    row("minix", MINIX, &[0x13, 0x8f]),
    row("minix", MINIX, &[0x68, 0x24]),
    row("minix", MINIX, &[0x78, 0x24]),
    row("minix", MINIX, &[0x24, 0x68]),
    row("minix", MINIX, &[0x24, 0x78]),
    row("minix", MINIX_3, &[0x5a, 0x4d]),
    row("minix", MINIX_3, &[0x4d, 0x5a]),
    row(
        "cramfs",
        &[At::Start(0), At::Start(SECTOR)],
        &[0x45, 0x3d, 0xcd, 0x28],
    ),
    row(
        "cramfs",
        &[At::Start(0), At::Start(SECTOR)],
        &[0x28, 0xcd, 0x3d, 0x45],
    ),
    row("romfs", START, b"-rom1fs-"),
    row("bfs", START, &[0xce, 0xfa, 0xad, 0x1b]),
    row("befs", &[At::Start(32), At::Start(SECTOR + 32)], b"BFS1"),
    row("befs", &[At::Start(32), At::Start(SECTOR + 32)], b"1SFB"),
    row("vxfs", &[At::Start(KIB)], &[0xf5, 0xfc, 0x01, 0xa5]),
    row("vxfs", &[At::Start(8 * KIB)], &[0xa5, 0x01, 0xfc, 0xf5]),
    row("nss", &[At::Start(4 * KIB)], b"SPB5"),
    row("sysv", SYSV, &[0x20, 0x7e, 0x18, 0xfd]),
    row("sysv", SYSV, &[0xfd, 0x18, 0x7e, 0x20]),
    row("xenix", &[At::Start(2 * KIB)], &[0x2b, 0x55, 0x44]),
    row("xenix", &[At::Start(2 * KIB)], &[0x44, 0x55, 0x2b]),
    row("ufs", UFS, &[0x54, 0x19, 0x01, 0x00]),
    row("ufs", UFS, &[0x00, 0x01, 0x19, 0x54]),
    row("ufs", UFS, &[0x19, 0x01, 0x54, 0x19]),
    row("ufs", UFS, &[0x19, 0x54, 0x01, 0x19]),
    row("ufs", UFS, &[0x12, 0x56, 0x19, 0x00]),
    row("ufs", UFS, &[0x00, 0x19, 0x56, 0x12]),
    row("ufs", UFS, &[0x14, 0x50, 0x09, 0x00]),
    row("ufs", UFS, &[0x00, 0x09, 0x50, 0x14]),
    row("ufs", UFS, &[0x95, 0x21, 0x61, 0x00]),
    row("ufs", UFS, &[0x00, 0x61, 0x21, 0x95]),
    row("ufs", UFS, &[0x94, 0x19, 0x23, 0x05]),
    row("ufs", UFS, &[0x05, 0x23, 0x19, 0x94]),
    row("iso9660", &[At::Start(32 * KIB + 1)], b"CD001"),
    row("iso9660", &[At::Start(32 * KIB + 9)], b"CDROM"),
    row("udf", UDF, b"NSR02"),
    row("udf", UDF, b"NSR03"),
    row("squashfs", START, b"hsqs"),
    row("squashfs", START, b"sqsh"),
    row("erofs", &[At::Start(KIB)], &[0xe2, 0xe1, 0xf5, 0xe0]),
    row("swap", PAGE_ENDS, b"SWAPSPACE2"),
    row("swap", PAGE_ENDS, b"SWAP-SPACE"),
    row("swsuspend", PAGE_ENDS, b"S1SUSPEND"),
    row("swsuspend", PAGE_ENDS, b"S2SUSPEND"),
    row("swsuspend", PAGE_ENDS, b"ULSUSPEND"),
    row("swsuspend", PAGE_ENDS, b"LINHIB0001"),
    row(
        "swsuspend",
        START,
        &[0xed, 0xc3, 0x02, 0xe9, 0x98, 0x56, 0xe5, 0x0c],
    ),
];

/// Other tools' names, in lower case and without the `_member` that many end in, and ours.
pub const ALIASES: &[(&str, &str)] = &[
    ("dos", "mbr"),
    ("md", "mdraid"),
    ("linux_raid", "mdraid"),
    ("lvm", "lvm2"),
    ("luks1", "luks"),
    ("luks2", "luks"),
    ("crypto_luks", "luks"),
    ("dm_integrity", "integrity"),
    ("dm_verity_hash", "verity"),
    ("ext4dev", "ext4"),
    ("fat", "vfat"),
    ("fat16", "vfat"),
    ("fat32", "vfat"),
    ("msdos", "vfat"),
    ("squashfs3", "squashfs"),
    ("swsusp", "swsuspend"),
    ("ceph_bluestore", "bluestore"),
];
