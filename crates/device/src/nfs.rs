//! What the NFS client counted for each mount: `/proc/self/mountstats`.
//!
//! Fields and their order are those of `rpc_print_iostats` and `xs_tcp_print_stats` of the kernel.

use crate::error::DeviceError;
use std::path::{Path, PathBuf};

/// Counters of a mount, or differences of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NfsMount {
    /// Where it is mounted.
    pub path: PathBuf,
    /// Reads and writes completed.
    pub requests: u64,
    /// Requests that were sent again after a timeout.
    pub retransmitted: u64,
    /// Time of reads and writes before they were sent, milliseconds.
    pub queue_ms: u64,
    /// Time of reads and writes from sending to the answer, milliseconds.
    pub round_trip_ms: u64,
    /// Requests of any kind that were sent.
    pub sent: u64,
    /// Sum over those of the requests that waited for a slot of the transport.
    pub backlog: u64,
}

impl NfsMount {
    /// All mounts of NFS.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn read_all() -> Result<Vec<Self>, DeviceError> {
        let path = Path::new("/proc/self/mountstats");
        let text = crate::input::read_text(path).map_err(|error| DeviceError::read(path, error))?;
        Ok(parse(&text))
    }

    /// What was counted since an earlier look; none where it was mounted anew.
    pub fn since(&self, earlier: &Self) -> Option<Self> {
        Some(Self {
            path: self.path.clone(),
            requests: self.requests.checked_sub(earlier.requests)?,
            retransmitted: self.retransmitted.checked_sub(earlier.retransmitted)?,
            queue_ms: self.queue_ms.checked_sub(earlier.queue_ms)?,
            round_trip_ms: self.round_trip_ms.checked_sub(earlier.round_trip_ms)?,
            sent: self.sent.checked_sub(earlier.sent)?,
            backlog: self.backlog.checked_sub(earlier.backlog)?,
        })
    }
}

fn parse(text: &str) -> Vec<NfsMount> {
    let mut mounts = Vec::new();
    let mut current: Option<NfsMount> = None;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("device ") {
            mounts.extend(current.take());
            let place = rest.split_once(" mounted on ");
            let place = place.and_then(|(_, rest)| rest.rsplit_once(" with fstype nfs"));
            current = place.map(|(path, _)| NfsMount {
                path: path.into(),
                ..NfsMount::default()
            });
            continue;
        }
        if let Some(mount) = &mut current {
            add(mount, line.trim());
        }
    }
    mounts.extend(current);
    mounts
}

fn add(mount: &mut NfsMount, line: &str) {
    let Some((name, rest)) = line.split_once(':') else {
        return;
    };
    let mut words = rest.split_whitespace();
    let transport = (name == "xprt").then(|| words.next()).flatten();
    let numbers: Vec<u64> = words.filter_map(|word| word.parse().ok()).collect();
    let number = |index: usize| numbers.get(index).copied().unwrap_or(0);
    match (name, transport) {
        // Port, binds, connects, time, idle, sends, receives, bad, in use, backlog.
        ("xprt", Some("tcp" | "rdma")) => {
            mount.sent += number(5);
            mount.backlog += number(9);
        }
        // Operations, transmissions, timeouts, sent, received, queue, round trip, execution.
        ("READ" | "WRITE", _) => {
            mount.requests += number(0);
            mount.retransmitted += number(1).saturating_sub(number(0));
            mount.queue_ms += number(5);
            mount.round_trip_ms += number(6);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
device proc mounted on /proc with fstype proc
device db1:/export mounted on /mnt/data with fstype nfs4 statvers=1.1
\topts:\trw,vers=4.2,rsize=1048576
\tage:\t37
\txprt:\ttcp 0 0 1 0 11 2210 2209 1 5500 300 64 9 40
\tper-op statistics
\t        NULL: 1 1 0 44 24 0 0 0 0
\t        READ: 1000 1003 0 200000 4200000 90 4000 4100 0
\t       WRITE: 200 200 0 900000 40000 10 1000 1010 0
device sysfs mounted on /sys with fstype sysfs
";

    #[test]
    fn mounts_of_nfs_are_counted() {
        let expected = NfsMount {
            path: "/mnt/data".into(),
            requests: 1200,
            retransmitted: 3,
            queue_ms: 100,
            round_trip_ms: 5000,
            sent: 2210,
            backlog: 300,
        };
        let found = parse(TEXT);
        assert_eq!(found.as_slice(), std::slice::from_ref(&expected));
        let later = NfsMount {
            requests: 1300,
            ..expected.clone()
        };
        let between = NfsMount {
            path: expected.path.clone(),
            requests: 100,
            ..NfsMount::default()
        };
        assert_eq!(later.since(&expected), Some(between));
        assert_eq!(expected.since(&later), None);
    }
}
