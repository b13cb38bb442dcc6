//! `oracleGeneral`, the binary format of cache simulators: records of 24 bytes, little-endian, with
//! the time in seconds (32 bits), the object (64), its size (32), and the number of the next
//! request of the object (64, -1 for none). It has no operations.

use super::book::{Book, NS_PER_S, Seen, Wrong};
use super::vscsi::bytes_at;
use super::{Format, Frame};
use crate::flags::Flags;
use crate::request::SECTOR_BYTES;

pub(super) const FORMAT: Format = Format {
    title: "trace in the format oracleGeneral",
    is,
    frame: Frame::Bytes(RECORD_BYTES),
    take,
    assumed: Some(
        "the format has no operations and whole seconds. All requests are taken as reads, and the \
         number of an object as a sector of 512 bytes.",
    ),
};

const RECORD_BYTES: usize = 24;
/// A larger object is none of a block device.
const MOST_BYTES: u32 = 1 << 26;
/// A pause that no trace has, seconds.
const LONG_S: u32 = 7 * 86_400;

fn is(start: &[u8]) -> bool {
    let mut before = None;
    let mut number = 0;
    let mut is_one = |record: &[u8]| {
        let (at, bytes) = (time(record), size(record));
        let gap = before.map_or(Some(0), |before| at.checked_sub(before));
        before = Some(at);
        number += 1;
        let next = i64::from_le_bytes(bytes_at(record, 16));
        let is_next = next < 0 || next >= number;
        gap.is_some_and(|gap| gap < LONG_S)
            && (1..=MOST_BYTES).contains(&bytes)
            && is_next
            && object(record) < 1 << 54
    };
    start.len() >= 2 * RECORD_BYTES && start.chunks_exact(RECORD_BYTES).all(&mut is_one)
}

fn take(record: &[u8], book: &mut Book) -> Result<(), Wrong> {
    book.set_resolution(NS_PER_S);
    book.add(Seen {
        at_ns: u64::from(time(record)) * NS_PER_S,
        service_ns: None,
        device: "disk",
        offset: object(record).saturating_mul(SECTOR_BYTES),
        bytes: size(record).into(),
        flags: Flags::READ,
        process: None,
    })
}

fn time(record: &[u8]) -> u32 {
    u32::from_le_bytes(bytes_at(record, 0))
}

fn object(record: &[u8]) -> u64 {
    u64::from_le_bytes(bytes_at(record, 4))
}

fn size(record: &[u8]) -> u32 {
    u32::from_le_bytes(bytes_at(record, 12))
}
