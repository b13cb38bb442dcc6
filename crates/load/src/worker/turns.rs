//! Which of several targets has its turn, where they are drawn.

use crate::random::Random;

/// The turns of a thread's targets, which share its slots.
#[derive(Debug)]
pub struct Turns {
    random: Random,
    /// How often each is drawn; empty where all are alike.
    weights: Box<[u32]>,
}

impl Turns {
    /// Turns of targets that are drawn so often, against the others; all alike without weights.
    pub fn drawn(weights: &[u32], seed: u64) -> Self {
        let alike = weights.iter().all(|weight| *weight == weights[0]);
        Self {
            random: Random::new(seed),
            weights: weights.iter().copied().filter(|_| !alike).collect(),
        }
    }

    /// The target of the next request: any of those that are open, by weight.
    pub(super) fn choose(&mut self, targets: usize, open: impl Fn(usize) -> bool) -> Option<usize> {
        let weights = &self.weights;
        let weight = |target: usize| match weights.get(target) {
            _ if !open(target) => 0,
            Some(weight) => u64::from(*weight),
            None => 1,
        };
        let all = (0..targets).map(weight).sum::<u64>();
        if all == 0 {
            return None;
        }
        let mut drawn = self.random.below(all);
        (0..targets).find(|target| {
            let its = weight(*target);
            let is_it = drawn < its;
            drawn = drawn.saturating_sub(its);
            is_it
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_drawn_by_weight_whatever_went_before() {
        let drawn = |weights: &[u32], shut: usize| {
            let mut turns = Turns::drawn(weights, 7);
            let mut counts = [0_u32; 3];
            for _ in 0..60_000 {
                let target = turns.choose(3, |target| target != shut);
                counts[target.expect("one is open")] += 1;
            }
            counts
        };
        // Five standard deviations of binomials of 60,000.
        let near = |counts: [u32; 3], expected: [u32; 3]| {
            let are = |(count, of): (&u32, &u32)| count.abs_diff(*of) < 600;
            assert!(counts.iter().zip(&expected).all(are), "{counts:?}");
        };
        near(drawn(&[], 9), [20_000; 3]);
        near(drawn(&[4, 4, 4], 9), [20_000; 3]);
        near(drawn(&[1, 2, 3], 9), [10_000, 20_000, 30_000]);
        near(drawn(&[1, 2, 3], 1), [15_000, 0, 45_000]);
        assert_eq!(drawn(&[0, 1, 0], 9), [0, 60_000, 0]);
        let mut turns = Turns::drawn(&[1, 0, 1], 7);
        let only = turns.choose(3, |target| target == 1);
        assert_eq!(only, None);
    }
}
