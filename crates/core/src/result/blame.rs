//! Where the time of slow block requests went, and why.

use crate::foreign::visible;
use crate::is_default::is_default;
use crate::op::Op;
use crate::summary::LatencySummary;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::AddAssign;

/// What the requests of this process waited for in a phase, as far as the kernel's events show it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PhaseBlame {
    /// The explanation; none where the events do not support one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blame: Option<Blame>,
    /// Why there is no explanation, as words for a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Events that the kernel overwrote before they were read.
    pub lost_events: u64,
    /// Events that this kernel does not have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing_events: Vec<String>,
    /// Share of the traced requests that was looked at, 0 to 1. The others were left out to bound
    /// the memory, in spans over the whole time.
    pub share_looked_at: f64,
    /// The difference between the latency of the program and of the block layer, by percentile.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reap: Vec<Reap>,
}

/// A percentile of the program's service time, and the same percentile of the block layer. Both
/// are of all reads, writes and trims, and need not be of the same request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reap {
    /// Percentile in percent, as in `99.9`.
    pub of: String,
    /// From issue to completion as the program sees them, nanoseconds.
    pub program_ns: u64,
    /// From the queueing of the bio to the completion, nanoseconds.
    pub block_ns: u64,
}

impl Reap {
    /// Program less block layer, nanoseconds.
    pub const fn difference_ns(&self) -> u64 {
        self.program_ns.saturating_sub(self.block_ns)
    }
}

/// Where the time of somebody's requests went, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Blame {
    /// Whose requests.
    pub owner: Owner,
    /// From the queueing of the bio to the completion.
    pub time_ns: LatencySummary,
    /// Requests whose queueing or completion was not seen; they are left out.
    pub without_times: u64,
    /// Devices that the requests went to.
    pub devices: usize,
    /// The share of each of them, if there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disks: Vec<DiskShare>,
    /// Volumes of device mapper and md whose requests were followed to the devices.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub volumes: Vec<String>,
    /// Requests of all processes to volumes that were not followed; they are in no number.
    #[serde(default, skip_serializing_if = "is_default")]
    pub not_followed: u64,
    /// Volumes whose requests are in no number, each with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// The percentile, in percent, from which requests count as slow.
    pub slow_from: String,
    /// Parts of the time by percentile.
    pub parts: Vec<Part>,
    /// Who was in the device, the most ahead of slow requests first.
    pub company: Vec<Presence>,
    /// Share of the slow requests' time with a flush in the device, 0 to 1.
    pub flush_of_slow: f64,
    /// The same of usual requests.
    pub flush_of_usual: f64,
    /// Why the slow ones were slow.
    pub cause: Cause,
}

/// What one of several devices has of the requests. A request of a volume counts for the device
/// that was done last.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DiskShare {
    /// Its kernel name.
    pub name: String,
    /// Share of all requests, 0 to 1.
    pub of_all: f64,
    /// Share of the slow requests, 0 to 1.
    pub of_slow: f64,
    /// Share of the slow requests' time that they spent on it, 0 to 1.
    pub time_of_slow: f64,
    /// Share of the slow requests' time in which all other devices were done, 0 to 1.
    pub alone: f64,
    /// Whether the slow requests waited for this device.
    pub is_slow: bool,
}

/// The parts of the time at a percentile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Part {
    /// `p99`, or `slowest 100`.
    pub of: String,
    /// Number of requests that stand for it.
    pub requests: u64,
    /// Their times.
    pub parts: Parts,
}

/// Parts of the time from the queueing of a bio to the completion of its request; their sum is
/// that time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Parts {
    /// From the queueing of the bio until it got a tag, nanoseconds.
    pub submit_ns: u64,
    /// From there until the driver got the request.
    pub held_ns: u64,
    /// From there until its completion.
    pub device_ns: u64,
    /// In device mapper and md, before and after all that.
    #[serde(default, skip_serializing_if = "is_default")]
    pub layers_ns: u64,
}

impl Parts {
    /// Their sum, nanoseconds.
    pub const fn total_ns(&self) -> u64 {
        let below = self.wait_ns().saturating_add(self.device_ns);
        below.saturating_add(self.layers_ns)
    }

    /// The time before the driver had the request.
    pub const fn wait_ns(&self) -> u64 {
        self.submit_ns.saturating_add(self.held_ns)
    }
}

impl AddAssign for Parts {
    fn add_assign(&mut self, other: Self) {
        self.submit_ns = self.submit_ns.saturating_add(other.submit_ns);
        self.held_ns = self.held_ns.saturating_add(other.held_ns);
        self.device_ns = self.device_ns.saturating_add(other.device_ns);
        self.layers_ns = self.layers_ns.saturating_add(other.layers_ns);
    }
}

/// What somebody had in the device around the requests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Presence {
    /// Who.
    pub owner: Owner,
    /// Whether it is the process itself.
    pub is_own: bool,
    /// Requests ahead of a slow request, on average.
    pub ahead_of_slow: f64,
    /// Requests ahead of a usual one, on average.
    pub ahead_of_usual: f64,
    /// Bytes of those ahead of slow requests, on average.
    pub mean_bytes: f64,
    /// Share of the slow requests' time with at least one in the device, 0 to 1.
    pub share_of_slow: f64,
    /// The same of usual requests.
    pub share_of_usual: f64,
    /// Whether this is somebody else with more in the device than usual, enough to slow requests
    /// down. It is not the cause if others, or nobody, were there for most of the time.
    pub is_unusual: bool,
}

/// What somebody is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum OwnerKind {
    /// A process, or a thread of the kernel with a name of its own.
    Process,
    /// A worker of the kernel that writes back the page cache.
    Writeback,
    /// The worker of the kernel that queues what a throttle of control groups delayed.
    Throttle,
    /// A worker of the kernel with other work.
    Worker,
}

/// Somebody who asked for requests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Owner {
    /// Name of the processes; `kworker` of workers of the kernel.
    pub name: String,
    /// Number of the process; none where several have the name.
    pub pid: Option<i32>,
    /// Its sort.
    pub kind: OwnerKind,
}

impl Owner {
    /// Whether somebody named it so: by its name, or by its number.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.pid.is_some_and(|pid| pid.to_string() == name)
    }
}

impl fmt::Display for Owner {
    /// As in sentences.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.kind, self.pid) {
            (OwnerKind::Process, Some(pid)) => write!(f, "`{}` (pid {pid})", visible(&self.name)),
            (OwnerKind::Process, None) => write!(f, "`{}`", visible(&self.name)),
            (OwnerKind::Writeback, _) => f.write_str("page cache writeback"),
            (OwnerKind::Throttle, _) => f.write_str("a throttle of control groups"),
            (OwnerKind::Worker, _) => f.write_str("workers of the kernel"),
        }
    }
}

/// Why the slow requests were slow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Cause {
    /// A throttle of control groups delayed requests before the block layer had them. That wait
    /// is not in the times.
    Throttle {
        /// Requests that it delayed.
        requests: u64,
        /// These and those of the process.
        of: u64,
    },
    /// All tags of the device were in use.
    Tags {
        /// Share of the time that was spent waiting for one, 0 to 1.
        share: f64,
        /// Tags in use when the bio of a slow request was queued, on average.
        tags: f64,
    },
    /// Requests waited for a tag while there were free ones: the kernel did not admit them.
    Admission {
        /// Share of the time that was spent so, 0 to 1.
        share: f64,
        /// Tags in use when the bio of a slow request was queued, on average.
        tags: f64,
        /// The most that were in use in the capture.
        most_tags: u64,
    },
    /// A flush was in the device.
    Flush {
        /// Share of the time with one, 0 to 1.
        share: f64,
        /// Who asked for most of them.
        owner: Owner,
        /// Whether that is the process itself.
        is_own: bool,
    },
    /// Device mapper or md kept the requests, before or after the disks had them.
    Layers {
        /// Share of the time that was spent so, 0 to 1.
        share: f64,
    },
    /// Requests of somebody else were ahead.
    Neighbour {
        /// Whose.
        owner: Owner,
        /// The operation of nearly all of its requests, if there is one.
        op: Option<Op>,
        /// How many, on average of the slow requests that had some.
        ahead: f64,
        /// Bytes of each, on average.
        bytes: f64,
        /// Whether each is much larger than the requests of the process.
        is_large: bool,
    },
    /// Requests of the process itself were ahead.
    Own {
        /// How many, on average of the slow requests that had some.
        ahead: f64,
        /// Share of the time before the driver had the request, 0 to 1.
        wait_share: f64,
    },
    /// Nothing stands out.
    None,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner(kind: OwnerKind, pid: Option<i32>) -> Owner {
        Owner {
            name: "a\x1b".to_owned(),
            pid,
            kind,
        }
    }

    #[test]
    fn somebody_is_named_with_the_number_that_is_known() {
        let cases = [
            (OwnerKind::Process, Some(7), "`a\\u001b` (pid 7)"),
            (OwnerKind::Process, None, "`a\\u001b`"),
            (OwnerKind::Writeback, Some(7), "page cache writeback"),
            (OwnerKind::Throttle, Some(7), "a throttle of control groups"),
            (OwnerKind::Worker, None, "workers of the kernel"),
        ];
        for (kind, pid, expected) in cases {
            assert_eq!(owner(kind, pid).to_string(), expected);
        }
    }

    #[test]
    fn a_result_keeps_it_whole() {
        let parts = Parts {
            submit_ns: 1,
            held_ns: 2,
            device_ns: 3,
            layers_ns: 4,
        };
        let causes = [
            Cause::Throttle {
                requests: 3,
                of: 10,
            },
            Cause::Neighbour {
                owner: owner(OwnerKind::Process, None),
                op: Some(Op::Write),
                ahead: 19.5,
                bytes: 1e6,
                is_large: true,
            },
            Cause::None,
        ];
        for cause in causes {
            let found = PhaseBlame {
                blame: Some(Blame {
                    owner: owner(OwnerKind::Process, Some(7)),
                    time_ns: LatencySummary::default(),
                    without_times: 1,
                    devices: 2,
                    disks: vec![DiskShare::default()],
                    volumes: vec!["dm-0".to_owned()],
                    not_followed: 3,
                    left_out: vec!["dm-1".to_owned()],
                    slow_from: "99".to_owned(),
                    parts: vec![Part {
                        of: "p99".to_owned(),
                        requests: 10,
                        parts,
                    }],
                    company: Vec::new(),
                    flush_of_slow: 0.5,
                    flush_of_usual: 0.25,
                    cause,
                }),
                share_looked_at: 0.5,
                reap: vec![Reap {
                    of: "99".to_owned(),
                    program_ns: 9,
                    block_ns: 6,
                }],
                ..PhaseBlame::default()
            };
            let text = serde_json::to_string(&found).expect("JSON");
            let again: PhaseBlame = serde_json::from_str(&text).expect("as it was written");
            assert_eq!(again, found);
        }
    }

    #[test]
    fn a_difference_is_never_below_nothing() {
        let reap = |program_ns, block_ns| Reap {
            of: "50".to_owned(),
            program_ns,
            block_ns,
        };
        let found = [reap(9, 6), reap(6, 9)].map(|one| one.difference_ns());
        assert_eq!(found, [3, 0]);
    }
}
