//! A course of phases on many hosts: each phase is a measurement of its own, by members that stay,
//! and what all of them came to is one result.

use super::gathered::Cluster;
use crate::cluster_error::ClusterError;
use crate::plan::{MadeFiles, Plan};
use crate::{Control, Observer, PhaseOrder, Wish};
use fathom_core::result::{CountedTo, MemberState, PhaseResult, RampAxis, RunResult};
use fathom_core::spec::{Pacing, Phase};
use fathom_core::{Caveat, Level, Rate, State};
use fathom_verdict::Code;

impl Cluster {
    /// Runs the phases that a course decides. The workload in the result's provenance holds them
    /// as they were decided, with the load of all members.
    pub(crate) fn along(
        &self,
        plan: &Plan,
        course: &mut dyn PhaseOrder,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Result<RunResult, ClusterError> {
        let mut phases = Vec::new();
        let mut whole: Option<RunResult> = None;
        let mut broken_off = None;
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
            let before = phases.len() as u32;
            step.step = before;
            let mut result = match self.measure_after(before, &step, control, observer) {
                Ok(result) => result,
                // What has been measured by then is still a result.
                Err(ClusterError::Abandoned { why, fates }) if whole.is_some() => {
                    if control.wish() == Wish::Run {
                        broken_off = Some((early(&leg.phase, &why), fates));
                    }
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
        let interrupted = || ClusterError::Abandoned {
            why: "it was interrupted before the start".to_owned(),
            fates: Vec::new(),
        };
        let mut whole = whole.ok_or_else(interrupted)?;
        whole.provenance.workload = plan.workload.clone();
        whole.provenance.workload.phases = phases;
        if let Some((caveat, fates)) = broken_off {
            lose(&mut whole, fates);
            whole.caveats.push(caveat);
            whole.state = State::of(&whole.caveats);
        }
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

/// The warning where members could not go on to a phase.
fn early(phase: &Phase, why: &str) -> Caveat {
    let message = format!("it ended before {}: {why}", phase.name);
    Code::Interrupted
        .caveat(Level::Qualified, message)
        .remedy("run it again, or use --allow-missing to continue with the other members")
}

/// Notes which members were gone before the next phase.
fn lose(whole: &mut RunResult, fates: Vec<(MemberState, String)>) {
    let members = whole.cluster.iter_mut().flat_map(|one| &mut one.members);
    for (member, (state, why)) in members.zip(fates) {
        if member.state == MemberState::Finished {
            (member.state, member.why) = (state, why);
        }
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
        let same = |one: &&Caveat| one.code == caveat.code && one.subject == caveat.subject;
        if !whole.caveats.iter().any(|one| same(&one)) {
            whole.caveats.push(caveat);
        }
    }
    whole.state = State::of(&whole.caveats);
}
