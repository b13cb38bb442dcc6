//! What the kernel counted independently of the tool: block devices and the process.

use crate::is_default::is_default;
use serde::{Deserialize, Serialize};

/// One block device over the measured time, from the kernel's disk statistics.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeviceUse {
    /// Kernel name, as in `nvme0n1`.
    pub device: String,
    /// Reads completed.
    pub reads: u64,
    /// Bytes of completed reads.
    pub read_bytes: u64,
    /// Reads merged into others before they were issued.
    pub reads_merged: u64,
    /// Writes completed.
    pub writes: u64,
    /// Bytes written.
    pub write_bytes: u64,
    /// Writes merged into others before they were issued.
    pub writes_merged: u64,
    /// Discards completed.
    pub discards: u64,
    /// Flushes completed.
    pub flushes: u64,
    /// Sum of the times of all reads, waiting included, nanoseconds.
    #[serde(default, skip_serializing_if = "is_default")]
    pub read_time_ns: u64,
    /// The same of writes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub write_time_ns: u64,
    /// Time with at least one request in flight, nanoseconds.
    pub busy_ns: u64,
    /// Integral of the number of requests in flight over time, nanoseconds.
    pub queue_ns: u64,
}

/// What the process and the machine used over the measured time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProcessUse {
    /// Processor time in user mode, nanoseconds, all threads.
    pub user_ns: u64,
    /// Processor time in the kernel, nanoseconds, all threads and the kernel's io_uring workers
    /// included.
    pub system_ns: u64,
    /// Of `system_ns`, what worker threads of the kernel used on our behalf.
    pub kernel_worker_ns: u64,
    /// Most io_uring worker threads seen at once.
    pub kernel_workers: u32,
    /// Voluntary context switches.
    pub voluntary_switches: u64,
    /// Involuntary context switches.
    pub involuntary_switches: u64,
    /// Page faults that needed I/O.
    pub major_faults: u64,
    /// Page faults that needed none; absent where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minor_faults: Option<u64>,
    /// Largest resident memory of the process so far, bytes.
    pub max_resident_bytes: u64,
    /// Share of the machine's processor time that the hypervisor gave to others, percent.
    pub steal_percent: f64,
    /// Each processor of the machine, if they were looked at one by one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub processors: Vec<ProcessorUse>,
}

/// What one processor of the machine did over the measured time, whoever it worked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProcessorUse {
    /// As the kernel numbers it.
    pub number: u32,
    /// The core that it is a thread of; numbered through the machine.
    pub core: u32,
    /// The package that it is in.
    pub socket: u32,
    /// The memory that is nearest to it.
    pub node: u32,
    /// Share of the time in user mode, percent.
    pub user_percent: f64,
    /// Share of the time in the kernel, interrupts and hypervisor included, percent.
    pub kernel_percent: f64,
    /// Share of the time without work, percent.
    pub idle_percent: f64,
}
