//! How a result came about: everything needed to repeat it, or to doubt it.

use super::{DeviceLimits, Missing, Origin, TargetLayout};
use crate::engine::EngineKind;
use crate::is_default::is_default;
use crate::spec::Workload;
use serde::{Deserialize, Serialize};

/// How a result came about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Provenance {
    /// Where the numbers come from.
    #[serde(default, skip_serializing_if = "Origin::is_measured")]
    pub origin: Origin,
    /// Whether the process was gone before it could report, so that the result was put together
    /// from the intervals that had been written down by then: what is counted for a whole phase
    /// (processor time, devices, threads, causes of errors) is missing in its last one.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rebuilt: bool,
    /// Version of fathom.
    pub version: String,
    /// The command line, word by word.
    pub command_line: Vec<String>,
    /// Start of the run in UTC, RFC 3339.
    pub started_at: String,
    /// The workload with every choice made.
    pub workload: Workload,
    /// Seed of all random choices, also in `workload`.
    pub seed: u64,
    /// The machine.
    pub host: HostInfo,
    /// The engine and its features.
    pub engine: EngineInfo,
    /// Files and devices that were measured.
    pub targets: Vec<TargetInfo>,
    /// How long the parts of the run took.
    pub timings: Timings,
    /// I/O limits of the control group on devices below the targets at the start of the run, each
    /// as its file, the device and what is set: `io.max sda riops=100`; absent where there are
    /// none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub io_limits: Vec<String>,
    /// Settings that fathom cannot see, as the user declared them: `controller-cache=on`; sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub declared: Vec<String>,
    /// Evidence of the whole run that could not be had.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Missing>,
}

/// The machine a run was made on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HostInfo {
    /// Host name of the machine.
    pub hostname: String,
    /// Kernel release.
    pub kernel: String,
    /// Processor model.
    pub cpu_model: String,
    /// Processors available.
    pub cpus: u32,
    /// Physical cores behind them; absent where nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub physical_cores: Option<u32>,
    /// Memory in bytes.
    pub memory_bytes: u64,
    /// What the control group lets this process and its page cache have of it, bytes; absent where
    /// there is no limit below all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_limit_bytes: Option<u64>,
    /// What imitates the system that fathom is made for, as in `Wine 8.0`; absent on a real one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emulator: Option<String>,
    /// The kernel's clock source, as in `tsc`.
    pub clock_source: String,
    /// Vendor and product of the machine by DMI, empty when unknown.
    pub machine: String,
    /// Its network links that are up and say what they carry.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<NetworkLink>,
}

/// A network link of a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NetworkLink {
    /// Name of the interface.
    pub name: String,
    /// What it carries in each direction, bits a second.
    pub bits_per_second: u64,
}

impl NetworkLink {
    /// What it carries in each direction, bytes a second.
    pub const fn bytes_per_second(&self) -> f64 {
        self.bits_per_second as f64 / 8.0
    }
}

impl HostInfo {
    /// Memory that the run and what it reads through the page cache can have, bytes.
    pub fn usable_bytes(&self) -> u64 {
        let limit = self.memory_limit_bytes.unwrap_or(self.memory_bytes);
        self.memory_bytes.min(limit)
    }
}

/// The engine of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EngineInfo {
    /// Name, as in `io_uring`.
    pub name: String,
    /// Why this one.
    pub reason: String,
    /// Features in use, as in `fixed_buffers`.
    pub flags: Vec<String>,
    /// The clock behind all latencies: `tsc` or `clock_monotonic`.
    pub clock: String,
    /// Cost of one reading of it in nanoseconds, median.
    pub clock_cost_ns: f64,
    /// Smallest step that it was seen to make, nanoseconds, where that is over 100; absent also if
    /// it made none in a thousand readings, or nobody looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_grain_ns: Option<u64>,
}

impl EngineInfo {
    /// Which one; `None` of several, and of an engine of another program.
    pub fn kind(&self) -> Option<EngineKind> {
        EngineKind::named(&self.name)
    }

    /// Whether it is known and has a property.
    pub fn is(&self, has: impl FnOnce(EngineKind) -> bool) -> bool {
        self.kind().is_some_and(has)
    }
}

/// A target as it was found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TargetInfo {
    /// As the user named it.
    pub path: String,
    /// The kind: `file`, `block device`, `character device` or `none`.
    pub kind: String,
    /// Usable size in bytes.
    pub size_bytes: u64,
    /// Whether fathom made the file, for this run or an earlier one.
    pub made_by_fathom: bool,
    /// The allow-list of its host (`FATHOM_ALLOW`), which limits what is written; empty where
    /// there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub allow_list: String,
    /// Whether it was opened for direct I/O.
    pub direct: bool,
    /// File-system type; empty for a device.
    pub file_system: String,
    /// Where the file system is mounted.
    pub mount_point: String,
    /// Options of that mount.
    pub mount_options: String,
    /// What is mounted there, as in `filer:/export`; empty where that is a device or not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub mount_source: String,
    /// Type of the file system that keeps what is written to an overlay, if that can be seen;
    /// empty elsewhere.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub upper_file_system: String,
    /// The block devices below, disks last, with model, scheduler and queue settings in words.
    pub devices: Vec<TargetDevice>,
    /// How it lies on them, if that was looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<Box<TargetLayout>>,
}

/// A block device below a target.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TargetDevice {
    /// Kernel name.
    pub name: String,
    /// Disk, partition, lvm, raid, loop …
    pub kind: String,
    /// Vendor and model, empty when unknown.
    pub model: String,
    /// Size in bytes.
    pub size_bytes: u64,
    /// Active I/O scheduler, empty when there is none.
    pub scheduler: String,
    /// Requests that its queue holds.
    pub queue_requests: u64,
    /// Whether it says that it rotates.
    pub rotational: bool,
    /// Write cache as the kernel sees it: `write back` or `write through`.
    pub write_cache: String,
    /// Logical block size in bytes.
    pub logical_block_bytes: u64,
    /// Whether its counters say what reached the target: a disk with nothing below it, or a loop
    /// device in the stead of what its backing file lies on.
    pub leaf: bool,
    /// Of a loop device the type of the file system that keeps its backing file, of an overlay
    /// that of its upper directory; empty elsewhere, and where it is not seen.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub backing_file_system: String,
    /// Of a loop device whether it passes by the page cache of its backing file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backing_direct: Option<bool>,
    /// How an NVMe controller is reached: `pcie`, `tcp`, `rdma` or `fc`; empty of others.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub transport: String,
    /// How it is attached and limited, if that was looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Box<DeviceLimits>>,
}

/// How long the parts of a run took, nanoseconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Timings {
    /// From the start of the process to the first request.
    pub first_io_ns: u64,
    /// Laying out files.
    pub layout_ns: u64,
    /// The whole run.
    pub total_ns: u64,
}
