//! Telling storage that bytes are no longer needed.

use crate::target::{OpenTarget, TargetKind};
use rustix::fs::FallocateFlags;

/// Punches a hole in a file, discards a range of a block device. It returns when that is done.
pub(crate) fn trim(target: &OpenTarget, offset: u64, len: u64) -> rustix::io::Result<()> {
    match target.kind {
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
