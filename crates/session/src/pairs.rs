//! Pairs: two sides in turn, in random order, until it can be said which is faster.
//!
//! What a run is and how progress is told is up to whoever makes them ([`Bench`]); the orders, the
//! looks and the gate with its second batch are here.

mod gate;

pub use gate::{Gated, gate};

use fathom_core::result::RunResult;
use fathom_engine::EngineKind;
use fathom_load::random::Random;
use fathom_verdict::compare::{CompareOptions, Comparison, Sequence, Verdict, compare};

/// A side of the pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The base.
    A,
    /// The other.
    B,
}

/// A pair that was made.
#[derive(Clone, Copy, Debug)]
pub struct Made<'a> {
    /// Which pair it is, from 1.
    pub number: usize,
    /// How many there are at most.
    pub most: usize,
    /// Whether B came first.
    pub swapped: bool,
    /// The runs of A and of B.
    pub runs: [&'a RunResult; 2],
}

/// Who makes the runs.
pub trait Bench {
    /// Why pairs end early.
    type Error;

    /// Whether there is time for another pair, and nobody wishes to leave.
    fn goes_on(&mut self) -> bool;

    /// Makes a run of a side; nothing if it was interrupted.
    ///
    /// # Errors
    ///
    /// The run came to nothing.
    fn run(&mut self, side: Side) -> Result<Option<RunResult>, Self::Error>;

    /// Makes a run that needs no storage, which shows whether the machine is as it was; nothing if
    /// it was interrupted.
    ///
    /// # Errors
    ///
    /// The run came to nothing.
    fn sentinel(&mut self) -> Result<Option<RunResult>, Self::Error>;

    /// Tells of a pair.
    fn made(&mut self, pair: Made<'_>);
}

/// Pairs in the making.
#[derive(Debug)]
pub struct Pairs {
    names: [String; 2],
    random: Random,
    runs: [Vec<RunResult>; 2],
    orders: Vec<bool>,
    /// The order of pairs that repeat an earlier batch the other way round.
    mirrored: Vec<bool>,
    most: usize,
    sentinels: Vec<f64>,
}

impl Pairs {
    /// None yet, of the sides with these names; a seed names their orders.
    pub fn new(names: [&str; 2], seed: u64) -> Self {
        Self {
            names: names.map(str::to_owned),
            random: Random::new(seed),
            runs: [Vec::new(), Vec::new()],
            orders: Vec::new(),
            mirrored: Vec::new(),
            most: 0,
            sentinels: Vec::new(),
        }
    }

    /// How many pairs there are.
    pub const fn len(&self) -> usize {
        self.orders.len()
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.orders.is_empty()
    }

    fn compared(&self, options: &CompareOptions) -> Comparison {
        let [a, b] = &self.names;
        let sides = [
            (a.clone(), self.runs[0].clone()),
            (b.clone(), self.runs[1].clone()),
        ];
        compare(&sides, options)
    }

    /// Lets go of the pairs; the next ones are made in the reverse of their orders.
    fn turn_over(&mut self) {
        let orders = std::mem::take(&mut self.orders);
        self.mirrored = orders.iter().map(|swapped| !swapped).collect();
        self.mirrored.reverse();
        self.runs = [Vec::new(), Vec::new()];
        self.sentinels.clear();
    }

    /// Makes a pair; tells how many there are now, or nothing when there can be no more.
    fn pair<B: Bench>(&mut self, bench: &mut B) -> Result<Option<usize>, B::Error> {
        if !bench.goes_on() {
            return Ok(None);
        }
        let mirrored = self.mirrored.pop();
        let swapped = mirrored.unwrap_or_else(|| self.random.below(2) == 1);
        let mut pair = [None, None];
        for index in if swapped { [1, 0] } else { [0, 1] } {
            pair[index] = bench.run([Side::A, Side::B][index])?;
            if pair[index].is_none() {
                return Ok(None);
            }
        }
        if let [Some(a), Some(b)] = pair {
            bench.made(Made {
                number: self.orders.len() + 1,
                most: self.most,
                swapped,
                runs: [&a, &b],
            });
            self.runs[0].push(a);
            self.runs[1].push(b);
            self.orders.push(swapped);
        }
        Ok(Some(self.orders.len()))
    }

    /// Looks once how fast the machine is without storage. Beside virtual time there is nothing to
    /// watch.
    fn watch<B: Bench>(&mut self, bench: &mut B) -> Result<(), B::Error> {
        let mut runs = self.runs.iter().flatten();
        if runs.all(|run| run.provenance.engine.name == EngineKind::simulator().name()) {
            return Ok(());
        }
        if let Some(result) = bench.sentinel()? {
            self.sentinels.push(iops(&result));
        }
        Ok(())
    }
}

/// Makes pairs until a look decides, or there are no more. What comes of it where time is over
/// between two looks says how sure it is; nothing where there is no pair.
///
/// # Errors
///
/// Those of the bench.
pub fn look<B: Bench>(
    pairs: &mut Pairs,
    bench: &mut B,
    sequence: &Sequence,
    options: &CompareOptions,
) -> Result<Option<Comparison>, B::Error> {
    pairs.most = sequence.looks.last().copied().unwrap_or_default();
    let mut last = None;
    while let Some(made) = pairs.pair(bench)? {
        let at_end = sequence.looks.last() == Some(&made);
        if made > 1 && !sequence.is_look(made) {
            continue;
        }
        let comparison = pairs.compared(options);
        // Of one pair only whether the sides may be compared at all.
        let is_decided = made > 1 && comparison.verdicts().all(Verdict::is_decided);
        let ends = comparison.is_refused() || is_decided || at_end;
        last = Some(comparison);
        if ends {
            break;
        }
    }
    if pairs.is_empty() {
        return Ok(None);
    }
    Ok(Some(match last {
        Some(comparison) if comparison.sides[0].runs.len() == pairs.len() => comparison,
        _ => pairs.compared(options),
    }))
}

/// Requests a second of a whole run.
pub fn iops(result: &RunResult) -> f64 {
    let measured: u64 = result.phases.iter().map(|phase| phase.measured_ns).sum();
    let jobs = result.phases.iter().flat_map(|phase| &phase.jobs);
    let completed: u64 = jobs.map(|job| job.completed).sum();
    completed as f64 / (measured.max(1) as f64 / 1e9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::fixture;

    /// Runs that are all alike, so many at most.
    struct Alike {
        most: usize,
        orders: Vec<bool>,
        sides: Vec<Side>,
    }

    impl Bench for Alike {
        type Error = std::convert::Infallible;

        fn goes_on(&mut self) -> bool {
            self.sides.len() < self.most
        }

        fn run(&mut self, side: Side) -> Result<Option<RunResult>, Self::Error> {
            self.sides.push(side);
            Ok(Some(fixture::random_read()))
        }

        fn sentinel(&mut self) -> Result<Option<RunResult>, Self::Error> {
            Ok(Some(fixture::random_read()))
        }

        fn made(&mut self, pair: Made<'_>) {
            self.orders.push(pair.swapped);
        }
    }

    fn alike(most: usize) -> Alike {
        let (orders, sides) = (Vec::new(), Vec::new());
        Alike {
            most,
            orders,
            sides,
        }
    }

    #[test]
    fn a_second_batch_has_each_pair_the_other_way_round() {
        let mut bench = alike(100);
        let mut pairs = Pairs::new(["a", "b"], 7);
        for _ in 0..8 {
            let Ok(_) = pairs.pair(&mut bench);
        }
        pairs.turn_over();
        for _ in 0..8 {
            let Ok(_) = pairs.pair(&mut bench);
        }
        let (first, second) = bench.orders.split_at(8);
        let reversed: Vec<bool> = first.iter().map(|swapped| !swapped).collect();
        assert_eq!(second, reversed);
        assert_ne!(first, [true; 8]);
        assert_ne!(first, [false; 8]);
    }

    #[test]
    fn each_pair_has_both_sides_and_time_ends_them() {
        let mut bench = alike(5);
        let mut pairs = Pairs::new(["a", "b"], 7);
        let sequence = Sequence::up_to(24);
        let options = CompareOptions {
            paired: true,
            ..CompareOptions::default()
        };
        let Ok(found) = look(&mut pairs, &mut bench, &sequence, &options);
        let runs = found.map(|comparison| comparison.sides[0].runs.len());
        assert_eq!((runs, pairs.len(), bench.sides.len()), (Some(3), 3, 6));
        for pair in bench.sides.chunks(2) {
            assert_ne!(pair[0], pair[1]);
        }
        let Ok(none) = look(
            &mut Pairs::new(["a", "b"], 7),
            &mut alike(0),
            &sequence,
            &options,
        );
        assert!(none.is_none());
    }
}
