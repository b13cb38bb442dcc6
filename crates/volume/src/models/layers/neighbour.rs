//! Somebody else on the same volume.

use super::Layer;
use crate::model::{Admission, IoShape, VolumeModel};
use fathom_core::{Nanos, Op};
use rand_core::SeedableRng as _;
use rand_distr::{Distribution as _, Exp1, StandardUniform};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A load in addition to ours: requests at random instants and offsets.
#[derive(Clone, Debug)]
pub struct Neighbour {
    mean_gap_ns: f64,
    op: Op,
    bytes: u32,
    next_ns: f64,
    random: Xoshiro256PlusPlus,
}

impl Neighbour {
    /// `iops` requests a second of one kind, with exponential gaps.
    pub fn new(iops: f64, op: Op, bytes: u32, seed: u64) -> Self {
        let mut neighbour = Self {
            mean_gap_ns: 1e9 / iops,
            op,
            bytes,
            next_ns: 0.0,
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
        };
        neighbour.next_ns = neighbour.gap();
        neighbour
    }

    fn gap(&mut self) -> f64 {
        let drawn: f64 = Exp1.sample(&mut self.random);
        drawn * self.mean_gap_ns
    }

    fn place(&mut self, size_bytes: u64) -> u64 {
        let unit: f64 = StandardUniform.sample(&mut self.random);
        let places = (size_bytes / u64::from(self.bytes.max(1))).max(1);
        (unit * places as f64) as u64 * u64::from(self.bytes)
    }
}

impl Layer for Neighbour {
    fn settle(&mut self, at: Nanos, below: &mut dyn VolumeModel) {
        while self.next_ns <= at.0 as f64 {
            let io = IoShape {
                op: self.op,
                offset: self.place(below.size_bytes()),
                bytes: self.bytes,
            };
            below.admit(io, Nanos(self.next_ns as u64));
            self.next_ns += self.gap();
        }
    }

    fn admit(&mut self, io: IoShape, at: Nanos, below: &mut dyn VolumeModel) -> Admission {
        below.admit(io, at)
    }

    fn boxed(&self) -> Box<dyn Layer> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{one_server, read};
    use super::super::{CounterLayer, Layered, Lie};
    use super::*;

    #[test]
    fn its_requests_come_at_the_rate_and_take_their_time() {
        let below = Box::new(one_server(1_000_000));
        let counted = Layered::new(
            "counters",
            Box::new(CounterLayer::new(Lie::default())),
            below,
        );
        let mut below = Box::new(counted) as Box<dyn VolumeModel>;
        let mut neighbour = Neighbour::new(500.0, Op::Write, 4096, 1);
        neighbour.settle(Nanos::from_secs(10), below.as_mut());
        let seen = below.counters(Nanos::from_secs(20)).expect("counters");
        // 5000 are due; three standard deviations are 212.
        assert!((4_788..=5_212).contains(&seen.writes), "{}", seen.writes);
        assert_eq!(seen.write_bytes, seen.writes * 4096);
        let done = neighbour.admit(read(1), Nanos::from_secs(10), below.as_mut());
        assert!(done.done >= Nanos::from_secs(10) + Nanos(1_000_000));
    }
}
