//! Runs the probes of a plan, and states what limited the load.

use crate::error::RunError;
use crate::local::Local;
use crate::plan::Plan;
use crate::probing::{MicroProbes, ProbedCourse, Wishes};
use crate::run::{along, listed};
use crate::{Observer, instance};
use fathom_core::result::{Bound, RunResult};

/// Runs a plan, with the short runs that are wished for.
pub(crate) fn run(
    plan: &Plan,
    local: &Local<'_>,
    observer: &mut dyn Observer,
) -> Result<RunResult, RunError> {
    if let Some(party) = &local.party {
        return party.measure(plan, local, observer);
    }
    let explain = &plan.explain;
    if !explain.load && !explain.asks() {
        return listed(plan, local, observer);
    }
    let asked = MicroProbes::of(&plan.workload);
    let asked = asked.ok().filter(|_| explain.asks());
    let extended = asked.as_ref().map(|asked| Plan {
        workload: asked.extend(&plan.workload),
        ..plan.clone()
    });
    let wishes = Wishes {
        explain: explain.load,
        is_synchronous: false,
        micro: asked.clone().filter(|_| explain.probe),
        ceiling: explain.load || explain.probe,
        cliff: asked.zip(explain.cliff),
    };
    let wishes = wishes.with_engine(plan.engine.kind);
    let mut course = ProbedCourse::new(&plan.workload, &wishes);
    let with_probes = extended.as_ref().unwrap_or(plan);
    let mut result = along(with_probes, &mut course, local, observer)?;
    course.sort(&mut result, &plan.workload);
    Ok(result)
}

/// Says what held the run back. Without being asked, only where the rate fell, as when a burst
/// bucket ran dry: then the mean is that of two different storages.
pub(crate) fn attribute(result: &mut RunResult, plan: &Plan, is_modelled: bool) {
    let explain = &plan.explain;
    let mut caps = explain.caps.clone();
    if explain.load
        && !is_modelled
        && let Some((own, text)) = instance::caps(plan)
    {
        caps.extend(own);
        instance::note(result, text);
    }
    // A model knows what limited a load. What the rates alone show is added only where somebody
    // asks.
    let phases = result.phases.iter_mut();
    let known: Vec<Option<Box<Bound>>> = phases.map(|phase| phase.bound.take()).collect();
    fathom_verdict::explain(result, &caps);
    if !explain.load && explain.caps.is_empty() {
        for phase in &mut result.phases {
            phase.bound = phase.bound.take().filter(|bound| bound.fall.is_some());
        }
    }
    for (phase, known) in result.phases.iter_mut().zip(known) {
        let Some(mut known) = known else { continue };
        if let Some(guess) = phase.bound.take().filter(|_| explain.load) {
            known
                .evidence
                .push(format!("by the rates alone: {}", guess.sentence));
            known.evidence.extend(guess.evidence);
        }
        phase.bound = Some(known);
    }
    fathom_verdict::renew_remedies(result);
}
