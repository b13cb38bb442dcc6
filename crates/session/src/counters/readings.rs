//! What others have written down about the run: the kernel for the process and its control group,
//! the page cache, the scheduler. Read by the watching thread, never by a worker.

use super::Snapshot;
use fathom_core::result::{
    CacheUse, CountedIo, DeviceUse, Evidence, GeneratorHealth, Hiccups, IdleUse, Ledger,
    NetworkUse, Paging,
};
use fathom_device::{
    Activity, Background, Cgroup, DevNum, Frequencies, GroupCounters, GroupIo, IdleState,
    IdleStates, LinkCounters, MachinePaging, NetworkLink, PageCache, ProcessIo, RunQueue, Sysfs,
    Throttled,
};
use fathom_engine::{Clock, OpenTarget, TargetKind};
use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

/// A count, or why it could not be had.
type CounterResult<T> = Result<T, String>;

/// All that is read, at one instant.
#[derive(Clone, Debug)]
pub(crate) struct Readings {
    process: CounterResult<ProcessIo>,
    group: CounterResult<Vec<GroupIo>>,
    paging: CounterResult<MachinePaging>,
    caches: Vec<CounterResult<PageCache>>,
    pub(super) queue: CounterResult<RunQueue>,
    links: Vec<Option<LinkCounters>>,
    throttled: Option<Throttled>,
    idle: Vec<IdleState>,
    /// The clock of the wall, minus the monotonic one.
    wall_ahead_ns: i64,
}

/// The files of the CPUs, found once and not for each phase.
static FREQUENCIES: LazyLock<Frequencies> = LazyLock::new(Frequencies::live);
static IDLE_STATES: LazyLock<IdleStates> = LazyLock::new(|| IdleStates::live().unwrap_or_default());

/// Where to read them.
#[derive(Debug)]
pub(crate) struct Sources {
    devices: Vec<DevNum>,
    group: CounterResult<Cgroup>,
    /// Targets that have a page cache, each once.
    files: Vec<Arc<OpenTarget>>,
    links: Vec<NetworkLink>,
    frequencies: Frequencies,
    lowest_khz: Option<u64>,
    highest_khz: Option<u64>,
    idle: IdleStates,
    background: Background,
    /// What the background was seen to do.
    busy: BTreeSet<Activity>,
}

impl Sources {
    /// For these devices, which are at the bottom of the stack of that name, and targets.
    pub(crate) fn new(
        devices: Vec<DevNum>,
        stack: &[String],
        targets: Vec<Arc<OpenTarget>>,
    ) -> Self {
        let mut files: Vec<Arc<OpenTarget>> = Vec::new();
        for target in targets {
            let is_new = files.iter().all(|known| known.path != target.path);
            let has_pages = matches!(target.kind, TargetKind::File | TargetKind::BlockDevice);
            if is_new && has_pages {
                files.push(target);
            }
        }
        Self {
            devices,
            group: Cgroup::own().map_err(|error| error.to_string()),
            files,
            links: NetworkLink::live(),
            frequencies: FREQUENCIES.clone(),
            lowest_khz: None,
            highest_khz: None,
            idle: IDLE_STATES.clone(),
            background: Background::of(&Sysfs::default(), stack),
            busy: BTreeSet::new(),
        }
    }

    /// Reads all of them.
    pub(crate) fn read(&mut self) -> Readings {
        self.look_behind();
        let group = self.group.as_ref();
        let caches = self.files.iter().map(|file| {
            PageCache::of(&file.fd, file.size_bytes).map_err(|error| error.to_string())
        });
        Readings {
            process: ProcessIo::read().map_err(|error| error.to_string()),
            group: group
                .map_err(Clone::clone)
                .and_then(|group| group.io().map_err(|error| error.to_string())),
            paging: MachinePaging::read().map_err(|error| error.to_string()),
            caches: caches.collect(),
            queue: RunQueue::read().map_err(|error| error.to_string()),
            links: self.links.iter().map(NetworkLink::counters).collect(),
            throttled: group.ok().and_then(Cgroup::throttled),
            idle: self.idle.read(),
            wall_ahead_ns: wall_ahead_ns(),
        }
    }

    /// Looks at what does not keep until the end: frequencies that change.
    pub(crate) fn look(&mut self) {
        if let Some(khz) = self.frequencies.mean_khz() {
            self.lowest_khz = Some(self.lowest_khz.map_or(khz, |low| low.min(khz)));
            self.highest_khz = Some(self.highest_khz.map_or(khz, |high| high.max(khz)));
        }
        self.look_behind();
    }

    /// Looks at what the software below the targets does on its own.
    fn look_behind(&mut self) {
        self.busy.extend(self.background.look());
    }

    /// The account between two snapshots; the tool's side is not in it yet.
    pub(crate) fn account(
        mut self,
        (begin, end): (&Snapshot, &Snapshot),
        devices: &[DeviceUse],
        hiccups: Option<Hiccups>,
        threads: &RunQueue,
    ) -> Ledger {
        let (then, now) = (&begin.readings, &end.readings);
        let mut ledger = Ledger {
            device: (!devices.is_empty()).then(|| CountedIo::of_devices(devices)),
            ..Ledger::default()
        };
        if ledger.device.is_none() {
            let reason = "no block device is known below the targets, or it disappeared";
            ledger.lacks(Evidence::DeviceCounters, reason);
            ledger.lacks(Evidence::DeviceFlushes, reason);
        }
        match (&then.process, &now.process) {
            (Ok(then), Ok(now)) => ledger.process = Some(process_tally(then, now)),
            (Err(why), _) | (_, Err(why)) => ledger.lacks(Evidence::ProcessIo, why),
        }
        match (&then.group, &now.group) {
            (Ok(then), Ok(now)) => ledger.cgroup = Some(group_tally(&self.devices, then, now)),
            (Err(why), _) | (_, Err(why)) => ledger.lacks(Evidence::CgroupIo, why),
        }
        if let (Ok(then), Ok(now)) = (&then.paging, &now.paging) {
            let passed = now.since(then);
            ledger.paging = Some(Paging {
                read_bytes: passed.read_bytes,
                write_bytes: passed.written_bytes,
                major_faults: passed.major_faults,
                refaults: passed.refaults,
                dirty_bytes: passed.dirty_bytes,
                dirtied_bytes: Some(passed.dirtied_bytes),
                dirty_limit_bytes: passed.dirty_limit_bytes,
            });
        }
        ledger.network = self.network(then, now);
        self.caches(then, now, &mut ledger);
        ledger.generator = self.generator(then, now, hiccups, threads);
        let busy = std::mem::take(&mut self.busy).into_iter();
        ledger.background = busy.map(activity).collect();
        note_absent(&mut ledger);
        ledger
    }

    fn network(&self, then: &Readings, now: &Readings) -> Vec<NetworkUse> {
        let looks = then.links.iter().zip(&now.links);
        let links = self.links.iter().zip(looks);
        let used = links.filter_map(|(link, (then, now))| {
            let passed = now.as_ref()?.since(then.as_ref()?);
            Some(NetworkUse {
                name: link.name.clone(),
                bits_per_second: link.bits_per_second,
                received_bytes: passed.received_bytes,
                sent_bytes: passed.sent_bytes,
            })
        });
        used.collect()
    }

    fn caches(&self, then: &Readings, now: &Readings, ledger: &mut Ledger) {
        let looks = then.caches.iter().zip(&now.caches);
        for (file, look) in self.files.iter().zip(looks) {
            match look {
                (Ok(then), Ok(now)) => ledger.caches.push(CacheUse {
                    target: file.path.display().to_string(),
                    source: if now.by_cachestat {
                        "cachestat"
                    } else {
                        "mincore"
                    }
                    .to_owned(),
                    begin_bytes: then.cached_bytes,
                    end_bytes: now.cached_bytes,
                    dirty_bytes: now.dirty_bytes,
                }),
                (Err(why), _) | (_, Err(why)) => {
                    let why = format!("{}: {why}", file.path.display());
                    ledger.lacks(Evidence::PageCache, &why);
                }
            }
        }
        if self.files.is_empty() {
            ledger.lacks(Evidence::PageCache, "no target has one");
        }
    }

    fn generator(
        &self,
        then: &Readings,
        now: &Readings,
        hiccups: Option<Hiccups>,
        threads: &RunQueue,
    ) -> GeneratorHealth {
        let begin = then.queue.as_ref().ok();
        let run_queue_ns = begin.map(|begin| threads.longest_since(begin, wake_ns(hiccups)));
        let throttled = match (then.throttled, now.throttled) {
            (Some(then), Some(now)) => Some(Throttled {
                periods: now.periods.saturating_sub(then.periods),
                time_ns: now.time_ns.saturating_sub(then.time_ns),
            }),
            _ => None,
        };
        GeneratorHealth {
            run_queue_ns,
            hiccups,
            throttled_ns: throttled.map(|one| one.time_ns),
            throttled_periods: throttled.map(|one| one.periods),
            lowest_khz: self.lowest_khz,
            highest_khz: self.highest_khz,
            clock_step_ns: Some(now.wall_ahead_ns.wrapping_sub(then.wall_ahead_ns)),
            idle_states: idle_use(&then.idle, &now.idle),
            ..GeneratorHealth::default()
        }
    }
}

/// What an idle thread takes to wake up, most of its processor's time idle.
pub(super) fn wake_ns(hiccups: Option<Hiccups>) -> u64 {
    hiccups.map_or(0, |seen| seen.p25_ns)
}

fn activity(seen: Activity) -> fathom_core::result::Activity {
    fathom_core::result::Activity {
        device: seen.device,
        what: seen.what,
    }
}

fn idle_use(then: &[IdleState], now: &[IdleState]) -> Vec<IdleUse> {
    let passed = IdleState::between(then, now).into_iter();
    let used = passed.map(|state| IdleUse {
        name: state.name,
        exit_latency_ns: state.exit_latency_ns,
        entries: state.entries,
        time_ns: state.time_ns,
    });
    used.collect()
}

/// How far the clock of the wall is ahead of the monotonic one, from the closest of some pairs of
/// readings: between the two of a pair the thread may have lost its processor.
fn wall_ahead_ns() -> i64 {
    const PAIRS: usize = 5;
    let mut clock = Clock::new();
    let pairs = (0..PAIRS).map(|_| {
        let before = clock.now();
        let wall_ns = fathom_engine::clock::utc_now_ns();
        let gap = clock.now().saturating_sub(before);
        (gap, wall_ns.wrapping_sub(before.0).cast_signed())
    });
    pairs.min().map_or(0, |(_, ahead_ns)| ahead_ns)
}

/// Says what of the generator is not known.
fn note_absent(ledger: &mut Ledger) {
    let health = ledger.generator.clone();
    let all = [
        (
            Evidence::RunQueue,
            health.run_queue_ns.is_some(),
            "the kernel provides no schedstat of threads",
        ),
        (
            Evidence::CpuQuota,
            health.throttled_ns.is_some(),
            "the control group has no readable CPU quota",
        ),
        (
            Evidence::Frequency,
            health.lowest_khz.is_some(),
            "the kernel does not report the CPU frequencies",
        ),
        (
            Evidence::IdleStates,
            !health.idle_states.is_empty(),
            "the kernel reports none",
        ),
    ];
    for (evidence, _, reason) in all.into_iter().filter(|(_, known, _)| !known) {
        ledger.lacks(evidence, reason);
    }
}

fn process_tally(then: &ProcessIo, now: &ProcessIo) -> CountedIo {
    CountedIo {
        read_bytes: now.read_bytes.saturating_sub(then.read_bytes),
        write_bytes: now.written_bytes.saturating_sub(then.written_bytes),
        ..CountedIo::default()
    }
}

fn group_tally(devices: &[DevNum], then: &[GroupIo], now: &[GroupIo]) -> CountedIo {
    let of = |all: &[GroupIo], value: fn(&GroupCounters) -> u64| {
        let ours = all.iter().filter(|one| devices.contains(&one.dev));
        ours.map(|one| value(&one.counters)).sum::<u64>()
    };
    let passed = |value: fn(&GroupCounters) -> u64| of(now, value).saturating_sub(of(then, value));
    CountedIo {
        read_bytes: passed(|one| one.read_bytes),
        write_bytes: passed(|one| one.written_bytes),
        reads: Some(passed(|one| one.reads)),
        writes: Some(passed(|one| one.writes)),
        ..CountedIo::default()
    }
}
