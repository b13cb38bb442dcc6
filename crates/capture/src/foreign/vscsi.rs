//! Binary traces of virtual SCSI disks, as vscsiStats records them and CloudPhysics publishes them.
//! The two versions have the same fields in another order, little-endian; times in microseconds,
//! lengths in bytes, offsets in blocks of 512 bytes.

use super::book::{Book, Seen, Wrong};
use super::{Format, Frame};
use crate::flags::Flags;
use crate::request::SECTOR_BYTES;

pub(super) const VERSION_1: Format = Format {
    title: "trace of vscsiStats (version 1)",
    is: |start| is(start, &FIRST),
    frame: Frame::Bytes(FIRST.bytes),
    take: |record, book| take(record, &FIRST, book),
    assumed: None,
};

pub(super) const VERSION_2: Format = Format {
    title: "trace of vscsiStats (version 2)",
    is: |start| is(start, &SECOND),
    frame: Frame::Bytes(SECOND.bytes),
    take: |record, book| take(record, &SECOND, book),
    assumed: None,
};

/// Where the fields of a record are.
struct Layout {
    version: u16,
    bytes: usize,
    command_at: usize,
    version_at: usize,
    length_at: usize,
    block_at: usize,
    time_at: usize,
    /// Version 1 has no response times.
    response_at: Option<usize>,
}

const FIRST: Layout = Layout {
    version: 1,
    bytes: 32,
    command_at: 12,
    version_at: 14,
    length_at: 4,
    block_at: 16,
    time_at: 24,
    response_at: None,
};

const SECOND: Layout = Layout {
    version: 2,
    bytes: 40,
    command_at: 0,
    version_at: 2,
    length_at: 8,
    block_at: 16,
    time_at: 24,
    response_at: Some(32),
};

/// Records that are looked at to recognise the format.
const FIRST_RECORDS: usize = 64;

fn is(start: &[u8], layout: &Layout) -> bool {
    let mut records = start.chunks_exact(layout.bytes).take(FIRST_RECORDS);
    let is_one = |record: &[u8]| {
        short(record, layout.version_at) >> 8 == layout.version
            && short(record, layout.command_at) <= 0xff
            && !record.starts_with(b"\0\0\0\0\0\0\0\0")
    };
    start.len() >= layout.bytes && records.all(is_one)
}

fn take(record: &[u8], layout: &Layout, book: &mut Book) -> Result<(), Wrong> {
    let long = |at: usize| u64::from_le_bytes(bytes_at(record, at));
    let length = u32::from_le_bytes(bytes_at(record, layout.length_at));
    let flags = match short(record, layout.command_at) {
        0x08 | 0x28 | 0x88 | 0xa8 => Flags::READ,
        0x0a | 0x2a | 0x8a | 0xaa => Flags::WRITE,
        0x35 | 0x91 => Flags::FLUSH,
        command => {
            return Err(Wrong::Piece(format!(
                "SCSI command 0x{command:02x} has no data"
            )));
        }
    };
    let is_flush = flags == Flags::FLUSH;
    book.add(Seen {
        at_ns: long(layout.time_at).saturating_mul(1000),
        service_ns: layout.response_at.map(|at| long(at).saturating_mul(1000)),
        device: "disk",
        offset: long(layout.block_at).saturating_mul(SECTOR_BYTES),
        bytes: if is_flush { 0 } else { length.into() },
        flags,
        process: None,
    })
}

fn short(record: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes_at(record, at))
}

/// Some bytes of a record; zeros beyond its end.
pub(super) fn bytes_at<const N: usize>(record: &[u8], at: usize) -> [u8; N] {
    let bytes = record.get(at..).and_then(|rest| rest.first_chunk());
    bytes.copied().unwrap_or([0; N])
}
