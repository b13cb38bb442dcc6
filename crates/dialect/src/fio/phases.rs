//! Jobs to phases: `stonewall` begins a new one, and the jobs between two of them run at once.

use super::job::Built;
use super::source::{Findings, Wrong};
use crate::translation::Standing;
use fathom_core::spec::{Phase, Steady};
use fathom_core::{Nanos, Percent};
use std::collections::{BTreeMap, BTreeSet};

/// Rounds that a steady state is looked for where no time limits it: a day.
const MOST_ROUNDS: u64 = 86_400;

const ROUND: Nanos = Nanos::from_secs(1);

/// Sections that run at once.
pub(super) type Group = Vec<Built>;

/// One phase of each group; the native jobs are moved out of `groups`, named so that no two of a
/// phase are alike.
pub(super) fn phases(groups: &mut [Group], findings: &mut Findings) -> Vec<Phase> {
    let mut names = BTreeSet::new();
    let mut phases = Vec::new();
    let mut seen = BTreeSet::new();
    for group in groups {
        not_fresh(group, &mut seen);
        let name = match group.as_slice() {
            [only] => only.name.clone(),
            many => {
                let first = many.first().map_or("", |first| first.name.as_str());
                format!("{first} and {} more", many.len().saturating_sub(1))
            }
        };
        phases.push(phase(unique(&mut names, name), group, findings));
    }
    phases
}

fn phase(name: String, group: &mut Group, findings: &mut Findings) -> Phase {
    name_apart(group);
    refuse(group, findings);
    let warm_up = longest(group, "ramp_time", findings, |built| {
        let ramp = built.settings.ramp;
        ramp.saturating_add(built.settings.steady_ramp)
    });
    let duration = longest(group, "runtime", findings, |built| built.settings.runtime);
    let steady = steady(group, duration, findings);
    let jobs: Vec<_> = group.iter().flat_map(|built| built.jobs.clone()).collect();
    Phase {
        name,
        warm_up,
        duration: (duration > Nanos::ZERO).then_some(duration),
        cool_down: Nanos::ZERO,
        steady,
        jobs,
    }
}

/// The longest time of the group; where they differ, it is said.
fn longest(
    group: &Group,
    option: &str,
    findings: &mut Findings,
    time: impl Fn(&Built) -> Nanos,
) -> Nanos {
    let longest = group.iter().map(&time).max().unwrap_or_default();
    for built in group {
        let own = time(built);
        // A job that ends by its amount has no time of its own.
        if own == longest || (own == Nanos::ZERO && built.ends && option == "runtime") {
            continue;
        }
        let what = built.settings.word(option).map_or_else(
            || format!("[{}]", built.name),
            |word| format!("{} of [{}]", word.what(), built.name),
        );
        let message = format!("the jobs that run at once take {longest} all together");
        findings.note(Standing::Approximated, &what, message);
    }
    longest
}

/// What cannot be said of jobs that run at once.
fn refuse(group: &Group, findings: &mut Findings) {
    let first = group
        .first()
        .map_or(Nanos::ZERO, |b| b.settings.start_delay);
    for built in group {
        let settings = &built.settings;
        if settings.start_delay != first
            && let Some(word) = settings
                .word("startdelay")
                .or(group[0].settings.word("startdelay"))
        {
            let wrong = Wrong::new(
                "jobs that run at once begin together",
                "without startdelay, or stonewall",
            );
            findings.error(&word.place, wrong);
        }
        let by_amount = group.iter().any(|other| other.ends);
        if settings.exit_all
            && group.len() > 1
            && by_amount
            && let Some(word) = settings.word("exitall")
        {
            let wrong = Wrong::new(
                "a job that has done its amount does not end the others",
                "without exitall, or time_based with one runtime for all",
            );
            findings.error(&word.place, wrong);
        }
    }
}

/// The rule of the group, which is that of its first job that has one.
fn steady(group: &Group, duration: Nanos, findings: &mut Findings) -> Option<Steady> {
    let built = group.iter().find(|built| built.settings.steady.is_some())?;
    let criterion = built.settings.steady?;
    let rounds = (built.settings.steady_time.0 / ROUND.0).clamp(3, 100_000) as u32;
    if group.len() > 1
        && let Some(word) = built.settings.word("steadystate")
    {
        let message = "all jobs that run at once end when their sum is steady";
        findings.note(Standing::Approximated, &word.what(), message);
    }
    let (range, slope) = if criterion.slope {
        (100.0, criterion.percent * f64::from(rounds - 1))
    } else {
        (criterion.percent * 2.0, 100.0)
    };
    let most = match duration {
        Nanos::ZERO => MOST_ROUNDS,
        time => (time.0 / ROUND.0).max(u64::from(rounds)),
    };
    Some(Steady {
        metric: criterion.metric,
        round: ROUND,
        rounds,
        range: Percent(range.min(100.0)),
        slope: Percent(slope.min(100.0)),
        max_rounds: u32::try_from(most).unwrap_or(u32::MAX).max(rounds),
    })
}

/// Gives the jobs of a phase names of their own.
fn name_apart(group: &mut Group) {
    let mut names = BTreeSet::new();
    for job in group.iter_mut().flat_map(|built| &mut built.jobs) {
        job.name = unique(&mut names, job.name.clone());
    }
}

/// Only the first job to use a file, and the only one meanwhile, can find it missing.
fn not_fresh(group: &mut Group, seen: &mut BTreeSet<String>) {
    let mut uses = BTreeMap::new();
    for target in group
        .iter()
        .flat_map(|b| &b.jobs)
        .flat_map(|job| &job.targets)
    {
        *uses.entry(target.clone()).or_insert(0) += 1;
    }
    for job in group.iter_mut().flat_map(|built| &mut built.jobs) {
        let is_used = |target: &String| uses[target] > 1 || seen.contains(target);
        job.fresh &= !job.targets.iter().any(is_used);
    }
    seen.extend(uses.into_keys());
}

fn unique(names: &mut BTreeSet<String>, name: String) -> String {
    let name = if name.trim().is_empty() {
        "job".to_owned()
    } else {
        name
    };
    let mut made = name.clone();
    let mut number = 2;
    while !names.insert(made.clone()) {
        made = format!("{name} #{number}");
        number += 1;
    }
    made
}
