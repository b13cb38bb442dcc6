//! The rate of an open load that changes: in bursts, by a curve, or both.

use crate::random::Random;
use fathom_core::spec::{Bursts, RateCurve};
use rand_distr::{Exp1, StandardUniform};
use std::sync::Arc;

/// Changes of the rate that are followed at most; what lies beyond them goes on at the mean rate.
/// Otherwise one request in a year would draw all bursts of the year.
const MOST_CHANGES: u32 = 1000;

/// The rate at an instant, over the mean rate. Instants are in units of the caller's.
#[derive(Clone, Debug)]
pub(crate) struct RateLevels {
    bursts: Option<BurstState>,
    curve: Option<CurveState>,
}

/// Whether a burst is under way, and until when.
#[derive(Clone, Debug)]
struct BurstState {
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

/// Which interval of a curve it is, and until when.
#[derive(Clone, Debug)]
struct CurveState {
    length: f64,
    /// Shared, so that a look ahead does not allocate.
    factors: Arc<[f64]>,
    position: usize,
    until: f64,
}

impl RateLevels {
    /// None of a constant rate. All threads with one seed have the same bursts. `unit` is the
    /// number of the caller's units in a nanosecond.
    pub(crate) fn new(
        bursts: Option<&Bursts>,
        curve: Option<&RateCurve>,
        unit: f64,
        seed: u64,
    ) -> Option<Self> {
        let made = Self {
            bursts: bursts.map(|bursts| BurstState::new(bursts, unit, seed)),
            curve: curve.map(|curve| CurveState::new(curve, unit)),
        };
        (made.bursts.is_some() || made.curve.is_some()).then_some(made)
    }

    /// The arrival that follows one at `from` after a `gap` at the mean rate. Out of line: with it
    /// a constant rate would save registers.
    #[inline(never)]
    pub(crate) fn after(&mut self, from: u128, mut gap: f64) -> u128 {
        let mut at = from as f64;
        for _ in 0..MOST_CHANGES {
            let level = self.level();
            let until = self.until();
            let room = (until - at).max(0.0) * level;
            if gap < room {
                return (at + gap / level).round() as u128;
            }
            gap -= room;
            at = at.max(until);
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
            let end = ahead.until().min(to);
            sum += (end - at).max(0.0) * ahead.level();
            at = at.max(end);
            if at >= to {
                return sum;
            }
            ahead.change();
        }
        sum + (to - at)
    }

    fn level(&self) -> f64 {
        let bursts = self
            .bursts
            .as_ref()
            .map_or(1.0, |one| one.levels[one.state]);
        let curve = self.curve.as_ref().map_or(1.0, CurveState::factor);
        bursts * curve
    }

    /// When the level changes next.
    fn until(&self) -> f64 {
        let bursts = self.bursts.as_ref().map_or(f64::INFINITY, |one| one.until);
        let curve = self.curve.as_ref().map_or(f64::INFINITY, |one| one.until);
        bursts.min(curve)
    }

    fn change(&mut self) {
        let now = match &self.curve {
            // Bursts of nothing are passed over at once.
            Some(curve) if curve.factor() <= 0.0 => curve.until,
            _ => self.until(),
        };
        if let Some(bursts) = &mut self.bursts {
            bursts.pass(now);
        }
        if let Some(curve) = self.curve.as_mut().filter(|one| one.until <= now) {
            curve.change();
        }
    }
}

impl BurstState {
    /// By the clock the first one starts at once.
    fn new(bursts: &Bursts, unit: f64, seed: u64) -> Self {
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

    /// Moves to the state at an instant.
    fn pass(&mut self, now: f64) {
        let period = self.lengths[0] + self.lengths[1];
        let periods = ((now - self.until) / period).floor();
        if self.random.is_none() && periods >= 1.0 {
            self.until += periods * period;
        } else if periods > f64::from(MOST_CHANGES) {
            // What is left of a random length does not depend on what has passed.
            self.until = now;
        }
        while self.until <= now {
            self.state = 1 - self.state;
            self.until += self.drawn();
        }
    }
}

impl CurveState {
    fn new(curve: &RateCurve, unit: f64) -> Self {
        let length = curve.every.0 as f64 * unit;
        Self {
            length,
            factors: curve.factors().into(),
            position: 0,
            until: length,
        }
    }

    fn factor(&self) -> f64 {
        self.factors[self.position]
    }

    fn change(&mut self) {
        self.position = (self.position + 1) % self.factors.len();
        self.until += self.length;
    }
}
