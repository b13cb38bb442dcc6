//! The members of a measurement from many hosts.

use super::{HostInfo, PhaseResult};
use serde::{Deserialize, Serialize};

/// What became of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MemberState {
    /// It reported all.
    Finished,
    /// It did not come.
    Missing,
    /// It could not do what it was to do.
    Failed,
    /// It was gone before it had reported all.
    Lost,
}

impl MemberState {
    /// In a word for people.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Missing => "missing",
            Self::Failed => "failed",
            Self::Lost => "lost",
        }
    }
}

/// All members of a measurement. The sums in the result are those of all that was counted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClusterReport {
    /// How the members were reached, in words.
    pub transport: String,
    /// All of them, by rank.
    pub members: Vec<ClusterMember>,
    /// How the phases began and ended, one entry for each.
    pub phases: Vec<ClusterPhase>,
    /// Memory of all servers behind the targets, bytes; absent where nobody said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_memory_bytes: Option<u64>,
}

/// One member.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClusterMember {
    /// Number among all members, from 0.
    pub rank: u32,
    /// Number among those of its host, from 0.
    pub index: u32,
    /// Its host as the user named it, or as it names itself.
    pub host: String,
    /// Its machine; none of members that did not report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<HostInfo>,
    /// What tells one running kernel from another; empty where it is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub boot_id: String,
    /// Seed of its random choices.
    pub seed: u64,
    /// What became of it.
    pub state: MemberState,
    /// Why, if it has not finished.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// Number of the last interval that is counted, from 1, and of its phase, from 1; none if
    /// nothing of it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<CountedTo>,
    /// Its clock against the coordinator's, nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_offset_ns: Option<i64>,
    /// By how much that may be wrong: half the round trip, and the drift since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_error_ns: Option<u64>,
    /// Paths that it used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<String>,
    /// What it did in each phase.
    pub phases: Vec<MemberPhase>,
    /// The phases as it reported them itself, where members were asked for apart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub apart: Vec<PhaseResult>,
}

/// Up to where a member is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CountedTo {
    /// Number of the phase, from 1.
    pub phase: u32,
    /// Number of its interval, from 1.
    pub interval: u64,
}

/// What a member did in the measured time of a phase.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MemberPhase {
    /// Requests that completed with all their bytes.
    pub ios: u64,
    /// Bytes that these moved.
    pub bytes: u64,
    /// Requests that completed with an error.
    pub errors: u64,
    /// Requests a second, over the measured time of the member.
    pub iops: f64,
    /// Throughput of all hosts, bytes a second.
    pub bytes_per_second: f64,
    /// Largest of the p99 of its service times by operation, where there are enough requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p99_ns: Option<u64>,
    /// Longest service time; none of members that did not report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_ns: Option<u64>,
    /// Length of its measured time, nanoseconds; none of members that did not report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured_ns: Option<u64>,
    /// Its start after the common instant, nanoseconds; negative if before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_late_ns: Option<i64>,
    /// By how much that may be wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_error_ns: Option<u64>,
}

/// How a phase began and ended over all members.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClusterPhase {
    /// From the first to the last start, nanoseconds.
    pub start_spread_ns: u64,
    /// By how much that may be wrong: the errors of the two clocks.
    pub start_error_ns: u64,
    /// Shortest measured time of any member, nanoseconds: all ran until then.
    pub first_done_ns: u64,
    /// Longest.
    pub last_done_ns: u64,
    /// Requests of each host in each interval, for the heat map; rows as `intervals` of the phase.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub host_intervals: Vec<HostIntervals>,
}

/// Requests of a host over time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HostIntervals {
    /// The host's name.
    pub host: String,
    /// Requests in each interval of the phase.
    pub ios: Vec<u64>,
}

impl ClusterReport {
    /// Hosts in the order of their first member, each with its members.
    pub fn hosts(&self) -> Vec<(&str, Vec<&ClusterMember>)> {
        let mut hosts: Vec<(&str, Vec<&ClusterMember>)> = Vec::new();
        for member in &self.members {
            match hosts.iter_mut().find(|(host, _)| *host == member.host) {
                Some((_, members)) => members.push(member),
                None => hosts.push((&member.host, vec![member])),
            }
        }
        hosts
    }

    /// Members that reported all.
    pub fn finished(&self) -> usize {
        let states = self.members.iter().map(|member| member.state);
        states
            .filter(|state| *state == MemberState::Finished)
            .count()
    }
}
