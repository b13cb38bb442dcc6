//! How the members of a measurement from many hosts kept together.

use crate::checks::{
    faster_than_network, members_on_one_server, members_straggle, members_unequal, server_memory,
    start_skew,
};
use fathom_core::Caveat;
use fathom_core::result::{ClusterReport, HostInfo, RunResult};
use std::collections::BTreeSet;

/// Warnings about the phases of a measurement from many hosts, phase by phase; nothing in one from
/// a single host.
pub fn togetherness(result: &RunResult) -> Vec<Caveat> {
    let interval_ns = result.provenance.workload.interval.0;
    let report = result.cluster.iter();
    let hosts: Vec<&HostInfo> = report.clone().flat_map(|report| machines(report)).collect();
    let found = report.flat_map(|report| {
        let phases = result.phases.iter().zip(&report.phases).enumerate();
        let hosts = &hosts;
        phases.flat_map(move |(number, (phase, together))| {
            let found = [
                start_skew::found(together, interval_ns),
                members_straggle::found(together),
                members_unequal::found(report, number),
            ];
            let found = found.into_iter().flatten();
            let found = found.map(|caveat| caveat.about(&phase.name));
            found.chain(faster_than_network::found(result, phase, hosts))
        })
    });
    let mut found: Vec<Caveat> = found.collect();
    let targets = &result.provenance.targets;
    found.extend(members_on_one_server::found(targets));
    if let Some(report) = &result.cluster {
        found.extend(server_memory::found(targets, report.server_memory_bytes));
    }
    found
}

/// The machines, each once, whatever its members.
fn machines(report: &ClusterReport) -> Vec<&HostInfo> {
    let mut known = BTreeSet::new();
    let members = report.members.iter();
    let new = members.filter(|member| {
        let own = if member.boot_id.is_empty() {
            &member.host
        } else {
            &member.boot_id
        };
        known.insert(own.clone())
    });
    new.filter_map(|member| member.machine.as_ref()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::fixture;
    use fathom_core::result::ClusterPhase;

    /// Codes where the starts are so far apart and the first was done so much sooner, of an
    /// interval of a second.
    fn codes(apart_ns: u64, sooner_ns: u64) -> Vec<fathom_core::CodeWord> {
        let phase = ClusterPhase {
            start_spread_ns: apart_ns,
            first_done_ns: 100_000_000_000 - sooner_ns,
            last_done_ns: 100_000_000_000,
            ..ClusterPhase::default()
        };
        let mut result = fixture::random_read();
        result.cluster = Some(Box::new(ClusterReport {
            phases: vec![phase],
            ..ClusterReport::default()
        }));
        let found = togetherness(&result).into_iter();
        found.map(|caveat| caveat.code).collect()
    }

    #[test]
    fn members_may_be_a_little_apart() {
        use crate::checks::Code::{MembersStraggle, StartSkew};
        assert_eq!(codes(10_000_000, 5_000_000_000), [StartSkew; 0]);
        assert_eq!(codes(10_000_001, 0), [StartSkew]);
        assert_eq!(codes(0, 5_000_000_001), [MembersStraggle]);
    }
}
