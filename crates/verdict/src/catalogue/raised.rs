//! For each code of a check a result that raises it: what the documentation shows as an example is
//! what the check says of that.

use crate::check::CHECKS;
use crate::probed::made_up;
use fathom_core::fixture::{self, JobPlan, Stream, series};
use fathom_core::interval::Part;
use fathom_core::result::{
    CacheUse, CpuShares, DeviceLimits, DeviceUse, EndReason, ErrorTally, Extents, Hiccups, IdleUse,
    Ledger, Link, MachineInterval, MicroProbe, Origin, Pause, PhaseResult, ProbeKind, ProcessorUse,
    RunResult, SlowRequest, SteadyReport, SteeredDepth, Tally, TargetDevice, TargetLayout,
    ThreadUse, TooSlow, Verified,
};
use fathom_core::spec::{Arrivals, Cursor, Fill, Floor, Job, Pacing, Steering};
use fathom_core::summary::Spread;
use fathom_core::{Bytes, Caveat, Nanos, Op, Percent, Rate};

type Change = fn(&mut RunResult);

/// What the check of `code` says of a result that `change` made doubtful.
fn said(code: &str, mut result: RunResult, change: Change) -> Vec<Caveat> {
    let check = CHECKS.iter().find(|check| check.codes.contains(&code));
    let check = check.unwrap_or_else(|| panic!("no check raises {code}"));
    change(&mut result);
    let mut found = crate::check::found(check, &result);
    found.retain(|caveat| caveat.code == code);
    assert!(!found.is_empty(), "the example of {code} raises nothing");
    found.truncate(1);
    found
}

/// An example of every code that a check raises, in the order of the table of checks.
pub(super) fn all() -> Vec<Caveat> {
    let mut found = Vec::new();
    for (code, change) in OF_READS {
        found.extend(said(code, fixture::random_read(), *change));
    }
    for (code, change) in OF_WRITES {
        found.extend(said(code, writes(), *change));
    }
    for (code, change) in OF_SCANS {
        found.extend(said(code, scan(), *change));
    }
    for (code, probes, change) in OF_PROBES {
        found.extend(said(code, made_up::run(probes()), *change));
    }
    let order = |caveat: &Caveat| {
        let mut codes = CHECKS.iter().flat_map(|check| check.codes);
        codes.position(|code| *code == caveat.code)
    };
    found.sort_by_key(order);
    found
}

fn writes() -> RunResult {
    let stream = Stream::random(Op::Write, 8192, series(5_000, 60));
    let jobs = vec![JobPlan::closed("log", 4, vec![stream])];
    fixture::run("log", &[("measure", jobs)])
}

fn scan() -> RunResult {
    let stream = Stream::sequential(Op::Read, 1 << 20, series(1_500, 60));
    let jobs = vec![JobPlan::closed("scan", 8, vec![stream])];
    fixture::run("scan", &[("measure", jobs)])
}

fn phase(result: &mut RunResult) -> &mut PhaseResult {
    &mut result.phases[0]
}

fn counters(result: &mut RunResult) -> &mut DeviceUse {
    &mut result.phases[0].devices[0]
}

fn spec(result: &mut RunResult) -> &mut Job {
    &mut result.provenance.workload.phases[0].jobs[0]
}

fn disk(result: &mut RunResult) -> &mut TargetDevice {
    &mut result.provenance.targets[0].devices[0]
}

fn limits(result: &mut RunResult, limits: DeviceLimits) {
    disk(result).limits = Some(Box::new(limits));
}

fn layout(result: &mut RunResult, layout: TargetLayout) {
    result.provenance.targets[0].layout = Some(Box::new(layout));
}

fn extents(result: &mut RunResult, extents: Extents) {
    let found = TargetLayout {
        span_bytes: 64 << 30,
        extents: Some(extents),
        ..TargetLayout::default()
    };
    layout(result, found);
}

fn account(result: &mut RunResult) -> &mut Ledger {
    phase(result).ledger.get_or_insert_default()
}

fn usage(result: &mut RunResult) -> &mut ThreadUse {
    let worker = &mut phase(result).jobs[0].workers[0];
    worker.usage.get_or_insert_default()
}

fn reads_of(result: &mut RunResult) -> &mut fathom_core::result::OpResult {
    let read = phase(result).jobs[0].read.as_mut();
    read.expect("it reads")
}

/// Direct reads of which the page cache kept so much, and the device moved such a share.
fn kept(result: &mut RunResult, end_bytes: u64, percent: u64) {
    let read_bytes = counters(result).read_bytes;
    let tally = |read_bytes| Tally {
        read_bytes,
        ..Tally::default()
    };
    *account(result) = Ledger {
        tool: tally(read_bytes),
        device: Some(tally(read_bytes / 100 * percent)),
        caches: vec![CacheUse {
            target: "/data/fathom.dat".to_owned(),
            end_bytes,
            ..CacheUse::default()
        }],
        ..Ledger::default()
    };
}

/// Of 60 s of random reads of 4 KiB, 32 at a time.
const OF_READS: &[(&str, Change)] = &[
    ("nothing_measured", |r| phase(r).jobs[0].completed = 0),
    ("null_engine", |r| r.provenance.engine.name = "null".into()),
    ("simulated", |r| r.provenance.engine.name = "sim".into()),
    ("imported", |r| {
        r.provenance.origin = Origin::Imported {
            tool: "fio-3.33".into(),
            format: "fio-json".into(),
            unknown: Vec::new(),
        };
    }),
    ("verify_failed", |r| {
        let (blocks, wrong) = (1_000_000, 3);
        phase(r).jobs[0].verified = Some(Verified {
            blocks,
            wrong,
            ..Verified::default()
        });
    }),
    ("io_errors", |r| {
        let job = &mut phase(r).jobs[0];
        job.failed = 12;
        job.errors = vec![ErrorTally {
            op: "read".into(),
            errno: 5,
            message: "Input/output error".into(),
            count: 12,
            target: "/data/fathom.dat".into(),
            first_offsets: vec![4096],
        }];
    }),
    ("interrupted", |r| {
        phase(r).ended_by = EndReason::Interrupted;
        phase(r).measured_ns = 12_300_000_000;
    }),
    ("memory_target", |r| {
        r.provenance.targets[0].file_system = "tmpfs".into();
    }),
    ("remote_owner", |r| {
        r.provenance.targets[0].file_system = "nfs4".into();
    }),
    ("cache_reads", |r| {
        counters(r).read_bytes = counters(r).read_bytes / 100 * 87;
        spec(r).durability.direct = false;
    }),
    ("loop_cached", |r| {
        let read_bytes = counters(r).read_bytes / 10;
        account(r).backing = Some(Tally {
            read_bytes,
            ..Tally::default()
        });
    }),
    ("neighbour", |r| {
        let read_bytes = counters(r).read_bytes;
        account(r).process = Some(Tally {
            read_bytes,
            ..Tally::default()
        });
        counters(r).write_bytes = read_bytes / 100 * 23;
    }),
    ("readahead", |r| {
        spec(r).durability.direct = false;
        counters(r).read_bytes *= 4;
        let read_bytes = counters(r).read_bytes;
        account(r).process = Some(Tally {
            read_bytes,
            ..Tally::default()
        });
    }),
    ("busy_before", |r| {
        let idle_iops = Some(5_200.0);
        limits(
            r,
            DeviceLimits {
                idle_iops,
                ..DeviceLimits::default()
            },
        );
    }),
    ("direct_unsupported", |r| {
        let direct_align_bytes = Some(0);
        layout(
            r,
            TargetLayout {
                direct_align_bytes,
                ..TargetLayout::default()
            },
        );
    }),
    ("direct_fallback", |r| kept(r, 63 * Bytes::GIB.0, 2)),
    ("direct_leak", |r| kept(r, 3 * Bytes::GIB.0, 100)),
    ("delayed_extents", |r| {
        let delayed_bytes = Bytes::GIB.0;
        extents(
            r,
            Extents {
                delayed_bytes,
                ..Extents::default()
            },
        );
    }),
    ("encoded_extents", |r| {
        let encoded_bytes = 60 * Bytes::GIB.0;
        extents(
            r,
            Extents {
                encoded_bytes,
                ..Extents::default()
            },
        );
    }),
    ("never_written", |r| {
        let (blocks_sampled, blocks_zero) = (Some(64), Some(61));
        r.provenance.targets[0].kind = "block device".into();
        layout(
            r,
            TargetLayout {
                blocks_sampled,
                blocks_zero,
                ..TargetLayout::default()
            },
        );
    }),
    ("faster_than_link", |r| {
        link(r, 8.0, 4);
        reads_of(r).bytes_per_second = 44.67e9;
    }),
    ("link_degraded", |r| link(r, 8.0, 2)),
    ("too_fast", |r| {
        let percentiles = &mut reads_of(r).service_ns.percentiles;
        percentiles.insert("50".into(), 2_100);
    }),
    ("thermal", |r| {
        let (begin, end) = (41_000, 68_000);
        limits(
            r,
            DeviceLimits {
                begin_millidegrees: Some(begin),
                end_millidegrees: Some(end),
                ..DeviceLimits::default()
            },
        );
        for interval in &mut phase(r).intervals[30..] {
            let read = interval.jobs[0].read.as_mut().expect("it reads");
            read.ios = read.ios / 10 * 8;
        }
    }),
    ("background", |r| {
        let background = Some("resync".into());
        limits(
            r,
            DeviceLimits {
                background,
                ..DeviceLimits::default()
            },
        );
    }),
    ("discards", |r| {
        counters(r).discards = counters(r).reads / 10;
    }),
    ("io_limited", |r| {
        r.provenance.io_limits = vec!["io.max vda riops=100000".into()];
    }),
    ("memory_limited", |r| {
        r.provenance.host.memory_limit_bytes = Some(2 << 30);
        spec(r).durability.direct = false;
    }),
    ("merged", |r| {
        let merged = counters(r).reads / 100 * 31;
        counters(r).reads_merged = merged;
        counters(r).reads -= merged;
    }),
    ("no_device", |r| phase(r).devices.clear()),
    ("accounting", |r| phase(r).jobs[0].queue_depth_held = 33.0),
    ("generator_bound", |r| {
        phase(r).jobs[0].queue_depth_held = 22.5;
    }),
    ("submission_gaps", |r| {
        phase(r).jobs[0].queue_depth_held = 29.8;
    }),
    ("near_ceiling", |r| {
        account(r).generator.ceiling_iops = Some(78_000.0);
    }),
    ("queue_depth_limited", |r| {
        r.provenance.engine.name = "psync".into();
        phase(r).jobs[0].queue_depth_possible = 1;
    }),
    ("generation_time", |r| {
        let read = phase(r).jobs[0].read.as_mut().expect("the job reads");
        read.generation_ns = Some(Spread {
            count: read.ios,
            mean: read.service_ns.mean * 0.12,
            ..Spread::default()
        });
    }),
    ("generator_cpu", |r| {
        phase(r).process.system_ns = phase(r).measured_ns / 100 * 92;
        phase(r).process.user_ns = phase(r).measured_ns / 100 * 5;
    }),
    ("io_workers", |r| {
        let process = &mut phase(r).process;
        process.kernel_workers = 12;
        process.kernel_worker_ns = process.system_ns / 2;
    }),
    ("no_polling", |r| {
        let polls = Some(false);
        limits(
            r,
            DeviceLimits {
                polls,
                ..DeviceLimits::default()
            },
        );
        let flag = "completion_polling".to_owned();
        r.provenance.engine.flags.push(flag);
    }),
    ("steal", |r| phase(r).process.steal_percent = 7.4),
    ("steal_stalls", stolen),
    ("generator_starved", |r| {
        account(r).generator.run_queue_ns = Some(phase_ns(r) / 100 * 9);
    }),
    ("cpu_quota", |r| {
        account(r).generator.throttled_ns = Some(phase_ns(r) / 100 * 4);
    }),
    ("cpu_freq", |r| {
        account(r).generator.lowest_khz = Some(1_200_000);
        account(r).generator.highest_khz = Some(3_400_000);
    }),
    ("generator_paused", |r| {
        account(r).generator.pauses = vec![Pause {
            start_ns: 7_100_000_000,
            length_ns: 804_000_000,
        }];
    }),
    ("tail_contaminated", |r| {
        account(r).generator.hiccups = Some(Hiccups {
            count: 15_000,
            p25_ns: 40_000,
            p999_ns: 1_240_000,
            max_ns: 4_800_000,
        });
    }),
    ("wakeup_latency", |r| {
        let requests = phase(r).jobs[0].completed;
        account(r).generator.idle_states = vec![IdleUse {
            name: "C6".into(),
            exit_latency_ns: 133_000,
            entries: requests,
            time_ns: 40_000_000_000,
        }];
    }),
    ("context_switches", |r| {
        let issued = phase(r).jobs[0].workers[0].issued;
        usage(r).switches = issued * 3;
    }),
    ("major_faults", |r| usage(r).major_faults = 12),
    ("numa_remote", |r| {
        usage(r).processors = vec![0, 1];
        let processors = (0..4).map(|number| ProcessorUse {
            number,
            node: number / 2,
            ..ProcessorUse::default()
        });
        phase(r).process.processors = processors.collect();
        let node = Some(1);
        limits(
            r,
            DeviceLimits {
                node,
                ..DeviceLimits::default()
            },
        );
    }),
    ("above_device", |r| counters(r).queue_ns /= 2),
    ("overloaded", |r| {
        phase(r).jobs[0].due = Some(50_000 * 60);
        phase(r).jobs[0].completed = 41_230 * 60;
    }),
    ("rate_missed", |r| {
        phase(r).jobs[0].offered_iops = Some(70_000.0);
        spec(r).pacing = Pacing::Open {
            rate: Rate::Iops(70_000.0),
            arrivals: Arrivals::Poisson,
        };
    }),
    ("not_steady", |r| {
        phase(r).steady = Some(SteadyReport {
            reached: false,
            rounds: vec![67_000.0; 25],
            range_percent: 31.4,
            excursion_percent: 12.2,
        });
    }),
    ("no_depth", |r| {
        spec(r).pacing = Pacing::Steered(Steering {
            within: Nanos::from_micros(300),
            share: Percent(99.0),
            window: Nanos::from_secs(1),
            follow: false,
        });
        phase(r).ended_by = EndReason::NoDepth;
        phase(r).jobs[0].steered = Some(SteeredDepth {
            found: false,
            depths: vec![1],
            windows: 2,
            within_percent: 12.5,
        });
    }),
    ("too_slow", |r| {
        spec(r).stop.floor = Some(Floor {
            ios: Some(70_000),
            bytes: None,
            over: Nanos::from_secs(1),
        });
        phase(r).jobs[0].too_slow = Some(TooSlow {
            op: "read".into(),
            start_ns: 4_000_000_000,
            length_ns: 1_000_000_000,
            iops: 66_702.0,
            bytes_per_second: 273_211_392.0,
        });
    }),
    ("trend", |r| {
        for (second, interval) in (0..).zip(&mut phase(r).intervals) {
            let read = interval.jobs[0].read.as_mut().expect("it reads");
            read.ios -= second * 250;
        }
    }),
    ("short_run", |r| {
        phase(r).intervals.truncate(4);
        phase(r).measured_ns = 4_000_000_000;
    }),
    ("few_events", |r| {
        let stalls = (0..40).map(|index| SlowRequest {
            issued_ns: 12_000_000_000 + index % 3 * 9_250_000_000,
            service_ns: 250_000_000 - index * 1_000,
            ..SlowRequest::default()
        });
        reads_of(r).slowest = stalls.collect();
        // One that was no longer beyond the percentile.
        reads_of(r).slowest.push(SlowRequest::default());
    }),
    ("burst_possible", |r| {
        r.provenance.host.machine = "Amazon EC2 m5.large".into();
    }),
    ("small_file", |r| {
        r.provenance.targets[0].size_bytes = Bytes::GIB.0;
    }),
    ("short_transfers", |r| reads_of(r).short = 3),
    ("engine_fallback", |r| {
        r.provenance.engine.name = "libaio".into();
        r.provenance.engine.reason =
            "libaio, because io_uring is disabled by kernel.io_uring_disabled=2".into();
    }),
    ("slow_clock", |r| {
        r.provenance.engine.clock = "clock_monotonic".into();
        r.provenance.engine.clock_cost_ns = 800.0;
    }),
    ("coarse_clock", |r| {
        r.provenance.engine.clock = "clock_monotonic".into();
        r.provenance.engine.clock_grain_ns = Some(4_000_000);
    }),
    ("long_intervals", |r| {
        phase(r).jobs[0].workers[0].long_intervals = 2;
    }),
    ("clock_step", |r| {
        account(r).generator.clock_step_ns = Some(-1_250_000_000);
    }),
];

/// Of 60 s of random writes of 8 KiB, 4 at a time.
const OF_WRITES: &[(&str, Change)] = &[
    ("partition_start", |r| {
        let limits_of = DeviceLimits {
            physical_block_bytes: Some(4096),
            start_bytes: Some(32_256),
            ..DeviceLimits::default()
        };
        limits(r, limits_of);
    }),
    ("below_block", |r| {
        let limits_of = DeviceLimits {
            physical_block_bytes: Some(16_384),
            ..DeviceLimits::default()
        };
        limits(r, limits_of);
    }),
    ("writes_deferred", |r| {
        spec(r).durability.direct = false;
        counters(r).write_bytes = counters(r).write_bytes / 100 * 29;
    }),
    ("write_amplified", |r| {
        spec(r).durability.write_through = true;
        counters(r).write_bytes = counters(r).write_bytes / 100 * 132;
    }),
    ("flush_missing", |r| {
        let (writes, write_bytes) = (counters(r).writes, counters(r).write_bytes);
        let side = |flushes| Tally {
            write_bytes,
            writes: Some(writes),
            flushes: Some(flushes),
            ..Tally::default()
        };
        *account(r) = Ledger {
            tool: side(5_000),
            device: Some(side(0)),
            ..Ledger::default()
        };
    }),
    ("shared_extents", |r| {
        let shared_bytes = 64 * Bytes::GIB.0;
        extents(
            r,
            Extents {
                shared_bytes,
                ..Extents::default()
            },
        );
    }),
    ("zero_data", |r| spec(r).data.fill = Fill::Zero),
];

/// Of 60 s of sequential reads of 1 MiB, 8 at a time.
const OF_SCANS: &[(&str, Change)] = &[
    ("fragmented", |r| {
        let count = 812_345;
        extents(
            r,
            Extents {
                count,
                ..Extents::default()
            },
        );
    }),
    ("split", |r| counters(r).reads *= 4),
    ("overlapping_streams", |r| {
        phase(r).jobs[0].threads = 4;
        spec(r).access.cursor = Cursor::Own {
            stride: Some(Bytes(0)),
        };
    }),
];

/// Micro-probes, and what is changed in the run beside them.
type Probed = (&'static str, fn() -> Vec<MicroProbe>, Change);

/// Of a run with micro-probes.
const OF_PROBES: &[Probed] = &[
    (
        "writeback_ack",
        || times(&[(ProbeKind::Read, 104_000), (ProbeKind::Write, 21_000)]),
        |_| (),
    ),
    ("flush_free", || flushed(21_000, 2_400), |_| ()),
    ("flush_real", || flushed(21_000, 890_000), |_| ()),
    (
        "cache_persists",
        || flushed(51_000, 62_000),
        |r| disk(r).rotational = true,
    ),
    (
        "dsync_cheaper",
        || {
            let mut probes = flushed(21_000, 890_000);
            probes.extend(times(&[(ProbeKind::WriteDurable, 140_000)]));
            probes
        },
        |_| (),
    ),
    ("compresses", || rates(6.1e8, 2.0e8), |_| ()),
    ("dedupes", || rates(6.1e8, 5.8e8), |_| ()),
    (
        "rmw",
        || times(&[(ProbeKind::Write, 104_000), (ProbeKind::Shifted, 251_000)]),
        |_| (),
    ),
];

fn times(medians: &[(ProbeKind, u64)]) -> Vec<MicroProbe> {
    let medians = medians.iter();
    medians
        .map(|(kind, median)| made_up::with_median(*kind, *median))
        .collect()
}

/// Writes with and without flushes.
fn flushed(write_ns: u64, flush_ns: u64) -> Vec<MicroProbe> {
    let mut probes = times(&[(ProbeKind::Write, write_ns)]);
    probes.push(made_up::with_flush(write_ns, flush_ns));
    probes
}

/// Random data at 200 MB/s, zeros and repeats at these rates.
fn rates(zeros: f64, repeated: f64) -> Vec<MicroProbe> {
    let kinds = [
        (ProbeKind::DataRandom, 2.0e8),
        (ProbeKind::DataZeros, zeros),
        (ProbeKind::DataRepeated, repeated),
    ];
    let kinds = kinds.into_iter();
    kinds
        .map(|(kind, rate)| made_up::with_rates(kind, |_| rate))
        .collect()
}

fn phase_ns(result: &mut RunResult) -> u64 {
    phase(result).measured_ns
}

/// An NVMe disk on a link of so many transfers and lanes that could have four.
fn link(result: &mut RunResult, gigatransfers: f64, lanes: u32) {
    let link = Link {
        gigatransfers,
        lanes,
        most_gigatransfers: gigatransfers,
        most_lanes: 4,
    };
    let link = Some(link);
    limits(
        result,
        DeviceLimits {
            link,
            ..DeviceLimits::default()
        },
    );
}

/// Ten intervals that took the longer the more the hypervisor kept.
fn stolen(result: &mut RunResult) {
    let stolen = [0.0, 3.0, 0.0, 5.0, 0.0, 1.0, 2.0, 0.0, 4.0, 0.0];
    let phase = phase(result);
    phase.intervals.retain(|one| one.part == Part::Measure);
    phase.intervals.truncate(stolen.len());
    for (interval, percent) in phase.intervals.iter_mut().zip(stolen) {
        let read = interval.jobs[0].read.as_mut().expect("it reads");
        read.service_ns.count = read.ios;
        read.service_ns.mean = 1e5 + percent * 1e4;
        let cpu = CpuShares {
            steal_percent: percent,
            ..CpuShares::default()
        };
        phase.machine.push(MachineInterval {
            start_ns: interval.start_ns,
            length_ns: interval.length_ns,
            cpu: Some(cpu),
            ..MachineInterval::default()
        });
    }
}
