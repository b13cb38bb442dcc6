//! Telling storage that bytes are no longer needed.

use crate::target::{OpenTarget, TargetKind};
use rustix::fs::FallocateFlags;
use rustix::io::Errno;

/// Punches a hole in a file, discards a range of a block device or, of no length, resets the zone
/// there. It returns when that is done.
pub(crate) fn trim(target: &OpenTarget, offset: u64, len: u64) -> rustix::io::Result<()> {
    match target.kind {
        TargetKind::BlockDevice if len == 0 => reset(target, offset),
        TargetKind::BlockDevice => discard(target, offset, len),
        TargetKind::File
        | TargetKind::Directory
        | TargetKind::CharDevice
        | TargetKind::NvmeNamespace => {
            let hole = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
            rustix::fs::fallocate(&target.fd, hole, offset, len)
        }
    }
}

fn discard(target: &OpenTarget, offset: u64, len: u64) -> rustix::io::Result<()> {
    /// `BLKDISCARD` of `linux/fs.h`: two numbers, offset and length in bytes.
    const BLKDISCARD: rustix::ioctl::Opcode = rustix::ioctl::opcode::none(0x12, 119);
    // SAFETY: the operation reads two `u64` and writes no memory of this process.
    let ask = unsafe { rustix::ioctl::Setter::<BLKDISCARD, [u64; 2]>::new([offset, len]) };
    // SAFETY: `ask` has what the operation reads; what it discards is what the caller wants
    // discarded.
    unsafe { rustix::ioctl::ioctl(&target.fd, ask) }
}

/// Resets the zone that begins at an offset: it is empty then.
fn reset(target: &OpenTarget, offset: u64) -> rustix::io::Result<()> {
    /// `BLKRESETZONE` of `linux/blkzoned.h`: first sector and number of sectors, of 512 bytes.
    const BLKRESETZONE: rustix::ioctl::Opcode = rustix::ioctl::opcode::write::<[u64; 2]>(0x12, 131);
    let zone_bytes = target.zone_bytes.ok_or(Errno::INVAL)?;
    // The last zone of a device may be shorter.
    let bytes = zone_bytes.min(target.size_bytes.saturating_sub(offset));
    let range = [offset / 512, bytes / 512];
    // SAFETY: the operation reads two `u64` and writes no memory of this process.
    let ask = unsafe { rustix::ioctl::Setter::<BLKRESETZONE, [u64; 2]>::new(range) };
    // SAFETY: `ask` has what the operation reads; what it empties is what the caller wants empty.
    unsafe { rustix::ioctl::ioctl(&target.fd, ask) }
}
