//! Signatures that are planted by hand where no program of the system is needed for them.

use crate::siege::lab::contents::{DEVICE, noise};

/// Noise with these bytes at these places.
fn planted(seed: u64, marks: &[(usize, &[u8])]) -> Vec<u8> {
    let mut bytes = noise(seed, DEVICE);
    for (at, mark) in marks {
        bytes[*at..*at + mark.len()].copy_from_slice(mark);
    }
    bytes
}

pub(crate) fn lvm_physical_volume() -> Vec<u8> {
    planted(1, &[(512, b"LABELONE"), (512 + 24, b"LVM2 001")])
}

/// A member of an array, version 1.2.
pub(crate) fn md_member() -> Vec<u8> {
    let magic = 0xa92b_4efc_u32.to_le_bytes();
    planted(
        2,
        &[
            (4096, &magic),
            (4100, &1_u32.to_le_bytes()),
            (4096 + 144, &8_u64.to_le_bytes()),
        ],
    )
}

pub(crate) fn luks() -> Vec<u8> {
    planted(3, &[(0, b"LUKS\xba\xbe\0\x02")])
}

pub(crate) fn swap_area() -> Vec<u8> {
    planted(4, &[(4096 - 10, b"SWAPSPACE2")])
}

/// The second header of LUKS, when the first is wiped.
pub(crate) fn luks_without_first() -> Vec<u8> {
    planted(5, &[(16 * 1024, b"SKUL\xba\xbe\0\x02")])
}

/// A member of a ZFS pool: an uberblock in its first ring.
pub(crate) fn zfs_member() -> Vec<u8> {
    planted(6, &[(128 * 1024, &0x00ba_b10c_u64.to_le_bytes())])
}
