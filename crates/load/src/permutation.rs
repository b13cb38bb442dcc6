//! A seeded order of all numbers below `n`, each once, in constant memory.
//!
//! A balanced Feistel network over the next even power of two, restricted to `n` by cycle
//! walking (Black and Rogaway, "Ciphers with Arbitrary Finite Domains", CT-RSA 2002). Position
//! `i` is computed from `i` alone, so a pass can be resumed and shared out between threads.

const ROUNDS: usize = 4;

/// A bijection of `0..n`.
#[derive(Clone, Copy, Debug)]
pub struct Permutation {
    n: u64,
    half_bits: u32,
    half_mask: u64,
    keys: [u64; ROUNDS],
}

impl Permutation {
    /// The permutation of `0..n` that `seed` names. `n` is taken as 1 if it is 0.
    pub fn new(n: u64, seed: u64) -> Self {
        let n = n.max(1);
        let bits = (u64::BITS - (n - 1).leading_zeros()).max(2);
        let half_bits = bits.div_ceil(2);
        let mut state = seed;
        let keys = std::array::from_fn(|_| crate::seed::next(&mut state));
        Self {
            n,
            half_bits,
            half_mask: (1 << half_bits) - 1,
            keys,
        }
    }

    /// How many numbers there are.
    pub const fn count(&self) -> u64 {
        self.n
    }

    /// The number at position `index`, which is below [`count`](Self::count).
    #[inline]
    pub fn at(&self, index: u64) -> u64 {
        let mut value = index;
        loop {
            value = self.shuffle(value);
            if value < self.n {
                return value;
            }
        }
    }

    #[inline]
    fn shuffle(&self, value: u64) -> u64 {
        let (mut left, mut right) = (value >> self.half_bits, value & self.half_mask);
        for key in self.keys {
            let mixed = (right ^ key).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
            (left, right) = (right, left ^ ((mixed >> 32) & self.half_mask));
        }
        (left << self.half_bits) | right
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_number_comes_once(n in 1_u64..5000, seed: u64) {
            let permutation = Permutation::new(n, seed);
            let mut seen: Vec<u64> = (0..n).map(|index| permutation.at(index)).collect();
            seen.sort_unstable();
            prop_assert_eq!(seen, (0..n).collect::<Vec<_>>());
        }

        #[test]
        fn large_ranges_stay_inside(n in 1_u64 << 40..1 << 62, seed: u64, index: u64) {
            prop_assert!(Permutation::new(n, seed).at(index % n) < n);
        }
    }

    #[test]
    fn neighbours_are_scattered() {
        let permutation = Permutation::new(1 << 20, 7);
        let near = (0..10_000)
            .filter(|&index| permutation.at(index).abs_diff(permutation.at(index + 1)) < 1 << 10)
            .count();
        // For independent places a distance below n/1024 has probability 2/1024: about 20.
        assert!(
            (5..45).contains(&near),
            "{near} of 10000 neighbours stay near"
        );
    }

    #[test]
    fn the_seed_names_the_order() {
        let first = |seed| {
            (0..4)
                .map(|i| Permutation::new(1000, seed).at(i))
                .collect::<Vec<_>>()
        };
        assert_eq!(first(1), first(1));
        assert_ne!(first(1), first(2));
    }
}
