//! What is said of each member.

use super::brief::Brief;
use super::phases;
use super::series;
use crate::plan::Plan;
use fathom_cluster::coordinator::MemberFate;
use fathom_cluster::message::SeriesCounts;
use fathom_cluster::{MeasurementOutcome, MemberOutcome};
use fathom_core::Op;
use fathom_core::result::{
    ClusterMember, ClusterPhase, CountedTo, HostIntervals, MemberPhase, MemberState, OpResult,
    PhaseResult,
};

/// All members, by rank.
pub(super) fn all(
    plan: &Plan,
    outcome: &MeasurementOutcome,
    briefs: &[Option<Brief>],
) -> Vec<ClusterMember> {
    let members = outcome.members.iter().zip(briefs).enumerate();
    let member = |(rank, (member, brief)): (usize, (&MemberOutcome, &Option<Brief>))| {
        let (state, why) = fate(member);
        let targets = brief.iter().flat_map(|brief| &brief.targets);
        let count = outcome.phases.len();
        ClusterMember {
            rank: rank as u32,
            index: member.place.as_ref().map_or(0, |place| place.index),
            host: member.name.host.clone(),
            machine: brief.as_ref().map(|brief| brief.host.clone()),
            boot_id: member
                .identity
                .as_ref()
                .map_or_else(String::new, |one| one.boot_id.clone()),
            seed: member.seed,
            state,
            why,
            counted: member.counted.map(|one| CountedTo {
                phase: one.phase + 1,
                interval: one.interval + 1,
            }),
            clock_offset_ns: member.offset_ns.map(|(offset, _)| offset),
            clock_error_ns: member.offset_ns.map(|(_, error)| error),
            targets: targets.map(|target| target.path.clone()).collect(),
            phases: (0..count)
                .map(|phase| done(outcome, (brief.as_ref(), briefs), rank, phase))
                .collect(),
            apart: brief
                .as_ref()
                .filter(|_| plan.hosts_apart)
                .map_or_else(Vec::new, |brief| brief.phases.clone()),
        }
    };
    members.map(member).collect()
}

/// What became of a member, and why, if it has not finished.
pub(super) fn fate(member: &MemberOutcome) -> (MemberState, String) {
    let (state, why) = match &member.fate {
        MemberFate::Finished => (MemberState::Finished, ""),
        MemberFate::Missing(why) => (MemberState::Missing, why.as_str()),
        MemberFate::Failed(why) => (MemberState::Failed, why.as_str()),
        MemberFate::Lost(why) => (MemberState::Lost, why.as_str()),
    };
    (state, why.to_owned())
}

/// What the member of `rank` did in a phase.
fn done(
    outcome: &MeasurementOutcome,
    (brief, others): (Option<&Brief>, &[Option<Brief>]),
    rank: usize,
    phase: usize,
) -> MemberPhase {
    let totals = &outcome.phases[phase];
    let mut sum = SeriesCounts::default();
    for counts in totals.members.get(rank).into_iter().flatten() {
        sum.add(counts);
    }
    let own = brief.and_then(|brief| brief.phases.get(phase));
    let start = outcome.members[rank].starts.get(phase).copied().flatten();
    // Who was lost later took as long as the others did.
    let measured = || {
        others
            .iter()
            .flatten()
            .filter_map(|brief| brief.phases.get(phase))
    };
    let longest_ns = || measured().map(|one| one.measured_ns).max();
    let measured_ns = own.map(|own| own.measured_ns).or_else(|| {
        let has_finished = outcome.members[rank].has_finished(phase);
        has_finished.then(longest_ns).flatten()
    });
    let seconds = measured_ns.map(|measured_ns| measured_ns as f64 / 1e9);
    let rate = |amount: u64| match seconds {
        Some(seconds) if seconds > 0.0 => amount as f64 / seconds,
        _ => 0.0,
    };
    let ops = || own.into_iter().flat_map(ops);
    MemberPhase {
        ios: sum.ios,
        bytes: sum.bytes,
        errors: sum.errors,
        iops: rate(sum.ios),
        bytes_per_second: rate(sum.bytes),
        p99_ns: ops().filter_map(|op| op.service_ns.percentile("99")).max(),
        max_ns: ops().map(|op| op.service_ns.max).max(),
        measured_ns,
        start_late_ns: start.map(|start| start.late_ns),
        start_error_ns: start.map(|start| start.error_ns),
    }
}

fn ops(phase: &PhaseResult) -> impl Iterator<Item = &OpResult> {
    phase
        .jobs
        .iter()
        .flat_map(|job| job.ops.present().map(|(_, op)| op))
}

/// How a phase began and ended over all members.
pub(super) fn phase(
    outcome: &MeasurementOutcome,
    briefs: &[Option<Brief>],
    number: usize,
) -> ClusterPhase {
    let (first, last, error) = outcome.starts(number).unwrap_or_default();
    let measured = briefs.iter().flatten();
    let measured = measured.filter_map(|brief| Some(brief.phases.get(number)?.measured_ns));
    let rows = phases::reported(&outcome.phases[number]);
    let mut hosts: Vec<HostIntervals> = Vec::new();
    for (rank, member) in outcome.members.iter().enumerate() {
        let at = hosts.iter().position(|one| one.host == member.name.host);
        let at = at.unwrap_or_else(|| {
            hosts.push(HostIntervals {
                host: member.name.host.clone(),
                ios: vec![0; rows.len()],
            });
            hosts.len() - 1
        });
        for (sum, row) in hosts[at].ios.iter_mut().zip(&rows) {
            *sum += u64::from(row.members.get(rank).copied().unwrap_or(0));
        }
    }
    ClusterPhase {
        start_spread_ns: last.abs_diff(first),
        start_error_ns: 2 * error,
        first_done_ns: measured.clone().min().unwrap_or(0),
        last_done_ns: measured.max().unwrap_or(0),
        host_intervals: hosts,
    }
}

/// Number of the series of an operation, for those who add up.
pub(super) fn place(job: usize, op: Op) -> usize {
    usize::from(series::number(job, op))
}
