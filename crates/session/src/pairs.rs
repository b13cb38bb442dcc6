//! Pairs: two sides in turn, in random order, until it is known which is faster.
//!
//! What a run is and how progress is reported is up to the caller ([`Bench`]); the orders, the
//! looks and the gate with its second batch are here.

mod gate;

pub use gate::{Gated, gate};

use fathom_core::EngineKind;
use fathom_core::result::RunResult;
use fathom_load::random::Random;
use fathom_verdict::compare::{
    CompareOptions, Comparison, Sequence, Verdict, compare, is_chance, is_doubtful,
};

/// Number of pairs with a questionable run from which the rest is checked: whether sound ones come
/// at all.
const DOUBTS: usize = 3;

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
    /// Whether it does not count because one of its runs is questionable. Another pair is made.
    pub set_aside: bool,
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
    /// Pairs among them with a run that is questionable by chance.
    set_aside: usize,
    /// Whether a run is questionable because of what the storage did.
    is_refused: bool,
    /// Of the pairs that count, whether B came first.
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
            set_aside: 0,
            is_refused: false,
            orders: Vec::new(),
            mirrored: Vec::new(),
            most: 0,
            sentinels: Vec::new(),
        }
    }

    /// How many pairs there are that count.
    pub const fn len(&self) -> usize {
        self.orders.len()
    }

    /// Whether there is none, not even one that does not count.
    pub const fn is_empty(&self) -> bool {
        self.runs[0].is_empty()
    }

    /// Whether it is no use to make more: most are questionable, or one is and more do not help.
    const fn is_hopeless(&self) -> bool {
        self.is_refused || self.set_aside >= DOUBTS && self.set_aside > self.orders.len()
    }

    fn compared(&self, options: &CompareOptions) -> Comparison {
        let [a, b] = &self.names;
        let sides = [
            (a.clone(), self.runs[0].clone()),
            (b.clone(), self.runs[1].clone()),
        ];
        compare(&sides, options)
    }

    /// Whether one pair shows already that the sides may not be compared. What is said of a single
    /// run more may show to be chance.
    fn is_refused_by(comparison: &Comparison) -> bool {
        comparison.is_refused() && !comparison.may_be_lifted()
    }

    /// Lets go of the pairs; the next ones are made in the reverse of their orders.
    fn turn_over(&mut self) {
        let orders = std::mem::take(&mut self.orders);
        self.mirrored = orders.iter().map(|swapped| !swapped).collect();
        self.mirrored.reverse();
        self.runs = [Vec::new(), Vec::new()];
        self.set_aside = 0;
        self.is_refused = false;
        self.sentinels.clear();
    }

    /// Makes a pair. Returns whether it counts, or none when there can be no more. One with a
    /// questionable run does not count, unless such runs are compared by force.
    fn pair<B: Bench>(
        &mut self,
        bench: &mut B,
        options: &CompareOptions,
    ) -> Result<Option<bool>, B::Error> {
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
        let mut counts = false;
        if let [Some(a), Some(b)] = pair {
            counts = options.force || !(is_doubtful(&a) || is_doubtful(&b));
            let is_chance = [&a, &b].into_iter().all(is_sound_or_chance);
            self.is_refused |= !counts && !is_chance;
            bench.made(Made {
                number: self.orders.len() + 1,
                most: self.most,
                swapped,
                runs: [&a, &b],
                set_aside: !counts,
            });
            self.runs[0].push(a);
            self.runs[1].push(b);
            if counts {
                self.orders.push(swapped);
            } else {
                self.set_aside += 1;
                // Its replacement has the same order.
                self.mirrored.extend(mirrored);
            }
        }
        Ok(Some(counts))
    }

    /// Looks once how fast the machine is without storage. In virtual time there is nothing to
    /// watch.
    fn watch<B: Bench>(&mut self, bench: &mut B) -> Result<(), B::Error> {
        let mut runs = self.runs.iter().flatten();
        if runs.all(|run| run.provenance.engine.is(EngineKind::is_virtual)) {
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
    while let Some(counts) = pairs.pair(bench, options)? {
        let made = pairs.len();
        if pairs.is_hopeless() {
            break;
        }
        if !counts || made > 1 && !sequence.is_look(made) {
            continue;
        }
        let at_end = sequence.looks.last() == Some(&made);
        let comparison = pairs.compared(options);
        let ends = if made == 1 {
            Pairs::is_refused_by(&comparison)
        } else {
            comparison.is_refused() || comparison.verdicts().all(Verdict::is_decided) || at_end
        };
        last = Some(comparison);
        if ends {
            break;
        }
    }
    if pairs.is_empty() {
        return Ok(None);
    }
    Ok(Some(match last {
        Some(comparison) if comparison.sides[0].runs.len() == pairs.runs[0].len() => comparison,
        _ => pairs.compared(options),
    }))
}

/// Whether nothing is doubted of a run that another would show as well.
fn is_sound_or_chance(run: &RunResult) -> bool {
    !is_doubtful(run) || is_chance(run)
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
    use fathom_core::State;
    use fathom_core::caveat::Level;
    use fathom_core::fixture;
    use fathom_verdict::Code;

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
            let Ok(_) = pairs.pair(&mut bench, &CompareOptions::default());
        }
        pairs.turn_over();
        for _ in 0..8 {
            let Ok(_) = pairs.pair(&mut bench, &CompareOptions::default());
        }
        let (first, second) = bench.orders.split_at(8);
        let reversed: Vec<bool> = first.iter().map(|swapped| !swapped).collect();
        assert_eq!(second, reversed);
        assert_ne!(first, [true; 8]);
        assert_ne!(first, [false; 8]);
    }

    /// Runs of which some are doubtful, each with its code.
    struct Doubted<'a> {
        alike: Alike,
        codes: &'a [Option<Code>],
        set_aside: Vec<bool>,
    }

    impl Bench for Doubted<'_> {
        type Error = std::convert::Infallible;

        fn goes_on(&mut self) -> bool {
            self.alike.goes_on()
        }

        fn run(&mut self, side: Side) -> Result<Option<RunResult>, Self::Error> {
            let made = self.alike.sides.len();
            let Ok(mut run) = self.alike.run(side);
            if let Some(run) = &mut run {
                let code = self.codes.get(made).copied().flatten();
                let caveat = code.map(|code| code.caveat(Level::Suspect, "something is so"));
                run.caveats.extend(caveat);
                run.state = State::of(&run.caveats);
            }
            Ok(run)
        }

        fn sentinel(&mut self) -> Result<Option<RunResult>, Self::Error> {
            self.alike.sentinel()
        }

        fn made(&mut self, pair: Made<'_>) {
            self.set_aside.push(pair.set_aside);
        }
    }

    /// How many pairs were made and count, and what came of it.
    fn doubted(codes: &[Option<Code>]) -> (usize, usize, Option<String>) {
        let mut bench = Doubted {
            alike: alike(100),
            codes,
            set_aside: Vec::new(),
        };
        let options = CompareOptions {
            paired: true,
            ..CompareOptions::default()
        };
        let mut pairs = Pairs::new(["a", "b"], 7);
        let Ok(found) = look(&mut pairs, &mut bench, &Sequence::up_to(24), &options);
        let refusal = found.and_then(|found| found.contrasts[0].refusal.clone());
        (bench.set_aside.len(), pairs.len(), refusal)
    }

    #[test]
    fn another_pair_is_made_for_one_that_is_doubtful_by_chance() {
        let steal = Some(Code::Steal);
        assert_eq!(doubted(&[steal]), (9, 8, None));
        let some = [None, steal, None, None, None, steal, None];
        assert_eq!(doubted(&some), (10, 8, None));
    }

    #[test]
    fn pairs_end_where_most_are_doubtful_or_the_storage_is() {
        let id = fixture::random_read().run_id;
        let why = format!(
            "6 of 6 runs are suspect, but only one in 3 of each side, or of the pairs, may be left \
             out: {id} is SUSPECT (steal)."
        );
        assert_eq!(doubted(&[Some(Code::Steal); 100]), (3, 0, Some(why)));
        let why = format!("{id} is SUSPECT (io_errors).");
        let found = doubted(&[None, None, Some(Code::IoErrors)]);
        assert_eq!((found.0, found.1), (2, 1));
        assert_eq!(found.2, Some(why));
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
