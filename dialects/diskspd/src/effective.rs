//! Where the shares of a distribution really go on a target of some size, as DISKSPD reckons it:
//! borders of percent move down to the alignment, and a part that then holds no offset gives its
//! share to a neighbour; ranges of bytes end where the target does.

use super::profile::{Ranges, Target};
use super::xml::with_rest;

/// One part of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Part {
    /// Shares of the parts before it, percent.
    pub(super) before: u32,
    /// Its share of the requests, percent.
    pub(super) ios: u32,
    /// Its start, bytes after the first byte used.
    pub(super) start: u64,
    /// Its length, bytes.
    pub(super) length: u64,
}

/// The parts of a target of `size` bytes that get requests; none where all of it is alike.
pub(super) fn parts(target: &Target, size: u64) -> Vec<Part> {
    let end = target.max_bytes.map_or(size, |max| max.min(size));
    let used = end.saturating_sub(target.base_bytes);
    if used < target.block_bytes {
        return Vec::new();
    }
    match &target.order.ranges {
        Ranges::Uniform => Vec::new(),
        Ranges::Percent(list) => {
            let align = target.order.stride_bytes.max(1);
            let last = used - target.block_bytes;
            of_percent(&with_rest(list, true), last - last % align + align, align)
        }
        Ranges::Absolute(list) => of_bytes(&with_rest(list, false), used, target.block_bytes),
    }
}

fn of_bytes(list: &[(u32, u64)], used: u64, block: u64) -> Vec<Part> {
    let mut parts = Vec::new();
    let (mut before, mut start) = (0_u32, 0_u64);
    for &(ios, of) in list {
        let left = used.saturating_sub(start);
        let length = if of == 0 || of > left { left } else { of };
        if ios > 0 {
            // The end of the target is in it, or before it, and leaves no room for a request.
            if length == 0 || (length == left && length < block) {
                break;
            }
            parts.push(Part {
                before,
                ios,
                start,
                length,
            });
        }
        before = before.saturating_add(ios);
        start = start.saturating_add(of);
    }
    parts
}

fn of_percent(list: &[(u32, u64)], used: u64, align: u64) -> Vec<Part> {
    let share = |percent: u64| (u128::from(percent) * u128::from(used) / 100) as u64;
    let mut parts: Vec<Part> = Vec::new();
    let (mut before, mut first) = (0, 0);
    let mut carried = 0;
    for &(ios, of) in list {
        let (own_before, from) = (before, first);
        before += ios;
        first += of;
        if ios == 0 {
            continue;
        }
        let begin = share(from);
        let end = if first == 100 {
            used
        } else {
            begin + share(of)
        };
        let end = end - end % align;
        if end < begin {
            // No offset is in it.
            match parts.last_mut() {
                Some(last) if last.start == end => last.ios += ios,
                _ => carried = ios,
            }
            continue;
        }
        let mut begin = begin - begin % align;
        if let Some(last) = parts
            .last_mut()
            .filter(|last| begin < end && last.start == begin)
        {
            // The part before has one offset, which is not shared.
            begin += align;
            last.length += align;
            if begin == used {
                carried = ios;
                continue;
            }
            if begin == end {
                last.ios += ios;
                continue;
            }
        }
        if let Some(last) = parts
            .last_mut()
            .filter(|last| carried > 0 && last.ios < ios)
        {
            last.ios += carried;
            carried = 0;
        }
        parts.push(Part {
            before: own_before - carried,
            ios: ios + carried,
            start: begin,
            length: end - begin,
        });
        carried = 0;
    }
    if let Some(last) = parts.last_mut().filter(|_| carried > 0) {
        last.ios += carried;
        last.length = used - last.start;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Order;

    const KB: u64 = 1 << 10;
    const GB: u64 = 1 << 30;

    fn found(ranges: Ranges, block: u64, size: u64) -> Vec<(u32, u32, u64, u64)> {
        let target = Target {
            block_bytes: block,
            order: Order {
                random_percent: 100,
                stride_bytes: block,
                interlocked: false,
                ranges,
            },
            ..Target::default()
        };
        let parts = parts(&target, size).into_iter();
        parts
            .map(|part| (part.before, part.ios, part.start, part.length))
            .collect()
    }

    fn percent(list: &[(u32, u64)]) -> Vec<(u32, u32, u64, u64)> {
        let found = found(Ranges::Percent(list.to_vec()), 4 * KB, 100 * KB);
        let in_kb = |(before, ios, start, length)| (before, ios, start / KB, length / KB);
        found.into_iter().map(in_kb).collect()
    }

    /// The cases that DISKSPD holds fast.
    #[test]
    fn borders_of_percent_move_to_the_alignment() {
        assert_eq!(
            percent(&[(10, 10), (10, 10), (0, 10)]),
            [(0, 10, 0, 8), (10, 10, 8, 12), (20, 80, 28, 72)]
        );
        assert_eq!(
            percent(&[(10, 10), (10, 10), (10, 1)]),
            [
                (0, 10, 0, 8),
                (10, 10, 8, 12),
                (20, 10, 20, 4),
                (30, 70, 24, 76)
            ]
        );
        assert_eq!(
            percent(&[(10, 96), (10, 3), (80, 1)]),
            [(0, 10, 0, 96), (10, 90, 96, 4)]
        );
        assert_eq!(
            percent(&[(10, 5), (10, 1)]),
            [(0, 20, 0, 4), (20, 80, 4, 96)]
        );
        for count in 1..=4 {
            let list = vec![(10, 1); count as usize];
            let (first, rest) = (count * 10, 100 - count * 10);
            assert_eq!(percent(&list), [(0, first, 0, 4), (first, rest, 4, 96)]);
        }
        assert_eq!(
            percent(&[(10, 1); 5]),
            [(0, 40, 0, 4), (40, 10, 4, 4), (50, 50, 8, 92)]
        );
    }

    #[test]
    fn ranges_of_bytes_end_where_the_target_does() {
        let bytes =
            |list: &[(u32, u64)], size: u64| found(Ranges::Absolute(list.to_vec()), 4 * KB, size);
        let list = [(10, GB), (10, GB), (0, 100 * GB)];
        let whole = [
            (0, 10, 0, GB),
            (10, 10, GB, GB),
            (20, 80, 102 * GB, 98 * GB),
        ];
        assert_eq!(bytes(&list, 200 * GB), whole);
        let closed = [list.as_slice(), &[(80, 1 << 40)]].concat();
        assert_eq!(bytes(&closed, 200 * GB), whole);
        let halves = [(0, 10, 0, 100 * GB), (10, 10, 100 * GB, 100 * GB)];
        assert_eq!(bytes(&[(10, 100 * GB), (10, 100 * GB)], 200 * GB), halves);
        assert_eq!(bytes(&[(10, 100 * GB), (10, 200 * GB)], 200 * GB), halves);
        let odd = Ranges::Absolute(vec![(10, 10 * KB), (10, 90 * KB)]);
        assert_eq!(
            found(odd, 3 * KB, 100 * KB),
            [(0, 10, 0, 10 * KB), (10, 10, 10 * KB, 90 * KB)]
        );
        assert_eq!(
            bytes(&[(10, 50 * KB), (20, 10 * KB), (30, GB)], 100 * KB),
            [
                (0, 10, 0, 50 * KB),
                (10, 20, 50 * KB, 10 * KB),
                (30, 30, 60 * KB, 40 * KB)
            ]
        );
        // What is left of the target does not hold a block.
        assert_eq!(bytes(&[(50, 96 * KB)], 98 * KB), [(0, 50, 0, 96 * KB)]);
    }
}
