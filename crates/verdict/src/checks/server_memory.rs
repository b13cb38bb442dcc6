//! Files that servers may hold in memory.

use crate::check::{Code, Effect, Entry, Example, Group};
use crate::subject;
use fathom_core::figure::size;
use fathom_core::result::{HostInfo, TargetInfo};
use fathom_core::{Caveat, Level};
use std::collections::BTreeMap;

pub(crate) const ENTRY: Entry = Entry {
    code: Code::ServerMemory,
    group: Group::Hosts,
    effect: Effect::Number,
    point: "",
    level: "note",
    when: "all files on other machines together are smaller than the memory of the machines that \
           measure",
    thresholds: &[],
    example: Example::Said(|| caveat(32 << 30, 256 << 30)),
};

/// What the targets of all members show, beside the machines, each named once. The memory of
/// servers is not known; that of their clients is a measure of what is usual there.
pub(crate) fn found(targets: &[TargetInfo], hosts: &[&HostInfo]) -> Option<Caveat> {
    if targets.is_empty() || !targets.iter().all(subject::is_elsewhere) {
        return None;
    }
    // One file that several mount is one file.
    let mut files: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for target in targets {
        let path = target
            .path
            .split_once(':')
            .map_or(target.path.as_str(), |(_, path)| path);
        files.insert((&target.mount_source, path), target.size_bytes);
    }
    let bytes: u64 = files.values().sum();
    let memory: u64 = hosts.iter().map(|host| host.memory_bytes).sum();
    (bytes > 0 && bytes < memory).then(|| caveat(bytes, memory))
}

fn caveat(bytes: u64, memory: u64) -> Caveat {
    let message = format!(
        "the files hold {} together, the machines that read them have {} of memory: servers with \
         as much hold all of it, and answer reads without their disks",
        size(bytes),
        size(memory)
    );
    Code::ServerMemory
        .caveat(Level::Note, message)
        .remedy("files several times as large as the memory of the servers")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_file_counts_once() {
        let target = |path: &str| TargetInfo {
            path: path.to_owned(),
            file_system: "nfs4".to_owned(),
            mount_source: "filer:/a".to_owned(),
            size_bytes: 6 << 30,
            ..TargetInfo::default()
        };
        let host = HostInfo {
            memory_bytes: 8 << 30,
            ..HostInfo::default()
        };
        let shared = [target("db1:/d/f"), target("db2:/d/f")];
        let spread = [target("db1:/d/f.0"), target("db2:/d/f.1")];
        assert_eq!(found(&shared, &[&host]), Some(caveat(6 << 30, 8 << 30)));
        assert_eq!(found(&spread, &[&host]), None);
        assert_eq!(
            found(&spread, &[&host, &host]),
            Some(caveat(12 << 30, 16 << 30))
        );
    }
}
