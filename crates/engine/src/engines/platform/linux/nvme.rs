//! NVMe commands through `io_uring`, past the block layer, on generic character devices
//! (`/dev/ngXnY`).
//!
//! It is the engine of [`io_uring`](super::io_uring) with entries that carry a command
//! (`NVME_URING_CMD_IO`): what polls there polls here, and buffers are registered as there. Nothing
//! splits, merges, schedules or retries: a request is one command, and its error is the
//! controller's own.
//!
//! A command names blocks, and the kernel asks nobody whether it may be sent. So what does not fit
//! into blocks, or a write to what was opened for reading, is not sent: the kernel gets an entry
//! that it refuses with the error that a file would give.
//!
//! A trim of no length resets the zone of a zoned namespace that begins there. Where writes are
//! appended to zones, it waits for all that was submitted before, and the next request waits for
//! it, so that no append meets a zone that is full.

use crate::config::EngineConfig;
use crate::engines::platform::linux::io_uring::IoUringEngine;
use crate::engines::platform::linux::io_uring::form::RingForm;
use crate::engines::platform::linux::probe;
use crate::error::EngineError;
use crate::failure::Failure;
use crate::io::{Completion, Submission};
use crate::namespace::Namespace;
use crate::target::OpenTarget;
use fathom_core::{EngineKind, Op};
use io_uring::{cqueue, squeue};
use std::os::fd::AsRawFd as _;
use std::sync::Arc;

/// The engine over NVMe namespaces.
pub type NvmeEngine = IoUringEngine<Passthrough>;

/// A submission queue entry of 128 bytes as sixteen words: 0 operation, flags and file; 1 the
/// driver's operation; 3 flags of it; 4 user data; 5 index of the buffer; from 6 the command
/// (`struct nvme_uring_cmd`).
type NvmeEntry = [u64; 16];

const URING_CMD: u64 = 46;
/// No operation of any kernel: refused as invalid.
const UNKNOWN: u64 = 255;
/// No file: refused as a bad one.
const NO_FILE: u64 = (u32::MAX as u64) << 32;
const FIXED_FILE: u64 = 1 << 8;
/// `IOSQE_IO_DRAIN`: after all before it has completed. What comes after it is only behind its
/// begin, so that the next has to carry this too where it is to be behind its end.
const DRAIN: u64 = 1 << 9;
/// `IORING_URING_CMD_FIXED`.
const FIXED_BUFFER: u64 = 1 << 32;
/// `NVME_URING_CMD_IO`, `_IOWR('N', 0x80, struct nvme_uring_cmd)`.
const NVME_IO: u64 = 0xC048_4E80;

/// Opcodes of the NVM command set.
mod opcode {
    pub(super) const FLUSH: u64 = 0x00;
    pub(super) const WRITE: u64 = 0x01;
    pub(super) const READ: u64 = 0x02;
    pub(super) const DATASET_MANAGEMENT: u64 = 0x09;
    pub(super) const ZONE_MANAGEMENT_SEND: u64 = 0x79;
    pub(super) const ZONE_APPEND: u64 = 0x7D;
}

/// In the twelfth word of a command: durable when it completes.
const FORCE_UNIT_ACCESS: u64 = 1 << 30;
/// In the eleventh word of dataset management.
const DEALLOCATE: u64 = 1 << 2;
/// In the upper half of the twelfth word of zone management.
const RESET_ZONE: u64 = 4;
/// Most blocks of one command, less one: the field has 16 bits.
const MOST_BLOCKS_LESS_ONE: u32 = 0xFFFF;

/// A range of dataset management, as the controller reads it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(16))]
struct Range {
    attributes: u32,
    blocks: u32,
    first: u64,
}

/// What does not change from one request to the next.
#[derive(Debug)]
pub struct Passthrough {
    targets: Box<[Target]>,
    /// One for each slot: what its trim is about.
    ranges: Box<[Range]>,
    /// Flag of entries whose buffer is registered.
    buffer_flag: u64,
    /// `DRAIN` behind a reset where writes are appended, else nothing.
    behind: u64,
    /// Whether flushes are sent: one has no data that a kernel could poll for, and rings that poll
    /// take no flush of files either.
    flushes: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Target {
    /// Operation and file, in their places.
    head: u64,
    /// At its position behind the opcode.
    namespace: u64,
    block_shift: u32,
    /// Flags of every write, in addition to its length.
    write_flags: u64,
    /// Whether there are writes to places.
    writes: bool,
    /// Whether there are writes whose places the device finds in their zones.
    appends: bool,
    is_zoned: bool,
}

impl Target {
    fn new(index: usize, target: &OpenTarget, fixed_files: bool) -> Result<Self, EngineError> {
        let Some(namespace) = target.namespace else {
            return Err(EngineError::Open {
                path: target.path.display().to_string(),
                purpose: " for NVMe commands".into(),
                cause: "it is no NVMe generic character device".into(),
                remedy: "/dev/ngXnY of an NVMe namespace, or another engine".into(),
            });
        };
        let file = if fixed_files {
            ((index as u64) << 32) | FIXED_FILE
        } else {
            (target.fd.as_raw_fd() as u64) << 32
        };
        let Namespace {
            id, block_shift, ..
        } = namespace;
        Ok(Self {
            head: URING_CMD | file,
            namespace: u64::from(id) << 32,
            block_shift,
            write_flags: if target.write_through {
                FORCE_UNIT_ACCESS
            } else {
                0
            },
            writes: target.writes && !target.appends,
            appends: target.writes && target.appends,
            is_zoned: target.zone_bytes.is_some(),
        })
    }

    /// Whether it was opened to be written to.
    const fn may_write(&self) -> bool {
        self.writes || self.appends
    }

    /// Number of the first block, and of blocks less one; none if that is not what is asked for.
    #[inline]
    fn blocks(&self, io: &Submission) -> Option<(u64, u32)> {
        let mask = (1_u64 << self.block_shift) - 1;
        let less_one = (io.len >> self.block_shift).wrapping_sub(1);
        let fits = (io.offset | u64::from(io.len)) & mask == 0;
        (fits && less_one != u32::MAX).then_some((io.offset >> self.block_shift, less_one))
    }
}

impl Passthrough {
    #[inline]
    fn encode(&mut self, io: &Submission, address: *mut u8) -> NvmeEntry {
        let target = self.targets[usize::from(io.target)];
        let (command, flags) = match io.op {
            Op::Read => (opcode::READ, 0),
            Op::Write => (opcode::WRITE, target.write_flags),
            _ => return self.seldom(io, target),
        };
        let blocks = target.blocks(io);
        let (Some((first, less_one @ 0..=MOST_BLOCKS_LESS_ONE)), true) =
            (blocks, io.op == Op::Read || target.writes)
        else {
            return self.unplaced(io, target, address);
        };
        let slot = u64::from(io.slot);
        let len = u64::from(io.len);
        let mut words = [0; 16];
        words[0] = target.head;
        words[1] = NVME_IO;
        words[3] = self.buffer_flag;
        words[4] = slot | len << 32;
        words[5] = slot;
        words[6] = command | target.namespace;
        words[9] = address as u64;
        words[10] = len << 32;
        words[11] = first;
        words[12] = u64::from(less_one) | flags;
        words
    }

    /// Appends, and what is not sent.
    #[inline(never)]
    fn unplaced(&mut self, io: &Submission, target: Target, address: *mut u8) -> NvmeEntry {
        let blocks = target.blocks(io).filter(|_| target.appends);
        let (Some((first, less_one @ 0..=MOST_BLOCKS_LESS_ONE)), Op::Write) = (blocks, io.op)
        else {
            return refused(io, target);
        };
        let slot = u64::from(io.slot);
        let len = u64::from(io.len);
        let mut words = [0; 16];
        words[0] = target.head | std::mem::take(&mut self.behind);
        words[1] = NVME_IO;
        words[3] = self.buffer_flag;
        words[4] = slot | len << 32;
        words[5] = slot;
        words[6] = opcode::ZONE_APPEND | target.namespace;
        words[9] = address as u64;
        words[10] = len << 32;
        words[11] = first;
        words[12] = u64::from(less_one) | target.write_flags;
        words
    }

    /// Trims, flushes and resets of zones.
    #[cold]
    fn seldom(&mut self, io: &Submission, target: Target) -> NvmeEntry {
        let slot = u64::from(io.slot);
        let mut words = [0; 16];
        words[0] = target.head | std::mem::take(&mut self.behind);
        words[1] = NVME_IO;
        words[4] = slot;
        match io.op {
            Op::Flush if self.flushes => words[6] = opcode::FLUSH | target.namespace,
            Op::Trim if io.len == 0 && target.is_zoned && target.may_write() => {
                if target.appends {
                    words[0] |= DRAIN;
                    self.behind = DRAIN;
                }
                words[6] = opcode::ZONE_MANAGEMENT_SEND | target.namespace;
                words[11] = io.offset >> target.block_shift;
                words[12] = RESET_ZONE << 32;
            }
            Op::Trim => {
                let (Some((first, less_one)), true) = (target.blocks(io), target.writes) else {
                    return refused(io, target);
                };
                let range = &mut self.ranges[io.slot as usize];
                *range = Range {
                    attributes: 0,
                    blocks: less_one + 1,
                    first,
                };
                words[6] = opcode::DATASET_MANAGEMENT | target.namespace;
                words[9] = std::ptr::from_mut(range).expose_provenance() as u64;
                words[10] = (size_of::<Range>() as u64) << 32;
                // One range, counted from 0.
                words[11] = DEALLOCATE << 32;
            }
            _ => return refused(io, target),
        }
        words
    }
}

/// An entry that the kernel refuses: as a file does that was opened for reading, or as one does
/// whose blocks a direct request does not fit.
#[cold]
fn refused(io: &Submission, target: Target) -> NvmeEntry {
    let mut words = [0; 16];
    words[0] = if !target.may_write() && matches!(io.op, Op::Write | Op::Trim) {
        URING_CMD | NO_FILE
    } else {
        UNKNOWN | target.head & !0xFF
    };
    words[4] = u64::from(io.slot);
    words
}

impl RingForm for Passthrough {
    const KIND: EngineKind = EngineKind::Nvme;
    type Entry = squeue::Entry128;
    type Answer = cqueue::Entry32;

    fn available() -> Result<(), String> {
        probe::nvme()
    }

    fn over(
        config: &EngineConfig,
        targets: &[Arc<OpenTarget>],
        fixed_buffers: bool,
        fixed_files: bool,
    ) -> Result<Self, EngineError> {
        let targets = targets.iter().enumerate();
        let of =
            |(index, target): (usize, &Arc<OpenTarget>)| Target::new(index, target, fixed_files);
        Ok(Self {
            targets: targets.map(of).collect::<Result<_, _>>()?,
            ranges: vec![Range::default(); config.slots as usize].into(),
            buffer_flag: if fixed_buffers { FIXED_BUFFER } else { 0 },
            behind: 0,
            flushes: !config.completion_polling,
        })
    }

    #[inline]
    fn entry(&mut self, io: &Submission, address: *mut u8) -> squeue::Entry128 {
        let words = self.encode(io, address);
        // SAFETY: an entry is plain data of this size, and every pattern of bits is one.
        unsafe { std::mem::transmute::<NvmeEntry, squeue::Entry128>(words) }
    }

    #[inline]
    fn completion(answer: &cqueue::Entry32) -> Completion {
        let told = answer.user_data();
        let result = match answer.result() {
            // A command says nothing of bytes: it is done, or it is not.
            0 => (told >> 32) as i32,
            error @ ..0 => error,
            status => -Failure::of_status(status).number(),
        };
        Completion {
            slot: told as u32,
            result,
        }
    }

    fn keep(&mut self) {
        std::mem::forget(std::mem::take(&mut self.ranges));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::OpenOptions;
    use std::path::Path;

    const FD: u64 = 7;

    fn form(writes: bool, write_through: bool, fixed: bool) -> Passthrough {
        let target = Target {
            head: URING_CMD | FD << 32,
            namespace: 5 << 32,
            block_shift: 12,
            write_flags: if write_through { FORCE_UNIT_ACCESS } else { 0 },
            writes,
            appends: false,
            is_zoned: false,
        };
        Passthrough {
            targets: [target].into(),
            ranges: vec![Range::default(); 4].into(),
            buffer_flag: if fixed { FIXED_BUFFER } else { 0 },
            behind: 0,
            flushes: true,
        }
    }

    fn request(op: Op, offset: u64, len: u32) -> Submission {
        Submission {
            offset,
            slot: 3,
            len,
            target: 0,
            op,
            data_only: false,
        }
    }

    const ADDRESS: *mut u8 = 0x7000_0000_1000_u64 as *mut u8;
    const HEAD: u64 = 0x2E | FD << 32;

    #[test]
    fn a_command_stands_where_the_kernel_reads_it() {
        let mut words = [
            HEAD,
            NVME_IO,
            0,
            1 << 32,
            3 | 8192 << 32,
            3,
            5 << 32 | 2,
            0,
            0,
            0x7000_0000_1000,
            8192 << 32,
            0x12_3456_789A,
            1,
            0,
            0,
            0,
        ];
        let offset = 0x12_3456_789A << 12;
        let read = form(false, false, true).encode(&request(Op::Read, offset, 8192), ADDRESS);
        assert_eq!(read, words);
        words[6] = 5 << 32 | 1;
        words[12] = 1 | 1 << 30;
        words[3] = 0;
        let write = form(true, true, false).encode(&request(Op::Write, offset, 8192), ADDRESS);
        assert_eq!(write, words);
        let flush = form(false, false, true).encode(&request(Op::Flush, 0, 0), ADDRESS);
        let bare = [
            HEAD,
            NVME_IO,
            0,
            0,
            3,
            0,
            5 << 32,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
        ];
        assert_eq!(flush, bare);
    }

    #[test]
    fn a_trim_deallocates_one_range() {
        let mut form = form(true, false, true);
        let words = form.encode(&request(Op::Trim, 5 << 12, 1 << 30), ADDRESS);
        let range = Range {
            attributes: 0,
            blocks: 1 << 18,
            first: 5,
        };
        assert_eq!(form.ranges[3], range);
        let at = (&raw const form.ranges[3]).addr() as u64;
        let expected = [
            HEAD,
            NVME_IO,
            0,
            0,
            3,
            0,
            5 << 32 | 9,
            0,
            0,
            at,
            16 << 32,
            4 << 32,
            0,
            0,
            0,
            0,
        ];
        assert_eq!(words, expected);
    }

    /// Of a zoned namespace, whose writes are appended or not.
    fn zoned(writes: bool, appends: bool) -> Passthrough {
        let mut form = form(writes, true, true);
        form.targets[0].appends = appends;
        form.targets[0].is_zoned = true;
        form
    }

    #[test]
    fn a_trim_of_no_length_resets_a_zone() {
        let expected = [
            HEAD,
            NVME_IO,
            0,
            0,
            3,
            0,
            5 << 32 | 0x79,
            0,
            0,
            0,
            0,
            7,
            4 << 32,
            0,
            0,
            0,
        ];
        let reset = request(Op::Trim, 7 << 12, 0);
        assert_eq!(zoned(true, false).encode(&reset, ADDRESS), expected);
        let bad_file = zoned(false, false).encode(&reset, ADDRESS)[0];
        assert_eq!(bad_file, 0x2E | 0xFFFF_FFFF << 32);
    }

    #[test]
    fn appends_go_behind_the_end_of_a_reset() {
        let mut form = zoned(false, true);
        let append = request(Op::Write, 7 << 12, 8192);
        let all = [
            append,
            request(Op::Trim, 9 << 12, 0),
            append,
            append,
            request(Op::Trim, 9 << 12, 0),
            request(Op::Flush, 0, 0),
            append,
            request(Op::Write, 7, 8192),
        ];
        let sent = all.map(|io| {
            let words = form.encode(&io, ADDRESS);
            (words[0] & !HEAD, words[6] & 0xFF, words[11], words[12])
        });
        let (first, behind) = (0, 2 << 8);
        let appended = |order| (order, 0x7D, 7, 1 | 1 << 30);
        let expected = [
            appended(first),
            (behind, 0x79, 9, 4 << 32),
            appended(behind),
            appended(first),
            (behind, 0x79, 9, 4 << 32),
            (behind, 0, 0, 0),
            appended(first),
            (0xFF & !0x2E, 0, 0, 0),
        ];
        assert_eq!(sent, expected);
    }

    #[test]
    fn what_does_not_fit_or_may_not_be_written_is_not_sent() {
        let invalid = [0xFF | FD << 32, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        let bad_file = {
            let mut words = invalid;
            words[0] = 0x2E | 0xFFFF_FFFF << 32;
            words
        };
        let most = 4096 * 65536;
        let cases = [
            (true, request(Op::Read, 512, 4096), invalid),
            (true, request(Op::Write, 4096, 4095), invalid),
            (true, request(Op::Write, 0, 0), invalid),
            (true, request(Op::Read, 0, most + 4096), invalid),
            (true, request(Op::Trim, 0, 0), invalid),
            (true, request(Op::Trim, 1, 4096), invalid),
            (true, request(Op::Create, 0, 4096), invalid),
            (false, request(Op::Write, 0, 4096), bad_file),
            (false, request(Op::Trim, 0, 4096), bad_file),
        ];
        let mut polled = form(true, false, true);
        polled.flushes = false;
        assert_eq!(polled.encode(&request(Op::Flush, 0, 0), ADDRESS), invalid);
        for (writes, io, expected) in cases {
            assert_eq!(
                form(writes, false, true).encode(&io, ADDRESS),
                expected,
                "{io:?}"
            );
        }
        let whole = form(true, false, true).encode(&request(Op::Read, 0, most), ADDRESS);
        assert_eq!((whole[0], whole[12]), (HEAD, 0xFFFF));
    }

    #[test]
    fn only_namespaces_are_taken() {
        let null = OpenTarget::open(Path::new("/dev/null"), &OpenOptions::default());
        let null = Arc::new(null.expect("the null device"));
        let error = Passthrough::over(&EngineConfig::default(), &[null], false, false)
            .expect_err("no namespace");
        assert_eq!(
            error.to_string(),
            "cannot open /dev/null for NVMe commands: it is no NVMe generic character device"
        );
    }
}
