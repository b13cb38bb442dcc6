//! Hosts that are reported separately, as fio does with its clients: the rows of each, and one row
//! of all.

use super::figures::{Figures, figures};
use super::{FioLayout, FioPart};
use crate::FioJob;
use fathom_core::result::{ClusterMember, RunResult};

/// The name of the row of all.
const ALL: &str = "All clients";

/// A host that has reported.
#[derive(Debug)]
pub(super) struct Client<'a> {
    pub(super) host: String,
    /// That of its server; 0 without one.
    pub(super) port: u16,
    /// What it reported, as a run of its own.
    pub(super) result: RunResult,
    /// Its rows, and what is around them.
    pub(super) layout: &'a FioLayout,
}

impl Client<'_> {
    /// What people call it.
    pub(super) fn name(&self) -> &str {
        match self.host.as_str() {
            "" => "localhost",
            host => host,
        }
    }
}

/// The hosts of layouts that tell them apart, by part and rank; none where they do not.
pub(super) fn clients<'a>(parts: &[FioPart<'a>]) -> Option<Vec<Client<'a>>> {
    let of_each = parts.iter().map(of_part).collect::<Option<Vec<_>>>()?;
    Some(of_each.into_iter().flatten().collect())
}

fn of_part<'a>(part: &FioPart<'a>) -> Option<Vec<Client<'a>>> {
    let FioPart { result, layout } = *part;
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
            layout,
        }
    };
    Some(reported.map(client).collect())
}

/// What is reported of the rows of all hosts, added up; none where there is only one row.
pub(super) fn row_of_all(clients: &[Client<'_>]) -> Option<FioJob> {
    let rows = || clients.iter().flat_map(|client| &client.layout.rows);
    if rows().count() < 2 {
        return None;
    }
    Some(FioJob {
        name: ALL.to_owned(),
        group: rows().last()?.group,
        clones: rows().map(|row| row.clones).sum(),
        description: None,
        options: Vec::new(),
        steady: None,
        ..rows().next()?.clone()
    })
}

/// All rows of all hosts.
pub(super) fn rows<'a>(clients: &[Client<'a>]) -> Vec<Figures<'a>> {
    let own = clients.iter();
    own.flat_map(|client| figures(&client.result, client.layout))
        .collect()
}
