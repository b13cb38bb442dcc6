//! What the kernel counts beside the workers: block devices and the process, between the begin
//! and the end of the measured time.

use crate::books::{Books, Page, device_tally};
use crate::hiccup::HiccupWatch;
use crate::machine::MachineSeries;
use fathom_core::Nanos;
use fathom_core::result::{DeviceUse, Evidence, MachineInterval, ProcessUse, ProcessorUse};
use fathom_device::process::{IoThreads, MachineTicks, ProcessUsage};
use fathom_device::processor::{Processor, ProcessorTicks};
use fathom_device::{DevNum, DiskActivity, DiskSample, Sampler};
use fathom_engine::OpenTarget;
use std::collections::VecDeque;
use std::sync::Arc;

/// The block devices that a phase's counters are taken from.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    /// Those whose counters say what reached the targets.
    pub devices: Vec<DevNum>,
    /// The disks that hold the backing files of those that are loop devices.
    pub below_loops: Vec<DevNum>,
    /// Names of all devices below the targets.
    pub stack: Vec<String>,
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
    pub(crate) page: Page,
}

/// What was counted over the measured time, and beside the time series.
#[derive(Debug, Default)]
pub struct Counted {
    /// The block devices.
    pub devices: Vec<DeviceUse>,
    /// The process.
    pub process: ProcessUse,
    /// The account, without the tool's side.
    pub account: Option<Box<fathom_core::result::Ledger>>,
    /// The machine, interval by interval.
    pub machine: Vec<MachineInterval>,
}

/// Watches the counters over a phase.
#[derive(Debug)]
pub struct Ledger {
    sampler: Sampler,
    backing: Option<Sampler>,
    books: Books,
    machine: MachineSeries,
    hiccups: Option<HiccupWatch>,
    /// Snapshots at the begin of the measured time, or of the rounds of a steady window.
    begins: VecDeque<Snapshot>,
    end: Option<Snapshot>,
    /// Begins to keep.
    window: usize,
    most_workers: u32,
    has_begun: bool,
    has_ended: bool,
    is_blind: bool,
}

impl Ledger {
    /// A ledger that looks at nothing, and says so in the account.
    pub fn blind() -> Self {
        Self {
            is_blind: true,
            ..Self::new(Watched::default(), Vec::new(), 1)
        }
    }

    /// A ledger over block devices and the targets upon them. With a steady-state rule, `window`
    /// is the number of its rounds; otherwise 1.
    pub fn new(watched: Watched, targets: Vec<Arc<OpenTarget>>, window: usize) -> Self {
        let sampler = Sampler::new(watched.devices.clone());
        let below = watched.below_loops;
        Self {
            machine: MachineSeries::new(sampler.clone()),
            sampler,
            backing: (!below.is_empty()).then(|| Sampler::new(below)),
            books: Books::new(watched.devices, &watched.stack, targets),
            hiccups: None,
            begins: VecDeque::new(),
            end: None,
            window,
            most_workers: 0,
            has_begun: false,
            has_ended: false,
            is_blind: false,
        }
    }

    /// The phase begins, warm-up included; its first interval ends at `end`.
    pub fn start(&mut self, start: Nanos, end: Nanos) {
        if self.is_blind {
            return;
        }
        self.machine.begin(start, end);
        self.hiccups = Some(HiccupWatch::start(start));
    }

    /// When an interval ends next.
    pub const fn due(&self) -> Nanos {
        self.machine.due()
    }

    /// Looks at the machine if an interval has ended; the next one ends at `end`.
    pub fn turn_page(&mut self, now: Nanos, end: Nanos) {
        if self.machine.look(now, end) {
            self.books.look();
        }
    }

    /// Whether the measured time has begun.
    pub const fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// Whether it has ended.
    pub const fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// The measured time, or one of its rounds, begins.
    pub fn begin(&mut self, now: Nanos) {
        self.has_begun = true;
        if self.is_blind {
            return;
        }
        let snapshot = self.snapshot(now);
        self.begins.push_back(snapshot);
        if self.begins.len() > self.window {
            self.begins.pop_front();
        }
    }

    /// The measured time ends.
    pub fn end(&mut self, now: Nanos) {
        self.has_ended = true;
        if !self.is_blind {
            self.end = Some(self.snapshot(now));
        }
    }

    /// Looks how many threads of the kernel work for us.
    pub fn look(&mut self) {
        if let Ok(threads) = IoThreads::read() {
            self.most_workers = self.most_workers.max(threads.workers + threads.pollers);
        }
    }

    fn snapshot(&mut self, now: Nanos) -> Snapshot {
        self.look();
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
            page: self.books.open(),
        }
    }

    /// The differences; the phase ended at `now`.
    pub fn into_counted(self, now: Nanos) -> Counted {
        if self.is_blind {
            return unseen();
        }
        let (hiccups, pauses) = self.hiccups.map(HiccupWatch::finish).unwrap_or_default();
        let machine = self.machine.finish(now);
        let (Some(begin), Some(end)) = (self.begins.front(), &self.end) else {
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
            kernel_workers: self.most_workers,
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
            process.max_resident_bytes = used.max_rss_bytes;
        }
        if let (Some(begin), Some(end)) = (&begin.ticks, &end.ticks) {
            process.steal_percent = end.since(begin).steal_share().unwrap_or(0.0) * 100.0;
        }
        let is_guest = || fathom_device::HostInfo::live().virtualisation.is_some();
        let why_no_steal = why_no_steal(end.ticks.as_ref(), is_guest);
        process.processors = processor_use(&begin.processors, &end.processors);
        let devices: Vec<DeviceUse> = devices.iter().map(device_use).collect();
        let mut account = self.books.settle((begin, end), &devices, hiccups);
        let backing: Vec<DeviceUse> = backing.iter().map(device_use).collect();
        account.backing = (!backing.is_empty()).then(|| device_tally(&backing));
        if let Some(reason) = why_no_steal {
            account.lacks(Evidence::Steal, reason);
        }
        account.generator.pauses = pauses;
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

/// What is known of a phase at which nobody looked: that nobody did.
fn unseen() -> Counted {
    let mut account = fathom_core::result::Ledger::default();
    for evidence in Evidence::WATCHED {
        account.lacks(evidence, "nobody looked while the requests ran");
    }
    Counted {
        account: Some(Box::new(account)),
        ..Counted::default()
    }
}

/// Why stolen time is not known, if it is not: none of it is no sign where nobody counts it.
fn why_no_steal(
    ticks: Option<&MachineTicks>,
    is_guest: impl FnOnce() -> bool,
) -> Option<&'static str> {
    match ticks {
        None => Some("/proc/stat cannot be read"),
        Some(ticks) if !ticks.tells_steal => Some("the kernel does not count it"),
        Some(ticks) if ticks.steal == 0 && is_guest() => {
            Some("this guest has counted none since it began: its hypervisor may not tell")
        }
        Some(_) => None,
    }
}

/// None when processors came or went meanwhile: their counters cannot be told apart then.
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
        busy_ns: counters.busy_time_ms * 1_000_000,
        queue_ns: counters.queue_time_ms * 1_000_000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ledger_that_looks_at_nothing_says_so() {
        let mut ledger = Ledger::blind();
        let second = Nanos::from_secs(1);
        ledger.start(Nanos::ZERO, second);
        ledger.begin(Nanos::ZERO);
        ledger.turn_page(second, second + second);
        ledger.end(second);
        assert_eq!((ledger.has_begun(), ledger.has_ended()), (true, true));
        let counted = ledger.into_counted(second);
        let mut expected = fathom_core::result::Ledger::default();
        for evidence in Evidence::WATCHED {
            expected.lacks(evidence, "nobody looked while the requests ran");
        }
        assert_eq!(counted.account.as_deref(), Some(&expected));
        assert_eq!((counted.devices.len(), counted.machine.len()), (0, 0));
    }

    #[test]
    fn a_guest_without_any_stolen_time_is_not_told_of_it() {
        let ticks = |steal, tells_steal| MachineTicks {
            total: 1_000_000,
            steal,
            tells_steal,
            ..MachineTicks::default()
        };
        let none_told =
            Some("this guest has counted none since it began: its hypervisor may not tell");
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
