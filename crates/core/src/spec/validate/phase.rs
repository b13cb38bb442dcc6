//! Rules of a phase: its end, its jobs' names, who waits for whom.

use super::{Findings, job};
use crate::spec::fields::STEADY;
use crate::spec::{Job, Pacing, Phase};
use crate::units::Nanos;
use std::collections::HashMap;

/// Longest phase: beyond any measurement, and far below where instants would overflow.
/// The least time that requests in flight at the end are waited for.
const LEAST_DRAIN: Nanos = Nanos::from_secs(1);
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
    let waits = Waits::of(phase);
    for (index, one) in phase.jobs.iter().enumerate() {
        if findings.is_full() {
            return;
        }
        let mut findings = findings.below(&format!("job[{index}]"));
        if waits.first(&one.name) != Some(index) {
            findings.add(
                "name",
                format!("two jobs of the phase are called `{}`", one.name),
                "give each job a name of its own",
            );
        }
        check_after(phase, index, &waits, &mut findings);
        job::check(one, &mut findings);
    }
}

fn check_end(phase: &Phase, findings: &mut Findings<'_>) {
    let stops = phase.jobs.iter().any(Job::ends);
    if phase.duration == Some(Nanos::ZERO) {
        findings.add(
            "duration",
            "a duration of 0 measures nothing",
            "give it a positive time",
        );
    }
    if phase.drain_timeout < LEAST_DRAIN {
        findings.add(
            "drain_timeout",
            "with less than a second, requests that are only slow would be taken for lost",
            "wait for 1 s at least",
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

fn check_steady(phase: &Phase, findings: &mut Findings<'_>) {
    let Some(steady) = &phase.steady else { return };
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

/// Which job of a phase waits for which.
struct Waits<'a> {
    /// The first job of each name.
    first: HashMap<&'a str, usize>,
    /// Whether a job waits, in the end, for one that waits for itself.
    in_circle: Vec<bool>,
}

impl<'a> Waits<'a> {
    fn of(phase: &'a Phase) -> Self {
        let mut first = HashMap::with_capacity(phase.jobs.len());
        for (index, job) in phase.jobs.iter().enumerate() {
            first.entry(job.name.as_str()).or_insert(index);
        }
        let next: Vec<Option<usize>> = phase
            .jobs
            .iter()
            .map(|job| first.get(job.after.as_deref()?).copied())
            .collect();
        Self {
            first,
            in_circle: lead_into_circles(&next),
        }
    }

    fn first(&self, name: &str) -> Option<usize> {
        self.first.get(name).copied()
    }
}

/// Of numbers that lead to one other number each, or to none: which of them lead into a circle.
/// Each is walked over once, however long a chain is.
fn lead_into_circles(next: &[Option<usize>]) -> Vec<bool> {
    const WALKED: Option<bool> = Some(true);
    let mut known: Vec<Option<bool>> = vec![None; next.len()];
    for begin in 0..next.len() {
        let mut at = Some(begin);
        let mut walked = Vec::new();
        // Whoever comes back to its own walk is in a circle: until that is over, all of it counts
        // as leading into one.
        while let Some(index) = at.filter(|index| known[*index].is_none()) {
            known[index] = WALKED;
            walked.push(index);
            at = next[index];
        }
        let leads = at.and_then(|index| known[index]).unwrap_or(false);
        for index in walked {
            known[index] = Some(leads);
        }
    }
    known.into_iter().map(|leads| leads == WALKED).collect()
}

fn check_after(phase: &Phase, index: usize, waits: &Waits<'_>, findings: &mut Findings<'_>) {
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
    let Some(position) = waits.first(after) else {
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
    if waits.in_circle[index] {
        findings.add(
            "after",
            "jobs wait for each other in a circle",
            "break the circle",
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_into_a_circle_is_known_of_each() {
        let cases: [(&[Option<usize>], &[bool]); 5] = [
            (&[], &[]),
            (&[None, Some(0), Some(1)], &[false, false, false]),
            (&[Some(0)], &[true]),
            // 2 leads to 0, which waits for 1, which waits for 0; 4 leads to the end.
            (
                &[Some(1), Some(0), Some(0), None, Some(3)],
                &[true, true, true, false, false],
            ),
            (&[Some(2), None, Some(1)], &[false, false, false]),
        ];
        for (next, expected) in cases {
            assert_eq!(lead_into_circles(next), expected, "{next:?}");
        }
    }

    #[test]
    fn a_chain_of_many_jobs_is_walked_over_once() {
        let count = 200_000;
        let chain: Vec<Option<usize>> = (0..count)
            .map(|index: usize| index.checked_sub(1))
            .collect();
        assert_eq!(lead_into_circles(&chain), vec![false; count]);
    }
}
