//! A campaign: the runs of a suite, pass by pass, until all are there or one of them is steady.
//!
//! Where runs are kept, how one is made and how the time between passes is waited for is known to
//! their owner ([`Bench`]); what is missing, in which order it comes and when it is enough is
//! decided here.

use fathom_core::Op;
use fathom_core::result::RunResult;
use fathom_tools::suite::Suite;
use fathom_verdict::stats::{SteadyWindow, steady_window};
use std::collections::BTreeMap;

/// Results by pass (from 1) and cell.
pub type Results = BTreeMap<(u32, usize), RunResult>;

/// A run of a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Its pass, from 1.
    pub pass: u32,
    /// Its cell in the suite.
    pub cell: usize,
    /// Which run of its pass it is, from 1.
    pub number: usize,
}

/// Who keeps the runs of a campaign and makes those that are missing.
pub trait Bench {
    /// Why a campaign ends early.
    type Error;

    /// The result of a run that was made before, if it was.
    ///
    /// # Errors
    ///
    /// What is kept cannot be read.
    fn kept(&mut self, turn: Turn) -> Result<Option<RunResult>, Self::Error>;

    /// Makes a run and keeps it; nothing if the user wished to leave.
    ///
    /// # Errors
    ///
    /// The run came to nothing.
    fn make(&mut self, turn: Turn) -> Result<Option<RunResult>, Self::Error>;

    /// Waits until a pass of which something is missing is due; false if the user wished to leave.
    ///
    /// # Errors
    ///
    /// It cannot be waited.
    fn begin(&mut self, pass: u32) -> Result<bool, Self::Error>;
}

/// The runs of a suite.
#[derive(Debug)]
pub struct Campaign<'a> {
    suite: &'a Suite,
    /// Passes at most.
    passes: u32,
    /// Seed of the order within each pass; none for that of the suite.
    shuffled: Option<u64>,
    results: Results,
}

impl<'a> Campaign<'a> {
    /// At most `passes` passes over a suite.
    pub const fn new(suite: &'a Suite, passes: u32) -> Self {
        Self {
            suite,
            passes,
            shuffled: None,
            results: BTreeMap::new(),
        }
    }

    /// In an order of its own in each pass, by a seed.
    #[must_use]
    pub const fn shuffled(mut self, seed: Option<u64>) -> Self {
        self.shuffled = seed;
        self
    }

    /// The runs that there are.
    pub const fn results(&self) -> &Results {
        &self.results
    }

    /// Makes what is missing; false if the user wished to leave.
    ///
    /// # Errors
    ///
    /// Those of the bench.
    pub fn run<B: Bench>(&mut self, bench: &mut B) -> Result<bool, B::Error> {
        for pass in 1..=self.passes {
            // A pass that is there from before is not waited for.
            if !self.is_there(pass, bench)? && !bench.begin(pass)? {
                return Ok(false);
            }
            for (index, cell) in self.order(pass).into_iter().enumerate() {
                let number = index + 1;
                let turn = Turn { pass, cell, number };
                let kept = bench.kept(turn)?;
                let result = match kept {
                    Some(result) => Some(result),
                    None => bench.make(turn)?,
                };
                let Some(result) = result else {
                    return Ok(false);
                };
                self.results.insert((pass, cell), result);
            }
            if steadiness(self.suite, &self.results).is_some_and(|(_, reached)| reached) {
                break;
            }
        }
        Ok(true)
    }

    /// Whether all runs of a pass are kept already.
    fn is_there<B: Bench>(&self, pass: u32, bench: &mut B) -> Result<bool, B::Error> {
        for cell in 0..self.suite.cells.len() {
            let number = cell + 1;
            if bench.kept(Turn { pass, cell, number })?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn order(&self, pass: u32) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.suite.cells.len()).collect();
        if let Some(seed) = self.shuffled {
            shuffle(&mut order, seed ^ (u64::from(pass) << 32));
        }
        order
    }
}

/// Fisher and Yates's shuffle by splitmix64, so that a seed is an order on every machine.
fn shuffle(order: &mut [usize], seed: u64) {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    };
    for last in (1..order.len()).rev() {
        let other = (u128::from(next()) * (last as u128 + 1)) >> 64;
        order.swap(last, other as usize);
    }
}

/// Requests a second of the cell that is followed, by pass; none where no cell is followed.
pub fn followed(suite: &Suite, results: &Results) -> Option<Vec<f64>> {
    let rounds = suite.rounds.as_ref()?;
    let cell = suite
        .cells
        .iter()
        .position(|cell| cell.label == rounds.follow)?;
    let of_cell = results.iter().filter(|((_, of), _)| *of == cell);
    Some(of_cell.map(|(_, result)| iops(result)).collect())
}

fn iops(result: &RunResult) -> f64 {
    let jobs = result.phases.iter().flat_map(|phase| &phase.jobs);
    let ops = jobs.flat_map(|job| job.ops.present());
    ops.filter(|(op, _)| *op != Op::Flush)
        .map(|(_, result)| result.iops)
        .sum()
}

/// The last window of rounds, and whether it passes.
pub fn steadiness(suite: &Suite, results: &Results) -> Option<(SteadyWindow, bool)> {
    let rounds = suite.rounds.as_ref()?;
    let followed = followed(suite, results)?;
    let window = followed.len().checked_sub(rounds.window as usize)?;
    let window = steady_window(&followed[window..])?;
    let passes = window.passes(rounds.range.0, rounds.slope.0);
    Some((window, passes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::fixture;
    use fathom_tools::suite::SUITES;

    /// Runs that are all alike, of which some are kept.
    struct Shelf {
        kept: Vec<(u32, usize)>,
        made: Vec<(u32, usize)>,
        most: usize,
    }

    impl Bench for Shelf {
        type Error = std::convert::Infallible;

        fn kept(&mut self, turn: Turn) -> Result<Option<RunResult>, Self::Error> {
            let is_kept = self.kept.contains(&(turn.pass, turn.cell));
            Ok(is_kept.then(fixture::random_read))
        }

        fn make(&mut self, turn: Turn) -> Result<Option<RunResult>, Self::Error> {
            if self.made.len() == self.most {
                return Ok(None);
            }
            self.made.push((turn.pass, turn.cell));
            Ok(Some(fixture::random_read()))
        }

        fn begin(&mut self, _: u32) -> Result<bool, Self::Error> {
            Ok(true)
        }
    }

    fn suite() -> Suite {
        let mut suite = SUITES[0].suite().expect("a suite");
        suite.rounds = None;
        suite.cells.truncate(3);
        suite
    }

    fn made(kept: &[(u32, usize)], most: usize) -> (Vec<(u32, usize)>, usize, bool) {
        let (suite, kept) = (suite(), kept.to_vec());
        let made = Vec::new();
        let mut bench = Shelf { kept, made, most };
        let mut campaign = Campaign::new(&suite, 2);
        let Ok(is_whole) = campaign.run(&mut bench);
        (bench.made, campaign.results().len(), is_whole)
    }

    #[test]
    fn what_is_missing_is_made_and_nothing_else() {
        let all = vec![(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)];
        assert_eq!(made(&[], 9), (all.clone(), 6, true));
        assert_eq!(
            made(&[(1, 0), (2, 1)], 9).0,
            [(1, 1), (1, 2), (2, 0), (2, 2)]
        );
        assert_eq!(made(&[(1, 0)], 1), (vec![(1, 1)], 2, false));
    }

    #[test]
    fn a_seed_is_an_order() {
        let suite = suite();
        let order = |seed, pass| Campaign::new(&suite, 1).shuffled(Some(seed)).order(pass);
        assert_eq!(order(1, 1), order(1, 1));
        let mut of_all = order(1, 1);
        of_all.sort_unstable();
        assert_eq!(of_all, [0, 1, 2]);
        assert!((1..20).any(|pass| order(1, pass) != order(1, 1)));
    }
}
