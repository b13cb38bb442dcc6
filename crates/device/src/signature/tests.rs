//! Every row of the table is written to a blank device of 16 MiB, at each of its places, and must
//! be found there and nothing else.

use fathom_platform::unix::fs::FileExt as _;
use std::fs::File;

use super::probe::{Extent, Signature, canonical_name, detect, join};
use super::table::{ALIASES, At, ROWS};

const SIZE_BYTES: u64 = 16 << 20;

fn blank() -> File {
    let file = tempfile::tempfile().unwrap();
    file.set_len(SIZE_BYTES).unwrap();
    file
}

/// A device with these bytes at these offsets.
fn device(writes: &[(u64, &[u8])]) -> File {
    let file = blank();
    for (offset, bytes) in writes {
        file.write_all_at(bytes, *offset).unwrap();
    }
    file
}

fn found(file: &File) -> Vec<(&'static str, u64)> {
    let all = detect(file, Extent::whole(SIZE_BYTES)).unwrap();
    all.iter()
        .map(|signature| (signature.name, signature.offset_bytes))
        .collect()
}

/// Rows whose bytes alone do not decide are tried one by one below.
const CONDITIONAL: &[&str] = &[
    "mbr",
    "mdraid",
    "lvm1",
    "lvm2",
    "zfs",
    "ext2",
    "ext3",
    "ext4",
    "jbd",
    "atari",
    "mac",
    "sgi",
    "sun",
    "via_raid",
    "silicon_medley_raid",
    "adaptec_raid",
    "jmicron_raid",
    "cs_fvault2",
    "nilfs2",
    "gfs",
    "xfs_external_log",
];

#[test]
fn every_unconditional_row_is_found_at_every_place() {
    for row in ROWS.iter().filter(|row| !CONDITIONAL.contains(&row.name)) {
        if [&[0x55, 0xaa][..], b"MSDOS", b"MSWIN"].contains(&row.magic) {
            continue;
        }
        for at in row.at {
            let offset = match *at {
                At::Start(offset) => offset,
                At::End { back, align, plus } => (SIZE_BYTES - back) / align * align + plus,
            };
            let file = device(&[(offset, row.magic)]);
            assert_eq!(
                found(&file),
                [(row.name, offset)],
                "{} at {offset}",
                row.name
            );
        }
    }
}

#[test]
fn a_blank_device_and_a_tiny_one_carry_nothing() {
    assert_eq!(found(&blank()), []);
    assert_eq!(detect(&blank(), Extent::whole(0)).unwrap(), []);
    assert_eq!(detect(&blank(), Extent::whole(512)).unwrap(), []);
}

#[test]
fn a_device_shorter_than_it_said_is_an_error() {
    assert!(detect(&blank(), Extent::whole(SIZE_BYTES * 2)).is_err());
}

#[test]
fn ext_is_told_apart_by_its_features() {
    let ext = |compatible: u32, incompatible: u32, read_only: u32| {
        let words = [compatible, incompatible, read_only]
            .map(u32::to_le_bytes)
            .concat();
        found(&device(&[(1024 + 56, &[0x53, 0xef]), (1024 + 92, &words)]))
    };
    assert_eq!(ext(0, 0x2, 0x3), [("ext2", 1080)]);
    assert_eq!(ext(0x4, 0x2, 0x3), [("ext3", 1080)]);
    assert_eq!(ext(0x4, 0x6, 0x3), [("ext3", 1080)]);
    assert_eq!(ext(0x4, 0x2c2, 0x46b), [("ext4", 1080)]);
    assert_eq!(ext(0x0, 0x242, 0x3), [("ext4", 1080)]);
    assert_eq!(ext(0x0, 0x8, 0x0), [("jbd", 1080)]);
}

/// Zeros with these parts in them.
fn block(len: usize, parts: &[(usize, &[u8])]) -> Vec<u8> {
    let mut block = vec![0; len];
    for (at, part) in parts {
        block[*at..*at + part.len()].copy_from_slice(part);
    }
    block
}

/// Puts the word there that makes the words before it and itself add up to nothing.
fn sum(bytes: &mut [u8], at: usize) {
    let words = bytes[..at]
        .chunks(2)
        .map(|w| u16::from_le_bytes([w[0], w[1]]));
    let sum = words.fold(0, u16::wrapping_add).wrapping_neg();
    bytes[at..at + 2].copy_from_slice(&sum.to_le_bytes());
}

/// What a few rows demand besides their bytes: with it they are found, and without it not.
#[test]
fn conditions_decide_where_bytes_do_not() {
    let last = SIZE_BYTES - 512;
    let mut medley = block(512, &[(0x60, &[0, 0, 0, 0x2f]), (0x36, b"name")]);
    sum(&mut medley, 0x13e);
    let mut jmicron = block(128, &[(0, b"JM")]);
    sum(&mut jmicron, 126);
    let mut via = block(51, &[(0, &[0x55, 0xaa, 2])]);
    via[50] = 0x55_u8.wrapping_add(0xaa).wrapping_add(2);
    let mut sun = block(512, &[(0, b"label"), (508, &[0xda, 0xbe])]);
    let words = sun.chunks(2).map(|w| u16::from_be_bytes([w[0], w[1]]));
    let rest = words.fold(0, |all, word| all ^ word).to_be_bytes();
    sun[510..].copy_from_slice(&rest);
    let mut sgi = block(512, &[(0, &[0x0b, 0xe5, 0xa9, 0x41])]);
    sgi[504..508].copy_from_slice(&0x0be5_a941_u32.wrapping_neg().to_be_bytes());
    let gfs = |format: u32| {
        block(
            32,
            &[(0, &[0x01, 0x16, 0x19, 0x70]), (24, &format.to_be_bytes())],
        )
    };
    let log = block(
        512,
        &[
            (0, &[0xfe, 0xed, 0xba, 0xbe]),
            (8, &[0, 0, 0, 2]),
            (300, &[0, 0, 0, 1]),
        ],
    );
    let cases: [(&str, u64, Vec<u8>, usize); 14] = [
        ("silicon_medley_raid", last, medley, 0x36),
        ("jmicron_raid", last, jmicron, 126),
        ("via_raid", last, via, 50),
        (
            "adaptec_raid",
            last,
            block(260, &[(0, &[0x37, 0xfc, 0x4d, 0x1e]), (256, b"DPTM")]),
            256,
        ),
        ("sun", 0, sun, 0),
        ("sgi", 0, sgi, 504),
        ("mac", 0, block(516, &[(0, b"ER"), (512, b"PM\0\0")]), 512),
        ("atari", 0, block(512, &[(0x1c6, b"\x01GEM")]), 0x1c7),
        ("lvm1", 0, block(8, &[(0, b"HM\x01\0")]), 2),
        (
            "cs_fvault2",
            0,
            block(90, &[(10, &[0x10, 0]), (88, b"CS")]),
            10,
        ),
        ("nilfs2", 1024, block(16, &[(6, &[0x34, 0x34, 0x18, 1])]), 9),
        ("gfs", 64 << 10, gfs(1309), 0),
        ("gfs2", 64 << 10, gfs(1801), 0),
        ("xfs_external_log", 4096, log, 300),
    ];
    let names = |at: u64, bytes: &[u8]| {
        let found = found(&device(&[(at, bytes)]));
        found.iter().map(|(name, _)| *name).collect::<Vec<_>>()
    };
    for (name, at, mut bytes, decisive) in cases {
        assert_eq!(names(at, &bytes), [name]);
        bytes[decisive] ^= 0x55;
        assert_eq!(names(at, &bytes), [""; 0], "{name}");
    }
}

/// All that the installed blkid can name has a name here.
#[test]
fn every_name_of_blkid_is_understood() {
    let listed = match std::process::Command::new("blkid").arg("-k").output() {
        Ok(listed) => String::from_utf8(listed.stdout).unwrap(),
        Err(error) => return fathom_testing::skip(format_args!("no blkid: {error}")),
    };
    let unknown: Vec<&str> = listed
        .lines()
        .filter(|name| canonical_name(name).is_none())
        .collect();
    assert_eq!(unknown, [""; 0]);
}

fn md_1(offset: u64) -> Vec<u8> {
    let mut superblock = vec![0; 256];
    superblock[..4].copy_from_slice(&[0xfc, 0x4e, 0x2b, 0xa9]);
    superblock[4] = 1;
    superblock[144..152].copy_from_slice(&(offset / 512).to_le_bytes());
    superblock
}

#[test]
fn every_md_version_is_found() {
    for offset in [0, 4096, SIZE_BYTES - 8192] {
        assert_eq!(
            found(&device(&[(offset, &md_1(offset))])),
            [("mdraid", offset)]
        );
    }
    // A copy of a superblock at another place is not one.
    assert_eq!(found(&device(&[(4096, &md_1(0))])), []);
    let at = SIZE_BYTES - 65536;
    let old = [0xfc, 0x4e, 0x2b, 0xa9, 0, 0, 0, 0, 90];
    assert_eq!(found(&device(&[(at, &old)])), [("mdraid", at)]);
    let swapped = [0xa9, 0x2b, 0x4e, 0xfc, 0, 0, 0, 0, 0, 0, 0, 90];
    assert_eq!(found(&device(&[(at, &swapped)])), [("mdraid", at)]);
}

#[test]
fn lvm_needs_both_its_words() {
    let mut label = b"LABELONE".to_vec();
    label.resize(24, 7);
    label.extend(b"LVM2 001");
    assert_eq!(found(&device(&[(512, &label)])), [("lvm2", 512)]);
    assert_eq!(found(&device(&[(512, b"LABELONE")])), []);
}

#[test]
fn any_slot_of_any_zfs_label_counts() {
    let uberblock = 0x00ba_b10c_u64;
    for label in [
        0,
        256 << 10,
        SIZE_BYTES - (512 << 10),
        SIZE_BYTES - (256 << 10),
    ] {
        let ring = label + (128 << 10);
        for bytes in [uberblock.to_le_bytes(), uberblock.to_be_bytes()] {
            assert_eq!(
                found(&device(&[(ring + 127 * 1024, &bytes)])),
                [("zfs", ring)]
            );
        }
    }
}

const ACTIVE_LINUX: [u8; 16] = [
    0x80, 0, 2, 0, 0x83, 0xff, 0xff, 0xff, 0, 8, 0, 0, 0, 0x70, 0, 0,
];

#[test]
fn a_partition_table_is_not_mistaken() {
    let sector_end: (u64, &[u8]) = (510, &[0x55, 0xaa]);
    assert_eq!(found(&device(&[sector_end])), []);
    assert_eq!(
        found(&device(&[sector_end, (446, &ACTIVE_LINUX)])),
        [("mbr", 510)]
    );
    // An entry that is neither active nor not is code.
    let code: (u64, &[u8]) = (462, &[0x12]);
    assert_eq!(
        found(&device(&[sector_end, (446, &ACTIVE_LINUX), code])),
        []
    );

    let mut protective = ACTIVE_LINUX;
    (protective[0], protective[4]) = (0, 0xee);
    let header: (u64, &[u8]) = (512, b"EFI PART");
    assert_eq!(
        found(&device(&[sector_end, (446, &protective), header])),
        [("gpt", 512)]
    );
    assert_eq!(
        found(&device(&[sector_end, (446, &protective)])),
        [("mbr", 510)]
    );
    let hybrid: (u64, &[u8]) = (462, &ACTIVE_LINUX);
    assert_eq!(
        found(&device(&[sector_end, (446, &protective), hybrid, header])),
        [("gpt", 512), ("mbr", 510)]
    );
}

#[test]
fn fat_is_found_without_its_customary_name() {
    let mut boot = vec![0_u8; 512];
    boot[..3].copy_from_slice(&[0xeb, 0x3c, 0x90]);
    boot[11..13].copy_from_slice(&512_u16.to_le_bytes());
    (boot[13], boot[14], boot[16], boot[21]) = (4, 1, 2, 0xf8);
    boot[446..462].copy_from_slice(&ACTIVE_LINUX);
    boot[510..].copy_from_slice(&[0x55, 0xaa]);
    assert_eq!(found(&device(&[(0, &boot)])), [("vfat", 510)]);
}

#[test]
fn a_partition_is_read_at_its_own_offsets() {
    let file = device(&[((1 << 20) + 64 * 1024 + 64, b"_BHRfS_M")]);
    let extent = Extent {
        start_bytes: 1 << 20,
        size_bytes: 8 << 20,
    };
    let expected = Signature {
        name: "btrfs",
        offset_bytes: 64 * 1024 + 64,
    };
    assert_eq!(detect(&file, extent).unwrap(), [expected]);
    assert_eq!(found(&file), []);
}

#[test]
fn names_are_understood_and_joined() {
    let name = |text| canonical_name(text);
    assert_eq!(name("EXT4"), Some("ext4"));
    assert_eq!(name("LVM2_member"), Some("lvm2"));
    assert_eq!(name("crypto_LUKS"), Some("luks"));
    assert_eq!(name("linux_raid_member"), Some("mdraid"));
    assert_eq!(name("ext5"), None);
    for (alias, to) in ALIASES {
        assert_eq!((name(alias), name(to)), (Some(*to), Some(*to)));
    }
    let at = |name, offset_bytes| Signature { name, offset_bytes };
    assert_eq!(
        join(&[at("gpt", 512), at("vfat", 54), at("gpt", 4096)]),
        "gpt+vfat"
    );
    assert_eq!(join(&[]), "");
}
