//! A course of phases on many hosts: each phase is a measurement of its own, by members that stay,
//! and what all of them came to is one result.

use super::gathered::{Cluster, ClusterError};
use crate::plan::{MadeFiles, Plan};
use crate::{Control, Course, Observer, Wish};
use fathom_core::result::{CountedTo, MemberState, PhaseResult, RampAxis, RunResult};
use fathom_core::spec::{Pacing, Phase};
use fathom_core::{Rate, State};

impl Cluster {
    /// Runs the phases that a course decides. The workload in the result's provenance holds them
    /// as they were decided, with the load of all members.
    pub(crate) fn along(
        &self,
        plan: &Plan,
        course: &mut dyn Course,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Result<RunResult, ClusterError> {
        let mut phases = Vec::new();
        let mut whole: Option<RunResult> = None;
        while control.wish() == Wish::Run {
            let done = whole.as_ref().map_or(&[][..], |one| &one.phases);
            let Some(leg) = course.next_leg(done) else {
                break;
            };
            observer.event(&crate::Event::Members {
                line: &format!("next is {}", leg.phase.name),
                matters: false,
            });
            let mut step = plan.clone();
            step.ramp = None;
            step.workload.repeat = 1;
            step.workload.interval = leg.interval.unwrap_or(step.workload.interval);
            step.workload.phases = vec![self.part_of(plan, &leg.phase)];
            // Only the first lays files out; members remove them when they go.
            if step.made_files == MadeFiles::Removed {
                step.made_files = MadeFiles::Lent;
            }
            let mut result = match self.measure(&step, control, observer) {
                Ok(result) => result,
                Err(ClusterError::Abandoned(_))
                    if whole.is_some() && control.wish() != Wish::Run =>
                {
                    break;
                }
                Err(error) => return Err(error),
            };
            for phase in &mut result.phases {
                phase.repeat = leg.repeat;
            }
            phases.push(leg.phase);
            match &mut whole {
                Some(whole) => join(whole, result),
                None => whole = Some(result),
            }
        }
        let interrupted = || ClusterError::Abandoned("it was interrupted before the start".into());
        let mut whole = whole.ok_or_else(interrupted)?;
        whole.provenance.workload = plan.workload.clone();
        whole.provenance.workload.phases = phases;
        Ok(whole)
    }

    /// What each member does of a phase: a rate that a ramp sets is that of all.
    fn part_of(&self, plan: &Plan, phase: &Phase) -> Phase {
        let mut phase = phase.clone();
        let is_of_all = plan
            .ramp
            .as_ref()
            .is_some_and(|ramp| ramp.axis == RampAxis::Rate);
        for job in phase.jobs.iter_mut().filter(|_| is_of_all) {
            if let Pacing::Open {
                rate: Rate::Iops(iops),
                ..
            } = &mut job.pacing
            {
                *iops /= self.members() as f64;
            }
        }
        phase
    }
}

/// Adds the phases that came after those of `whole`.
fn join(whole: &mut RunResult, mut next: RunResult) {
    let before = whole.phases.len() as u32;
    let end = |phase: &PhaseResult| {
        phase.start_ns + phase.warm_up_ns + phase.measured_ns + phase.cool_down_ns
    };
    let begin = whole.phases.last().map_or(0, end);
    for phase in &mut next.phases {
        phase.start_ns += begin;
    }
    whole.phases.append(&mut next.phases);
    whole.provenance.timings.total_ns = next.provenance.timings.total_ns;
    if let (Some(whole), Some(next)) = (&mut whole.cluster, next.cluster) {
        whole.phases.extend(next.phases);
        for (member, mut later) in whole.members.iter_mut().zip(next.members) {
            member.phases.append(&mut later.phases);
            let counted = later.counted.map(|one| CountedTo {
                phase: one.phase + before,
                ..one
            });
            member.counted = counted.or(member.counted);
            if later.state != MemberState::Finished {
                (member.state, member.why) = (later.state, later.why);
            }
        }
    }
    for caveat in next.caveats {
        let same =
            |one: &&fathom_core::Caveat| one.code == caveat.code && one.subject == caveat.subject;
        if !whole.caveats.iter().any(|one| same(&one)) {
            whole.caveats.push(caveat);
        }
    }
    whole.state = State::of(&whole.caveats);
}
