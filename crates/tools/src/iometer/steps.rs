//! The steps of a test: which specification, how many workers and targets, how deep.

use super::icf::{Cycling, Icf};
use super::keys::{self, Cycled};
use super::lines::Lines;
use super::options;
use crate::diagnostic::Diagnostic;
use std::ops::Range;

/// Most steps that a test may have.
const MANY: usize = 10_000;

/// What may be cycled, as the names of steps have it.
pub(super) const CYCLED: [&str; 3] = ["workers", "targets", "outstanding"];

/// One step; none where the workers' own number counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) workers: Option<u64>,
    pub(super) targets: Option<u64>,
    pub(super) depth: Option<u64>,
}

impl Step {
    /// What is added to the name of the specification.
    pub(super) fn suffix(self) -> String {
        let numbers = [self.workers, self.targets, self.depth];
        let parts = CYCLED.iter().zip(numbers);
        let given =
            parts.filter_map(|(name, number)| number.map(|number| format!(", {name} {number}")));
        given.collect()
    }
}

/// The steps of each specification, in order.
pub(super) fn steps(
    icf: &Icf,
    most_targets: u64,
    lines: &Lines<'_>,
) -> Result<Vec<Step>, Box<Diagnostic>> {
    let setup = &icf.setup;
    let Some(kind) = &setup.test_type else {
        return Ok(vec![Step::default()]);
    };
    let [workers_at, targets_at, depths_at] = &setup.cycling_places;
    let workers = || {
        let most = icf.workers.iter().filter(|worker| !worker.network).count() as u64;
        series(setup.workers, most, workers_at, lines)
    };
    let targets = || series(setup.targets, most_targets, targets_at, lines);
    let depths = || {
        let end = setup.depths.end.unwrap_or(setup.depths.start);
        series(setup.depths, end, depths_at, lines)
    };
    let Some(test) = keys::test_type(&kind.value) else {
        let other = &kind.value;
        let known = other.starts_with("INCREMENT_TARGETS");
        let message = if known {
            format!("{other} cannot be honoured: {}", options::INCREMENTS.remark)
        } else {
            format!("`{other}` is not a type of test")
        };
        let remedy = "NORMAL, CYCLE_TARGETS, CYCLE_WORKERS, CYCLE_OUTSTANDING_IOS, or two of them \
                      as in CYCLE_WORKERS_AND_TARGETS";
        return Err(Box::new(lines.error(kind.place.clone(), message, remedy)));
    };
    let cycles = |what| test.cycles.contains(&what);
    let own = || vec![None];
    let workers = if cycles(Cycled::Workers) {
        workers()?
    } else {
        own()
    };
    let targets = if cycles(Cycled::Targets) {
        targets()?
    } else {
        own()
    };
    let depths = if cycles(Cycled::Depths) {
        depths()?
    } else {
        own()
    };
    if workers.len() * targets.len() * depths.len() > MANY {
        let message = format!("the test has more than {MANY} steps");
        let remedy = "larger steps, or only one thing cycled";
        return Err(Box::new(lines.error(kind.place.clone(), message, remedy)));
    }
    let mut all = Vec::new();
    for &workers in &workers {
        for &targets in &targets {
            for &depth in &depths {
                all.push(Step {
                    workers,
                    targets,
                    depth,
                });
            }
        }
    }
    Ok(all)
}

/// The numbers from the start up to `most`; the start itself at least.
fn series(
    cycling: Cycling,
    most: u64,
    place: &Range<usize>,
    lines: &Lines<'_>,
) -> Result<Vec<Option<u64>>, Box<Diagnostic>> {
    let error =
        |message: &str, remedy: &str| Err(Box::new(lines.error(place.clone(), message, remedy)));
    if cycling.start == 0 {
        return error(
            "a series that begins with 0 begins with nothing",
            "begin with 1",
        );
    }
    let mut numbers = vec![Some(cycling.start)];
    let mut last = cycling.start;
    loop {
        let next = if cycling.exponential {
            last.saturating_mul(cycling.step)
        } else {
            last.saturating_add(cycling.step)
        };
        if next > most {
            return Ok(numbers);
        }
        if next <= last {
            return error(
                "this step does not grow",
                "1 or more, for EXPONENTIAL 2 or more",
            );
        }
        if numbers.len() == MANY {
            return error("these are too many steps", "a larger step");
        }
        numbers.push(Some(next));
        last = next;
    }
}
