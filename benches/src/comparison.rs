//! From a case to its outcome.

use anyhow::Result;

use crate::args::Args;
use crate::cases::{Case, Quantity};
use crate::fixtures::{Fixtures, Target};
use crate::interrupt::Interrupted;
use crate::invocation::{Invocation, PINNED_CPU, Setting};
use crate::outcome::{End, Measured, PairOutcome};
use crate::rounds::{Orders, Round};
use crate::runner::Runner;

/// Compares one case after another.
#[derive(Debug)]
pub(crate) struct Comparison<'a> {
    pub(crate) runner: Runner<'a>,
    pub(crate) fixtures: Fixtures<'a>,
    pub(crate) rounds: u32,
    pub(crate) seed: u64,
}

impl Comparison<'_> {
    /// Measure one case. What goes wrong becomes part of the outcome.
    ///
    /// # Errors
    /// The user asked to stop.
    pub(crate) fn run(&mut self, case: &'static Case) -> Result<PairOutcome, Interrupted> {
        let mut setting = setting_of(case, self.runner.seconds);
        let end = match self.measure(case, &mut setting) {
            Ok(end) => end,
            Err(error) => match error.downcast_ref() {
                Some(&interrupted) => return Err(interrupted),
                None => End::Failed(format!("{error:#}")),
            },
        };
        Ok(PairOutcome {
            case,
            commands: commands(case, &setting),
            end,
        })
    }

    fn measure(&mut self, case: &Case, setting: &mut Setting) -> Result<End> {
        if !case.pinned && case.goal.is_some() && !setting.can_pin {
            return Ok(End::Skipped("needs two CPUs".to_owned()));
        }
        setting.target = match self.fixtures.target(case.fixture)? {
            Target::Ready(target) => target,
            Target::Missing(why) => return Ok(End::Skipped(why)),
        };
        let baseline = Invocation::of_baseline(case, setting);
        let fathom = Invocation::of_fathom(case, setting);
        let mut orders = Orders::new(self.seed);
        let mut rounds = Vec::new();
        for _ in 0..self.rounds {
            let order = orders.next_order();
            rounds.push(Round::run(&self.runner, &baseline, &fathom, order)?);
        }
        let limited = case
            .limits
            .iter()
            .any(|limit| limit.quantity == Quantity::PeakMemoryMib);
        let peak_memory_bytes = if limited {
            let [baseline, fathom] =
                [&baseline, &fathom].map(|side| self.runner.peak_memory_bytes(side));
            Some([baseline?, fathom?])
        } else {
            None
        };
        Ok(End::Measured(Measured {
            rounds,
            peak_memory_bytes,
            seed: self.seed,
        }))
    }
}

fn setting_of(case: &Case, seconds: u32) -> Setting {
    let target = Fixtures::placeholder(case.fixture).to_owned();
    Setting {
        target,
        seconds,
        can_pin: can_pin(),
    }
}

fn commands(case: &Case, setting: &Setting) -> [String; 2] {
    [
        Invocation::of_baseline(case, setting),
        Invocation::of_fathom(case, setting),
    ]
    .map(|invocation| invocation.to_line())
}

/// Whether this process may use the CPU for pinned cases and one more.
fn can_pin() -> bool {
    rustix::thread::sched_getaffinity(None)
        .is_ok_and(|cpus| cpus.count() >= 2 && cpus.is_set(PINNED_CPU))
}

/// The commands of some cases, for `--print`.
pub(crate) fn print_commands(cases: &[&Case], args: &Args) -> String {
    let block = |case: &&Case| {
        let [baseline, fathom] = commands(case, &setting_of(case, args.seconds));
        format!("{}\n  {baseline}\n  {fathom}\n", case.name)
    };
    cases.iter().map(block).collect::<Vec<_>>().join("\n")
}
