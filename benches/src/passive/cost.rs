//! The rounds of a case, and what follows from them.

use crate::interrupt::Interrupt;
use crate::load::{Run, run};
use crate::stats::{Estimate, SplitMix64, median};
use anyhow::Result;
use fathom_session::{Plan, Watching};
use std::fmt::Write as _;

/// What the passive checks may cost: the contract of the project.
const AT_MOST_PERCENT: f64 = 0.5;

/// What to know of the table.
const NOTE: &str = "\
Each round: a run of {ms} ms with the passive checks, two without, in an order drawn anew. Lost is
one minus the ratio of IOPS within a round, median over the rounds with its bootstrap interval; A/A
is the same between the two runs without. Outside the worker: preparation, watching and evaluation,
and what threads of the kernel did for it.";

/// Three runs of each round, in an order drawn anew for each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Round {
    pub(crate) watched: Run,
    pub(crate) unwatched: Run,
    pub(crate) unwatched_again: Run,
}

/// All rounds of a case.
#[derive(Debug)]
pub(crate) struct Rounds(pub(crate) Vec<Round>);

impl Rounds {
    /// Runs them; `Err` with [`crate::interrupt::Interrupted`] after a signal.
    pub(crate) fn measure(
        watched: &Plan,
        count: u32,
        seed: u64,
        interrupt: &Interrupt,
    ) -> Result<Self> {
        let mut unwatched = watched.clone();
        unwatched.watching = Watching::Nothing;
        let mut random = SplitMix64::new(seed);
        let mut rounds = Vec::new();
        interrupt.check()?;
        // The first run of a process pays for what is made once.
        run(watched)?;
        for _ in 0..count {
            let mut order = [0, 1, 2];
            random.shuffle(&mut order);
            let mut runs = [None; 3];
            for place in order {
                interrupt.check()?;
                let plan = if place == 0 { watched } else { &unwatched };
                runs[place] = Some(run(plan)?);
            }
            if let [Some(watched), Some(unwatched), Some(unwatched_again)] = runs {
                rounds.push(Round {
                    watched,
                    unwatched,
                    unwatched_again,
                });
            }
        }
        Ok(Self(rounds))
    }
}

/// What a case came to.
#[derive(Debug)]
pub(crate) struct Cost {
    name: &'static str,
    rounds: usize,
    /// IOPS lost with the checks, percent; and between two runs without.
    lost: Option<Estimate>,
    lost_aa: Option<Estimate>,
    iops: f64,
    /// Processor time apart from the worker's, with the checks and without, percent of one
    /// processor.
    aside: (f64, f64),
}

impl Cost {
    pub(crate) fn of(name: &'static str, rounds: &Rounds, seed: u64) -> Self {
        let each = |of: &dyn Fn(&Round) -> f64| rounds.0.iter().map(of).collect::<Vec<f64>>();
        let lost = |one: &Run, than: &Run| (1.0 - one.iops / than.iops) * 100.0;
        let middle = |of: &dyn Fn(&Round) -> f64| median(&each(of)).unwrap_or(f64::NAN);
        Self {
            name,
            rounds: rounds.0.len(),
            lost: Estimate::of(&each(&|one| lost(&one.watched, &one.unwatched)), seed),
            lost_aa: Estimate::of(
                &each(&|one| lost(&one.unwatched_again, &one.unwatched)),
                seed,
            ),
            iops: middle(&|one| one.unwatched.iops),
            aside: (
                middle(&|one| one.watched.aside_percent),
                middle(&|one| one.unwatched.aside_percent),
            ),
        }
    }

    /// Whether the interval is below what the checks may cost, or above, or holds it. A machine on
    /// which the same load differs from itself tells nothing.
    fn answer(&self) -> &'static str {
        let is_quiet = self.lost_aa.is_some_and(|same| same.contains(0.0));
        match self.lost {
            _ if !is_quiet => "undecided",
            Some(lost) if lost.high < AT_MOST_PERCENT => "yes",
            Some(lost) if lost.low >= AT_MOST_PERCENT => "NO",
            _ => "undecided",
        }
    }
}

/// The costs as a table in Markdown, with what to know of it.
pub(crate) fn table(costs: &[Cost], ms: u64) -> String {
    let mut text = "| case | rounds | IOPS lost [95 %] | A/A [95 %] | IOPS | outside the worker, \
                    % of a processor | under 0.5 % |\n\
                    | --- | ---: | ---: | ---: | ---: | ---: | --- |\n"
        .to_owned();
    let interval = |of: Option<Estimate>| {
        of.map_or("-".to_owned(), |one| {
            format!("{:.2} % [{:.2}, {:.2}]", one.median, one.low, one.high)
        })
    };
    for cost in costs {
        let (watched, unwatched) = cost.aside;
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {:.0} | {watched:.2} with, {unwatched:.2} without | {} |",
            cost.name,
            cost.rounds,
            interval(cost.lost),
            interval(cost.lost_aa),
            cost.iops,
            cost.answer(),
        );
    }
    let _ = writeln!(text, "\n{}", NOTE.replace("{ms}", &ms.to_string()));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(watched: f64, unwatched: f64, again: f64) -> Round {
        let run = |iops, aside_percent| Run {
            iops,
            aside_percent,
        };
        Round {
            watched: run(watched, 0.75),
            unwatched: run(unwatched, 0.25),
            unwatched_again: run(again, 0.25),
        }
    }

    #[test]
    fn a_signal_ends_the_rounds() {
        let interrupt = Interrupt::default();
        interrupt.request();
        let plan = crate::load::plan(&crate::load::CASES[0], "null".as_ref(), 100).unwrap();
        let error = Rounds::measure(&plan, 1, 1, &interrupt).unwrap_err();
        assert_eq!(error.to_string(), "interrupted");
    }

    #[test]
    fn the_table_has_what_the_rounds_say() {
        let cheap = Rounds(vec![round(998.0, 1000.0, 1000.0); 5]);
        let dear = Rounds(vec![round(990.0, 1000.0, 1000.0); 5]);
        let unclear = Rounds(vec![
            round(990.0, 1000.0, 1000.0),
            round(1010.0, 1000.0, 1000.0),
        ]);
        let costs = [
            Cost::of("cheap", &cheap, 1),
            Cost::of("dear", &dear, 1),
            Cost::of("unclear", &unclear, 1),
        ];
        let expected = "\
| case | rounds | IOPS lost [95 %] | A/A [95 %] | IOPS | outside the worker, % of a processor | \
under 0.5 % |
| --- | ---: | ---: | ---: | ---: | ---: | --- |
| cheap | 5 | 0.20 % [0.20, 0.20] | 0.00 % [0.00, 0.00] | 1000 | 0.75 with, 0.25 without | yes |
| dear | 5 | 1.00 % [1.00, 1.00] | 0.00 % [0.00, 0.00] | 1000 | 0.75 with, 0.25 without | NO |
| unclear | 2 | 0.00 % [-1.00, 1.00] | 0.00 % [0.00, 0.00] | 1000 | 0.75 with, 0.25 without | \
undecided |

Each round: a run of 100 ms with the passive checks, two without, in an order drawn anew. Lost is
one minus the ratio of IOPS within a round, median over the rounds with its bootstrap interval; A/A
is the same between the two runs without. Outside the worker: preparation, watching and evaluation,
and what threads of the kernel did for it.
";
        assert_eq!(table(&costs, 100), expected);
    }
}
