//! Times in which nothing is served.

use super::{Layer, Scope};
use crate::model::{Admission, IoShape, VolumeModel};
use fathom_core::Nanos;

/// A time in which nothing is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stall {
    /// Begin.
    pub at: Nanos,
    /// Duration of a stall.
    pub length: Nanos,
}

/// When nothing is served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StallTimes {
    /// At these times, in order, not overlapping.
    Listed(Vec<Stall>),
    /// For a length at the end of each period.
    Every(Nanos, Nanos),
}

impl StallTimes {
    /// The first stall that ends after an instant.
    fn after(&self, at: Nanos) -> Option<Stall> {
        match self {
            Self::Listed(list) => list.iter().find(|one| one.at + one.length > at).copied(),
            Self::Every(length, period) => {
                let number = at.0 / period.0;
                Some(Stall {
                    at: Nanos((number + 1) * period.0).saturating_sub(*length),
                    length: *length,
                })
            }
        }
    }

    /// The instant at which what would be done at `done` is done, if time stands still meanwhile.
    pub(super) fn shifted(&self, from: Nanos, done: Nanos) -> Nanos {
        let (mut at, mut left) = (from, done.saturating_sub(from));
        while let Some(stall) = self.after(at) {
            let until = stall.at.saturating_sub(at);
            if left <= until && (left > Nanos::ZERO || until > Nanos::ZERO) {
                break;
            }
            left = left.saturating_sub(until);
            at = stall.at + stall.length;
        }
        at + left
    }
}

/// Holds requests back at times.
#[derive(Clone, Debug)]
pub struct Stalls {
    times: StallTimes,
    scope: Scope,
}

impl Stalls {
    /// Stalls at times, for requests of a scope.
    pub const fn new(times: StallTimes, scope: Scope) -> Self {
        Self { times, scope }
    }
}

impl Layer for Stalls {
    fn admit(&mut self, io: IoShape, at: Nanos, below: &mut dyn VolumeModel) -> Admission {
        if !self.scope.has(io.op) {
            return below.admit(io, at);
        }
        let start = self.times.shifted(at, at);
        let served = below.admit(io, start);
        Admission {
            done: self.times.shifted(start, served.done),
            ..served
        }
    }

    fn boxed(&self) -> Box<dyn Layer> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{device, read, write};
    use super::*;

    const fn millis(value: u64) -> Nanos {
        Nanos(value * 1_000_000)
    }

    fn ends(times: &StallTimes) -> Vec<u64> {
        let mut below = device(10_000_000);
        let mut stalls = Stalls::new(times.clone(), Scope::All);
        [0, 90, 95, 100, 120, 150]
            .map(|at| stalls.admit(read(0), millis(at), &mut below).done.0 / 1_000_000)
            .to_vec()
    }

    #[test]
    fn what_is_under_way_stands_still_and_what_comes_waits() {
        let once = StallTimes::Listed(vec![Stall {
            at: millis(100),
            length: millis(50),
        }]);
        assert_eq!(ends(&once), [10, 100, 155, 160, 160, 160]);
        // At the end of each 150 ms: the same until the next.
        let often = StallTimes::Every(millis(50), millis(150));
        assert_eq!(ends(&often), [10, 100, 155, 160, 160, 160]);
    }

    #[test]
    fn a_scope_leaves_others_alone() {
        let mut below = device(1);
        let times = StallTimes::Every(millis(50), millis(100));
        let mut stalls = Stalls::new(times, Scope::Writes);
        let done = stalls.admit(read(1), millis(60), &mut below).done;
        assert_eq!(done, millis(60) + Nanos(1));
        let done = stalls.admit(write(1), millis(60), &mut below).done;
        assert_eq!(done, millis(100) + Nanos(1));
    }
}
