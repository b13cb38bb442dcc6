//! What was seen of the storage in one span of time.

use super::Standing;
use super::thresholds::IDLE;
use crate::bound::Figures;
use crate::io_limits::Moved;
use fathom_core::{CapOwner, Op};

/// All that was seen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen {
    /// Length of the span.
    pub length_ns: u64,
    /// Disks, without the devices that are built on them.
    pub disks: Vec<DiskSeen>,
    /// Control groups with a limit on these disks, or with a share of `io.cost`.
    pub groups: Vec<GroupSeen>,
    /// Mounts of NFS that were named, or that the process uses.
    pub mounts: Vec<MountSeen>,
    /// Dirty pages; none where the kernel does not count them.
    pub memory: Option<MemorySeen>,
    /// Share of the time in which some task waited for I/O: of the group of the process where that
    /// is counted, else of the machine.
    pub stalled: Option<f64>,
}

/// One disk.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DiskSeen {
    /// Kernel name.
    pub name: String,
    /// What it moved.
    pub moved: Moved,
    /// Sum over reads of the time from queueing to completion, milliseconds.
    pub read_wait_ms: u64,
    /// The same of writes.
    pub write_wait_ms: u64,
    /// Time with at least one request in flight, milliseconds.
    pub busy_ms: u64,
    /// Requests in flight on average, those that a scheduler holds included.
    pub in_flight: f64,
    /// Requests in flight at the end.
    pub in_flight_now: u64,
    /// Requests that the driver had on average, by samples.
    pub in_driver: Option<f64>,
    /// Requests that the driver takes.
    pub tags: Option<u64>,
    /// Requests that the queue takes, with its scheduler if it has one.
    pub slots: Option<u64>,
    /// The scheduler; none where there is none.
    pub scheduler: Option<String>,
    /// Flushes, and the sum of their times, milliseconds.
    pub flushes: Option<(u64, u64)>,
    /// What EBS or the instance store counted over its limits; empty where it does not count.
    pub exceeded: Vec<Exceeded>,
    /// Times of reads and of writes, as EBS or the instance store counted them.
    pub times: Vec<Times>,
}

/// A histogram of the times of requests that completed in the span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Times {
    /// What the requests did.
    pub op: Op,
    /// Upper bounds in microseconds, ascending, each with the requests above the bound before.
    pub bins: Vec<(u64, u64)>,
    /// Sum of the times, microseconds.
    pub sum_us: u64,
}

/// Time in which more was asked for than a limit allows, as the disk itself counts it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Exceeded {
    /// Whose limit it is.
    pub owner: CapOwner,
    /// The limit in words, as `the volume's IOPS`.
    pub what: &'static str,
    /// Share of the time between two readings of the page.
    pub share: f64,
    /// The time in microseconds.
    pub time_us: u64,
}

/// One control group on one disk.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroupSeen {
    /// Its path below the mount of the groups.
    pub group: String,
    /// Kernel name of the disk.
    pub device: String,
    /// Its limits as `FILE DEVICE RATE…`; several where it has several.
    pub limits: Vec<String>,
    /// What it moved there.
    pub moved: Moved,
    /// Sum of the time for which its requests waited for their share of `io.cost`.
    pub cost_wait_ns: u64,
    /// Share of the time in which one of its tasks waited for I/O.
    pub stalled: Option<f64>,
}

/// One mount of NFS.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MountSeen {
    /// Where it is mounted.
    pub path: String,
    /// Reads and writes.
    pub requests: u64,
    /// Time of them before they were sent, milliseconds.
    pub queue_ms: u64,
    /// Time of them from sending to the answer, milliseconds.
    pub round_trip_ms: u64,
    /// Requests of any kind that were sent.
    pub sent: u64,
    /// Sum over those of the requests that waited for a slot.
    pub backlog: u64,
    /// Requests that were sent again.
    pub retransmitted: u64,
}

/// What the page cache has to write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemorySeen {
    /// Bytes that wait to be written or are being written, at the end.
    pub dirty_bytes: u64,
    /// From where on the kernel holds writers back, at the end.
    pub limit_bytes: u64,
    /// Bytes that were made dirty.
    pub dirtied_bytes: u64,
}

impl Seen {
    /// Length in seconds, never zero.
    pub(super) fn seconds(&self) -> f64 {
        self.length_ns.max(1) as f64 / 1e9
    }

    /// What all disks did, in the numbers that limits are compared with.
    pub(super) fn figures(&self) -> Figures {
        let sum = |of: fn(&Moved) -> u64| {
            let all = self.disks.iter().map(|disk| of(&disk.moved));
            all.sum::<u64>() as f64 / self.seconds()
        };
        let (read_iops, write_iops) = (sum(|one| one.reads), sum(|one| one.writes));
        let read_bytes_per_second = sum(|one| one.read_bytes);
        let write_bytes_per_second = sum(|one| one.written_bytes);
        Figures {
            iops: read_iops + write_iops,
            read_iops,
            write_iops,
            bytes_per_second: read_bytes_per_second + write_bytes_per_second,
            read_bytes_per_second,
            write_bytes_per_second,
            held: self.in_flight(),
            ..Figures::default()
        }
    }

    /// Requests in flight on average, on disks and to servers of NFS.
    pub(super) fn in_flight(&self) -> f64 {
        let disks: f64 = self.disks.iter().map(|disk| disk.in_flight).sum();
        let mounts = self.mounts.iter();
        let waits: u64 = mounts.map(|one| one.queue_ms + one.round_trip_ms).sum();
        disks + waits as f64 / 1e3 / self.seconds()
    }

    /// What the storage does, if nothing limits it.
    pub(super) fn standing(&self) -> Standing {
        if self.in_flight() < IDLE {
            Standing::Idle
        } else {
            Standing::Busy
        }
    }
}
