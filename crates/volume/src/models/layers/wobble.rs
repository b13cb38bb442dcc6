//! A volume whose clock runs unevenly: every rate and every time of it wobbles.

use super::Layer;
use crate::model::{Admission, IoShape, VolumeModel};
use fathom_core::Nanos;
use rand_core::SeedableRng as _;
use rand_distr::{Distribution as _, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::{Mutex, PoisonError};

/// Slowest and fastest speed, so that time goes on.
const SPEEDS: (f64, f64) = (0.1, 10.0);

/// Speeds drawn for periods of time, normal about 1.
///
/// Rates of limits and service times change with the speed, the amounts of buckets do not.
#[derive(Debug)]
pub struct Wobble {
    sigma: f64,
    period: Nanos,
    drawn: Mutex<Drawn>,
}

#[derive(Clone, Debug)]
struct Drawn {
    random: Xoshiro256PlusPlus,
    /// The volume's own time at the start of each period, nanoseconds, and one more.
    begins: Vec<f64>,
}

impl Drawn {
    fn grow(&mut self, sigma: f64, period: Nanos) {
        let drawn: f64 = StandardNormal.sample(&mut self.random);
        let speed = (1.0 + sigma * drawn).clamp(SPEEDS.0, SPEEDS.1);
        let last = self.begins.last().copied().unwrap_or_default();
        self.begins.push(last + speed * period.0 as f64);
    }
}

impl Wobble {
    /// Speeds with a standard deviation, each for a period.
    pub fn new(sigma: f64, period: Nanos, seed: u64) -> Self {
        Self {
            sigma,
            period: period.max(Nanos(1)),
            drawn: Mutex::new(Drawn {
                random: Xoshiro256PlusPlus::seed_from_u64(seed),
                begins: vec![0.0],
            }),
        }
    }

    fn drawn(&self) -> std::sync::MutexGuard<'_, Drawn> {
        self.drawn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The volume's time at an instant.
    fn inside(&self, at: Nanos) -> Nanos {
        let mut drawn = self.drawn();
        let number = (at.0 / self.period.0) as usize;
        while drawn.begins.len() < number + 2 {
            drawn.grow(self.sigma, self.period);
        }
        let (begin, end) = (drawn.begins[number], drawn.begins[number + 1]);
        let share = (at.0 % self.period.0) as f64 / self.period.0 as f64;
        Nanos((begin + share * (end - begin)).round() as u64)
    }

    /// The first instant at which the volume's time is this.
    fn outside(&self, inside: Nanos) -> Nanos {
        let mut drawn = self.drawn();
        let target = inside.0 as f64;
        while drawn.begins.last().is_none_or(|last| *last <= target) {
            drawn.grow(self.sigma, self.period);
        }
        let number = drawn.begins.partition_point(|begin| *begin <= target) - 1;
        let (begin, end) = (drawn.begins[number], drawn.begins[number + 1]);
        let share = (target - begin) / (end - begin);
        Nanos(((number as f64 + share) * self.period.0 as f64).ceil() as u64)
    }
}

impl Layer for Wobble {
    fn admit(&mut self, io: IoShape, at: Nanos, below: &mut dyn VolumeModel) -> Admission {
        let served = below.admit(io, self.inside(at));
        Admission {
            done: self.outside(served.done).max(at),
            ..served
        }
    }

    fn instant_below(&self, at: Nanos) -> Nanos {
        self.inside(at)
    }

    fn boxed(&self) -> Box<dyn Layer> {
        Box::new(Self {
            sigma: self.sigma,
            period: self.period,
            drawn: Mutex::new(self.drawn().clone()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{one_server, read};
    use super::*;

    #[test]
    fn rates_wobble_by_what_is_asked() {
        let mut below = one_server(1_000_000);
        let mut wobble = Wobble::new(0.02, Nanos::from_secs(1), 7);
        let mut at = Nanos(0);
        let mut counts = vec![0.0_f64; 200];
        while at < Nanos::from_secs(200) {
            counts[(at.0 / 1_000_000_000) as usize] += 1.0;
            at = wobble.admit(read(1), at, &mut below).done;
        }
        let mean = counts.iter().sum::<f64>() / 200.0;
        let square: f64 = counts.iter().map(|count| (count - mean).powi(2)).sum();
        let sigma = (square / 200.0).sqrt() / mean;
        assert!((mean - 1000.0).abs() < 5.0, "{mean}");
        assert!((0.016..0.024).contains(&sigma), "{sigma}");
    }

    #[test]
    fn there_and_back_is_the_same_instant() {
        let wobble = Wobble::new(0.1, Nanos(1_000), 3);
        for at in [0, 1, 999, 1_000, 54_321, 1_000_000] {
            let back = wobble.outside(wobble.inside(Nanos(at)));
            assert!(back.0.abs_diff(at) <= 2, "{at}: {back}");
        }
    }
}
