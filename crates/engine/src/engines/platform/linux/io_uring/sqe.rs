//! Requests in the kernel's form: 64 bytes, written straight into the submission queue.

use super::form::RingForm;
use super::hybrid;
use super::setup::has_discard;
use crate::config::EngineConfig;
use crate::engines::platform::linux::probe;
use crate::error::EngineError;
use crate::io::{Completion, Submission};
use crate::target::{OpenTarget, TargetKind};
use fathom_core::{EngineKind, Op};
use io_uring::{IoUring, cqueue, squeue};
use std::sync::Arc;

/// A submission queue entry (`struct io_uring_sqe`) as eight words:
/// 0 operation, flags, priority and file; 1 offset; 2 address; 3 length and flags of the
/// operation; 4 user data; 5 index of the buffer; 6 second address; 7 unused.
pub(super) type RingEntry = [u64; 8];

mod opcode {
    pub(super) const FSYNC: u64 = 3;
    /// No operation of any kernel.
    pub(super) const UNKNOWN: u64 = 255;
    pub(super) const READ_FIXED: u64 = 4;
    pub(super) const WRITE_FIXED: u64 = 5;
    pub(super) const FALLOCATE: u64 = 17;
    pub(super) const READ: u64 = 22;
    pub(super) const WRITE: u64 = 23;
    pub(super) const URING_CMD: u64 = 46;
}

const FIXED_FILE: u64 = 1 << 8;
/// Have a kernel worker issue the request, which may wait.
const ASYNC: u64 = 1 << 12;
const DATASYNC: u64 = 1 << 32;
const PUNCH_HOLE_KEEP_SIZE: u64 = 0b11;
/// `BLOCK_URING_CMD_DISCARD`.
const DISCARD: u64 = 0x12 << 8;

/// What does not change from one request to the next.
#[derive(Debug)]
pub struct Encoder {
    targets: Box<[Target]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Target {
    /// File and its flag, in their places of word 0.
    file: u64,
    /// The same with the operation.
    read: u64,
    write: u64,
    /// Trims are discards of a block device, not holes of a file.
    discards: bool,
}

impl Encoder {
    /// `fixed_files`: targets are registered, in order. `discards`: the kernel has a command
    /// for discarding ranges of block devices.
    pub(super) fn new(
        targets: &[std::sync::Arc<OpenTarget>],
        fixed_buffers: bool,
        fixed_files: bool,
        discards: bool,
    ) -> Self {
        use std::os::fd::AsRawFd as _;
        let (read, write) = if fixed_buffers {
            (opcode::READ_FIXED, opcode::WRITE_FIXED)
        } else {
            (opcode::READ, opcode::WRITE)
        };
        let of = |(index, target): (usize, &std::sync::Arc<OpenTarget>)| {
            let file = if fixed_files {
                ((index as u64) << 32) | FIXED_FILE
            } else {
                (target.fd.as_raw_fd() as u64) << 32
            };
            Target {
                file,
                read: read | file,
                write: write | file,
                discards: discards && target.kind == TargetKind::BlockDevice,
            }
        };
        Self {
            targets: targets.iter().enumerate().map(of).collect(),
        }
    }

    /// The entry for a read or write, whose buffer is at `address`.
    #[inline]
    fn transfer(&self, io: &Submission, address: *mut u8) -> RingEntry {
        let target = &self.targets[usize::from(io.target)];
        let slot = u64::from(io.slot);
        let head = if io.op == Op::Write {
            target.write
        } else {
            target.read
        };
        let what = u64::from(io.len);
        [head, io.offset, address as u64, what, slot, slot, 0, 0]
    }

    /// The entry for any request.
    fn encode(&self, io: &Submission, address: *mut u8) -> RingEntry {
        if Self::is_seldom(io.op) {
            seldom(io, &self.targets[usize::from(io.target)])
        } else {
            self.transfer(io, address)
        }
    }
}

impl RingForm for Encoder {
    const KIND: EngineKind = EngineKind::IoUring;
    type Entry = squeue::Entry;
    type Answer = cqueue::Entry;

    fn available() -> Result<(), String> {
        probe::io_uring()
    }

    fn over(
        _: &EngineConfig,
        targets: &[Arc<OpenTarget>],
        fixed_buffers: bool,
        fixed_files: bool,
    ) -> Result<Self, EngineError> {
        Ok(Self::new(
            targets,
            fixed_buffers,
            fixed_files,
            has_discard(),
        ))
    }

    fn hybrid(ring: &IoUring) -> Result<IoUring, String> {
        hybrid::like(ring)
    }

    #[inline]
    fn is_seldom(op: Op) -> bool {
        !matches!(op, Op::Read | Op::Write)
    }

    #[expect(
        clippy::inline_always,
        reason = "per request; a call costs a tenth of the work"
    )]
    #[inline(always)]
    fn entry(&mut self, io: &Submission, address: *mut u8) -> squeue::Entry {
        let words = self.transfer(io, address);
        // SAFETY: an entry is plain data of this size, and every pattern of bits is one.
        unsafe { std::mem::transmute::<RingEntry, squeue::Entry>(words) }
    }

    fn seldom(&mut self, io: &Submission, address: *mut u8) -> squeue::Entry {
        let words = self.encode(io, address);
        // SAFETY: an entry is plain data of this size, and every pattern of bits is one.
        unsafe { std::mem::transmute::<RingEntry, squeue::Entry>(words) }
    }

    #[inline]
    fn completion(answer: &cqueue::Entry) -> Completion {
        Completion {
            slot: answer.user_data() as u32,
            result: answer.result(),
        }
    }
}

/// Trims and flushes.
fn seldom(io: &Submission, target: &Target) -> RingEntry {
    let file = target.file;
    let slot = u64::from(io.slot);
    let len = u64::from(io.len);
    match io.op {
        Op::Trim if target.discards => {
            // Issued at once it must not wait, and a device that cannot promise that (a memory
            // disk, some stacked devices) refuses it outright.
            let head = opcode::URING_CMD | ASYNC | file;
            [head, DISCARD, io.offset, 0, slot, 0, len, 0]
        }
        Op::Trim => {
            let head = opcode::FALLOCATE | file;
            [head, io.offset, len, PUNCH_HOLE_KEEP_SIZE, slot, 0, 0, 0]
        }
        Op::Create | Op::Stat | Op::Rename | Op::Unlink => {
            // The kernel refuses what it does not know.
            [opcode::UNKNOWN | file, 0, 0, 0, slot, 0, 0, 0]
        }
        Op::Read | Op::Write | Op::Flush => {
            let flags = if io.data_only { DATASYNC } else { 0 };
            [opcode::FSYNC | file, 0, 0, flags, slot, 0, 0, 0]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::OpenOptions;
    use io_uring::{opcode as reference, squeue::Entry, types};
    use std::os::fd::AsRawFd as _;
    use std::path::Path;

    fn words(entry: Entry) -> RingEntry {
        // SAFETY: an entry is plain data of this size, all of it initialised.
        unsafe { std::mem::transmute::<Entry, RingEntry>(entry) }
    }

    fn submission(op: Op) -> Submission {
        Submission {
            offset: 0x0123_4567_89ab_c000,
            slot: 7,
            len: 4096,
            target: 1,
            op,
            data_only: false,
        }
    }

    /// Two targets, and the file of the second.
    fn targets() -> (Vec<Arc<OpenTarget>>, i32) {
        let open = || {
            let target = OpenTarget::open(Path::new("/dev/null"), &OpenOptions::default());
            Arc::new(target.expect("the null device"))
        };
        let targets = vec![open(), open()];
        let fd = targets[1].fd.as_raw_fd();
        (targets, fd)
    }

    #[test]
    fn entries_are_those_of_the_library() {
        let (targets, fd) = targets();
        let address = 0x7000_0000_1000_u64 as *mut u8;
        let offset = submission(Op::Read).offset;
        let hole = libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE;
        let fixed = Encoder::new(&targets, true, true, false);
        let plain = Encoder::new(&targets, false, false, false);
        let cases = [
            (
                fixed.encode(&submission(Op::Read), address),
                reference::ReadFixed::new(types::Fixed(1), address, 4096, 7)
                    .offset(offset)
                    .build(),
            ),
            (
                fixed.encode(&submission(Op::Write), address),
                reference::WriteFixed::new(types::Fixed(1), address, 4096, 7)
                    .offset(offset)
                    .build(),
            ),
            (
                fixed.encode(&submission(Op::Trim), address),
                reference::Fallocate::new(types::Fixed(1), 4096)
                    .offset(offset)
                    .mode(hole)
                    .build(),
            ),
            (
                plain.encode(&submission(Op::Flush), address),
                reference::Fsync::new(types::Fd(fd)).build(),
            ),
        ];
        for (ours, theirs) in cases {
            assert_eq!(ours, words(theirs.user_data(7)));
        }
    }

    #[test]
    fn plain_reads_and_writes_differ_in_the_unused_buffer_index_only() {
        let (targets, fd) = targets();
        let address = 0x1000 as *mut u8;
        let plain = Encoder::new(&targets, false, false, false);
        let mut ours = plain.encode(&submission(Op::Write), address);
        assert_eq!(ours[5], 7);
        ours[5] = 0;
        let theirs = reference::Write::new(types::Fd(fd), address, 4096)
            .offset(submission(Op::Write).offset)
            .build()
            .user_data(7);
        assert_eq!(ours, words(theirs));
    }

    #[test]
    fn a_data_only_flush_says_so() {
        let (targets, _) = targets();
        let flush = Submission {
            data_only: true,
            ..submission(Op::Flush)
        };
        let theirs = reference::Fsync::new(types::Fixed(1))
            .flags(types::FsyncFlags::DATASYNC)
            .build()
            .user_data(7);
        let encoder = Encoder::new(&targets, true, true, false);
        let address = 0x1000 as *mut u8;
        assert_eq!(encoder.encode(&flush, address), words(theirs));
    }

    #[test]
    fn a_discard_is_a_command_with_offset_and_length() {
        let trim = submission(Op::Trim);
        let expected = [
            opcode::URING_CMD | ASYNC | FIXED_FILE,
            0x1200,
            trim.offset,
            0,
            7,
            0,
            4096,
            0,
        ];
        let target = Target {
            file: FIXED_FILE,
            read: 0,
            write: 0,
            discards: true,
        };
        assert_eq!(seldom(&trim, &target), expected);
    }
}
