//! What a zoned device says of each of its zones.

use fathom_platform::fd::AsFd;
use std::io;

/// A zone of a host-managed or host-aware device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zone {
    /// First byte.
    pub start: u64,
    /// Bytes from there to the next zone.
    pub len: u64,
    /// Bytes that can be written, from the first on.
    pub capacity: u64,
    /// Bytes from the first to the write pointer, as far as there is one.
    pub written: u64,
    /// What can be done with it.
    pub condition: Condition,
}

/// What can be done with a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// It can be written anywhere: it has no write pointer.
    Conventional,
    /// Nothing is written.
    Empty,
    /// Written and not full: open, or closed for now. The device limits their number.
    Active,
    /// Nothing can be written before it is reset.
    Full,
    /// It can be read at best.
    Unusable,
}

/// Zones that are asked for at once.
const AT_ONCE: usize = 128;
/// Numbers of 64 bits before the zones of an answer, and in each of them.
const HEAD: usize = 2;
const ZONE: usize = 8;
const SECTOR_BYTES: u64 = 512;

/// `struct blk_zone_report` of `linux/blkzoned.h`, with room for the zones.
type Report = [u64; HEAD + ZONE * AT_ONCE];

/// All zones of an open block device of this size in bytes, in order.
///
/// # Errors
///
/// What the kernel says, as of a device without zones.
pub fn zones(device: impl AsFd, size_bytes: u64) -> io::Result<Vec<Zone>> {
    let mut all: Vec<Zone> = Vec::new();
    let mut next = 0;
    while next < size_bytes {
        let some = some(device.as_fd(), next)?;
        let Some(last) = some.last() else { break };
        if last.start + last.len <= next {
            return Err(io::ErrorKind::InvalidData.into());
        }
        next = last.start + last.len;
        all.extend(some);
    }
    Ok(all)
}

/// As many zones as fit, from the one at a byte on.
fn some(device: impl AsFd, from: u64) -> io::Result<Vec<Zone>> {
    /// The request that reports zones.
    const BLKREPORTZONE: u32 = 0xC010_1282;
    let mut report: Box<Report> = Box::new([0; HEAD + ZONE * AT_ONCE]);
    report[0] = from / SECTOR_BYTES;
    report[1] = halves(AT_ONCE as u32, 0);
    // SAFETY: the operation reads the head and writes no more zones than that says, for which
    // there is room behind it; it has no effect but its answer.
    unsafe { fathom_platform::ioctl(device, BLKREPORTZONE, &raw mut *report) }?;
    Ok(decode(&report[..]))
}

/// Two numbers of 32 bits that lie one after the other.
fn halves(first: u32, second: u32) -> u64 {
    let mut bytes = [0; 8];
    bytes[..4].copy_from_slice(&first.to_ne_bytes());
    bytes[4..].copy_from_slice(&second.to_ne_bytes());
    u64::from_ne_bytes(bytes)
}

/// The zones of an answer.
fn decode(report: &[u64]) -> Vec<Zone> {
    let head = report[1].to_ne_bytes();
    let [a, b, c, d, e, f, g, h] = head;
    let count = u32::from_ne_bytes([a, b, c, d]) as usize;
    // Older kernels do not say how much of a zone can be written: all of it.
    let says_capacity = u32::from_ne_bytes([e, f, g, h]) & 1 != 0;
    let entries = report[HEAD..].chunks_exact(ZONE).take(count);
    entries.map(|entry| zone(entry, says_capacity)).collect()
}

fn zone(entry: &[u64], says_capacity: bool) -> Zone {
    let [kind, condition, ..] = entry[3].to_ne_bytes();
    let bytes = |sectors: u64| sectors.saturating_mul(SECTOR_BYTES);
    let (start, len) = (bytes(entry[0]), bytes(entry[1]));
    let capacity = if says_capacity { bytes(entry[4]) } else { len };
    let condition = match (kind, condition) {
        (1, _) => Condition::Conventional,
        (_, 1) => Condition::Empty,
        (_, 2..=4) => Condition::Active,
        (_, 14) => Condition::Full,
        _ => Condition::Unusable,
    };
    let written = match condition {
        Condition::Active => bytes(entry[2]).saturating_sub(start).min(capacity),
        Condition::Full => capacity,
        Condition::Conventional | Condition::Empty | Condition::Unusable => 0,
    };
    Zone {
        start,
        len,
        capacity,
        written,
        condition,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An entry of a zone of 8 sectors with its number, write pointer, kind and condition.
    fn entry(number: u64, pointer: u64, kind: u8, condition: u8) -> [u64; ZONE] {
        let start = number * 8;
        let what = u64::from_ne_bytes([kind, condition, 0, 0, 0, 0, 0, 0]);
        [start, 8, start + pointer, what, 6, 0, 0, 0]
    }

    #[test]
    fn an_answer_says_how_far_each_zone_is_written() {
        let entries = [
            entry(0, 0, 1, 0),
            entry(1, 0, 2, 1),
            entry(2, 3, 2, 2),
            entry(3, 5, 2, 3),
            entry(4, 1, 2, 4),
            entry(5, 8, 2, 14),
            entry(6, 0, 2, 13),
            entry(7, 0, 2, 15),
        ];
        let mut report = vec![0, halves(8, 1)];
        report.extend(entries.into_iter().flatten());
        let seen = |report: &[u64]| -> Vec<(u64, u64, u64, u64, Condition)> {
            let zones = decode(report).into_iter();
            let units = zones.map(|zone| {
                let Zone {
                    start,
                    len,
                    capacity,
                    written,
                    condition,
                } = zone;
                (
                    start / 4096,
                    len / 512,
                    capacity / 512,
                    written / 512,
                    condition,
                )
            });
            units.collect()
        };
        let expected = [
            (0, 8, 6, 0, Condition::Conventional),
            (1, 8, 6, 0, Condition::Empty),
            (2, 8, 6, 3, Condition::Active),
            (3, 8, 6, 5, Condition::Active),
            (4, 8, 6, 1, Condition::Active),
            (5, 8, 6, 6, Condition::Full),
            (6, 8, 6, 0, Condition::Unusable),
            (7, 8, 6, 0, Condition::Unusable),
        ];
        assert_eq!(seen(&report), expected);
        report[1] = halves(3, 0);
        let expected = [
            (0, 8, 8, 0, Condition::Conventional),
            (1, 8, 8, 0, Condition::Empty),
            (2, 8, 8, 3, Condition::Active),
        ];
        assert_eq!(seen(&report), expected);
    }

    #[test]
    fn what_has_no_zones_says_so() {
        let file = tempfile::tempfile().unwrap();
        let error = zones(&file, 4096).unwrap_err();
        assert_eq!(error.raw_os_error(), Some(libc::ENOTTY));
    }
}
