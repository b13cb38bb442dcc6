//! Runs a ramp.

use crate::Observer;
use crate::error::RunError;
use crate::local::Local;
use crate::plan::Plan;
use crate::ramp::{ClosedWalk, ObjectiveSearch, Ramp, SearchTimes, SizeWalk, WalkLimits, report};
use crate::run::along;
use fathom_core::result::{RampAxis, RunResult};

/// Where a walk ends at the latest when no end is given.
const LAST: u32 = 1024;
/// Runs the steps and puts what they show into the result.
pub(crate) fn run(
    ramp: &Ramp,
    plan: &Plan,
    local: &Local<'_>,
    observer: &mut dyn Observer,
) -> Result<RunResult, RunError> {
    let template = plan.workload.phases[0].clone();
    let (mut result, steps, answer) = match ramp.axis {
        RampAxis::Rate => {
            let times = SearchTimes {
                step: ramp.step,
                precision: ramp.precision,
                repetitions: ramp.searches,
            };
            let mut course = ObjectiveSearch::new(template, ramp.objectives.clone(), times);
            let result = along(plan, &mut course, local, observer)?;
            let answer = course.answer(&result.phases);
            (result, course.steps().to_vec(), answer)
        }
        RampAxis::BlockSize => {
            let mut course = SizeWalk::new(template);
            let result = along(plan, &mut course, local, observer)?;
            (result, course.steps().to_vec(), None)
        }
        RampAxis::QueueDepth | RampAxis::Threads => {
            let limits = WalkLimits {
                from: ramp.from,
                to: ramp.to.unwrap_or(LAST.max(ramp.from)),
                to_the_end: ramp.to.is_some(),
            };
            let mut course = ClosedWalk::new(template, ramp.axis, limits);
            let result = along(plan, &mut course, local, observer)?;
            (result, course.steps().to_vec(), None)
        }
    };
    let objectives = match ramp.axis {
        RampAxis::Rate => ramp.objectives.as_slice(),
        _ => &[],
    };
    let shown = report(ramp.axis, &steps, &result.phases, objectives, answer);
    result.ramp = Some(shown);
    Ok(result)
}
