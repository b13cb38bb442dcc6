//! A pass over all of a window in requests of several sizes: none meets what another has had, and
//! one is shortened, down to the smallest size, where it would.
//!
//! It takes a bit for each place of the smallest size.

use crate::permutation::Permutation;

/// Which places of a window a pass has had.
#[derive(Debug)]
pub(crate) struct Cover {
    order: Permutation,
    seed: u64,
    passes: u64,
    next: u64,
    left: u64,
    had: Box<[u64]>,
}

const WORD_BITS: u64 = u64::BITS as u64;

impl Cover {
    /// Passes over so many places. It begins as at the end of a pass: of bits that are set the
    /// memory is there before the load.
    pub(crate) fn new(places: u64, seed: u64) -> Self {
        let places = places.max(1);
        Self {
            order: Permutation::new(places, seed),
            seed,
            passes: 0,
            next: 0,
            left: 0,
            had: vec![u64::MAX; places.div_ceil(WORD_BITS) as usize].into(),
        }
    }

    /// A place that the pass has not had, and how many in a row it has not had from there, at most
    /// `most`.
    pub(crate) fn find(&mut self, most: u64) -> (u64, u64) {
        if self.left == 0 {
            self.begin();
        }
        let mut place = self.order.at(self.next);
        while self.has(place) {
            self.next += 1;
            place = self.order.at(self.next);
        }
        let end = self.order.count().min(place.saturating_add(most.max(1)));
        let free = (place + 1..end).take_while(|place| !self.has(*place));
        (place, 1 + free.count() as u64)
    }

    /// The pass has these now.
    pub(crate) fn take(&mut self, first: u64, count: u64) {
        let end = self.order.count().min(first.saturating_add(count));
        for place in first..end {
            let bit = 1 << (place % WORD_BITS);
            let word = &mut self.had[(place / WORD_BITS) as usize];
            self.left -= u64::from(*word & bit == 0);
            *word |= bit;
        }
    }

    fn has(&self, place: u64) -> bool {
        self.had[(place / WORD_BITS) as usize] >> (place % WORD_BITS) & 1 == 1
    }

    /// The next pass, in another order.
    fn begin(&mut self) {
        let places = self.order.count();
        self.order = Permutation::new(places, self.seed.wrapping_add(self.passes));
        self.passes += 1;
        self.had.fill(0);
        self.left = places;
        self.next = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn each_place_is_had_once_in_a_pass(
            places in 1_u64..700,
            seed: u64,
            sizes in prop::collection::vec(1_u64..9, 1..5),
        ) {
            let mut cover = Cover::new(places, seed);
            for _pass in 0..3 {
                let mut seen = vec![0; places as usize];
                let mut sizes = sizes.iter().cycle();
                while seen.contains(&0) {
                    let most = *sizes.next().expect("they come again");
                    let (first, count) = cover.find(most);
                    prop_assert!((1..=most).contains(&count));
                    cover.take(first, count);
                    for place in first..first + count {
                        seen[place as usize] += 1;
                    }
                }
                prop_assert!(seen.iter().all(|times| *times == 1));
            }
        }
    }
}
