//! The operations of a role with their sizes, as a specification has them.

use super::ends::Follows;
use fathom_core::spec::IoKind;
use fathom_core::{Bytes, Op, Percent};
use std::collections::BTreeMap;

/// Sizes that are counted; others count as the nearest of these.
const MOST_COUNTED: usize = 1024;
/// Sizes of a role.
const MOST_KINDS: usize = 12;
/// Sectors, of which requests past the page cache are multiples.
const SECTOR: u64 = 512;
/// A power of two that this share of the offsets are multiples of is their alignment.
const ALIGNED_SHARE: f64 = 0.99;
/// A share in percent nearer to none or all than this is none or all.
const SNAP_PERCENT: f64 = 1.0;
/// The longest request that a job can make.
const MOST_BYTES: u64 = 1 << 30;

/// Requests of a role by operation and size.
#[derive(Clone, Debug, Default)]
pub(super) struct Kinds {
    all: BTreeMap<(Op, u64), Kind>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Kind {
    requests: u64,
    /// Those that start where another one ended.
    follows: u64,
    /// Those that start their length behind one, as many as follow by chance.
    skips: u64,
    /// Random ones at multiples of their size.
    of_size: u64,
    /// Offsets of random ones by their number of factors of two, to 31.
    twos: [u64; 32],
}

impl Kinds {
    pub(super) fn add(&mut self, op: Op, offset: u64, bytes: u64, follows: Follows) {
        let bytes = bytes.clamp(1, MOST_BYTES);
        let mut key = (op, bytes);
        if self.all.len() >= MOST_COUNTED && !self.all.contains_key(&key) {
            key = self.nearest(key).unwrap_or(key);
        }
        let kind = self.all.entry(key).or_default();
        kind.requests += 1;
        kind.follows += u64::from(follows.exactly);
        kind.skips += u64::from(follows.skipping);
        if follows.exactly {
            return;
        }
        kind.of_size += u64::from(offset.is_multiple_of(key.1));
        kind.twos[offset.trailing_zeros().min(31) as usize] += 1;
    }

    /// The counted size of the same operation next to another one.
    fn nearest(&self, (op, bytes): (Op, u64)) -> Option<(Op, u64)> {
        let below = self.all.range((op, 0)..(op, bytes)).next_back();
        let above = self.all.range((op, bytes)..=(op, u64::MAX)).next();
        let both = below.into_iter().chain(above).map(|(key, _)| *key);
        both.min_by_key(|key| key.1.abs_diff(bytes))
    }

    pub(super) fn requests(&self, op: Op) -> u64 {
        self.of(op).map(|(_, kind)| kind.requests).sum()
    }

    pub(super) fn all(&self) -> u64 {
        self.all.values().map(|kind| kind.requests).sum()
    }

    /// Mean size of an operation in bytes; 0 without any.
    pub(super) fn mean_bytes(&self, op: Op) -> f64 {
        let bytes = self
            .of(op)
            .map(|(size, kind)| size as f64 * kind.requests as f64);
        bytes.sum::<f64>() / self.requests(op).max(1) as f64
    }

    /// Share of the requests of an operation that continue another one, 0 to 1.
    pub(super) fn follows(&self, op: Op) -> f64 {
        let follows = self.of(op).map(|(_, kind)| kind.sequential());
        follows.sum::<f64>() / self.requests(op).max(1) as f64
    }

    fn of(&self, op: Op) -> impl Iterator<Item = (u64, &Kind)> {
        let all = self.all.range((op, 0)..=(op, u64::MAX));
        all.map(|((_, size), kind)| (*size, kind))
    }

    /// The most frequent size with its operation.
    pub(super) fn commonest(&self) -> Option<(Op, u64)> {
        let most = self.all.iter().max_by_key(|(_, kind)| kind.requests);
        most.map(|(key, _)| *key)
    }

    /// Distinct sizes of requests.
    pub(super) fn sizes(&self) -> usize {
        self.all.len()
    }

    /// The list of a job, the most frequent first. Weights are in percent, to four digits.
    pub(super) fn list(&self) -> Vec<IoKind> {
        let mut most: Vec<((Op, u64), Kind)> =
            self.all.iter().map(|one| (*one.0, *one.1)).collect();
        most.sort_by_key(|(key, kind)| (std::cmp::Reverse(kind.requests), *key));
        let rest = most.split_off(most.len().min(MOST_KINDS));
        for (key, kind) in rest {
            let of_op = most.iter_mut().filter(|(other, _)| other.0 == key.0);
            let nearest = of_op.min_by_key(|(other, _)| other.1.abs_diff(key.1));
            match nearest {
                Some((_, into)) => into.join(&kind),
                // The only ones of their operation are not left out.
                None => most.push((key, kind)),
            }
        }
        // Sizes of whole sectors; several may become one.
        let mut list: Vec<((Op, u64), Kind)> = Vec::new();
        for ((op, bytes), kind) in most {
            let key = (op, bytes.next_multiple_of(SECTOR));
            match list.iter_mut().find(|(other, _)| *other == key) {
                Some((_, into)) => into.join(&kind),
                None => list.push((key, kind)),
            }
        }
        let all = self.all().max(1) as f64;
        let percent = |share: f64| (share * 1e6).round() / 1e4;
        list.iter()
            .map(|((op, bytes), kind)| IoKind {
                op: *op,
                block_size: Bytes(*bytes),
                random: Percent(snapped(
                    100.0 - percent(kind.sequential() / kind.requests as f64),
                )),
                align: Bytes(kind.align(*bytes)),
                weight: percent(kind.requests as f64 / all).max(1e-4),
            })
            .collect()
    }
}

impl Kind {
    fn join(&mut self, other: &Self) {
        self.requests += other.requests;
        self.follows += other.follows;
        self.skips += other.skips;
        self.of_size += other.of_size;
        for (own, more) in self.twos.iter_mut().zip(other.twos) {
            *own += more;
        }
    }

    /// Those that continue another one, without those that do by chance.
    const fn sequential(&self) -> f64 {
        self.follows.saturating_sub(self.skips) as f64
    }

    /// What random offsets are multiples of, but for a hundredth of them.
    fn align(&self, bytes: u64) -> u64 {
        let random = self.twos.iter().sum::<u64>();
        let enough = (random as f64 * ALIGNED_SHARE).ceil() as u64;
        if self.of_size >= enough {
            return bytes;
        }
        let mut sum = 0;
        for (power, count) in self.twos.iter().enumerate().rev() {
            sum += count;
            if sum >= enough {
                let most = 1 << bytes.ilog2();
                return (1_u64 << power).clamp(SECTOR, most);
            }
        }
        SECTOR
    }
}

/// A share in percent to one decimal; nearly none is none, and nearly all is all.
fn snapped(percent: f64) -> f64 {
    match percent {
        none if none < SNAP_PERCENT => 0.0,
        all if all > 100.0 - SNAP_PERCENT => 100.0,
        some => (some * 10.0).round() / 10.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANDOM: Follows = Follows {
        exactly: false,
        nearly: false,
        skipping: false,
    };
    const ORDERED: Follows = Follows {
        exactly: true,
        nearly: true,
        skipping: false,
    };

    #[test]
    fn a_list_has_the_frequent_sizes() {
        let mut kinds = Kinds::default();
        for number in 0..700 {
            kinds.add(Op::Read, number * 8192, 8192, RANDOM);
        }
        for number in 0..280 {
            let follows = if number % 4 == 0 { RANDOM } else { ORDERED };
            kinds.add(Op::Write, number * 24_576 + 4096, 24_576, follows);
        }
        for number in 0..20 {
            kinds.add(Op::Write, 512, 10_000 + number, RANDOM);
        }
        let kind = |op, bytes, random, align, weight| IoKind {
            op,
            block_size: Bytes(bytes),
            random: Percent(random),
            align: Bytes(align),
            weight,
        };
        let list = kinds.list();
        let expected = [
            kind(Op::Read, 8192, 100.0, 8192, 70.0),
            kind(Op::Write, 24_576, 25.0, 4096, 28.0),
            kind(Op::Write, 10_240, 100.0, 512, 2.0),
        ];
        assert_eq!(list, expected);
        assert_eq!(kinds.commonest(), Some((Op::Read, 8192)));
        assert_eq!((kinds.all(), kinds.requests(Op::Write)), (1000, 300));
    }
}
