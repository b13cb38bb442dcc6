//! Hosts that are told apart, as fio tells its clients: the rows of each, and one row of all.

use super::FioLayout;
use super::figures::{Figures, figures};
use crate::fio::FioJob;
use fathom_core::result::{ClusterMember, RunResult};

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

/// What is told of the rows of all hosts, added up; none where there is only one row.
pub(super) fn row_of_all(clients: &[Client], layout: &FioLayout) -> Option<FioJob> {
    if clients.len() * layout.rows.len() < 2 {
        return None;
    }
    let row = layout.rows.first()?;
    let clones: u32 = layout.rows.iter().map(|row| row.clones).sum();
    Some(FioJob {
        name: ALL.to_owned(),
        group: layout.rows.last()?.group,
        clones: clones * clients.len() as u32,
        description: None,
        options: Vec::new(),
        steering: None,
        steady: None,
        ..row.clone()
    })
}

/// All rows of all hosts.
pub(super) fn rows<'a>(clients: &[Client], layout: &'a FioLayout) -> Vec<Figures<'a>> {
    let own = clients.iter();
    own.flat_map(|client| figures(&client.result, layout))
        .collect()
}
