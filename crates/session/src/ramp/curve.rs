//! The walk along the curve: 1, 2, 4 … until throughput no longer grows, then finer around the
//! saturation point.

use super::StepPlan;
use super::axis;
use super::report::{latency_ns, served_iops};
use fathom_core::result::{PhaseResult, RampAxis, StepPurpose};
use fathom_core::spec::Phase;
use fathom_load::course::{Leg, PhaseOrder};
use fathom_verdict::stats::power_knee;

/// Growth of throughput by a doubling that still counts as growth.
const GROWS: f64 = 1.03;
/// Doublings without growth after which the curve is known.
const FLAT: usize = 2;

/// Share of a step in pauses of the generator from which it is made again.
const PAUSED: f64 = 0.05;

/// Where a walk begins and ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkLimits {
    /// First value.
    pub from: u32,
    /// Last value, reached only while throughput grows unless `to_the_end`.
    pub to: u32,
    /// Go on to the last value even where throughput no longer grows.
    pub to_the_end: bool,
}

/// The walk over queue depths or threads.
#[derive(Debug)]
pub struct ClosedWalk {
    template: Phase,
    axis: RampAxis,
    limits: WalkLimits,
    steps: Vec<StepPlan>,
    /// Values around the saturation point that are still to be run, once the doublings are done.
    finer: Option<Vec<u32>>,
}

impl ClosedWalk {
    /// A walk of the template's load.
    pub const fn new(template: Phase, axis: RampAxis, limits: WalkLimits) -> Self {
        Self {
            template,
            axis,
            limits,
            steps: Vec::new(),
            finer: None,
        }
    }

    /// What the phases were, in their order.
    pub fn steps(&self) -> &[StepPlan] {
        &self.steps
    }

    fn next_value(&mut self, done: &[PhaseResult]) -> Option<u32> {
        // A step in which the generator stood still is made once more.
        if let (Some(phase), Some(step)) = (done.last(), self.steps.last()) {
            let value = step.value as u32;
            if is_paused(phase) && self.times(value) == 1 {
                return Some(value);
            }
        }
        if self.finer.is_none() {
            if let Some(next) = self.next_doubling(done) {
                return Some(next);
            }
            self.finer = Some(self.around_the_knee(done));
        }
        let finer = self.finer.as_mut()?;
        if finer.is_empty() {
            None
        } else {
            Some(finer.remove(0))
        }
    }

    /// How often a value was run.
    fn times(&self, value: u32) -> usize {
        let same = self.steps.iter().filter(|one| one.value as u32 == value);
        same.count()
    }

    fn next_doubling(&self, done: &[PhaseResult]) -> Option<u32> {
        let Some(last) = self.steps.last() else {
            return Some(self.limits.from);
        };
        let value = last.value as u32;
        if value >= self.limits.to || (!self.limits.to_the_end && is_flat(done)) {
            return None;
        }
        Some(value.saturating_mul(2).min(self.limits.to))
    }

    /// Half-way points on both sides of the saturation point.
    fn around_the_knee(&self, done: &[PhaseResult]) -> Vec<u32> {
        let latency = |phase: &PhaseResult| latency_ns(phase).filter(|_| !is_paused(phase));
        let points: Vec<(f64, f64)> = done
            .iter()
            .map(|phase| (served_iops(phase), latency(phase).unwrap_or(0.0)))
            .collect();
        let Some(knee) = power_knee(&points) else {
            return Vec::new();
        };
        let value = |index: usize| self.steps.get(index).map(|step| step.value);
        let here = value(knee);
        let before = knee.checked_sub(1).and_then(value);
        let middle = |a: Option<f64>, b: Option<f64>| Some(f64::midpoint(a?, b?).round() as u32);
        let known = |candidate: &u32| {
            !self
                .steps
                .iter()
                .any(|step| step.value as u32 == *candidate)
        };
        [middle(before, here), middle(here, value(knee + 1))]
            .into_iter()
            .flatten()
            .filter(known)
            .collect()
    }
}

/// Whether a step has such long pauses of the load generator that it says little about the storage.
pub(super) fn is_paused(phase: &PhaseResult) -> bool {
    phase.paused_share() > PAUSED
}

/// Whether the last doublings have brought nothing.
fn is_flat(done: &[PhaseResult]) -> bool {
    let calm = done.iter().filter(|phase| !is_paused(phase));
    let rates: Vec<f64> = calm.map(served_iops).collect();
    let Some(begin) = rates.len().checked_sub(FLAT + 1) else {
        return false;
    };
    let before = rates[..=begin].iter().copied().fold(0.0, f64::max);
    rates[begin + 1..].iter().all(|rate| *rate < before * GROWS)
}

impl PhaseOrder for ClosedWalk {
    fn next_leg(&mut self, done: &[PhaseResult]) -> Option<Leg> {
        let value = self.next_value(done)?;
        self.steps.push(StepPlan {
            purpose: StepPurpose::Curve,
            value: f64::from(value),
        });
        let word = match self.axis {
            RampAxis::Threads => "threads",
            _ => "depth",
        };
        let again = if self.times(value) > 1 { "-again" } else { "" };
        let name = format!("{word}-{value}{again}");
        Some(Leg {
            template: 0,
            repeat: 1,
            phase: axis::at(&self.template, self.axis, f64::from(value), name),
            alone: false,
            interval: None,
        })
    }

    fn expected(&self) -> usize {
        let doublings = (self.limits.to / self.limits.from.max(1)).ilog2() as usize + 1;
        let finer = self.finer.as_ref().map_or(2, Vec::len);
        self.steps.len().max(doublings) + finer
    }
}
