//! What becomes of a load that goes on: when credit ends, what is left, how it comes back.

use super::demand::PhaseDemand;
use crate::model::{Bound, ServedStep, VolumeModel};
use crate::models::System;
use fathom_core::{Nanos, figure};

/// Longer than any bucket of a catalogue lasts or fills.
const HORIZON: Nanos = Nanos::from_secs(60 * 86_400);

/// What becomes of a load that goes on.
#[derive(Clone, Debug, PartialEq)]
pub struct Story {
    /// One sentence for each change, in order; the last says what lasts.
    pub sentences: Vec<String>,
    /// All of it in one line: `12,000 IOPS for 40 min, then 3,000; full again after 2 h idle`.
    pub course: String,
    /// When the load gets less than before, and why; in order.
    pub falls: Vec<Fall>,
    /// What holds the load back, in order; empty where nothing is served.
    pub holds: Vec<Hold>,
    /// When the last change is over, and the rate that lasts.
    pub steady_at: Nanos,
    /// Requests a second that last.
    pub steady_iops: f64,
}

impl Story {
    /// What limits the load after it has run for `span`.
    pub fn held_at(&self, span: Nanos) -> Option<&Hold> {
        let begun = self.holds.iter().rev();
        let mut begun = begun.skip_while(|hold| hold.at >= span && hold.at > Nanos::ZERO);
        begun.next()
    }
}

/// What holds a load back from an instant on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    /// When, from the start of the load.
    pub at: Nanos,
    /// As `gp2 IOPS without credit`; none where it gets all that it asks for.
    pub by: Option<String>,
    /// Whether that is a limit, and not the load's own outstanding requests or a busy device.
    pub is_limit: bool,
}

/// A change for less.
#[derive(Clone, Debug, PartialEq)]
pub struct Fall {
    /// When, from the start of the load.
    pub at: Nanos,
    /// Requests a second before.
    pub before_iops: f64,
    /// Requests a second afterwards.
    pub after_iops: f64,
    /// What made it, as `the credit of gp2 IOPS ends`.
    pub cause: String,
    /// Whether that is credit that was spent.
    pub is_credit: bool,
}

/// The course of a phase's load on a model that is left alone otherwise, from an instant on.
pub fn story(model: &System, demand: &PhaseDemand, at: Nanos) -> Story {
    let mut model = model.clone();
    let limits = model.limits();
    let served = model.serve(&demand.demand, at, HORIZON);
    let mean_bytes = mean_bytes(demand);
    let mut sentences = Vec::new();
    let mut steady_at = Nanos::ZERO;
    let steps = merged(&served.steps);
    for pair in steps.windows(2) {
        let [before, after] = pair else { continue };
        let when = (after.at - at).0;
        steady_at = after.at - at;
        let sentence = match after.bound {
            Bound::Spent(index) => {
                let limiter = &model.limiters()[usize::from(index)];
                let refill = limiter
                    .credit(at)
                    .map(|(_, full)| full / limiter.base_rate());
                let refill = refill.map_or_else(String::new, |seconds| {
                    format!(
                        "; an empty bucket is full again after {} without load",
                        figure::duration((seconds * 1e9) as u64)
                    )
                });
                format!(
                    "the credit of {} ends after {} at {}, then {}{refill}",
                    limits[usize::from(index)],
                    figure::duration(when),
                    rate(before, mean_bytes),
                    rate(after, mean_bytes)
                )
            }
            _ => format!(
                "after {} {} instead of {}",
                figure::duration(when),
                rate(after, mean_bytes),
                rate(before, mean_bytes)
            ),
        };
        sentences.push(sentence);
    }
    let last = steps.last().copied();
    if let Some(last) = last {
        sentences.push(format!(
            "steady state: {}, {}",
            rate(&last, mean_bytes),
            held_by(last.bound, &limits)
        ));
    }
    Story {
        course: course(&steps, &model, at),
        falls: falls(&steps, &limits, at),
        holds: holds(&steps, &limits, at),
        sentences,
        steady_at,
        steady_iops: last.map_or(0.0, |last| last.iops()),
    }
}

fn holds(steps: &[ServedStep], limits: &[String], at: Nanos) -> Vec<Hold> {
    let hold = |(number, step): (usize, &ServedStep)| {
        let lasts = match step.bound {
            Bound::Limit(index) => {
                let mut later = steps[number..].iter();
                later.all(|later| later.bound != Bound::Spent(index))
            }
            _ => true,
        };
        let by = named(step.bound, limits);
        Hold {
            at: step.at - at,
            by: by.map(|by| {
                if lasts {
                    by
                } else {
                    by + " while credit lasts"
                }
            }),
            is_limit: matches!(step.bound, Bound::Limit(_) | Bound::Spent(_)),
        }
    };
    steps.iter().enumerate().map(hold).collect()
}

fn falls(steps: &[ServedStep], limits: &[String], at: Nanos) -> Vec<Fall> {
    let fall = |pair: &[ServedStep]| {
        let [before, after] = pair else { return None };
        let is_credit = matches!(after.bound, Bound::Spent(_));
        let cause = match after.bound {
            Bound::Spent(index) => format!("the credit of {} ends", limits[usize::from(index)]),
            bound => named(bound, limits).unwrap_or_else(|| "less is asked for".to_owned()),
        };
        (after.iops() < before.iops()).then(|| Fall {
            at: after.at - at,
            before_iops: before.iops(),
            after_iops: after.iops(),
            cause,
            is_credit,
        })
    };
    steps.windows(2).filter_map(fall).collect()
}

/// The steps in one line, and how long what they spent takes to come back.
fn course(steps: &[ServedStep], model: &System, at: Nanos) -> String {
    let Some((last, before)) = steps.split_last() else {
        return String::new();
    };
    let iops = |step: &ServedStep| figure::iops(step.iops());
    let Some((first, middle)) = before.split_first() else {
        return format!("{} IOPS without time limit", iops(last));
    };
    let mut text = format!("{} IOPS for {}", iops(first), briefly(first.span.0));
    for step in middle {
        text = format!("{text}, {} for {}", iops(step), briefly(step.span.0));
    }
    text = format!("{text}, then {}", iops(last));
    let spent = steps.iter().filter_map(|step| match step.bound {
        Bound::Spent(index) => {
            let limiter = &model.limiters()[usize::from(index)];
            let (_, full) = limiter.credit(at)?;
            Some(full / limiter.base_rate())
        }
        _ => None,
    });
    match spent.reduce(f64::max) {
        Some(seconds) => format!(
            "{text}; full again after {} idle",
            briefly((seconds * 1e9) as u64)
        ),
        None => text,
    }
}

/// A duration without smaller units that are nothing: `40 min`, `2 h`.
fn briefly(ns: u64) -> String {
    let whole = figure::duration(ns);
    let nothing = [" 00 s", " 00 min"];
    let short = nothing.iter().find_map(|part| whole.strip_suffix(part));
    short.map_or_else(|| whole.clone(), str::to_owned)
}

/// What holds a load back, as a name.
fn named(bound: Bound, limits: &[String]) -> Option<String> {
    match bound {
        Bound::Demand => None,
        Bound::Outstanding => Some("the outstanding requests".to_owned()),
        Bound::Busy => Some("a device that is busy all the time".to_owned()),
        Bound::Limit(index) => Some(limits[usize::from(index)].clone()),
        Bound::Spent(index) => Some(format!("{} without credit", limits[usize::from(index)])),
    }
}

/// Mean bytes of a request over both loads.
fn mean_bytes(demand: &PhaseDemand) -> (f64, f64) {
    (
        demand.demand.closed.mean_bytes(),
        demand.demand.open.mean_bytes(),
    )
}

/// Steps that differ in nothing to tell, as one.
fn merged(steps: &[ServedStep]) -> Vec<ServedStep> {
    let mut kept: Vec<ServedStep> = Vec::new();
    for step in steps {
        let alike = kept.last().is_some_and(|last| {
            let scale = last.iops().max(1.0);
            (last.iops() - step.iops()).abs() < 1e-6 * scale
        });
        match kept.last_mut().filter(|_| alike) {
            Some(last) => {
                last.span = last.span + step.span;
                last.bound = step.bound;
            }
            None => kept.push(*step),
        }
    }
    kept
}

fn rate(step: &ServedStep, (closed, open): (f64, f64)) -> String {
    let bytes = step.closed_iops * closed + step.open_iops * open;
    format!(
        "{} IOPS ({} MB/s)",
        figure::iops(step.iops()),
        figure::megabytes(bytes)
    )
}

fn held_by(bound: Bound, limits: &[String]) -> String {
    match bound {
        Bound::Demand => "all that is asked for".to_owned(),
        Bound::Outstanding => "limited by the outstanding requests".to_owned(),
        Bound::Busy => "limited by a device that is busy all the time".to_owned(),
        Bound::Limit(index) => format!("limited by {}", limits[usize::from(index)]),
        Bound::Spent(index) => {
            format!("limited by {} without credit", limits[usize::from(index)])
        }
    }
}
