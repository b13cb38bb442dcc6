//! Files that servers may hold in memory.

use crate::check::{Code, Entry, Example, entry};
use crate::subject;
use fathom_core::figure::size;
use fathom_core::result::TargetInfo;
use fathom_core::{Caveat, Level};
use std::collections::BTreeMap;

pub(crate) const ENTRY: Entry = entry! { ServerMemory: Hosts, Number, "note",
    "all files on other machines together are smaller than the memory of the servers, or that \
     memory is unknown",
    [],
    Example::Said(|| caveat(32 << 30, Some(256 << 30)))
};

/// The targets of all members compared with the memory of the servers. The machines that measure
/// say nothing of it.
pub(crate) fn found(targets: &[TargetInfo], server_bytes: Option<u64>) -> Option<Caveat> {
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
    let may_fit = server_bytes.is_none_or(|memory| bytes < memory);
    (bytes > 0 && may_fit).then(|| caveat(bytes, server_bytes))
}

fn caveat(bytes: u64, server_bytes: Option<u64>) -> Caveat {
    let files = size(bytes);
    let (message, remedy) = match server_bytes {
        Some(memory) => (
            format!(
                "the files have {files} in total, the servers have {} of memory. They may cache \
                 all of it and serve reads without their disks",
                size(memory)
            ),
            "use files several times as large as the memory of the servers",
        ),
        None => (
            format!(
                "the files have {files} in total, and the memory of the servers is unknown. \
                 Whether the servers serve reads without their disks was not checked"
            ),
            "set --server-memory to the memory of all servers together",
        ),
    };
    Code::ServerMemory
        .caveat(Level::Note, message)
        .remedy(remedy)
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
        let shared = [target("db1:/d/f"), target("db2:/d/f")];
        let spread = [target("db1:/d/f.0"), target("db2:/d/f.1")];
        let servers = Some(8 << 30);
        assert_eq!(found(&shared, servers), Some(caveat(6 << 30, servers)));
        assert_eq!(found(&spread, servers), None);
        assert_eq!(found(&spread, None), Some(caveat(12 << 30, None)));
    }
}
