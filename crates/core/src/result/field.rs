//! The fields of a result about which the source of an import may say nothing.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeSet;
use std::fmt;

macro_rules! fields {
    ($( $(#[$meaning:meta])+ $field:ident $name:literal; )+) => {
        /// A field of a result, or a group of them, that an import may have no value for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum ResultField {
            $( $(#[$meaning])+ $field, )+
        }

        impl ResultField {
            /// All of them, in the order of their names.
            pub const ALL: &'static [Self] = &[$( Self::$field, )+];

            /// Its name in the document.
            pub const fn name(self) -> &'static str {
                match self {
                    $( Self::$field => $name, )+
                }
            }
        }
    };
}

fields! {
    /// Bytes that requests moved.
    Bytes "bytes";
    /// Throughput, bytes a second.
    BytesPerSecond "bytes_per_second";
    /// What block devices counted.
    Devices "devices";
    /// Why the measured time ended.
    EndedBy "ended_by";
    /// Requests that failed, of a job and of each operation.
    Failed "failed";
    /// The machine.
    Host "host";
    /// Requests a second.
    Iops "iops";
    /// The highest rate of an interval.
    IopsByIntervalMax "iops_by_interval.max";
    /// The lowest.
    IopsByIntervalMin "iops_by_interval.min";
    /// Requests that completed.
    Ios "ios";
    /// Release of the kernel.
    Kernel "kernel";
    /// How requests came about.
    LoadModel "load_model";
    /// Memory of the machine.
    MemoryBytes "memory_bytes";
    /// What the program used.
    Process "process";
    /// Requests that may be outstanding.
    QueueDepth "queue_depth";
    /// Requests that were.
    QueueDepthHeld "queue_depth_held";
    /// From the intended start to the completion.
    ResponseNs "response_ns";
    /// Seed of the random choices.
    Seed "seed";
    /// The longest service time.
    ServiceNsMax "service_ns.max";
    /// The shortest.
    ServiceNsMin "service_ns.min";
    /// How the service times scatter.
    ServiceNsStddev "service_ns.stddev";
    /// Requests that moved fewer bytes than asked.
    Short "short";
    /// Begin of a phase.
    StartNs "start_ns";
    /// Begin of the run.
    StartedAt "started_at";
    /// Requests handed over.
    Submitted "submitted";
    /// What the targets are.
    TargetsKind "targets.kind";
    /// Threads of a job.
    Threads "threads";
    /// How long the parts of the run took.
    Timings "timings";
    /// Length of the warm-up.
    WarmUpNs "warm_up_ns";
    /// The threads.
    Workers "workers";
    /// What was asked for, as far as it is not in the other fields.
    Workload "workload";
}

impl fmt::Display for ResultField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Fields that a source says nothing about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unknown(BTreeSet<ResultField>);

impl Unknown {
    /// Adds fields.
    pub fn extend(&mut self, fields: impl IntoIterator<Item = ResultField>) {
        self.0.extend(fields);
    }

    /// Whether a field is among them.
    pub fn contains(&self, field: ResultField) -> bool {
        self.0.contains(&field)
    }

    /// Whether nothing is unknown.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The fields by name.
    pub fn iter(&self) -> impl Iterator<Item = ResultField> + '_ {
        self.0.iter().copied()
    }
}

impl<const N: usize> From<[ResultField; N]> for Unknown {
    fn from(fields: [ResultField; N]) -> Self {
        Self(fields.into())
    }
}

/// Names, with commas between them.
impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, field) in self.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{field}")?;
        }
        Ok(())
    }
}

impl Serialize for Unknown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(ResultField::name))
    }
}

/// Names that this version does not have are passed by: it has no such field to be misled by.
impl<'de> Deserialize<'de> for Unknown {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let names = Vec::<String>::deserialize(deserializer)?;
        let named = |name: &String| {
            let mut all = ResultField::ALL.iter();
            all.find(|field| field.name() == name).copied()
        };
        Ok(Self(names.iter().filter_map(named).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_in_order_and_differ() {
        let names: Vec<&str> = ResultField::ALL.iter().map(|field| field.name()).collect();
        assert!(names.is_sorted_by(|one, other| one < other), "{names:?}");
    }

    #[test]
    fn a_list_of_names_is_read_and_written() {
        let text = r#"["ios","service_ns.max"]"#;
        let both = Unknown::from([ResultField::ServiceNsMax, ResultField::Ios]);
        assert_eq!(serde_json::from_str::<Unknown>(text).expect("names"), both);
        assert_eq!(serde_json::to_string(&both).expect("names"), text);
        assert_eq!(both.to_string(), "ios, service_ns.max");
        let newer = r#"["ios","of a later version"]"#;
        let found: Unknown = serde_json::from_str(newer).expect("names");
        assert_eq!(found, Unknown::from([ResultField::Ios]));
    }
}
