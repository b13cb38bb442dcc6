//! The account of a phase: what the tool moved against what the process, its control group and
//! the block devices counted, with how the machine was meanwhile, and what could not be looked at.

use super::DeviceUse;
use crate::is_default::is_default;
use crate::op::Op;
use serde::{Deserialize, Serialize};

/// Both sides of the account over the measured time.
///
/// A count that is absent was not taken; [`Ledger::missing`] says why. Absence is never agreement.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ledger {
    /// What the jobs completed.
    pub tool: CountedIo,
    /// What the kernel charged to this process, from `/proc/self/io`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<CountedIo>,
    /// What the kernel charged to the control group on the devices at the bottom, from `io.stat`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cgroup: Option<CountedIo>,
    /// What the devices that are looked at counted together, from `/proc/diskstats`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<CountedIo>,
    /// Where targets lie on loop devices: what the disks below their backing files counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backing: Option<CountedIo>,
    /// The page cache of each target.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub caches: Vec<CacheUse>,
    /// What the whole machine paged, from `/proc/vmstat`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paging: Option<Paging>,
    /// What the network links of the machine carried.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub network: Vec<NetworkUse>,
    /// How the generator itself fared.
    #[serde(default)]
    pub generator: GeneratorHealth,
    /// Bytes that the devices read for each byte read by the tool (phi_r).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_ratio: Option<f64>,
    /// Bytes that the devices wrote for each byte written by the tool (phi_w).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write_ratio: Option<f64>,
    /// Requests of the devices, merged ones included, for each of the tool's reads and writes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<f64>,
    /// What the software below the targets was seen to do on its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub background: Vec<Activity>,
    /// How long fdatasync of the targets took right after the phase, where jobs wrote through the
    /// page cache, nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write_back_ns: Option<u64>,
    /// The limits that the control group set in turn, where they changed since the run began.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limit_spans: Vec<LimitSpan>,
    /// What could not be looked at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Missing>,
}

/// Limits of block I/O of the control group from an instant on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LimitSpan {
    /// When they were first seen, nanoseconds after the start of the phase (warm-up included).
    pub start_ns: u64,
    /// The limits, as in [`Provenance::io_limits`](super::Provenance::io_limits); none where
    /// nothing was limited.
    pub limits: Vec<String>,
}

/// What a network link carried over the measured time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NetworkUse {
    /// Name of the interface.
    pub name: String,
    /// What it carries in each direction, bits a second.
    pub bits_per_second: u64,
    /// Bytes that came.
    pub received_bytes: u64,
    /// Bytes that went.
    pub sent_bytes: u64,
}

impl NetworkUse {
    /// What the link carries in each direction, bytes a second.
    pub const fn bytes_per_second(&self) -> f64 {
        self.bits_per_second as f64 / 8.0
    }
}

impl Ledger {
    /// The rates at which writes were accepted and became durable, bytes a second: those of the
    /// measured time over that time, and over it and what [`Self::write_back_ns`] took.
    /// None where nothing was written through the page cache.
    pub fn write_rates(&self, measured_ns: u64) -> Option<(f64, f64)> {
        let write_back_ns = self.write_back_ns?;
        let rate = |ns: u64| self.tool.write_bytes as f64 / (ns.max(1) as f64 / 1e9);
        Some((rate(measured_ns), rate(measured_ns + write_back_ns)))
    }
}

/// Requests and bytes as one party counted them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CountedIo {
    /// Bytes of completed reads.
    pub read_bytes: u64,
    /// Bytes written.
    pub write_bytes: u64,
    /// Reads, where they are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reads: Option<u64>,
    /// Writes, where they are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub writes: Option<u64>,
    /// Requests merged into others, where they are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged: Option<u64>,
    /// Flushes, where they are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flushes: Option<u64>,
    /// Discards, where they are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discards: Option<u64>,
}

impl CountedIo {
    /// What some devices did together.
    pub fn of_devices(devices: &[DeviceUse]) -> Self {
        let sum = |of: fn(&DeviceUse) -> u64| devices.iter().map(of).sum::<u64>();
        Self {
            read_bytes: sum(|one| one.read_bytes),
            write_bytes: sum(|one| one.write_bytes),
            reads: Some(sum(|one| one.reads)),
            writes: Some(sum(|one| one.writes)),
            merged: Some(sum(|one| one.reads_merged + one.writes_merged)),
            flushes: Some(sum(|one| one.flushes)),
            discards: Some(sum(|one| one.discards)),
        }
    }
}

/// What of a target was in the page cache.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CacheUse {
    /// Path of the target.
    pub target: String,
    /// How it was found out: `cachestat` or `mincore`.
    pub source: String,
    /// Bytes in the cache when the measured time began.
    pub begin_bytes: u64,
    /// Bytes in the cache when it ended.
    pub end_bytes: u64,
    /// Of those, waiting to be written; only cachestat tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dirty_bytes: Option<u64>,
}

/// What the whole machine paged over the measured time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Paging {
    /// Bytes read from all block devices (`pgpgin`).
    pub read_bytes: u64,
    /// Bytes written to all block devices (`pgpgout`).
    pub write_bytes: u64,
    /// Page faults that needed I/O (`pgmajfault`).
    pub major_faults: u64,
    /// File pages read again soon after they were evicted (`workingset_refault_file`).
    pub refaults: u64,
    /// Bytes of the machine waiting to be written at the end (`nr_dirty`).
    pub dirty_bytes: u64,
    /// Bytes of pages of files that were written to in memory (`nr_dirtied`): direct writes are
    /// not among them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dirtied_bytes: Option<u64>,
    /// From where on the kernel holds writers back (`nr_dirty_threshold`); 0 where it did not say.
    #[serde(default, skip_serializing_if = "is_default")]
    pub dirty_limit_bytes: u64,
}

/// How the generator fared over the measured time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GeneratorHealth {
    /// Longest time that one of the process's threads was ready to run and had no processor,
    /// nanoseconds, without [`Hiccups::p25_ns`] for each time that it was given one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_queue_ns: Option<u64>,
    /// Time that the control group was kept from running by its quota, nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub throttled_ns: Option<u64>,
    /// Periods in which it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub throttled_periods: Option<u64>,
    /// Lowest mean frequency of the processors seen, kHz.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lowest_khz: Option<u64>,
    /// Highest mean frequency of the processors seen, kHz.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub highest_khz: Option<u64>,
    /// How late an idle thread woke up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hiccups: Option<Hiccups>,
    /// The longest times over which that thread was due and did not run, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pauses: Vec<Pause>,
    /// The times over which a thread waited for a processor for [`Wait::LEAST_SHARE`] and more, in
    /// their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<Wait>,
    /// Requests a second that the same loop makes when each completes at once, all threads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ceiling_iops: Option<f64>,
    /// How far the clock of the wall and the monotonic one drifted apart, nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_step_ns: Option<i64>,
    /// The idle states of the processors, all processors together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub idle_states: Vec<IdleUse>,
}

/// One state in which processors waited for work, all processors together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IdleUse {
    /// What the kernel's driver calls it, as `C6`.
    pub name: String,
    /// Time to leave it, as the driver says, nanoseconds.
    pub exit_latency_ns: u64,
    /// Times that a processor entered it.
    pub entries: u64,
    /// Time spent in it, nanoseconds, summed over processors.
    pub time_ns: u64,
}

/// Something that the software below the targets did on its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Activity {
    /// The array, or the device that the file system lies on.
    pub device: String,
    /// What it was, in the kernel's word: `resync`, `check`, `balance`.
    pub what: String,
}

/// A time over which the generator did not run: stopped by a signal, or without a processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pause {
    /// Start, nanoseconds after the start of the phase (warm-up included): when a thread that only
    /// sleeps was to wake up. It may have begun earlier, by one of its sleeps.
    pub start_ns: u64,
    /// From there to when that thread ran, nanoseconds.
    pub length_ns: u64,
}

impl Pause {
    /// Longest sleep of the thread that looks for pauses, nanoseconds: a pause may have begun
    /// earlier by this time.
    pub const EDGE_NS: u64 = 32_000_000;
    /// Lateness from which a wake-up of it is one: a time slice or two are shorter, nanoseconds.
    pub const LEAST_NS: u64 = 10_000_000;

    /// When the generator ran again, nanoseconds after the start of the phase.
    pub const fn end_ns(&self) -> u64 {
        self.start_ns.saturating_add(self.length_ns)
    }
}

/// A time over which one of the process's threads waited for a processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Wait {
    /// Start, nanoseconds after the start of the phase (warm-up included).
    pub start_ns: u64,
    /// From one look at the threads to the next, nanoseconds.
    pub length_ns: u64,
    /// What the thread with the longest wait waited in it, nanoseconds, as in
    /// [`GeneratorHealth::run_queue_ns`].
    pub waited_ns: u64,
}

impl Wait {
    /// Share of its length from which it is kept.
    pub const LEAST_SHARE: f64 = 0.05;

    /// Share of its length.
    pub const fn share(&self) -> f64 {
        self.waited_ns as f64 / self.length_ns as f64
    }
}

/// How late a thread that only sleeps woke up: stalls that reach every thread of the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Hiccups {
    /// Times that it woke up.
    pub count: u64,
    /// Lateness that 25 % did not exceed, nanoseconds: what waking up onto an idle processor takes.
    #[serde(default)]
    pub p25_ns: u64,
    /// Lateness that 99.9 % did not exceed, nanoseconds.
    pub p999_ns: u64,
    /// Greatest lateness, nanoseconds.
    pub max_ns: u64,
}

/// A kind of evidence that checks rest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// Requests and bytes of the block devices.
    DeviceCounters,
    /// Flushes of the block devices.
    DeviceFlushes,
    /// Requests and bytes of the disks below the backing files of loop devices.
    BackingFiles,
    /// Bytes charged to this process.
    ProcessIo,
    /// Requests and bytes charged to the control group.
    CgroupIo,
    /// What of the targets is in the page cache.
    PageCache,
    /// Where the targets' blocks lie.
    FileLayout,
    /// Which alignment direct I/O needs.
    DirectAlignment,
    /// What the device holds where it is read.
    Contents,
    /// Processor quota of the control group.
    CpuQuota,
    /// I/O limits of the control group.
    IoLimits,
    /// Time that threads waited for a processor.
    RunQueue,
    /// Time that the hypervisor kept.
    Steal,
    /// Frequency of the processors.
    Frequency,
    /// Stalls of a thread that only sleeps.
    Hiccups,
    /// States in which processors waited for work.
    IdleStates,
    /// What the threads suffered: faults, switches, and the processors they were on.
    Threads,
    /// The node of the machine that the device is attached to.
    DeviceNode,
    /// Ceiling of the generator.
    Ceiling,
    /// Speed and width of the device's link.
    Link,
    /// Heat and throttling of the device.
    Heat,
    /// The device before the run.
    IdleBaseline,
    /// Clock of the wall against the monotonic one.
    WallClock,
    /// Which node of a cluster owns the volume.
    Owner,
    /// Short writes before the run, with permission.
    Probe,
}

impl Evidence {
    /// What is gathered while the requests run.
    pub const WATCHED: [Self; 13] = [
        Self::DeviceCounters,
        Self::DeviceFlushes,
        Self::BackingFiles,
        Self::ProcessIo,
        Self::CgroupIo,
        Self::PageCache,
        Self::CpuQuota,
        Self::RunQueue,
        Self::Steal,
        Self::Frequency,
        Self::Hiccups,
        Self::IdleStates,
        Self::WallClock,
    ];

    /// Its name in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::DeviceCounters => "counters of the block devices",
            Self::DeviceFlushes => "flushes counted by the block devices",
            Self::BackingFiles => "counters of the disks below loop devices",
            Self::ProcessIo => "bytes charged to the process",
            Self::CgroupIo => "I/O charged to the control group",
            Self::PageCache => "page cache of the targets",
            Self::FileLayout => "extent map of the files",
            Self::DirectAlignment => "alignment of direct I/O",
            Self::Contents => "samples of the device's contents",
            Self::CpuQuota => "processor quota of the control group",
            Self::IoLimits => "I/O limits of the control group",
            Self::RunQueue => "waiting for a processor",
            Self::Steal => "time kept by the hypervisor",
            Self::Frequency => "processor frequency",
            Self::Hiccups => "stalls of an idle thread",
            Self::IdleStates => "idle states of the processors",
            Self::Threads => "usage of the threads",
            Self::DeviceNode => "node of the device",
            Self::Ceiling => "ceiling of the generator",
            Self::Link => "link of the device",
            Self::Heat => "heat of the device",
            Self::IdleBaseline => "the device before the run",
            Self::WallClock => "clock of the wall",
            Self::Owner => "owner of a cluster volume",
            Self::Probe => "micro-probes",
        }
    }
}

/// A kind of evidence that could not be had.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Missing {
    /// Which.
    pub evidence: Evidence,
    /// Why not.
    pub reason: String,
}

/// Which of the checks could run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Coverage {
    /// Checks that had all they need.
    pub ran: u32,
    /// All checks that apply to the result.
    pub of: u32,
    /// Those that could not run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blind: Vec<Blind>,
}

/// A check that could not run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Blind {
    /// Codes that it could not raise.
    pub codes: Vec<crate::CodeWord>,
    /// What was missing, and why.
    pub reason: String,
}

impl Ledger {
    /// Fills in the tool's side and the ratios.
    pub fn settle<'a>(&mut self, jobs: impl Iterator<Item = &'a super::JobResult>) {
        let (mut reads, mut writes, mut flushes, mut discards) = (0, 0, 0, 0);
        for (op, one) in jobs.flat_map(|job| job.ops.present()) {
            match op {
                Op::Read => {
                    reads += one.ios;
                    self.tool.read_bytes += one.bytes + one.short_bytes;
                }
                Op::Write => {
                    writes += one.ios;
                    self.tool.write_bytes += one.bytes + one.short_bytes;
                }
                Op::Create => self.tool.write_bytes += one.bytes + one.short_bytes,
                Op::Flush => flushes += one.ios,
                Op::Trim => discards += one.ios,
                // What they come to at a device is a matter of the file system.
                Op::Stat | Op::Rename | Op::Unlink => {}
            }
        }
        self.tool.reads = Some(reads);
        self.tool.writes = Some(writes);
        self.tool.flushes = Some(flushes);
        self.tool.discards = Some(discards);
        let Some(device) = &self.device else {
            return;
        };
        let ratio = |theirs: u64, ours: u64| (ours > 0).then(|| theirs as f64 / ours as f64);
        self.read_ratio = ratio(device.read_bytes, self.tool.read_bytes);
        self.write_ratio = ratio(device.write_bytes, self.tool.write_bytes);
        let requests = device.reads.unwrap_or(0) + device.writes.unwrap_or(0);
        self.split = ratio(requests + device.merged.unwrap_or(0), reads + writes);
    }

    /// Notes that a kind of evidence could not be had; the first reason stays.
    pub fn lacks(&mut self, evidence: Evidence, reason: &str) {
        if self.why_missing(evidence).is_none() {
            let reason = reason.to_owned();
            self.missing.push(Missing { evidence, reason });
        }
    }

    /// Why a kind of evidence is missing, if it is.
    pub fn why_missing(&self, evidence: Evidence) -> Option<&str> {
        let missing = self.missing.iter().find(|one| one.evidence == evidence);
        missing.map(|one| one.reason.as_str())
    }
}
