//! What the kernel counts independently of the workers: block devices and the process, between the
//! start and the end of the measured time.

mod hiccup;
pub(crate) mod limits;
mod machine;
mod readings;
mod waits;

use fathom_core::Nanos;
use fathom_core::result::{CountedIo, DeviceUse, Evidence, ProcessUse, ProcessorUse};
use fathom_device::process::{IoThreads, MachineTicks, ProcessUsage};
use fathom_device::processor::{Processor, ProcessorTicks};
use fathom_device::{DevNum, DiskActivity, DiskSample, Sampler};
use fathom_engine::OpenTarget;
use fathom_load::watch::{Counted, Watch};
use hiccup::HiccupWatch;
use limits::LimitWatch;
use machine::MachineSeries;
use readings::{Readings, Sources};
use std::collections::VecDeque;
use std::sync::{Arc, LazyLock};
use waits::WaitWatch;

/// The block devices that a phase's counters are taken from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watched {
    /// Those whose counters say what reached the targets.
    pub(crate) devices: Vec<DevNum>,
    /// The disks that hold the backing files of those that are loop devices.
    pub(crate) below_loops: Vec<DevNum>,
    /// Names of all devices below the targets.
    pub(crate) stack: Vec<String>,
    /// Limits of block I/O at the start of the run.
    pub(crate) limits: Vec<String>,
}

/// All counters at one instant.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    disks: Option<DiskSample>,
    backing: Option<DiskSample>,
    usage: Option<ProcessUsage>,
    ticks: Option<MachineTicks>,
    processors: Vec<ProcessorTicks>,
    worker_ns: u64,
    pub(crate) readings: Readings,
}

/// Watches the counters over a phase.
#[derive(Debug)]
pub(crate) struct Counters {
    sampler: Sampler,
    backing: Option<Sampler>,
    sources: Sources,
    machine: MachineSeries,
    limits: LimitWatch,
    waits: WaitWatch,
    hiccups: Option<HiccupWatch>,
    /// Snapshots at the start of the measured time, or of the rounds of a steady window.
    begins: VecDeque<Snapshot>,
    end: Option<Snapshot>,
    /// Begins to keep.
    window: usize,
    most_workers: u32,
}

impl Counters {
    /// Counters of block devices and the targets upon them. With a steady-state rule, `window`
    /// is the number of its rounds; otherwise 1.
    pub(crate) fn new(watched: Watched, targets: Vec<Arc<OpenTarget>>, window: usize) -> Self {
        let sampler = Sampler::new(watched.devices.clone());
        let below = watched.below_loops;
        Self {
            machine: MachineSeries::new(
                sampler.clone(),
                fathom_device::Cgroup::own().unwrap_or_default(),
                watched.devices.clone(),
            ),
            limits: LimitWatch::new(watched.stack.clone(), &watched.limits),
            waits: WaitWatch::default(),
            sampler,
            backing: (!below.is_empty()).then(|| Sampler::new(below)),
            sources: Sources::new(watched.devices, &watched.stack, targets),
            hiccups: None,
            begins: VecDeque::new(),
            end: None,
            window,
            most_workers: 0,
        }
    }

    /// Looks how many threads of the kernel work for us.
    fn count_threads(&mut self) {
        if let Ok(threads) = IoThreads::read() {
            self.most_workers = self.most_workers.max(threads.workers + threads.pollers);
        }
    }

    fn snapshot(&mut self, now: Nanos) -> Snapshot {
        self.count_threads();
        // A counter that cannot be read is missing from the result; the checks say so.
        Snapshot {
            disks: self.sampler.sample(now.0).ok(),
            backing: self
                .backing
                .as_ref()
                .and_then(|below| below.sample(now.0).ok()),
            usage: ProcessUsage::read().ok(),
            ticks: MachineTicks::read().ok(),
            processors: ProcessorTicks::read().unwrap_or_default(),
            worker_ns: IoThreads::cpu_ns().unwrap_or(0),
            readings: self.sources.read(),
        }
    }
}

impl Watch for Counters {
    fn start(&mut self, start: Nanos, end: Nanos) {
        self.machine.begin(start, end);
        self.limits.begin(start);
        self.waits.begin(start);
        self.hiccups = Some(HiccupWatch::start(start));
    }

    fn begin(&mut self, now: Nanos) {
        let snapshot = self.snapshot(now);
        if let Ok(threads) = &snapshot.readings.queue {
            self.waits.measure(threads);
        }
        self.begins.push_back(snapshot);
        if self.begins.len() > self.window {
            self.begins.pop_front();
        }
    }

    fn end(&mut self, now: Nanos) {
        let snapshot = self.snapshot(now);
        if let Ok(threads) = &snapshot.readings.queue {
            self.waits.end(now, threads);
        }
        self.end = Some(snapshot);
    }

    fn look(&mut self, now: Nanos, end: Nanos) {
        self.limits.look(now);
        self.waits.look(now);
        if self.machine.look(now, end) {
            self.sources.look();
        }
    }

    fn due(&self) -> Nanos {
        self.machine.due()
    }

    fn finish(self: Box<Self>, now: Nanos) -> Counted {
        let this = *self;
        let (hiccups, pauses) = this.hiccups.map(HiccupWatch::finish).unwrap_or_default();
        let machine = this.machine.finish(now);
        let limit_spans = this.limits.finish(now);
        let (Some(begin), Some(end)) = (this.begins.front(), &this.end) else {
            return Counted {
                machine,
                ..Counted::default()
            };
        };
        let passed = |begin: &Option<DiskSample>, end: &Option<DiskSample>| match (begin, end) {
            (Some(begin), Some(end)) => end.since(begin).unwrap_or_default(),
            _ => Vec::new(),
        };
        let devices = passed(&begin.disks, &end.disks);
        let backing = passed(&begin.backing, &end.backing);
        let mut process = ProcessUse {
            kernel_workers: this.most_workers,
            kernel_worker_ns: end.worker_ns.saturating_sub(begin.worker_ns),
            ..ProcessUse::default()
        };
        if let (Some(begin), Some(end)) = (&begin.usage, &end.usage) {
            let used = end.since(begin);
            process.user_ns = used.user_ns;
            process.system_ns = used.system_ns;
            process.voluntary_switches = used.voluntary_switches;
            process.involuntary_switches = used.involuntary_switches;
            process.major_faults = used.major_faults;
            process.minor_faults = Some(used.minor_faults);
            process.max_resident_bytes = used.max_rss_bytes;
        }
        if let (Some(begin), Some(end)) = (&begin.ticks, &end.ticks) {
            process.steal_percent = end.since(begin).steal_share().unwrap_or(0.0) * 100.0;
        }
        let why_no_steal = why_no_steal(end.ticks.as_ref(), || *IS_GUEST);
        process.processors = processor_use(&begin.processors, &end.processors);
        let devices: Vec<DeviceUse> = devices.iter().map(device_use).collect();
        let mut account = this
            .sources
            .account((begin, end), &devices, hiccups, this.waits.seen());
        let backing: Vec<DeviceUse> = backing.iter().map(device_use).collect();
        account.backing = (!backing.is_empty()).then(|| CountedIo::of_devices(&backing));
        if let Some(reason) = why_no_steal {
            account.lacks(Evidence::Steal, reason);
        }
        account.generator.pauses = pauses;
        account.generator.waits = this.waits.finish(readings::wake_ns(hiccups));
        account.limit_spans = limit_spans;
        if hiccups.is_none() {
            account.lacks(
                Evidence::Hiccups,
                "the watching thread could not be started",
            );
        }
        Counted {
            devices,
            process,
            account: Some(Box::new(account)),
            machine,
        }
    }
}

/// Whether this is a virtual machine. Read once, not for each phase.
static IS_GUEST: LazyLock<bool> =
    LazyLock::new(|| fathom_device::HostInfo::live().virtualisation.is_some());

/// Why stolen time is not known, if it is not: none of it is no sign where nobody counts it.
fn why_no_steal(
    ticks: Option<&MachineTicks>,
    is_guest: impl FnOnce() -> bool,
) -> Option<&'static str> {
    match ticks {
        None => Some("/proc/stat cannot be read"),
        Some(ticks) if !ticks.tells_steal => Some("the kernel does not count it"),
        Some(ticks) if ticks.steal == 0 && is_guest() => Some(
            "this guest has counted no steal time since boot; its hypervisor may not report \
                  it",
        ),
        Some(_) => None,
    }
}

/// None when processors came or went meanwhile: their counters cannot be compared then.
fn processor_use(begin: &[ProcessorTicks], end: &[ProcessorTicks]) -> Vec<ProcessorUse> {
    let processors = Processor::live();
    if begin.len() != end.len() || processors.len() != end.len() {
        return Vec::new();
    }
    let ticks = begin.iter().zip(end);
    processors
        .iter()
        .zip(ticks)
        .map(|(processor, (begin, end))| {
            // Without a tick in a short time nothing was seen of any work.
            let [user, kernel, idle] = end.shares_since(begin).unwrap_or([0.0, 0.0, 100.0]);
            ProcessorUse {
                number: processor.number,
                core: processor.core,
                socket: processor.socket,
                node: processor.node,
                user_percent: user,
                kernel_percent: kernel,
                idle_percent: idle,
            }
        })
        .collect()
}

pub(crate) fn device_use(activity: &DiskActivity) -> DeviceUse {
    let counters = &activity.counters;
    DeviceUse {
        device: activity.name.clone(),
        reads: counters.reads,
        read_bytes: counters.read_bytes,
        reads_merged: counters.reads_merged,
        writes: counters.writes,
        write_bytes: counters.written_bytes,
        writes_merged: counters.writes_merged,
        discards: counters.discards.unwrap_or(0),
        flushes: counters.flushes.unwrap_or(0),
        read_time_ns: counters.read_time_ms * 1_000_000,
        write_time_ns: counters.write_time_ms * 1_000_000,
        busy_ns: counters.busy_time_ms * 1_000_000,
        queue_ns: counters.queue_time_ms * 1_000_000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guest_without_any_stolen_time_is_not_told_of_it() {
        let ticks = |steal, tells_steal| MachineTicks {
            total: 1_000_000,
            steal,
            tells_steal,
            ..MachineTicks::default()
        };
        let none_told = Some(
            "this guest has counted no steal time since boot; its hypervisor may not report \
                  it",
        );
        let cases = [
            (None, true, Some("/proc/stat cannot be read")),
            (
                Some(ticks(0, false)),
                false,
                Some("the kernel does not count it"),
            ),
            (Some(ticks(0, true)), true, none_told),
            (Some(ticks(0, true)), false, None),
            (Some(ticks(1, true)), true, None),
        ];
        for (ticks, is_guest, expected) in cases {
            assert_eq!(why_no_steal(ticks.as_ref(), || is_guest), expected);
        }
    }
}
