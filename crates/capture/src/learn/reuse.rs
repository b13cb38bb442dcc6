//! How often a cache of any size would answer: stack distances (Mattson and others, "Evaluation
//! techniques for storage hierarchies", 1970) of a sample of the pages, as in Waldspurger and
//! others, "Efficient MRC construction with SHARDS", FAST 2015.

use std::collections::HashMap;

/// Bytes of a page of the cache.
pub(super) const PAGE_BYTES: u64 = 4096;
/// Pages that are followed at most, and positions of the tree.
const MOST_PAGES: usize = 1 << 17;
const POSITIONS: usize = 1 << 19;
/// Pages of one request that are looked at.
const MOST_PAGES_OF_REQUEST: u64 = 256;
/// Accesses of a sample without which no ratio is given: chance would decide it.
const LEAST_SAMPLES: u64 = 1000;

/// Stack distances of the pages of requests.
#[derive(Clone, Debug)]
pub(super) struct Reuse {
    /// A page is followed if the lower bits of its hash are zero.
    mask: u64,
    /// The position of the last access of each page.
    last: HashMap<u64, usize>,
    /// A Fenwick tree: 1 at the position of the last access of a page.
    tree: Vec<u32>,
    next: usize,
    /// Number of accesses at each distance, in pages of the sample.
    distances: Vec<u64>,
    accesses: u64,
    /// Accesses to all pages.
    all: u64,
}

impl Reuse {
    /// For a trace that touches about this number of bytes in about this number of accesses.
    pub(super) fn new(footprint_bytes: u64, accesses: u64) -> Self {
        let pages = (footprint_bytes / PAGE_BYTES).min(accesses).max(1);
        let each = pages.div_ceil(MOST_PAGES as u64).next_power_of_two();
        Self {
            mask: each - 1,
            last: HashMap::new(),
            tree: vec![0; POSITIONS + 1],
            next: 0,
            distances: Vec::new(),
            accesses: 0,
            all: 0,
        }
    }

    pub(super) fn add(&mut self, device: u16, offset: u64, bytes: u64) {
        let first = offset / PAGE_BYTES;
        let last = offset.saturating_add(bytes.max(1) - 1) / PAGE_BYTES;
        for page in (first..=last).take(MOST_PAGES_OF_REQUEST as usize) {
            self.all += 1;
            let key = hash(page ^ u64::from(device) << 48);
            if key & self.mask == 0 {
                self.access(key);
            }
        }
    }

    fn access(&mut self, page: u64) {
        self.accesses += 1;
        if self.next == POSITIONS {
            self.compact();
        }
        let position = self.next;
        self.next += 1;
        match self.last.insert(page, position) {
            Some(before) => {
                let distance = self.pages_after(before);
                if self.distances.len() <= distance {
                    self.distances.resize(distance + 1, 0);
                }
                self.distances[distance] += 1;
                self.change(before, false);
            }
            None if self.last.len() > MOST_PAGES => {
                // More pages than foreseen: a page that is followed no more counts as new.
                self.last.remove(&page);
                return;
            }
            None => {}
        }
        self.change(position, true);
    }

    /// Distinct pages whose last access is after a position.
    fn pages_after(&self, position: usize) -> usize {
        let (mut sum, mut at) = (0, position + 1);
        while at > 0 {
            sum += self.tree[at] as usize;
            at &= at - 1;
        }
        // The page was just inserted again and is in the map, not yet in the tree.
        self.last.len() - sum
    }

    fn change(&mut self, position: usize, is_there: bool) {
        let mut at = position + 1;
        while at <= POSITIONS {
            self.tree[at] = if is_there {
                self.tree[at] + 1
            } else {
                self.tree[at] - 1
            };
            at += at & at.wrapping_neg();
        }
    }

    /// Numbers the positions anew, without those that nothing is at.
    fn compact(&mut self) {
        let mut pages: Vec<(usize, u64)> =
            self.last.iter().map(|(page, at)| (*at, *page)).collect();
        pages.sort_unstable();
        self.tree.fill(0);
        self.next = pages.len();
        for (position, (_, page)) in pages.into_iter().enumerate() {
            self.last.insert(page, position);
            self.change(position, true);
        }
    }

    /// Share of the pages that an LRU cache of this size answers, 0 to 1; none without accesses,
    /// or with a sample of too few.
    pub(super) fn hit_ratio(&self, cache_bytes: u64) -> Option<f64> {
        let pages = cache_bytes / PAGE_BYTES / (self.mask + 1);
        let hits = self.distances.iter().take(pages as usize).sum::<u64>();
        // Accesses that the sample has too few or too many of are mostly those of few popular
        // pages, which any cache has (SHARDS-adj).
        let expected = self.all as f64 / (self.mask + 1) as f64;
        let hits = hits as f64 + expected - self.accesses as f64;
        let least = if self.mask == 0 { 1 } else { LEAST_SAMPLES };
        (self.accesses >= least).then(|| (hits / expected).clamp(0.0, 1.0))
    }
}

/// Mixes the bits of a number (the finaliser of SplitMix64).
pub(super) const fn hash(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_fits_or_does_not() {
        let mut reuse = Reuse::new(1000 * PAGE_BYTES, u64::MAX);
        for access in 0..200_000 {
            reuse.add(0, access % 1000 * PAGE_BYTES, PAGE_BYTES);
        }
        let ratio = |pages| reuse.hit_ratio(pages * PAGE_BYTES);
        assert_eq!(ratio(999), Some(0.0));
        assert_eq!(ratio(1000), Some(0.995));
    }

    #[test]
    fn few_requests_to_a_large_space_are_not_sampled() {
        // 20,000 distinct offsets over 977 GiB.
        let ratio = |accesses| {
            let mut reuse = Reuse::new(1 << 40, accesses);
            for access in 0..20_000 {
                reuse.add(0, access * 12_800 * PAGE_BYTES, 8192);
            }
            reuse.hit_ratio(1 << 37)
        };
        assert_eq!((ratio(40_000), ratio(u64::MAX)), (Some(0.0), None));
    }

    #[test]
    fn distances_are_those_of_a_list() {
        // Compared with the definition, over compactions.
        let mut reuse = Reuse::new(64 * PAGE_BYTES, u64::MAX);
        let mut list: Vec<u64> = Vec::new();
        let mut hits = [0_u64; 65];
        let count = 2 * POSITIONS as u64 / 5;
        for number in 0..count {
            let page = (hash(number) % 64) & hash(number ^ 7);
            for _ in 0..5 {
                reuse.add(0, page * PAGE_BYTES, 1);
            }
            hits[1] += 4;
            if let Some(place) = list.iter().position(|one| *one == page) {
                list.remove(place);
                hits[place + 1] += 1;
            }
            list.insert(0, page);
        }
        let mut sum = 0;
        for (pages, more) in hits.iter().enumerate() {
            sum += more;
            let expected = sum as f64 / (5 * count) as f64;
            assert_eq!(
                reuse.hit_ratio(pages as u64 * PAGE_BYTES),
                Some(expected),
                "{pages}"
            );
        }
    }
}
