//! Members whose storage one machine serves.

use crate::check::{Code, Entry, Example, entry};
use crate::subject;
use fathom_core::figure::plural;
use fathom_core::result::TargetInfo;
use fathom_core::{Caveat, Level};
use std::collections::BTreeSet;

pub(crate) const ENTRY: Entry = entry! { MembersOnOneServer: Hosts, Nothing, "note",
    "all members mount storage from the same machine",
    [],
    Example::Said(|| caveat("filer:/export", 8))
};

/// What the targets of all members show; each has the name of its host before its path.
pub(crate) fn found(targets: &[TargetInfo]) -> Option<Caveat> {
    if targets.is_empty() || !targets.iter().all(subject::is_elsewhere) {
        return None;
    }
    let server = |target: &TargetInfo| target.mount_source.split(':').next().map(str::to_owned);
    let servers: BTreeSet<Option<String>> = targets.iter().map(server).collect();
    let host = |target: &TargetInfo| target.path.split(':').next().map(str::to_owned);
    let hosts: BTreeSet<Option<String>> = targets.iter().map(host).collect();
    let source = targets[0].mount_source.as_str();
    let is_one = servers.len() == 1 && hosts.len() > 1 && !source.is_empty();
    is_one.then(|| caveat(source, hosts.len()))
}

fn caveat(source: &str, hosts: usize) -> Caveat {
    let message = format!(
        "{} mount {source}. One server serves all of them, and the result measures this server",
        plural(hosts as u64, "host")
    );
    Code::MembersOnOneServer.caveat(Level::Note, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_server_is_told_from_two() {
        let target = |path: &str, source: &str| TargetInfo {
            path: path.to_owned(),
            file_system: "nfs4".to_owned(),
            mount_source: source.to_owned(),
            ..TargetInfo::default()
        };
        let one = [
            target("db1:/d/f.0", "filer:/a"),
            target("db2:/d/f.1", "filer:/b"),
        ];
        let two = [
            target("db1:/d/f.0", "filer:/a"),
            target("db2:/d/f.1", "other:/a"),
        ];
        let alone = [
            target("db1:/d/f.0", "filer:/a"),
            target("db1:/d/f.1", "filer:/a"),
        ];
        assert_eq!(found(&one), Some(caveat("filer:/a", 2)));
        assert_eq!((found(&two), found(&alone), found(&[])), (None, None, None));
    }
}
