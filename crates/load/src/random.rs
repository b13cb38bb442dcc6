//! The random source of a worker: xoshiro256++, named so that a seed keeps its meaning.

use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A worker's own generator.
#[derive(Clone, Debug)]
pub struct Random {
    generator: Xoshiro256PlusPlus,
}

impl Random {
    /// The generator that `seed` names.
    pub fn new(seed: u64) -> Self {
        Self {
            generator: Xoshiro256PlusPlus::seed_from_u64(seed),
        }
    }

    /// A number below `n`, by multiplication and shift (Lemire, "Fast Random Integer Generation
    /// in an Interval", 2019, without the rejection step: the bias is below `n` / 2^64).
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.generator.next_u64()) * u128::from(n)) >> 64) as u64
    }

    /// Whether an event with this threshold (of 2^32) happens. The extremes draw nothing.
    #[inline]
    pub fn happens(&mut self, threshold: u64) -> bool {
        match threshold {
            0 => false,
            t if t >= 1 << 32 => true,
            t => (self.generator.next_u64() >> 32) < t,
        }
    }

    pub fn sample<D: rand_distr::Distribution<f64>>(&mut self, distribution: &D) -> f64 {
        distribution.sample(&mut self.generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_below_and_cover_evenly() {
        let mut random = Random::new(1);
        let mut counts = [0_u32; 7];
        for _ in 0..70_000 {
            counts[random.below(7) as usize] += 1;
        }
        // Five standard deviations of a binomial with p = 1/7.
        assert!(
            counts.iter().all(|count| count.abs_diff(10_000) < 463),
            "{counts:?}"
        );
    }

    #[test]
    fn certain_events_draw_nothing() {
        let (mut drawing, mut still) = (Random::new(1), Random::new(1));
        assert!(drawing.happens(1 << 32));
        assert!(!drawing.happens(0));
        assert_eq!(drawing.below(1000), still.below(1000));
    }
}
