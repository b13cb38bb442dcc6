//! User instructions per I/O: what our own loop costs, and for each thing in a text: what reading
//! it costs. Counted rather than timed, so that a noisy machine cannot hide a loss.

mod budgets;
mod callgrind;
mod case;
mod reading;

use anyhow::{Context, Result};

use crate::dist::{self, Release};
use crate::{built, metadata, sources};
use budgets::{Budgets, Case, Reading};
use case::CaseOutcome;

/// Measures every case of the table and prints it against its budget; true when all are met.
pub(crate) fn run(words: &[&str]) -> Result<bool> {
    let budgets = Budgets::parse(&sources::read(budgets::LIST)?)?;
    callgrind::require()?;
    let target_directory = metadata::members()?.target_directory;
    let program = match built::named(words)? {
        Some(program) => program,
        None => dist::binary::build(&Release::of_head()?)?,
    };

    let mut all_met = true;
    for case in &budgets.cases {
        let outcome = case::measure(case, &program, &target_directory)
            .with_context(|| format!("case `{}`", case.name))?;
        let (line, met) = verdict(case, &outcome);
        println!("{line}");
        all_met &= met;
    }
    for reading in &budgets.readings {
        let instructions = reading::measure(reading, &program, &target_directory)
            .with_context(|| format!("reading `{}`", reading.name))?;
        let (line, met) = judged(reading, instructions);
        println!("{line}");
        all_met &= met;
    }
    Ok(all_met)
}

fn verdict(case: &Case, outcome: &CaseOutcome) -> (String, bool) {
    let Case {
        name,
        budget,
        required,
        ..
    } = case;
    match outcome {
        CaseOutcome::Measured { instructions, ios } => {
            let per_io = *instructions as f64 / *ios as f64;
            let met = per_io <= f64::from(*budget);
            let word = if met { "ok" } else { "OVER BUDGET" };
            let line =
                format!("{name}: {per_io:.1} instructions per I/O (budget {budget}): {word}");
            (line, met)
        }
        CaseOutcome::Unmeasured { reason } => {
            let word = if *required { "REQUIRED" } else { "skipped" };
            (format!("{name}: not measured: {reason}: {word}"), !required)
        }
    }
}

fn judged(reading: &Reading, instructions: u64) -> (String, bool) {
    let Reading {
        name,
        things: [short, long],
        budget,
        ..
    } = reading;
    let each = instructions as f64 / (long - short) as f64;
    let met = each <= f64::from(*budget);
    let word = if met { "ok" } else { "OVER BUDGET" };
    let line = format!("{name}: {each:.0} instructions for each (budget {budget}): {word}");
    (line, met)
}

#[cfg(test)]
mod tests {
    use super::*;
    use budgets::{Load, Storage};

    fn case(required: bool) -> Case {
        Case {
            name: "null".to_owned(),
            engine: "null".to_owned(),
            target: Storage::Null,
            queue_depth: 32,
            load: Load::Read,
            ios: [50_000, 1_050_000],
            budget: 200,
            required,
        }
    }

    #[test]
    fn a_budget_is_met_up_to_its_last_instruction() {
        let at = |instructions| {
            verdict(
                &case(true),
                &CaseOutcome::Measured {
                    instructions,
                    ios: 1_000_000,
                },
            )
        };
        let good = "null: 200.0 instructions per I/O (budget 200): ok".to_owned();
        let bad = "null: 201.0 instructions per I/O (budget 200): OVER BUDGET".to_owned();
        assert_eq!(at(200_000_000), (good, true));
        assert_eq!(at(201_000_000), (bad, false));
    }

    #[test]
    fn what_is_read_has_a_budget_for_each_thing() {
        let reading = Reading {
            name: "jobs of fio".to_owned(),
            text: budgets::Text::Fio,
            things: [500, 2500],
            budget: 1000,
        };
        let good = "jobs of fio: 1000 instructions for each (budget 1000): ok".to_owned();
        let bad = "jobs of fio: 1001 instructions for each (budget 1000): OVER BUDGET".to_owned();
        assert_eq!(judged(&reading, 2_000_000), (good, true));
        assert_eq!(judged(&reading, 2_002_000), (bad, false));
    }

    #[test]
    fn only_a_required_case_must_be_measured() {
        let outcome = CaseOutcome::Unmeasured {
            reason: "no zram".to_owned(),
        };
        let required = "null: not measured: no zram: REQUIRED".to_owned();
        let skipped = "null: not measured: no zram: skipped".to_owned();
        assert_eq!(verdict(&case(true), &outcome), (required, false));
        assert_eq!(verdict(&case(false), &outcome), (skipped, true));
    }
}
