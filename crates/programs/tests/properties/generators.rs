//! Workloads of all kinds that obey the rules.

use fathom_core::EngineKind;
use fathom_core::op::Op;
use fathom_core::spec::{
    Access, Arrivals, Compat, Cursor, CursorScope, Data, Distribution, Durability, FilePlaces,
    Files, Fill, HotRange, IoClass, IoKind, Job, JobStop, Pacing, Phase, QueueScope, RateCurve,
    ReadAhead, Steady, SteadyMetric, SyncEvery, TargetOrder, Verify, Walk, Workload,
};
use fathom_core::units::{Bytes, Nanos, Percent, Rate};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

fn sectors(range: std::ops::Range<u64>) -> impl Strategy<Value = Bytes> {
    range.prop_map(|sectors| Bytes(sectors * 512))
}

fn share() -> impl Strategy<Value = Percent> {
    prop_oneof![
        Just(0.0),
        Just(100.0),
        (0_u8..=100).prop_map(f64::from),
        0.0..=100.0
    ]
    .prop_map(Percent)
}

fn time() -> impl Strategy<Value = Nanos> {
    prop_oneof![
        (1_u64..1 << 40),
        (1_u64..3600).prop_map(|s| s * 1_000_000_000)
    ]
    .prop_map(Nanos)
}

fn kind() -> impl Strategy<Value = IoKind> {
    let op = select(vec![Op::Read, Op::Write, Op::Trim]);
    let weight = prop_oneof![(1_u32..1000).prop_map(f64::from), 1e-9..1e9];
    (op, sectors(1..4096), share(), sectors(1..64), weight).prop_map(
        |(op, block_size, random, align, weight)| IoKind {
            op,
            block_size,
            random,
            align,
            weight,
        },
    )
}

fn access() -> impl Strategy<Value = Access> {
    let distribution = prop_oneof![
        3 => Just(Distribution::Uniform),
        1 => (0.01..10.0).prop_map(|theta| Distribution::Zipf { theta }),
        1 => (0.01..0.99).prop_map(|h| Distribution::Pareto { h }),
        1 => (0.1..100.0).prop_map(|p| Distribution::Normal { deviation: Percent(p) }),
        1 => proptest::collection::vec((0.0..30.0, 1.0..30.0), 1..4).prop_map(|ranges| {
            let range = |(ios, of)| HotRange { ios: Percent(ios), of: Percent(of) };
            Distribution::Hot { ranges: ranges.into_iter().map(range).collect() }
        }),
    ];
    let cursor = prop_oneof![
        Just(Cursor::Shared),
        option::of(sectors(0..1 << 20)).prop_map(|stride| Cursor::Own { stride })
    ];
    let scope = select(vec![CursorScope::PerOp, CursorScope::Shared]);
    let stride = option::of(sectors(1..1 << 20));
    (distribution, any::<bool>(), stride, cursor, scope).prop_map(
        |(distribution, without_repetition, stride, cursor, cursor_scope)| Access {
            distribution,
            without_repetition,
            stride,
            cursor,
            cursor_scope,
            ..Access::PLAIN
        },
    )
}

fn pacing() -> impl Strategy<Value = Pacing> {
    let rate = prop_oneof![
        (1e-3..1e9).prop_map(Rate::Iops),
        (1e-3..1e12).prop_map(Rate::BytesPerSecond),
        (1_u32..1_000_000).prop_map(|iops| Rate::Iops(f64::from(iops))),
    ];
    let arrivals = select(vec![Arrivals::Constant, Arrivals::Poisson]);
    let bytes = || (32_u64..1024).prop_map(|mib| Bytes(mib << 20));
    prop_oneof![
        Just(Pacing::CLOSED),
        (time(), 1..=u64::MAX).prop_map(|(think, burst)| Pacing::Closed { think, burst }),
        (rate, arrivals).prop_map(|(rate, arrivals)| Pacing::Open { rate, arrivals }),
        (time(), bytes()).prop_map(|(every, bytes)| Pacing::Cyclic { every, bytes }),
        bytes().prop_map(|bytes| Pacing::Triggered { bytes }),
    ]
}

fn writes() -> impl Strategy<Value = (Durability, Data, Verify)> {
    let sync = option::of((1..=u32::MAX, any::<bool>()))
        .prop_map(|sync| sync.map(|(writes, data_only)| SyncEvery { writes, data_only }));
    let durability =
        (any::<bool>(), any::<bool>(), sync).prop_map(|(direct, write_through, sync)| Durability {
            direct,
            write_through,
            sync,
        });
    let fill = prop_oneof![
        Just(Fill::Zero),
        Just(Fill::Random),
        Just(Fill::Scrambled),
        Just(Fill::File),
        crate::sayable::told()
    ];
    let data = (fill, share(), share()).prop_map(|(fill, compressible_to, duplicate)| Data {
        fill,
        compressible_to,
        duplicate,
    });
    let verify = select(vec![
        Verify::Off,
        Verify::Stamp,
        Verify::Check,
        Verify::ReadBack,
        Verify::ReadWritten,
    ]);
    (durability, data, verify)
}

fn numbers() -> impl Strategy<Value = (u32, u32, QueueScope, Option<EngineKind>)> {
    (
        1_u32..=8,
        1_u32..=32_768,
        select(vec![QueueScope::PerTarget, QueueScope::Shared]),
        option::weighted(
            0.2,
            select(vec![
                EngineKind::IoUring,
                EngineKind::Libaio,
                EngineKind::Psync,
                EngineKind::Null,
            ]),
        ),
    )
}

fn stop_of(bytes: Option<u64>, ios: Option<u64>, time: Option<Nanos>) -> JobStop {
    JobStop {
        bytes: bytes.map(Bytes),
        ios,
        time,
        with_warm_up: ios.is_some_and(|ios| ios % 2 == 1),
        as_before: false,
        ends_phase: bytes.is_some_and(|bytes| bytes % 2 == 1),
        when_full: false,
    }
}

fn job_of_files() -> impl Strategy<Value = Job> {
    let numbers = (1_u32..=8, 1_u64..1_000_000, 0_u32..4, 1_u32..4);
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    let ops = [
        Op::Create,
        Op::Stat,
        Op::Read,
        Op::Write,
        Op::Rename,
        Op::Unlink,
    ];
    let kind = (select(ops.to_vec()), 0_u64..100_000);
    let text = "[a-z]{1,8}";
    (text, numbers, flags, kind, option::of(share())).prop_map(
        |(name, (threads, count, depth, branches), (own, leaves, once, sync), kind, present)| {
            let (op, bytes) = kind;
            let moves = matches!(op, Op::Create | Op::Read | Op::Write);
            let files = Files {
                count,
                directories: if own {
                    FilePlaces::Own
                } else {
                    FilePlaces::Shared
                },
                depth,
                branches,
                leaves,
                shift: threads / 2,
                present,
                once,
                sync,
                ..Files::PLAIN
            };
            let mut kind = IoKind::plain(op, Bytes(if moves { bytes } else { 0 }));
            kind.random = Percent(if once { 0.0 } else { 100.0 });
            Job {
                name,
                threads,
                files: Some(files),
                durability: Durability {
                    direct: false,
                    ..Durability::PLAIN
                },
                kinds: vec![kind],
                ..Job::plain()
            }
        },
    )
}

fn job() -> impl Strategy<Value = Job> {
    prop_oneof![9 => job_of_bytes(), 1 => job_of_files()]
}

/// What the kernel is told of reads, where there may be any ahead.
fn read_ahead_of(kinds: &[IoKind], durability: &Durability, told: bool) -> Option<ReadAhead> {
    let job = Job {
        kinds: kinds.to_vec(),
        durability: *durability,
        ..Job::plain()
    };
    let in_order = job.is_read_ahead() && !job.is_random();
    (in_order && !told).then_some(ReadAhead::Sequential)
}

#[expect(clippy::too_many_lines, reason = "a value for each field")]
fn job_of_bytes() -> impl Strategy<Value = Job> {
    let numbers = numbers();
    let window = (
        option::of((1_u64..1 << 30).prop_map(|mib| Bytes(mib << 20))),
        sectors(0..1 << 20),
        option::of((2_u64..1 << 20).prop_map(|mib| Bytes(mib << 20))),
    );
    let targets = proptest::collection::vec(any::<String>(), 0..3);
    let stop = (option::of(1..=u64::MAX), option::of(1..=u64::MAX));
    let files = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    let kinds = proptest::collection::vec(kind(), 1..4);
    let text = "[a-z]{1,8}";
    let first = (text, targets, numbers, (window, files), access(), pacing());
    let own_time = (option::of(time()), option::of(time()));
    let second = (
        option::weighted(0.1, text),
        writes(),
        (stop, own_time),
        kinds,
    );
    (first, second).prop_map(|(first, second)| {
        let (name, targets, (threads, queue_depth, queue_scope, engine), window, access, pacing) =
            first;
        let (after, (durability, data, verify), ((bytes, ios), (delay, time)), kinds) = second;
        let ((size, offset, window), (fresh, cold, warm, preload)) = window;
        let in_order = |kind: &IoKind| kind.op == Op::Write && kind.random.0 <= 0.0;
        let has_reads = kinds.iter().any(|kind| kind.op == Op::Read);
        let warm = warm && !durability.direct && has_reads;
        let unchecked = matches!(verify, Verify::Off | Verify::Stamp);
        let can_be_fresh = (size.or(window)).is_some() && unchecked && kinds.iter().all(in_order);
        let fresh = fresh && can_be_fresh;
        let idle_or_append = preload && cold;
        let is_in_turns = cold && queue_scope == QueueScope::Shared;
        let class = if warm {
            IoClass::RealTime
        } else {
            IoClass::Idle
        };
        let is_drawn = is_in_turns && !warm && !preload;
        let weights = (1..=targets.len() as u32).filter(|_| is_drawn).collect();
        let has_curve = pacing.is_open() && delay.is_some();
        Job {
            name,
            targets,
            engine,
            threads,
            queue_depth,
            queue_scope,
            size,
            offset,
            window,
            fresh,
            io_class: cold.then_some(class),
            compat: Compat {
                target_order: is_drawn.then_some(TargetOrder::Drawn),
                target_weights: weights,
                uncut: fresh && preload && !cold,
                cold_again: (cold && !warm && preload).then_some(Bytes(1 << 20)),
                idle: idle_or_append && !fresh,
                read_ahead: read_ahead_of(&kinds, &durability, warm),
                ..Compat::default()
            }
            .boxed(),
            cold: cold && !warm,
            warm,
            access,
            pacing,
            after,
            delay: delay.unwrap_or_default(),
            rate_curve: has_curve.then(|| RateCurve {
                every: Nanos::from_secs(1),
                levels: vec![1, 0, 3],
            }),
            durability,
            data,
            verify,
            stop: stop_of(bytes, ios, time),
            kinds,
            ..Job::plain()
        }
    })
}

fn phase() -> impl Strategy<Value = Phase> {
    let metric = select(vec![
        SteadyMetric::Iops,
        SteadyMetric::Throughput,
        SteadyMetric::ServiceTime,
    ]);
    let steady = (metric, 1_u64..3600, 3_u32..100, 1.0..=100.0, 1.0..=100.0).prop_map(
        |(metric, seconds, rounds, range, slope)| Steady {
            metric,
            round: Nanos::from_secs(seconds),
            rounds,
            range: Percent(range),
            slope: Percent(slope),
            deviation: (seconds % 2 == 0).then_some(Percent(range / 2.0)),
            deviation_most: (seconds % 3 == 0).then_some(range),
            slope_most: (seconds % 5 == 0).then_some(slope),
            max_rounds: rounds * 2,
        },
    );
    let jobs = proptest::collection::vec(job(), 1..4);
    let times = (time(), option::weighted(0.9, time()), time());
    (".{1,8}", times, option::of(steady), jobs).prop_map(
        |(name, (warm_up, duration, cool_down), steady, jobs)| Phase {
            name,
            warm_up,
            duration,
            cool_down,
            drain_timeout: warm_up.max(Nanos::from_secs(1)),
            steady,
            jobs,
        },
    )
}

/// Workloads of valid parts, repaired where the parts contradict each other.
pub(crate) fn workload() -> impl Strategy<Value = Workload> {
    let texts = (any::<String>(), any::<String>(), any::<String>());
    let drawn = || proptest::option::of(any::<u64>());
    let numbers = (drawn(), drawn(), 100_u64..60_000, 1..=u32::MAX);
    let phases = proptest::collection::vec(phase(), 1..4);
    (texts, numbers, phases).prop_map(
        |((name, description, source), (seed, salt, interval, repeat), phases)| {
            let mut workload = Workload {
                name: format!("w{name}"),
                description,
                source,
                seed,
                salt,
                interval: Nanos::from_millis(interval),
                repeat,
                phases,
            };
            for (index, phase) in workload.phases.iter_mut().enumerate() {
                phase.name = format!("{index}{}", phase.name);
                repair(phase);
            }
            workload
        },
    )
}

/// Makes a phase obey the rules that join several values.
fn repair(phase: &mut Phase) {
    let chain = phase.jobs.len() > 1 && phase.jobs[0].after.is_none();
    for (index, job) in phase.jobs.iter_mut().enumerate() {
        job.name = format!("{index}{}", job.name);
        job.after = None;
        if let Pacing::Triggered { bytes } = job.pacing {
            let every = Nanos::from_secs(80);
            job.pacing = Pacing::Cyclic { every, bytes };
        }
        repair_job(job);
    }
    if phase.jobs.iter().any(Job::deals_once) {
        phase.warm_up = Nanos::ZERO;
    }
    let chain = chain && phase.jobs[1].files.is_none();
    if chain && phase.jobs[0].pacing.is_bursty() {
        let bytes = Bytes(1 << 30);
        phase.jobs[1].after = Some(phase.jobs[0].name.clone());
        phase.jobs[1].pacing = Pacing::Triggered { bytes };
        phase.jobs[1].rate_curve = None;
    }
    if phase.steady.is_none() {
        phase.duration = phase.duration.or(Some(Nanos::from_secs(1)));
    }
}

/// Has some of the jobs that can do so write at write pointers.
fn to_write_pointers(job: &mut Job) {
    let only_writes = matches!(job.kinds.as_slice(), [one] if one.op == Op::Write);
    if !only_writes || !job.durability.direct || job.replay.is_some() || job.threads != 2 {
        return;
    }
    let some = |most: u32| Some(most).filter(|most| most.is_multiple_of(2));
    let block = job.kinds[0].block_size;
    job.access = Access {
        walk: Walk::WritePointers {
            open: some(job.queue_depth),
            of_thread: some(job.queue_depth / 2 + 1),
            zone: Some(block).filter(|block| block.0.is_multiple_of(8192)),
            append: job.queue_depth.is_multiple_of(3),
        },
        ..Access::PLAIN
    };
    job.verify = Verify::Off;
}

fn repair_job(job: &mut Job) {
    if job.files.is_some() {
        return;
    }
    to_write_pointers(job);
    if let Some(size) = job.size {
        job.window = None;
        job.offset = Bytes(job.offset.0.min(size.0 / 2 / 512 * 512));
        job.size = Some(Bytes(size.0.saturating_add(4 << 20)));
    }
    let random = job.kinds.iter().any(|kind| kind.random.0 > 0.0);
    let sequential = job.kinds.iter().any(|kind| kind.random.0 < 100.0);
    if !random {
        job.access.distribution = Distribution::Uniform;
    }
    job.access.without_repetition &=
        random && job.kinds.len() == 1 && job.access.distribution == Distribution::Uniform;
    if job.access.distribution == Distribution::Uniform && job.threads == 3 {
        let most = job.kinds.iter().map(|kind| kind.block_size.0).max();
        let length = Bytes(most.unwrap_or(0).next_multiple_of(512) * 4);
        job.access.walk = Walk::Zones {
            done: length,
            length,
            skip: Bytes(u64::from(job.queue_depth) * 512),
        };
        job.access.cursor = Cursor::Own { stride: None };
    }
    if !sequential {
        job.access.stride = None;
        job.access.cursor = Cursor::Own { stride: None };
    }
    if !job.kinds.iter().any(|kind| kind.op == Op::Write) {
        job.durability.sync = None;
        job.durability.write_through = false;
    }
    if job.kinds.iter().any(|kind| kind.op == Op::Trim) {
        job.verify = Verify::Off;
    }
    let one_size = |kind: &IoKind| {
        kind.block_size == job.kinds[0].block_size && kind.align.0.is_multiple_of(kind.block_size.0)
    };
    let is_checkable = job.data.fill.is_given() && job.kinds.iter().all(one_size);
    if job.verify != Verify::Off && !is_checkable {
        job.data.fill = Fill::Random;
        job.data.duplicate = Percent::ZERO;
    }
    if job.data.fill != Fill::Random {
        job.data.compressible_to = Percent::ALL;
        job.data.duplicate = Percent::ZERO;
    }
    let data_file = crate::sayable::data_file(job.data.fill, job.largest_io());
    job.set_compat(|compat| compat.data_file = data_file);
    if job.verify == Verify::ReadWritten {
        let backlog = (job.threads % 2 == 1).then_some(job.queue_depth);
        job.set_compat(|compat| compat.verify_backlog = backlog);
    }
}
