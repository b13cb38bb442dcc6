//! The rate of an open load that is higher in bursts.

use crate::random::Random;
use fathom_core::spec::Bursts;
use rand_distr::{Exp1, StandardUniform};

/// Changes of the rate that are followed at most; what lies beyond them goes on at the mean rate.
/// Otherwise one request in a year would draw all bursts of the year.
const MOST_CHANGES: u32 = 1000;

/// Whether a burst is under way, and until when. Instants are in units of the caller's.
#[derive(Clone, Debug)]
pub(crate) struct RateBursts {
    /// Lengths of a burst and of the time between two.
    lengths: [f64; 2],
    /// Rates then, over the mean rate.
    levels: [f64; 2],
    /// 0 in a burst, 1 between two.
    state: usize,
    until: f64,
    /// Draws the lengths, unless bursts come by the clock.
    random: Option<Random>,
}

impl RateBursts {
    /// The same bursts for all threads with one seed, in `unit`s of a nanosecond. By the clock the
    /// first one starts at once.
    pub(crate) fn new(bursts: &Bursts, unit: f64, seed: u64) -> Self {
        let length = bursts.length.0 as f64 * unit;
        let (within, between) = bursts.levels();
        let mut random = (!bursts.clocked).then(|| Random::new(seed));
        let duty = bursts.duty();
        let is_quiet = random
            .as_mut()
            .is_some_and(|random| random.sample(&StandardUniform) >= duty);
        let mut made = Self {
            lengths: [length, bursts.every.0 as f64 * unit - length],
            levels: [within, between],
            state: usize::from(is_quiet),
            until: 0.0,
            random,
        };
        made.until = made.drawn();
        made
    }

    fn drawn(&mut self) -> f64 {
        let factor: f64 = match &mut self.random {
            Some(random) => random.sample(&Exp1),
            None => 1.0,
        };
        self.lengths[self.state] * factor
    }

    /// The arrival that follows one at `from` after a `gap` at the mean rate.
    pub(crate) fn after(&mut self, from: u128, mut gap: f64) -> u128 {
        let mut at = from as f64;
        for _ in 0..MOST_CHANGES {
            let level = self.levels[self.state];
            let room = (self.until - at).max(0.0) * level;
            if gap < room {
                return (at + gap / level).round() as u128;
            }
            gap -= room;
            at = self.until;
            self.change();
        }
        (at + gap).round() as u128
    }

    /// The time between two instants as it would be at the mean rate: that over a mean gap are the
    /// arrivals of that time, on average. Drawing bursts in advance changes none.
    pub(crate) fn gaps(&self, from: u128, to: u128) -> f64 {
        let mut ahead = self.clone();
        let (mut at, to) = (from as f64, to as f64);
        let mut sum = 0.0;
        for _ in 0..MOST_CHANGES {
            let end = ahead.until.min(to);
            sum += (end - at).max(0.0) * ahead.levels[ahead.state];
            at = at.max(end);
            if at >= to {
                return sum;
            }
            ahead.change();
        }
        sum + (to - at)
    }

    fn change(&mut self) {
        self.state = 1 - self.state;
        self.until += self.drawn();
    }
}
