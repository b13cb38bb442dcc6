//! The machine during the time series: devices, processors and model levels by interval.

use super::DeviceUse;
use serde::{Deserialize, Serialize};

/// What the kernel, or the model, counted in one interval of a phase.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MachineInterval {
    /// Start, nanoseconds after the start of the phase (warm-up included), on the axis of
    /// [`IntervalResult::start_ns`](super::IntervalResult::start_ns).
    pub start_ns: u64,
    /// Length in nanoseconds.
    pub length_ns: u64,
    /// The block devices below the targets, differences over the interval.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub devices: Vec<DeviceUse>,
    /// The processors of the machine together, if they were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<CpuShares>,
    /// The control group of the process, if the kernel counted anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<GroupUse>,
    /// Levels at the end of the interval, as of a burst credit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gauges: Vec<Gauge>,
}

/// What the kernel counted for the control group of the process in one interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GroupUse {
    /// Requests on the block devices below the targets (`io.stat`, in version 1
    /// `blkio.throttle.io_serviced`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ios: Option<u64>,
    /// Their bytes (`io.stat`, in version 1 `blkio.throttle.io_service_bytes`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Time in which a task waited for I/O, nanoseconds (`io.pressure`, the first line; in version
    /// 1 that of the whole machine, `/proc/pressure/io`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stalled_ns: Option<u64>,
}

/// Shares of the machine's processor time, percent of all processors together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CpuShares {
    /// User mode.
    pub user_percent: f64,
    /// Kernel, interrupts included.
    pub system_percent: f64,
    /// Idle while a task waited for I/O.
    pub iowait_percent: f64,
    /// Given to others by the hypervisor.
    pub steal_percent: f64,
    /// Of all this, what the tool itself used.
    pub own_percent: f64,
}

/// A level at an instant.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Gauge {
    /// The thing whose level it is, as in `vol-1 I/O credits`.
    pub name: String,
    /// Its unit, as in `I/Os`.
    pub unit: String,
    /// The level.
    pub value: f64,
    /// The level that cannot be exceeded, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full: Option<f64>,
}
