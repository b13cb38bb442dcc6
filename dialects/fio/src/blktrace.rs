//! Traces as the kernel's block layer makes them: one file of `blkparse -d`, or of `blktrace` for
//! one processor.
//!
//! Records follow each other, each of 48 bytes and a number of bytes of its own after them (`struct
//! blk_io_trace` in the kernel's `blktrace_api.h`), in the order of bytes of the machine that
//! recorded. A request is taken when it is queued, as fio does it: what is merged, split, issued
//! and completed of it later is in further records.

use fathom_core::trace::{Trace, TraceRequest};
use fathom_core::{Nanos, Op};
use std::collections::HashMap;

/// The upper bytes of the first word of a record; the lowest is the version.
const MAGIC: u32 = 0x6561_7400;
const VERSION: u32 = 7;
const VERSION_MASK: u32 = 0xff;
const HEAD_BYTES: usize = 48;
const SECTOR_BYTES: u64 = 512;
/// The number of what was done, below the categories that it belongs to.
const ACTION_MASK: u32 = 0xffff;
const QUEUED: u32 = 1;
/// Longest request that can be replayed.
const MOST_BYTES: u32 = 1 << 30;
/// What a minor number takes of the number of a device.
const MINOR_BITS: u32 = 20;

/// Categories.
#[derive(Clone, Copy)]
enum Category {
    Write = 1,
    Flush = 2,
    /// Of a program that sends commands of its own.
    Command = 9,
    Notice = 10,
    Discard = 13,
}

impl Category {
    const fn is_of(self, action: u32) -> bool {
        action >> (16 + self as u32) & 1 == 1
    }
}

/// Whether these are the first bytes of such a trace.
pub(super) fn is_trace(bytes: &[u8]) -> bool {
    Order::of(bytes).is_some()
}

/// The order of bytes.
#[derive(Clone, Copy)]
enum Order {
    Little,
    Big,
}

impl Order {
    fn of(bytes: &[u8]) -> Option<Self> {
        let is = |order: &Self| order.word(bytes).map(|word| word & !VERSION_MASK) == Some(MAGIC);
        [Self::Little, Self::Big].into_iter().find(is)
    }

    fn word(self, bytes: &[u8]) -> Option<u32> {
        let bytes = *bytes.first_chunk()?;
        Some(match self {
            Self::Little => u32::from_le_bytes(bytes),
            Self::Big => u32::from_be_bytes(bytes),
        })
    }

    fn long(self, bytes: &[u8]) -> Option<u64> {
        let bytes = *bytes.first_chunk()?;
        Some(match self {
            Self::Little => u64::from_le_bytes(bytes),
            Self::Big => u64::from_be_bytes(bytes),
        })
    }

    fn short(self, bytes: &[u8]) -> Option<u16> {
        let bytes = *bytes.first_chunk()?;
        Some(match self {
            Self::Little => u16::from_le_bytes(bytes),
            Self::Big => u16::from_be_bytes(bytes),
        })
    }
}

/// What a record says.
struct Record {
    at: Nanos,
    sector: u64,
    bytes: u32,
    action: u32,
    device: u32,
    /// Its length, with what follows its head.
    length: usize,
}

impl Record {
    /// The record that begins here.
    fn read(order: Order, bytes: &[u8]) -> Result<Self, &'static str> {
        let magic = order.word(bytes).ok_or("ends in the middle of a record")?;
        if magic & !VERSION_MASK != MAGIC {
            return Err("has something else where a record has to begin");
        }
        if magic & VERSION_MASK != VERSION {
            return Err("is of a version that is not known");
        }
        let read = || {
            Some(Self {
                at: Nanos(order.long(bytes.get(8..)?)?),
                sector: order.long(bytes.get(16..)?)?,
                bytes: order.word(bytes.get(24..)?)?,
                action: order.word(bytes.get(28..)?)?,
                device: order.word(bytes.get(36..)?)?,
                length: HEAD_BYTES + usize::from(order.short(bytes.get(46..)?)?),
            })
        };
        let record = read().filter(|record| record.length <= bytes.len());
        record.ok_or("ends in the middle of a record")
    }

    /// What it asks of the device, if it is a request that is queued.
    fn op(&self) -> Option<Op> {
        let is = |category: Category| category.is_of(self.action);
        if self.action & ACTION_MASK != QUEUED || is(Category::Notice) || is(Category::Command) {
            return None;
        }
        match self.bytes {
            0 => is(Category::Flush).then_some(Op::Flush),
            _ if is(Category::Discard) => Some(Op::Trim),
            _ if is(Category::Write) => Some(Op::Write),
            _ => Some(Op::Read),
        }
    }

    /// The numbers of the device, as `/sys/dev/block` has them.
    fn device(&self) -> String {
        let minor = self.device & ((1 << MINOR_BITS) - 1);
        format!("{}:{minor}", self.device >> MINOR_BITS)
    }
}

/// Reads a trace, whose devices have their numbers for names.
///
/// # Errors
///
/// What is wrong with it first, and at which byte: the end of a sentence about the trace.
pub(super) fn parse(bytes: &[u8]) -> Result<Trace, String> {
    let order = Order::of(bytes).ok_or("is none of blktrace")?;
    let mut trace = Trace::default();
    let mut devices: HashMap<u32, u16> = HashMap::new();
    let (mut at, mut begin) = (0, None);
    let mut now = Nanos::ZERO;
    while at < bytes.len() {
        let wrong = |what: &str| format!("{what}, at byte {at}");
        let record = Record::read(order, &bytes[at..]).map_err(wrong)?;
        if let Some(op) = record.op() {
            let known = devices.get(&record.device).copied();
            let Some(target) = known.or_else(|| u16::try_from(trace.files.len()).ok()) else {
                return Err(wrong("has too many devices"));
            };
            if known.is_none() {
                devices.insert(record.device, target);
                trace.files.push(record.device());
            }
            let offset = record.sector.checked_mul(SECTOR_BYTES);
            let end = offset.and_then(|offset| offset.checked_add(u64::from(record.bytes)));
            let is_possible = end.is_some_and(|end| i64::try_from(end).is_ok());
            if !is_possible || record.bytes > MOST_BYTES {
                return Err(wrong("has a request that no device can have"));
            }
            // Those of several processors may be a little out of order.
            let from = *begin.get_or_insert(record.at);
            now = now.max(record.at.saturating_sub(from));
            let is_flush = op == Op::Flush;
            let offset = if is_flush { 0 } else { offset.unwrap_or(0) };
            trace.requests.push(TraceRequest {
                target,
                ..TraceRequest::new(now, op, offset, record.bytes)
            });
        }
        at += record.length;
    }
    if trace.requests.is_empty() {
        return Err("has no request that was queued".to_owned());
    }
    Ok(trace)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A record of a device 8:16.
    fn record(at_us: u64, sector: u64, bytes: u32, action: u32, more: &[u8]) -> Vec<u8> {
        let mut record = Vec::new();
        record.extend((MAGIC | VERSION).to_le_bytes());
        record.extend(0_u32.to_le_bytes());
        record.extend((at_us * 1000).to_le_bytes());
        record.extend(sector.to_le_bytes());
        for word in [bytes, action, 4711, 8 << MINOR_BITS | 16, 0] {
            record.extend(word.to_le_bytes());
        }
        record.extend(0_u16.to_le_bytes());
        record.extend((more.len() as u16).to_le_bytes());
        record.extend(more);
        record
    }

    fn queued(categories: &[Category]) -> u32 {
        let all = categories
            .iter()
            .map(|category| 1 << (16 + *category as u32));
        all.fold(QUEUED | 1 << 20, |action, category| action | category)
    }

    #[test]
    fn requests_are_taken_when_they_are_queued() {
        const ISSUED: u32 = 7;
        let parts = [
            record(5, 0, 0, 1 << (16 + Category::Notice as u32), b"process"),
            record(100, 8, 4096, queued(&[]), &[]),
            record(101, 8, 4096, ISSUED, &[]),
            record(350, 16, 8192, queued(&[Category::Write]), b"abc"),
            record(340, 0, 0, queued(&[Category::Write, Category::Flush]), &[]),
            record(
                400,
                32,
                512,
                queued(&[Category::Write, Category::Discard]),
                &[],
            ),
            record(500, 0, 36, queued(&[Category::Command]), &[]),
        ];
        let trace = parse(&parts.concat()).expect("a trace");
        assert_eq!(trace.files, ["8:16"]);
        let request = |at_us: u64, op: Op, offset: u64, len: u32| {
            TraceRequest::new(Nanos::from_micros(at_us), op, offset, len)
        };
        let expected = [
            request(0, Op::Read, 4096, 4096),
            request(250, Op::Write, 8192, 8192),
            request(250, Op::Flush, 0, 0),
            request(300, Op::Trim, 16384, 512),
        ];
        assert_eq!(trace.requests, expected);
        // Of a machine that writes numbers the other way round.
        let mut other = record(7, 8, 4096, queued(&[]), &[]);
        for field in [
            0..4,
            4..8,
            8..16,
            16..24,
            24..28,
            28..32,
            32..36,
            36..40,
            40..44,
            44..46,
        ] {
            other[field].reverse();
        }
        let trace = parse(&other).expect("a trace");
        assert_eq!(trace.requests, [request(0, Op::Read, 4096, 4096)]);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let good = record(0, 8, 4096, queued(&[]), &[]);
        let beyond = record(0, u64::MAX / 4, 4096, queued(&[]), &[]);
        let mut old = good.clone();
        old[0] = 6;
        let cases = [
            (b"fio version 2".to_vec(), "is none of blktrace"),
            (
                [good.as_slice(), &good[..20]].concat(),
                "ends in the middle of a record, at byte 48",
            ),
            (
                [good.as_slice(), &[0; 48]].concat(),
                "has something else where a record has to begin, at byte 48",
            ),
            (old, "is of a version that is not known, at byte 0"),
            (beyond, "has a request that no device can have, at byte 0"),
            (
                record(0, 0, 0, queued(&[]), &[]),
                "has no request that was queued",
            ),
        ];
        for (bytes, expected) in cases {
            assert_eq!(parse(&bytes), Err(expected.to_owned()));
        }
        assert!(is_trace(&good) && !is_trace(b"fio version 2 iolog") && !is_trace(b""));
    }
}
