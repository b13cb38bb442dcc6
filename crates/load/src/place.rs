//! Which block a random request goes to.

use crate::permutation::Permutation;
use crate::random::Random;
use fathom_core::spec::Distribution;
use rand_distr::{StandardNormal, StandardUniform, Zipf};

/// Chooses blocks by one distribution over a fixed number of blocks.
#[derive(Clone, Debug)]
pub enum BlockChoice {
    /// Everywhere alike.
    Uniform {
        /// Number of blocks.
        blocks: u64,
    },
    /// By rank, ranks scattered over the window.
    Zipf {
        /// Ranks from 1.
        law: Zipf<f64>,
        /// Where each rank is.
        scatter: Permutation,
    },
    /// A power of a uniform number, scattered over the window.
    Pareto {
        power: f64,
        /// Where each rank is.
        scatter: Permutation,
    },
    /// Around the middle.
    Normal {
        /// Number of blocks.
        blocks: u64,
        /// Standard deviation in blocks.
        deviation: f64,
    },
    /// Explicit ranges.
    Hot {
        /// The ranges: threshold (of 2^32, cumulative), first block, number of blocks.
        ranges: Vec<(u64, u64, u64)>,
    },
    /// Each block once a pass.
    Once(Pass),
}

/// A share of passes over all blocks: every `threads`-th position.
#[derive(Clone, Debug)]
pub struct Pass {
    order: Permutation,
    seed: u64,
    number: u64,
    next: u64,
    first: u64,
    step: u64,
    /// Blocks of the positions before `next`, the last one first, and the number that is left.
    ahead: [u64; AHEAD],
    left: usize,
}

/// Positions whose blocks are computed together.
const AHEAD: usize = 16;

impl Pass {
    /// The share of thread `first` of `step` in passes over `blocks` blocks.
    pub fn new(blocks: u64, seed: u64, first: u64, step: u64) -> Self {
        let order = Permutation::new(blocks, seed);
        Self {
            order,
            seed,
            number: 0,
            next: first,
            first,
            step,
            ahead: [0; AHEAD],
            left: 0,
        }
    }

    fn begin(&mut self) {
        self.number += 1;
        self.order = Permutation::new(self.order.count(), self.seed.wrapping_add(self.number));
        // With fewer blocks than threads, some threads have no share of their own and repeat the
        // first ones.
        self.next = self.first % self.order.count().max(1);
        self.left = 0;
    }

    #[inline]
    fn pick(&mut self) -> u64 {
        if self.left == 0 {
            self.look_ahead();
        }
        self.left -= 1;
        self.ahead[self.left % AHEAD]
    }

    /// Computes the blocks of the next positions.
    #[inline(never)]
    fn look_ahead(&mut self) {
        while self.next >= self.order.count() {
            self.begin();
        }
        let positions = (self.order.count() - self.next).div_ceil(self.step);
        let count = positions.min(AHEAD as u64);
        let (order, next, step) = (&self.order, self.next, self.step);
        // Those behind the last one are computed for nothing.
        let positions =
            std::array::from_fn(|at| next + (count - 1).saturating_sub(at as u64) * step);
        self.ahead = positions.map(|position| order.at(position));
        self.next += count * step;
        self.left = count as usize;
    }
}

impl BlockChoice {
    /// The distribution over `blocks` blocks. `seed` scatters ranks; it is the same for all
    /// threads of a job, so that they agree on what is hot.
    pub fn new(distribution: &Distribution, blocks: u64, seed: u64) -> Self {
        let blocks = blocks.max(1);
        match distribution {
            Distribution::Uniform => Self::Uniform { blocks },
            Distribution::Zipf { theta } => Self::Zipf {
                law: Zipf::new(blocks as f64, *theta).expect("validated: theta is positive"),
                scatter: Permutation::new(blocks, seed),
            },
            Distribution::Pareto { h } => Self::Pareto {
                power: (1.0 - h).ln() / h.ln(),
                scatter: Permutation::new(blocks, seed),
            },
            Distribution::Normal { deviation } => Self::Normal {
                blocks,
                deviation: deviation.0 / 100.0 * blocks as f64,
            },
            Distribution::Hot { ranges } => {
                let mut list = Vec::with_capacity(ranges.len() + 1);
                let (mut ios, mut of) = (0.0, 0.0);
                let mut first = 0;
                for range in ranges {
                    ios += range.ios.0;
                    of += range.of.0;
                    let end = ((of / 100.0 * blocks as f64).round() as u64).clamp(1, blocks);
                    let end = end.max(first + 1).min(blocks);
                    let start = first.min(blocks - 1);
                    list.push((threshold(ios), start, (end - start).max(1)));
                    first = end;
                }
                let rest = first.min(blocks - 1);
                list.push((1 << 32, rest, (blocks - rest).max(1)));
                Self::Hot { ranges: list }
            }
        }
    }

    /// A pass that has been begun is over.
    pub fn begin(&mut self) {
        if let Self::Once(pass) = self {
            pass.begin();
        }
    }

    /// The next block.
    #[inline]
    pub fn pick(&mut self, random: &mut Random) -> u64 {
        match self {
            Self::Uniform { blocks } => random.below(*blocks),
            Self::Once(pass) => pass.pick(),
            other => other.pick_skewed(random),
        }
    }

    #[inline(never)]
    fn pick_skewed(&mut self, random: &mut Random) -> u64 {
        match self {
            Self::Zipf { law, scatter } => {
                let rank = random.sample(law) as u64;
                scatter.at(rank.clamp(1, scatter.count()) - 1)
            }
            Self::Pareto { power, scatter } => {
                let share: f64 = random.sample(&StandardUniform);
                let rank = (share.powf(*power) * scatter.count() as f64) as u64;
                scatter.at(rank.min(scatter.count() - 1))
            }
            Self::Normal { blocks, deviation } => loop {
                let place = random.sample(&StandardNormal) * *deviation + *blocks as f64 / 2.0;
                if place >= 0.0 && place < *blocks as f64 {
                    return place as u64;
                }
            },
            Self::Hot { ranges } => {
                let draw = random.below(1 << 32);
                let (_, first, blocks) = *ranges
                    .iter()
                    .find(|(threshold, _, _)| draw < *threshold)
                    .expect("the last threshold is 2^32");
                first + random.below(blocks)
            }
            Self::Uniform { .. } | Self::Once(_) => self.pick(random),
        }
    }
}

fn threshold(percent: f64) -> u64 {
    fathom_core::Percent(percent).threshold()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::Percent;
    use fathom_core::spec::HotRange;

    fn counts(distribution: &Distribution, blocks: u64, draws: u64) -> Vec<u64> {
        let mut place = BlockChoice::new(distribution, blocks, 3);
        let mut random = Random::new(5);
        let mut counts = vec![0; blocks as usize];
        for _ in 0..draws {
            counts[place.pick(&mut random) as usize] += 1;
        }
        counts
    }

    #[test]
    fn zipf_ranks_follow_the_power_law() {
        let mut counts = counts(&Distribution::Zipf { theta: 1.0 }, 1000, 1_000_000);
        counts.sort_unstable_by(|a, b| b.cmp(a));
        // H(1000) = 7.4855: the first rank has 13.36 % and the second half of it.
        assert!(counts[0].abs_diff(133_591) < 1700, "{}", counts[0]);
        assert!(counts[1].abs_diff(66_796) < 1250, "{}", counts[1]);
    }

    #[test]
    fn pareto_gives_the_share_to_the_few() {
        let mut counts = counts(&Distribution::Pareto { h: 0.8 }, 1000, 1_000_000);
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let hot: u64 = counts[..200].iter().sum();
        assert!(hot.abs_diff(800_000) < 4000, "{hot}");
    }

    #[test]
    fn normal_has_its_share_within_one_deviation() {
        let deviation = Percent(10.0);
        let counts = counts(&Distribution::Normal { deviation }, 1000, 1_000_000);
        let near: u64 = counts[400..600].iter().sum();
        assert!(near.abs_diff(682_690) < 2500, "{near}");
    }

    #[test]
    fn hot_ranges_get_what_they_are_given() {
        let range = |ios, of| HotRange {
            ios: Percent(ios),
            of: Percent(of),
        };
        let ranges = vec![range(90.0, 10.0), range(0.0, 10.0), range(5.0, 20.0)];
        let counts = counts(&Distribution::Hot { ranges }, 1000, 1_000_000);
        let share = |range: std::ops::Range<usize>| counts[range].iter().sum::<u64>();
        let found = [
            share(0..100),
            share(100..200),
            share(200..400),
            share(400..1000),
        ];
        let expected = [900_000, 0, 50_000, 50_000];
        for (found, expected) in found.into_iter().zip(expected) {
            assert!(
                found.abs_diff(expected) < 1500,
                "{found} instead of {expected}"
            );
        }
    }

    #[test]
    fn a_pass_over_all_blocks_is_shared_out() {
        let mut random = Random::new(1);
        let mut seen: Vec<u64> = (0..3)
            .flat_map(|thread| {
                let share = (thread..1000).step_by(3).count();
                let mut place = BlockChoice::Once(Pass::new(1000, 9, thread, 3));
                (0..share)
                    .map(|_| place.pick(&mut random))
                    .collect::<Vec<_>>()
            })
            .collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..1000).collect::<Vec<_>>());
    }

    #[test]
    fn the_second_pass_has_another_order() {
        let mut random = Random::new(1);
        let mut place = BlockChoice::Once(Pass::new(100, 9, 0, 1));
        let mut pass = || {
            (0..100)
                .map(|_| place.pick(&mut random))
                .collect::<Vec<_>>()
        };
        let (first, second) = (pass(), pass());
        assert_ne!(first, second);
        let sorted = |mut blocks: Vec<u64>| {
            blocks.sort_unstable();
            blocks
        };
        assert_eq!(sorted(first), sorted(second));
    }
}
