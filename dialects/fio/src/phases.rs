//! Jobs to phases: `stonewall` begins a new one, and the jobs between two of them run at once.

use super::job::Built;
use super::settings::Limit;
use super::source::Findings;
use fathom_core::spec::{Job, Phase, Steady};
use fathom_core::{Nanos, Percent};
use fathom_tools::own_names::{OwnNames, after_hash};
use fathom_tools::translation::Standing;
use std::collections::{BTreeMap, BTreeSet};

/// Rounds that a steady state is looked for where no time limits it: a day.
const MOST_ROUNDS: u64 = 86_400;

const ROUND: Nanos = Nanos::from_secs(1);

/// Sections that run at once.
pub(super) type Group = Vec<Built>;

/// One phase of each group; the native jobs are moved out of `groups`, named so that no two of a
/// phase are alike.
pub(super) fn phases(groups: &mut [Group], findings: &mut Findings) -> Vec<Phase> {
    let mut names = OwnNames::default();
    let mut phases = Vec::new();
    let mut seen = BTreeSet::new();
    let longest = longest_uses(groups);
    // Since the start of the run, as far as it is known beforehand.
    let mut passed = Some(Nanos::ZERO);
    for group in groups {
        not_fresh(group, &mut seen, &longest);
        let name = match group.as_slice() {
            [only] => only.name.clone(),
            many => {
                let first = many.first().map_or("", |first| first.name.as_str());
                format!("{first} and {} more", many.len().saturating_sub(1))
            }
        };
        let phase = phase(unique(&mut names, &name), group, passed, findings);
        passed = passed.and_then(|before| {
            let length = phase.duration.filter(|_| phase.steady.is_none())?;
            let by_amount = phase.jobs.iter().all(Job::ends);
            let time = phase.warm_up.saturating_add(length);
            (!by_amount).then(|| before.saturating_add(time))
        });
        phases.push(phase);
    }
    phases
}

fn phase(name: String, group: &mut Group, passed: Option<Nanos>, findings: &mut Findings) -> Phase {
    name_apart(group);
    let first = begin_apart(group, passed, findings);
    let duration = end_apart(group, first);
    let steady = steady(group, duration, findings);
    let duration = match &steady {
        Some(_) => duration.saturating_sub(steady_ramp(group)),
        None => duration,
    };
    let ramp = longest_ramp(group, first, steady.is_some(), findings);
    let jobs: Vec<_> = group.iter().flat_map(|built| built.jobs.clone()).collect();
    Phase {
        name,
        warm_up: first.saturating_add(ramp),
        duration: (duration > Nanos::ZERO).then_some(duration),
        steady,
        jobs,
        ..Phase::plain()
    }
}

/// Gives each job its delay, and says the shortest of them: the time before anything happens.
///
/// fio counts `startdelay` from its own begin, so what ran before has used some of it up.
fn begin_apart(group: &mut Group, passed: Option<Nanos>, findings: &mut Findings) -> Nanos {
    let of = |built: &Built| {
        let delay = built.settings.start_delay;
        let delay = delay.saturating_sub(passed.unwrap_or_default());
        delay.saturating_add(built.settings.waits)
    };
    let first = group.iter().map(of).min().unwrap_or_default();
    for built in group {
        let delay = of(built);
        for job in &mut built.jobs {
            job.delay = delay;
        }
        let Some(word) = built.settings.word("startdelay") else {
            continue;
        };
        if delay > Nanos::ZERO && passed.is_none() {
            let message = "counted from the end of the jobs before, whose length is not known";
            findings.note(Standing::Approximated, &word.what(), message);
        }
        if delay > first && built.settings.ramp > Nanos::ZERO {
            let message = "other jobs run already: the ramp of this one is not left out";
            findings.note(Standing::Approximated, &word.what(), message);
        }
    }
    first
}

/// The longest ramp of the group, with that before a steady state is looked for if one is. Jobs
/// with a shorter one begin later, so that all of what they do behind it is measured, and none does
/// more than it is to do.
fn longest_ramp(group: &mut Group, first: Nanos, steady: bool, findings: &mut Findings) -> Nanos {
    let ramp = |built: &Built| {
        let settings = &built.settings;
        let before = if steady {
            settings.steady_ramp
        } else {
            Nanos::ZERO
        };
        settings.ramp.saturating_add(before)
    };
    let longest = group.iter().map(ramp).max().unwrap_or_default();
    for built in group.iter_mut() {
        let begin = first.saturating_add(longest.saturating_sub(ramp(built)));
        let delay = built.jobs.first().map_or(begin, |job| job.delay);
        if delay >= begin {
            continue;
        }
        let what = built.settings.word("ramp_time").map_or_else(
            || format!("[{}]", built.name),
            |word| format!("{} of [{}]", word.what(), built.name),
        );
        for job in &mut built.jobs {
            job.delay = begin;
        }
        let later = begin.saturating_sub(delay);
        let message = format!("begins {later} later, so that all that run at once are measured");
        findings.note(Standing::Approximated, &what, message);
    }
    longest
}

/// Gives each job that ends before the others an end of its own, and says the measured time of
/// all of them.
fn end_apart(group: &mut Group, first: Nanos) -> Nanos {
    let time = |built: &Built| match built.settings.runtime {
        Nanos::ZERO => None,
        time => {
            let delay = built.jobs.first().map_or(first, |job| job.delay);
            Some(delay.saturating_sub(first).saturating_add(time))
        }
    };
    let ends_all = |built: &&Built| built.settings.exit_all;
    let end = group.iter().filter(ends_all).filter_map(time).min();
    let end = end.or(group.iter().filter_map(time).max());
    let end = end.unwrap_or_default();
    if group.iter().any(|built| built.settings.steady.is_some()) {
        return end;
    }
    for built in group {
        if time(built).is_some_and(|time| time < end) {
            for job in &mut built.jobs {
                job.stop.time = Some(built.settings.runtime);
            }
        }
    }
    end
}

/// The time before a steady state is looked for, which fio's `runtime` has in it and the measured
/// time has not: that of the first job that has a rule.
fn steady_ramp(group: &Group) -> Nanos {
    let of = |built: &Built| {
        Some(built.settings.steady_ramp).filter(|_| built.settings.steady.is_some())
    };
    group.iter().find_map(of).unwrap_or_default()
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
    let (share, most) = match criterion.limit {
        Limit::Percent(percent) => (Some(percent), None),
        Limit::Most(most) => (None, Some(most)),
    };
    let of_slope = |limit: Option<f64>| limit.filter(|_| criterion.slope);
    let of_deviation = |limit: Option<f64>| limit.filter(|_| !criterion.slope);
    let slope = of_slope(share).map_or(100.0, |percent| percent * f64::from(rounds - 1));
    let longest = match duration {
        Nanos::ZERO => MOST_ROUNDS,
        time => time.saturating_sub(steady_ramp(group)).0 / ROUND.0,
    };
    // fio's time has the ramp in it, and it ends there, steady or not.
    if longest < u64::from(rounds) {
        if let Some(word) = built.settings.word("steadystate") {
            let message = "the time is over before there could be a steady state";
            findings.note(Standing::Kept, &word.what(), message);
        }
        return None;
    }
    Some(Steady {
        metric: criterion.metric,
        round: ROUND,
        rounds,
        range: Percent(100.0),
        slope: Percent(slope.min(100.0)),
        deviation: of_deviation(share).map(Percent),
        deviation_most: of_deviation(most),
        slope_most: of_slope(most),
        max_rounds: u32::try_from(longest).unwrap_or(u32::MAX).max(rounds),
    })
}

/// Gives the jobs of a phase names of their own.
fn name_apart(group: &mut Group) {
    let mut names = OwnNames::default();
    for job in group.iter_mut().flat_map(|built| &mut built.jobs) {
        job.name = unique(&mut names, &job.name);
    }
}

/// Where the part of each file ends that any job of the run uses.
fn longest_uses(groups: &[Group]) -> BTreeMap<String, u64> {
    let mut longest = BTreeMap::new();
    for job in groups.iter().flatten().flat_map(|built| &built.jobs) {
        for target in &job.targets {
            let end = longest.entry(target.clone()).or_insert(0);
            *end = use_end(job).max(*end);
        }
    }
    longest
}

/// Where the part of a file ends that a job uses; 0 where that is wherever the file does.
fn use_end(job: &Job) -> u64 {
    let window = job
        .window
        .map(|window| job.offset.0.saturating_add(window.0));
    job.size.map(|size| size.0).max(window).unwrap_or(0)
}

/// Only the first job to use a file, and the only one meanwhile, can find it missing; and it makes
/// it only where no later one uses more of it, which fio lays out before the first begins.
fn not_fresh(group: &mut Group, seen: &mut BTreeSet<String>, longest: &BTreeMap<String, u64>) {
    let mut uses = BTreeMap::new();
    for target in group
        .iter()
        .flat_map(|b| &b.jobs)
        .flat_map(|job| &job.targets)
    {
        *uses.entry(target.clone()).or_insert(0) += 1;
    }
    for job in group.iter_mut().flat_map(|built| &mut built.jobs) {
        let end = use_end(job);
        let is_used =
            |target: &String| uses[target] > 1 || seen.contains(target) || longest[target] > end;
        job.fresh &= !job.targets.iter().any(is_used);
    }
    seen.extend(uses.into_keys());
}

fn unique(names: &mut OwnNames, name: &str) -> String {
    let name = if name.trim().is_empty() { "job" } else { name };
    names.own(name, after_hash)
}
