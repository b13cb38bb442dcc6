//! User instructions per I/O: what our own loop costs, counted rather than timed, so that a noisy
//! machine cannot hide a loss.

mod budgets;
mod callgrind;
mod case;

use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::{metadata, sources};
use budgets::{Budgets, Case};
use case::Outcome;

/// Measures every case of the table and prints it against its budget; true when all are met.
pub(crate) fn run() -> Result<bool> {
    let budgets = Budgets::parse(&sources::read(budgets::LIST)?)?;
    callgrind::require()?;
    let target_directory = metadata::members()?.target_directory;
    build()?;
    let program = target_directory.join("release/examples/reads");

    let mut all_met = true;
    for case in &budgets.cases {
        let outcome = case::measure(case, &program, &target_directory)
            .with_context(|| format!("case `{}`", case.name))?;
        let (line, met) = verdict(case, &outcome);
        println!("{line}");
        all_met &= met;
    }
    Ok(all_met)
}

fn build() -> Result<()> {
    let status = Command::new(metadata::cargo())
        .args([
            "build",
            "--quiet",
            "--locked",
            "--release",
            "--package",
            "fathom-session",
            "--example",
            "reads",
        ])
        .current_dir(sources::root())
        .status()
        .context("cannot run cargo")?;
    ensure!(status.success(), "the release build ended with {status}");
    Ok(())
}

fn verdict(case: &Case, outcome: &Outcome) -> (String, bool) {
    let Case {
        name,
        budget,
        required,
        ..
    } = case;
    match outcome {
        Outcome::Measured { instructions, ios } => {
            let per_io = *instructions as f64 / *ios as f64;
            let met = per_io <= f64::from(*budget);
            let word = if met { "ok" } else { "OVER BUDGET" };
            let line =
                format!("{name}: {per_io:.1} instructions per I/O (budget {budget}): {word}");
            (line, met)
        }
        Outcome::Unmeasured { reason } => {
            let word = if *required { "REQUIRED" } else { "skipped" };
            (format!("{name}: not measured: {reason}: {word}"), !required)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use budgets::Storage;

    fn case(required: bool) -> Case {
        Case {
            name: "null".to_owned(),
            engine: "null".to_owned(),
            target: Storage::Null,
            queue_depth: 32,
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
                &Outcome::Measured {
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
    fn only_a_required_case_must_be_measured() {
        let outcome = Outcome::Unmeasured {
            reason: "no zram".to_owned(),
        };
        let required = "null: not measured: no zram: REQUIRED".to_owned();
        let skipped = "null: not measured: no zram: skipped".to_owned();
        assert_eq!(verdict(&case(true), &outcome), (required, false));
        assert_eq!(verdict(&case(false), &outcome), (skipped, true));
    }
}
