//! The logs that fio's options ask for where many hosts make the requests: each host has its own,
//! which the host that asked for them writes.

use super::fio_logs::Logs;
use crate::error::Problem;
use fathom_device::Door;
use fathom_session::{Event, Observer};
use fathom_tools::fio::FioLog;
use std::collections::{BTreeMap, BTreeSet};

/// The logs of this host, or of each of many by rank.
#[derive(Debug, Default)]
pub(super) struct HostLogs {
    here: Logs,
    of_hosts: Vec<Logs>,
}

impl HostLogs {
    /// Makes all files, so that a bad path fails before anything is measured. The members are on
    /// these hosts, if there are many.
    pub(super) fn open(
        door: &Door,
        specs: &[FioLog],
        hosts: Option<&[String]>,
        directory: Option<&str>,
        overwrites: bool,
    ) -> Result<Self, Problem> {
        let Some(hosts) = hosts else {
            return Ok(Self {
                here: Logs::open(door, specs, directory, overwrites)?,
                of_hosts: Vec::new(),
            });
        };
        let open = |name: String| {
            let specs = specs.iter().map(|spec| spec.on_host(&name));
            let specs: Vec<FioLog> = specs.collect();
            Logs::open(door, &specs, directory, overwrites)
        };
        let all = told_names(hosts).into_iter().map(open);
        Ok(Self {
            here: Logs::default(),
            of_hosts: all.collect::<Result<_, _>>()?,
        })
    }

    /// The jobs whose requests are wanted, by phase: the same on each host.
    pub(super) fn journals(&self) -> BTreeMap<String, Vec<String>> {
        self.of_hosts.first().unwrap_or(&self.here).journals()
    }

    /// Writes what is left, and says what went wrong on the way.
    pub(super) fn finish(self) -> Result<(), Problem> {
        self.here.finish()?;
        self.of_hosts.into_iter().try_for_each(Logs::finish)
    }
}

impl Observer for HostLogs {
    fn event(&mut self, event: &Event<'_>) {
        let Event::Member { rank, event } = event else {
            return self.here.event(event);
        };
        if let Some(logs) = self.of_hosts.get_mut(*rank as usize) {
            logs.hear(event);
        }
    }
}

/// The variable by which a call for clients with jobs of their own tells each of its runs what ends
/// the names of its logs, each in a line: a host may be in several of them.
pub(super) const LOG_HOSTS: &str = "FATHOM_LOG_HOSTS";

fn told_names(hosts: &[String]) -> Vec<String> {
    let told = std::env::var(LOG_HOSTS).unwrap_or_default();
    let told: Vec<String> = told.lines().map(str::to_owned).collect();
    // Whoever else sets it means something else by it.
    let is_sound = told.len() == hosts.len() && names(&told) == told;
    if is_sound { told } else { names(hosts) }
}

/// What tells the members' files apart: the host, as in fio, and for further members on one host a
/// number. Sockets have no name but their path.
pub(super) fn names(hosts: &[String]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let name = |host: &String| {
        let host = host.replace('/', "_");
        let numbered = (2..).map(|number| format!("{host}.{number}"));
        let mut names = std::iter::once(host.clone()).chain(numbered);
        let name = names.find(|name| !taken.contains(name));
        let name = name.expect("numbers do not end");
        taken.insert(name.clone());
        name
    };
    hosts.iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_members_have_one_file() {
        let hosts = ["db", "db", "/run/a", "db.2", "db"].map(str::to_owned);
        assert_eq!(names(&hosts), ["db", "db.2", "_run_a", "db.2.2", "db.3"]);
    }
}
