//! Evidence that the simulator does not have, made of stated distributions: what a clean machine
//! shows, and what is planted, each with its seed.
//!
//! The rates that come of it are those of the check under these distributions. Whether machines
//! have them is an assumption, and `docs/calibration.md` says so.

use crate::bench::Dice;
use fathom_core::fixture::{self, JobPlan, Stream, series};
use fathom_core::interval::Part;
use fathom_core::result::{
    CacheUse, CountedIo, CpuShares, DeviceLimits, Extents, Hiccups, IdleUse, JobResult,
    LateRequests, Ledger, LoadModel, MachineInterval, OpResult, Pause, PhaseResult, ReplayLag,
    Replayed, RunResult, TargetLayout,
};
use fathom_core::spec::{Arrivals, Pacing};
use fathom_core::summary::LatencySummary;
use fathom_core::{Level, Op, Rate};
use fathom_verdict::Code;

/// How the evidence of a clean run is drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Clean {
    /// A size with this median and this standard deviation of its logarithm.
    LogNormal(f64, f64),
    /// Nothing of it: the source is a counter or a mark that stays at zero on a clean machine.
    None,
}

/// One kind of evidence.
pub(crate) struct Made {
    pub(crate) code: Code,
    /// What a size is.
    pub(crate) size: &'static str,
    pub(crate) clean: Clean,
    /// Sizes that are planted. A draw varies each by 10 %.
    pub(crate) planted: &'static [f64],
    base: fn() -> RunResult,
    set: fn(&mut RunResult, f64, &mut Dice),
}

impl Made {
    /// Whether the check fires above a note in a clean run.
    pub(crate) fn is_false_alarm(&self, seed: u64) -> bool {
        let mut dice = Dice::new(seed ^ 0x3ade);
        let size = match self.clean {
            Clean::LogNormal(median, sigma) => median * (sigma * dice.normal()).exp(),
            Clean::None => 0.0,
        };
        self.fires(size, &mut dice)
    }

    /// Whether it does not where something of this size is planted.
    pub(crate) fn is_missed(&self, size: f64, seed: u64) -> bool {
        let mut dice = Dice::new(seed ^ 0x91a7);
        let size = size * (0.1 * dice.normal()).exp();
        !self.fires(size, &mut dice)
    }

    fn fires(&self, size: f64, dice: &mut Dice) -> bool {
        let mut result = (self.base)();
        (self.set)(&mut result, size, dice);
        fathom_verdict::judge(&mut result);
        let mut caveats = result.caveats.iter();
        caveats.any(|one| self.code.is(one) && one.level > Level::Note)
    }

    /// The distribution of a clean run, in words.
    pub(crate) fn clean_words(&self) -> String {
        match self.clean {
            Clean::LogNormal(median, sigma) => format!("median {median}, σ {sigma}"),
            Clean::None => "none".to_owned(),
        }
    }
}

/// A row: code, what a size is, clean, planted, base, evidence.
macro_rules! made {
    ($($code:ident, $size:literal, $clean:expr, $planted:expr, $base:expr, $set:expr;)*) => {
        &[$(Made {
            code: Code::$code,
            size: $size,
            clean: $clean,
            planted: &$planted,
            base: $base,
            set: $set,
        }),*]
    };
}

use Clean::{LogNormal, None as Nothing};

#[rustfmt::skip]
pub(crate) const MADE: &[Made] = made! {
    GeneratorStarved, "share of the time that a thread waited for a processor",
        LogNormal(0.002, 1.0), [0.04, 0.07, 0.2], reads,
        |r, share, _| health(r).run_queue_ns = Some(of_time(r, share));
    GeneratorPaused, "length of one pause, s",
        LogNormal(0.015, 0.5), [0.08, 0.15, 0.8], reads,
        |r, s, _| {
            let length_ns = (s * 1e9) as u64;
            health(r).pauses = vec![Pause { start_ns: 7_100_000_000, length_ns }];
        };
    GeneratorLate, "lateness in p99.9, ms",
        LogNormal(0.1, 0.6), [0.7, 1.5, 10.0], reads,
        |r, ms, _| {
            let job = &mut phase(r).jobs[0];
            (job.load_model, job.queued) = (LoadModel::Open, Some(0));
            let read = job.ops[Op::Read].as_mut().expect("it reads");
            let late = read.service_ns.percentile("99.9").unwrap_or_default() + (ms * 1e6) as u64;
            read.response_ns.percentiles.insert("99.9".to_owned(), late);
        };
    Steal, "share of the processors that the hypervisor took",
        LogNormal(0.002, 1.0), [0.04, 0.07, 0.2], reads,
        |r, share, _| phase(r).process.steal_percent = share * 100.0;
    StealStalls, "slope of the latency over the stolen share, standard deviations of the noise",
        Nothing, [1.0, 2.0, 4.0], reads, stolen;
    CpuQuota, "share of the time that the quota held the group back",
        Nothing, [0.004, 0.01, 0.1], reads,
        |r, share, _| health(r).throttled_ns = Some(of_time(r, share));
    CpuFreq, "share by which the lowest mean frequency was below the highest",
        LogNormal(0.03, 0.6), [0.2, 0.35, 0.5], reads,
        |r, share, _| {
            health(r).highest_khz = Some(3_400_000);
            health(r).lowest_khz = Some((3.4e6 * (1.0 - share).max(0.0)) as u64);
        };
    GeneratorCpu, "processor time of each thread, share of the time",
        LogNormal(0.3, 0.3), [0.75, 0.95], reads,
        |r, share, _| {
            phase(r).process.user_ns = 0;
            phase(r).process.system_ns = of_time(r, share.min(1.0));
        };
    IoWorkers, "share of the processor time that workers of the kernel used",
        Nothing, [0.04, 0.07, 0.3], reads,
        |r, share, _| {
            let process = &mut phase(r).process;
            let all = process.user_ns + process.system_ns;
            process.kernel_workers = u32::from(share > 0.0) * 12;
            process.kernel_worker_ns = (all as f64 * share) as u64;
        };
    NearCeiling, "rate over the ceiling of the generator",
        LogNormal(0.1, 0.5), [0.6, 0.9], reads,
        |r, share, _| health(r).ceiling_iops = Some(reads_of(r).iops / share);
    GeneratorBound, "share of the slots that were idle",
        LogNormal(0.003, 0.7), [0.08, 0.12, 0.3], reads, idle_slots;
    SubmissionGaps, "share of the slots that were idle",
        LogNormal(0.003, 0.7), [0.03, 0.06, 0.08], reads, idle_slots;
    Accounting, "requests outstanding above the slots, share",
        LogNormal(0.0005, 0.7), [0.004, 0.01, 0.03], reads,
        |r, share, _| {
            let slots = job(r).queue_depth_possible as f64;
            job(r).queue_depth_held = slots * (1.0 + share);
        };
    TailContaminated, "lateness of a thread that sleeps over the p99.9, share",
        LogNormal(0.02, 0.5), [0.5, 2.0], reads,
        |r, share, _| {
            let tail = reads_of(r).service_ns.percentile("99.9").unwrap_or(0) as f64;
            let p999_ns = (tail * share) as u64;
            let times = Hiccups { count: 15_000, p25_ns: 4_000, p999_ns, max_ns: p999_ns * 3 };
            health(r).hiccups = Some(times);
        };
    WakeupLatency, "time to leave the idle state over the median service time, share",
        LogNormal(0.01, 0.5), [0.2, 0.5, 1.0], reads,
        |r, share, _| {
            let entries = job(r).completed;
            let middle = reads_of(r).service_ns.percentile("50").unwrap_or(0) as f64;
            health(r).idle_states = vec![IdleUse {
                name: "C6".to_owned(),
                exit_latency_ns: (middle * share) as u64,
                entries,
                time_ns: 40_000_000_000,
            }];
        };
    Discards, "discards over the requests, share",
        Nothing, [0.02, 0.06, 0.2], reads,
        |r, share, _| {
            let device = &mut phase(r).devices[0];
            device.discards = (device.reads as f64 * share) as u64;
        };
    Merged, "requests that were merged, share",
        LogNormal(0.002, 1.0), [0.04, 0.07, 0.3], reads,
        |r, share, _| {
            let device = &mut phase(r).devices[0];
            device.reads_merged = (device.reads as f64 * share.min(1.0)) as u64;
            device.reads -= device.reads_merged;
        };
    LoopCached, "share of the bytes that the disk below a loop device did not read",
        LogNormal(0.005, 0.7), [0.04, 0.07, 0.5], reads,
        |r, share, _| {
            let moved = (1.0 - share).max(0.0);
            let read_bytes = (phase(r).devices[0].read_bytes as f64 * moved) as u64;
            account(r).backing = Some(CountedIo { read_bytes, ..CountedIo::default() });
        };
    Readahead, "bytes that the device read beyond ours, share",
        LogNormal(0.002, 0.7), [0.04, 0.07, 3.0], reads,
        |r, share, _| {
            r.provenance.workload.phases[0].jobs[0].durability.direct = false;
            let device = &mut phase(r).devices[0];
            device.read_bytes = (device.read_bytes as f64 * (1.0 + share)) as u64;
            let read_bytes = device.read_bytes;
            account(r).process = Some(CountedIo { read_bytes, ..CountedIo::default() });
        };
    BusyBefore, "requests of others before the run over ours, share",
        LogNormal(0.001, 1.0), [0.008, 0.02, 0.1], reads,
        |r, share, _| {
            let idle_iops = Some(reads_of(r).iops * share);
            limits(r, DeviceLimits { idle_iops, ..DeviceLimits::default() });
        };
    DirectLeak, "bytes of direct reads that the page cache kept, share",
        Nothing, [0.005, 0.02, 0.05], reads, |r, share, _| kept(r, share, 1.0);
    DirectFallback, "bytes of direct reads that the page cache and not the device has, share",
        Nothing, [0.04, 0.2, 0.9], reads, |r, share, _| kept(r, share, 1.0 - share.min(1.0));
    DelayedExtents, "bytes that have no place on the device yet, share",
        Nothing, [0.0005, 0.002, 0.1], reads,
        |r, share, _| extents(r, share, |found, bytes| found.delayed_bytes = bytes);
    EncodedExtents, "bytes that are compressed or encrypted, share",
        Nothing, [0.0005, 0.002, 0.1], reads,
        |r, share, _| extents(r, share, |found, bytes| found.encoded_bytes = bytes);
    SharedExtents, "bytes that another file shares, share",
        Nothing, [0.0005, 0.002, 0.1], writes,
        |r, share, _| extents(r, share, |found, bytes| found.shared_bytes = bytes);
    NeverWritten, "zero blocks of the device, share; 64 are drawn",
        LogNormal(0.5, 0.2), [0.85, 0.95, 0.99], reads,
        |r, share, dice| {
            let share = share.min(1.0);
            let zero = (0..64).filter(|_| dice.share() < share).count() as u64;
            "block device".clone_into(&mut r.provenance.targets[0].kind);
            r.provenance.targets[0].layout = Some(Box::new(TargetLayout {
                blocks_sampled: Some(64),
                blocks_zero: Some(zero as u32),
                ..TargetLayout::default()
            }));
        };
    TooFast, "median service time of flash, µs",
        LogNormal(80.0, 0.4), [4.0, 2.0], reads,
        |r, us, _| {
            let times = &mut reads_of(r).service_ns.percentiles;
            times.insert("50".to_owned(), (us * 1e3) as u64);
        };
    StorageHangs, "age of a request that came back after the end, s; others took 20 ms at most",
        LogNormal(0.02, 1.0), [0.8, 1.5, 8.0], reads,
        |r, s, _| reads_of(r).late = Some(LateRequests {
            returned: 1,
            returned_longest_ns: (s * 1e9) as u64,
            completed_longest_ns: 20_000_000,
            ..LateRequests::default()
        });
    Overloaded, "arrivals that were not served, share",
        LogNormal(0.0005, 1.0), [0.008, 0.02, 0.2], reads,
        |r, share, _| {
            let completed = job(r).completed;
            job(r).due = Some((completed as f64 * (1.0 + share)) as u64);
        };
    ReplayLate, "requests of a replay that were issued more than 1 ms late, share",
        LogNormal(0.0005, 1.0), [0.008, 0.02, 0.2], reads,
        |r, share, _| {
            let count = job(r).completed;
            let time_ns = LatencySummary { count, ..LatencySummary::default() };
            let late = (count as f64 * share) as u64;
            let lag = Some(ReplayLag { time_ns, late, late_queued: 0 });
            job(r).replay = Some(Box::new(Replayed { lag, ..Replayed::default() }));
        };
    RateMissed, "rate below that of the load, share",
        LogNormal(0.0002, 1.0), [0.005, 0.02, 0.1], reads,
        |r, share, _| {
            let offered = reads_of(r).iops / (1.0 - share.min(0.9));
            job(r).offered_iops = Some(offered);
            let rate = Rate::Iops(offered);
            let pacing = Pacing::Open { rate, arrivals: Arrivals::Constant };
            r.provenance.workload.phases[0].jobs[0].pacing = pacing;
        };
    SlowClock, "two readings of the clock over the mean service time, share",
        LogNormal(0.001, 0.7), [0.04, 0.07, 0.3], reads,
        |r, share, _| {
            "clock_monotonic".clone_into(&mut r.provenance.engine.clock);
            r.provenance.engine.clock_cost_ns = reads_of(r).service_ns.mean * share / 2.0;
        };
    CoarseClock, "step of the clock, µs",
        LogNormal(0.05, 0.7), [4.0, 100.0, 4_000.0], reads,
        |r, us, _| {
            "clock_monotonic".clone_into(&mut r.provenance.engine.clock);
            r.provenance.engine.clock_grain_ns = Some((us * 1e3) as u64);
        };
    LongIntervals, "intervals that were too long, share",
        Nothing, [0.008, 0.03, 0.1], reads,
        |r, share, _| {
            let count = phase(r).intervals.len() as f64;
            job(r).workers[0].long_intervals = (count * share).round() as u64;
        };
};

/// Codes that neither a simulated run nor made evidence calibrates, and why.
pub(crate) const WITHOUT: [(Code, &str); 15] = [
    (Code::WritebackAck, PROBES),
    (Code::FlushFree, PROBES),
    (Code::Compresses, PROBES),
    (Code::Dedupes, PROBES),
    (Code::Rmw, PROBES),
    (Code::FasterThanLink, LIMIT),
    (Code::FasterThanNetwork, LIMIT),
    (Code::NetworkFull, LIMIT),
    (Code::Thermal, DRIVES),
    (Code::QueueDepthLimited, EXACT),
    (Code::ZeroData, EXACT),
    (Code::SmallFile, EXACT),
    (Code::FileShrunk, EXACT),
    (Code::StartSkew, HOSTS),
    (Code::MembersStraggle, HOSTS),
];

const PROBES: &str = "it rests on micro-probes of drives, whose distribution nobody here knows";
const LIMIT: &str = "it compares a rate with a physical limit; a false alarm needs a wrong counter";
const DRIVES: &str = "no series of warm drives is at hand";
const EXACT: &str = "it rests on a configuration or on a size, which has no sampling error";
const HOSTS: &str = "it is decided while hosts are merged; no series of real hosts is at hand";

fn reads() -> RunResult {
    fixture::random_read()
}

fn writes() -> RunResult {
    let stream = Stream::random(Op::Write, 8192, series(5_000, 60));
    let jobs = vec![JobPlan::closed("log", 4, vec![stream])];
    fixture::run("log", &[("measure", jobs)])
}

fn phase(result: &mut RunResult) -> &mut PhaseResult {
    &mut result.phases[0]
}

fn job(result: &mut RunResult) -> &mut JobResult {
    &mut phase(result).jobs[0]
}

fn reads_of(result: &mut RunResult) -> &mut OpResult {
    job(result).ops[Op::Read].as_mut().expect("it reads")
}

fn account(result: &mut RunResult) -> &mut Ledger {
    phase(result).ledger.get_or_insert_default()
}

fn health(result: &mut RunResult) -> &mut fathom_core::result::GeneratorHealth {
    &mut account(result).generator
}

fn of_time(result: &RunResult, share: f64) -> u64 {
    (result.phases[0].measured_ns as f64 * share) as u64
}

fn limits(result: &mut RunResult, limits: DeviceLimits) {
    result.provenance.targets[0].devices[0].limits = Some(Box::new(limits));
}

fn idle_slots(result: &mut RunResult, share: f64, _: &mut Dice) {
    let job = job(result);
    let held = job.queue_depth_possible as f64 * (1.0 - share);
    job.queue_depth_held = held;
    let active_ns = job.active_ns as f64;
    let times = &mut reads_of(result).service_ns;
    times.mean = held * active_ns / times.count.max(1) as f64;
}

/// Latency that rises with the stolen share, by a number of standard deviations of its noise.
fn stolen(result: &mut RunResult, slope: f64, dice: &mut Dice) {
    let phase = phase(result);
    phase.intervals.retain(|one| one.part == Part::Measure);
    for interval in &mut phase.intervals {
        let percent = dice.between(0.2, 5.0);
        let read = interval.jobs[0].ops[Op::Read].as_mut().expect("it reads");
        read.service_ns.count = read.ios;
        // The share has a deviation of 1.4 percentage points.
        read.service_ns.mean = 1e5 + 5e3 * (slope * percent / 1.4 + dice.normal());
        phase.machine.push(MachineInterval {
            start_ns: interval.start_ns,
            length_ns: interval.length_ns,
            cpu: Some(CpuShares {
                steal_percent: percent,
                ..CpuShares::default()
            }),
            ..MachineInterval::default()
        });
    }
}

/// Direct reads of which the page cache kept a share, and the device moved one.
fn kept(result: &mut RunResult, share: f64, moved: f64) {
    let read_bytes = phase(result).devices[0].read_bytes;
    let tally = |read_bytes| CountedIo {
        read_bytes,
        ..CountedIo::default()
    };
    let size = result.provenance.targets[0].size_bytes as f64;
    *account(result) = Ledger {
        tool: tally(read_bytes),
        device: Some(tally((read_bytes as f64 * moved) as u64)),
        caches: vec![CacheUse {
            target: result.provenance.targets[0].path.clone(),
            end_bytes: (size * share.min(1.0)) as u64,
            ..CacheUse::default()
        }],
        ..Ledger::default()
    };
}

fn extents(result: &mut RunResult, share: f64, set: fn(&mut Extents, u64)) {
    let span_bytes = 64_u64 << 30;
    let mut found = Extents::default();
    set(&mut found, (span_bytes as f64 * share) as u64);
    result.provenance.targets[0].layout = Some(Box::new(TargetLayout {
        span_bytes,
        extents: Some(found),
        ..TargetLayout::default()
    }));
}
