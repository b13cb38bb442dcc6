//! The decision on a quantile put to the test by brute force: steps whose true share of slow
//! requests is exactly what the objective allows, drawn one event at a time.

use super::ObjectiveOutcome;
use super::judgement::share;
use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Share of requests that may be slow, as p99 allows.
const ALLOWED: f64 = 0.01;
/// Intervals of a step of a ramp.
const INTERVALS: usize = 20;

/// Draws of each case: few, unless `FATHOM_TRIALS` said otherwise when this was compiled.
fn draws() -> u32 {
    option_env!("FATHOM_TRIALS").map_or(1000, |number| number.parse().expect("a number"))
}

struct Chance(Xoshiro256PlusPlus);

impl Chance {
    fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Events of a Poisson process in a time in which `expected` of them are expected, each at its
    /// place within the time (0 to 1): exponential gaps, one after the other.
    fn events(&mut self, expected: f64) -> Vec<f64> {
        let mut at = 0.0;
        let mut events = Vec::new();
        loop {
            at -= (1.0 - self.uniform()).ln() / expected;
            if at >= 1.0 {
                return events;
            }
            events.push(at);
        }
    }
}

/// What makes requests slow: events of a number of requests each.
#[derive(Clone, Copy, Debug)]
struct Kind {
    /// Expected events and the requests of each.
    stalls: (f64, u64),
    /// Expected requests that are slow by themselves.
    alone: f64,
}

impl Kind {
    /// The outcome of a step in which the share of slow requests is, in truth, `ratio` times what
    /// is allowed.
    fn outcome(self, chance: &mut Chance, ratio: f64) -> ObjectiveOutcome {
        let (expected, requests) = self.stalls;
        let slow = expected * requests as f64 + self.alone;
        let all = slow / ALLOWED;
        let mut pairs = [(0.0, all / INTERVALS as f64); INTERVALS];
        let mut add = |events: Vec<f64>, requests: u64| {
            for at in events {
                pairs[(at * INTERVALS as f64) as usize].0 += requests as f64;
            }
        };
        add(chance.events(expected * ratio), requests);
        add(chance.events(self.alone * ratio), 1);
        share(&pairs, 1.0, ALLOWED).1
    }
}

/// Of all draws, how many are kept and how many broken.
fn outcomes(kind: Kind, ratio: f64) -> (u32, u32) {
    let mut chance = Chance(Xoshiro256PlusPlus::seed_from_u64(34));
    let mut found = (0, 0);
    for _ in 0..draws() {
        match kind.outcome(&mut chance, ratio) {
            ObjectiveOutcome::Pass => found.0 += 1,
            ObjectiveOutcome::Fail => found.1 += 1,
            ObjectiveOutcome::Undecided => {}
        }
    }
    found
}

/// Expected events at the limit.
const EXPECTED: [f64; 11] = [
    1.0, 2.0, 3.0, 5.0, 8.0, 10.0, 15.0, 20.0, 50.0, 100.0, 200.0,
];

/// Of a share that is exactly what is allowed, one of forty is called kept and one of forty broken
/// at most, whether slow requests come alone, in bursts of 32, or both.
#[test]
fn the_nominal_probability_holds_from_one_event_to_two_hundred() {
    let most = f64::from(draws()) * 0.025 + 3.0 * (f64::from(draws()) * 0.0244).sqrt();
    let alone = |events: f64| Kind {
        stalls: (0.0, 1),
        alone: events,
    };
    let bursts = |events: f64| Kind {
        stalls: (events, 32),
        alone: 0.0,
    };
    let mixed = |events: f64| Kind {
        stalls: (events, 32),
        alone: events * 128.0,
    };
    for expected in EXPECTED {
        for kind in [alone(expected), bursts(expected), mixed(expected)] {
            let (kept, broken) = outcomes(kind, 1.0);
            println!("{kind:?}: {kept} kept, {broken} broken of {}", draws());
            assert!(f64::from(kept.max(broken)) <= most, "{kind:?}");
        }
    }
}

/// What is far from the limit is decided: half of what is allowed by 20 events, twice by 10.
#[test]
fn what_is_far_from_the_limit_is_decided() {
    for (expected, ratio) in [
        (10.0, 0.0),
        (20.0, 0.5),
        (50.0, 0.5),
        (20.0, 2.0),
        (50.0, 2.0),
    ] {
        let kinds = [(expected, 32, 0.0), (0.0, 1, expected * 32.0)];
        for (events, requests, alone) in kinds {
            let kind = Kind {
                stalls: (events, requests),
                alone,
            };
            let (kept, broken) = outcomes(kind, ratio);
            println!(
                "{kind:?} at {ratio}: {kept} kept, {broken} broken of {}",
                draws()
            );
            let right = if ratio < 1.0 { kept } else { broken };
            assert!(2 * right >= draws(), "{kind:?} at {ratio}");
        }
    }
}
