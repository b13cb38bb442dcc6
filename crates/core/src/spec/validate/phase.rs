//! Rules of a phase: its end, its jobs' names, who waits for whom.

use super::{Findings, job};
use crate::spec::fields::STEADY;
use crate::spec::{Job, Pacing, Phase};
use crate::units::Nanos;
use std::collections::BTreeSet;

/// Longest phase: beyond any measurement, and far below where instants would overflow.
const LONGEST: Nanos = Nanos::from_secs(10 * 365 * 24 * 3600);

pub(super) fn check(phase: &Phase, findings: &mut Findings<'_>) {
    if phase.name.trim().is_empty() {
        findings.add("name", "the phase has no name", "name it");
    }
    if phase.jobs.is_empty() {
        findings.add("job", "the phase has no job", "add a `[[phase.job]]`");
        return;
    }
    check_end(phase, findings);
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for (index, one) in phase.jobs.iter().enumerate() {
        let mut findings = findings.below(&format!("job[{index}]"));
        if !names.insert(&one.name) {
            findings.add(
                "name",
                format!("two jobs of the phase are called `{}`", one.name),
                "give each job a name of its own",
            );
        }
        check_after(phase, index, &mut findings);
        job::check(one, &mut findings);
    }
}

fn check_end(phase: &Phase, findings: &mut Findings<'_>) {
    let stops = searches(phase) || phase.jobs.iter().any(Job::ends);
    if phase.duration == Some(Nanos::ZERO) {
        findings.add(
            "duration",
            "a duration of 0 measures nothing",
            "give it a positive time",
        );
    }
    let whole = phase
        .warm_up
        .saturating_add(phase.duration.unwrap_or_default())
        .saturating_add(phase.cool_down);
    if whole > LONGEST {
        let (_, key) = [
            (phase.warm_up, "warm_up"),
            (phase.cool_down, "cool_down"),
            (phase.duration.unwrap_or_default(), "duration"),
        ]
        .into_iter()
        .max_by_key(|(time, _)| *time)
        .unwrap_or((whole, "duration"));
        findings.add(
            key,
            "a phase of more than ten years is not possible",
            "choose less",
        );
    }
    if phase.duration.is_none() && phase.steady.is_none() && !stops {
        findings.add(
            "duration",
            "the phase never ends",
            "give it a `duration`, a `steady` rule, or a job with `stop`",
        );
    }
    if phase.warm_up > Nanos::ZERO && phase.jobs.iter().any(Job::deals_once) {
        findings.add(
            "warm_up",
            "files that are dealt with once would be before the measured time",
            "use `warm_up = \"0s\"`, or `once = false` of the files",
        );
    }
    check_steady(phase, findings);
}

/// Whether a job looks for a depth, and ends the phase when it has found it.
fn searches(phase: &Phase) -> bool {
    let mut jobs = phase.jobs.iter();
    jobs.any(|job| job.pacing.search().is_some())
}

fn check_steady(phase: &Phase, findings: &mut Findings<'_>) {
    let Some(steady) = &phase.steady else { return };
    if searches(phase) {
        findings.add(
            "steady",
            "a search for a depth ends the phase itself",
            "drop `steady`, or use `follow = true` in the search",
        );
    }
    let mut findings = findings.below("steady");
    if !STEADY.field("rounds").allows(steady.rounds.into()) {
        findings.add(
            "rounds",
            "fewer than 3 rounds have no trend",
            "use 5, as SNIA does",
        );
    }
    if steady.max_rounds < steady.rounds {
        findings.add(
            "max_rounds",
            format!(
                "{} rounds at most never fill {} rounds",
                steady.max_rounds, steady.rounds
            ),
            "make `max_rounds` at least as large as `rounds`",
        );
    }
    if !STEADY.field("round").allows(steady.round.0) {
        findings.add(
            "round",
            "a round shorter than 100ms is noise",
            "use 1s or more",
        );
    }
    let deviation = steady.deviation.map(|percent| ("deviation", percent));
    let limits = [("range", steady.range), ("slope", steady.slope)];
    for (key, percent) in limits.into_iter().chain(deviation) {
        if !percent.is_valid() || percent.0 == 0.0 {
            findings.add(
                key,
                format!("{percent} is not a tolerance"),
                "SNIA's are `range = 20` and `slope = 10`",
            );
        }
    }
    let amounts = [
        ("deviation_most", steady.deviation_most),
        ("slope_most", steady.slope_most),
    ];
    for (key, most) in amounts {
        if let Some(most) = most.filter(|most| !most.is_finite() || *most <= 0.0) {
            findings.add(
                key,
                format!("{most} is not a tolerance"),
                "a number above 0, in the unit of the metric",
            );
        }
    }
}

fn check_after(phase: &Phase, index: usize, findings: &mut Findings<'_>) {
    let job = &phase.jobs[index];
    let triggered = matches!(job.pacing, Pacing::Triggered { .. });
    let Some(after) = &job.after else {
        if triggered {
            findings.add(
                "pacing",
                "a triggered burst waits for nobody",
                "name the job it follows, as in `after = \"wij\"`",
            );
        }
        return;
    };
    let Some(position) = phase.jobs.iter().position(|other| &other.name == after) else {
        findings.add(
            "after",
            format!("the phase has no job `{after}` to wait for"),
            "name a job of the same phase",
        );
        return;
    };
    if !phase.jobs[position].pacing.is_bursty() {
        findings.add(
            "after",
            format!("job `{after}` has no bursts to wait for"),
            "give it `pacing = { cyclic = { every = \"80s\", bytes = \"2GiB\" } }`",
        );
        return;
    }
    let mut seen = vec![index];
    let mut next = position;
    loop {
        if seen.contains(&next) {
            findings.add(
                "after",
                "jobs wait for each other in a circle",
                "break the circle",
            );
            return;
        }
        seen.push(next);
        let Some(name) = &phase.jobs[next].after else {
            return;
        };
        let Some(position) = phase.jobs.iter().position(|other| &other.name == name) else {
            return;
        };
        next = position;
    }
}
