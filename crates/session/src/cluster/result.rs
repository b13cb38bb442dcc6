//! One result of all members.

use super::brief::Brief;
use super::members;
use super::phases;
use crate::plan::Plan;
use fathom_cluster::MeasurementOutcome;
use fathom_core::Bytes;
use fathom_core::result::{
    ClusterReport, EngineInfo, Origin, Provenance, RunResult, TargetInfo, Timings,
};

/// The result of a measurement by members that were reached by `transport`; nobody has judged it.
pub(super) fn of(
    plan: &Plan,
    transport: &str,
    server_memory: Option<Bytes>,
    outcome: &MeasurementOutcome,
    started_utc_ns: u64,
) -> RunResult {
    let brief = |member: &fathom_cluster::MemberOutcome| {
        let result = member.result.as_ref()?;
        Brief::read(&result.brief)
    };
    let briefs: Vec<Option<Brief>> = outcome.members.iter().map(brief).collect();
    let count = outcome.phases.len();
    let phases = (0..count).map(|number| phases::of(plan, outcome, &briefs, number));
    let report = ClusterReport {
        transport: transport.to_owned(),
        members: members::all(plan, outcome, &briefs),
        phases: (0..count)
            .map(|number| members::phase(outcome, &briefs, number))
            .collect(),
        server_memory_bytes: server_memory.map(|bytes| bytes.0),
    };
    let id = plan.run ^ u64::from(std::process::id());
    RunResult {
        cluster: Some(Box::new(report)),
        ..RunResult::unjudged(
            fathom_core::result::run_id(started_utc_ns, id),
            provenance(plan, outcome, &briefs, started_utc_ns),
            phases.collect(),
        )
    }
}

fn provenance(
    plan: &Plan,
    outcome: &MeasurementOutcome,
    briefs: &[Option<Brief>],
    started_utc_ns: u64,
) -> Provenance {
    let first = briefs.iter().flatten().next();
    let timings = briefs.iter().flatten().map(|brief| &brief.timings);
    let most = |of: fn(&Timings) -> u64| timings.clone().map(of).max().unwrap_or(0);
    Provenance {
        origin: Origin::Measured,
        rebuilt: false,
        declared: plan.declared.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        command_line: plan.command_line.clone(),
        started_at: fathom_core::units::rfc3339(started_utc_ns),
        workload: plan.workload.clone(),
        seed: plan.workload.seed(),
        host: first.map(|brief| brief.host.clone()).unwrap_or_default(),
        engine: first.map_or_else(EngineInfo::default, |brief| brief.engine.clone()),
        targets: targets(outcome, briefs),
        timings: Timings {
            first_io_ns: most(|one| one.first_io_ns),
            layout_ns: most(|one| one.layout_ns),
            total_ns: most(|one| one.total_ns),
        },
        io_limits: Vec::new(),
        missing: Vec::new(),
    }
}

/// The targets of all members, each with its host before its path.
fn targets(outcome: &MeasurementOutcome, briefs: &[Option<Brief>]) -> Vec<TargetInfo> {
    let members = outcome.members.iter().zip(briefs);
    let with = members.filter_map(|(member, brief)| Some((member, brief.as_ref()?)));
    let targets = with.flat_map(|(member, brief)| {
        brief.targets.iter().map(|target| TargetInfo {
            path: format!("{}:{}", member.name.host, target.path),
            ..target.clone()
        })
    });
    targets.collect()
}
