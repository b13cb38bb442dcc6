//! Hosts that are told apart, as fio tells its clients: the rows of each, and one row of all.

use super::FioLayout;
use crate::fio::FioJob;
use fathom_core::result::{
    ClusterMember, IntervalJob, IntervalResult, JobResult, PhaseResult, ProcessUse, RunResult,
};

/// The name of the row of all.
const ALL: &str = "All clients";

/// A host that has reported.
#[derive(Debug)]
pub(super) struct Client {
    pub(super) host: String,
    /// That of its server; 0 without one.
    pub(super) port: u16,
    /// What it reported, as a run of its own.
    pub(super) result: RunResult,
}

impl Client {
    /// What people call it.
    pub(super) fn name(&self) -> &str {
        match self.host.as_str() {
            "" => "localhost",
            host => host,
        }
    }
}

/// The hosts of a layout that tells them apart, by rank; none where it does not.
pub(super) fn clients(result: &RunResult, layout: &FioLayout) -> Option<Vec<Client>> {
    let servers = layout.clients.as_ref()?;
    let members = &result.cluster.as_ref()?.members;
    let frame = RunResult {
        phases: Vec::new(),
        cluster: None,
        ..result.clone()
    };
    let reported = members.iter().filter(|member| !member.apart.is_empty());
    let client = |member: &ClusterMember| {
        let server = servers.get(member.rank as usize);
        let place = server.map(|server| (server.host.clone(), server.port));
        let (host, port) = place.unwrap_or_else(|| (member.host.clone(), 0));
        Client {
            host,
            port,
            result: RunResult {
                phases: member.apart.clone(),
                ..frame.clone()
            },
        }
    };
    Some(reported.map(client).collect())
}

/// The row of all hosts, where there are several, as the only one of a result and a layout.
pub(super) fn together(clients: &[Client], layout: &FioLayout) -> Option<(RunResult, FioLayout)> {
    let [first, _, ..] = clients else { return None };
    let phase = added_up(clients);
    let row = layout.rows.first()?;
    let clones: u32 = layout.rows.iter().map(|row| row.clones).sum();
    let row = FioJob {
        name: ALL.to_owned(),
        group: 0,
        phase: phase.name.clone(),
        members: phase.jobs.iter().map(|job| job.name.clone()).collect(),
        clones: clones * clients.len() as u32,
        description: None,
        options: Vec::new(),
        steering: None,
        steady: None,
        ..row.clone()
    };
    let result = RunResult {
        phases: vec![phase],
        ..first.result.clone()
    };
    let layout = FioLayout {
        rows: vec![row],
        global_options: Vec::new(),
        clients: None,
        ..layout.clone()
    };
    Some((result, layout))
}

/// All jobs of all hosts side by side in one phase, each under a name of its own.
fn added_up(clients: &[Client]) -> PhaseResult {
    let mut all = PhaseResult::empty(ALL);
    let phases = clients.iter().map(|client| client.result.phases.len());
    for number in 0..phases.max().unwrap_or(0) {
        let mut rows: Vec<IntervalResult> = Vec::new();
        let own = clients.iter();
        let own = own.filter_map(|client| client.result.phases.get(number));
        for phase in own {
            let begin = all.jobs.len();
            for (row, interval) in phase.intervals.iter().enumerate() {
                let jobs = interval.jobs.iter().map(|entry| IntervalJob {
                    job: entry.job + begin as u32,
                    ..entry.clone()
                });
                match rows.get_mut(row) {
                    Some(known) => known.jobs.extend(jobs),
                    None => rows.push(IntervalResult {
                        jobs: jobs.collect(),
                        ..interval.clone()
                    }),
                }
            }
            let jobs = phase.jobs.iter().enumerate();
            all.jobs.extend(jobs.map(|(index, job)| JobResult {
                name: (begin + index).to_string(),
                ..job.clone()
            }));
            all.measured_ns = all.measured_ns.max(phase.measured_ns);
            add(&mut all.process, &phase.process);
        }
        all.intervals.extend(rows);
    }
    all
}

/// Adds what another process used.
fn add(sum: &mut ProcessUse, more: &ProcessUse) {
    sum.user_ns += more.user_ns;
    sum.system_ns += more.system_ns;
    sum.voluntary_switches += more.voluntary_switches;
    sum.involuntary_switches += more.involuntary_switches;
    sum.major_faults += more.major_faults;
    let minor = [sum.minor_faults, more.minor_faults].into_iter().flatten();
    sum.minor_faults = minor.reduce(|sum, more| sum + more);
}
