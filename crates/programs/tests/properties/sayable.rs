//! Workloads that another dialect can say to the letter, in the form in which it reads back.

use fathom_core::EngineKind;
use fathom_core::op::Op;
use fathom_core::spec::{
    Access, Arrivals, BlockForm, Compat, Cursor, CursorScope, Data, DataFile, Distribution,
    Durability, Fill, HotRange, IoKind, Job, JobStop, Pacing, Phase, QueueScope, SyncEvery,
    TargetOrder, Verify, Walk, Workload,
};
use fathom_core::units::{Bytes, Nanos, Percent, Rate};
use fathom_tools::{Affinity, RunWishes};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// Data that repeats, as DISKSPD writes it unless told otherwise, beside plain zeros and noise.
const FILLS: [(Fill, f64, f64); 4] = [
    (Fill::Zero, 100.0, 0.0),
    (Fill::Random, 100.0, 0.0),
    (Fill::Counting, 100.0, 0.0),
    (Fill::File, 100.0, 0.0),
];

/// The file of a fill that takes from one, for requests up to a size.
pub(crate) fn data_file(fill: Fill, largest: Bytes) -> Option<DataFile> {
    (fill == Fill::File).then(|| DataFile {
        path: "/data/pages.bin".to_owned(),
        size: Bytes(largest.0 * 3 + 1),
    })
}

fn whole(range: std::ops::RangeInclusive<u32>) -> impl Strategy<Value = f64> {
    range.prop_map(f64::from)
}

fn paths(count: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = Vec<String>> {
    proptest::collection::btree_set("/data/[a-z:]{1,3}[a-z]( [a-z])?", count)
        .prop_map(|paths| paths.into_iter().collect())
}

/// Ranges that take all requests and all of the window.
fn hot() -> impl Strategy<Value = Distribution> {
    (1_u32..=99, 1_u32..=99).prop_map(|(ios, of)| {
        let range = |ios: u32, of: u32| HotRange {
            ios: Percent(f64::from(ios)),
            of: Percent(f64::from(of)),
        };
        let ranges = vec![range(ios, of), range(100 - ios, 100 - of)];
        Distribution::Hot { ranges }
    })
}

fn list() -> impl Strategy<Value = Affinity> {
    prop_oneof![
        Just(Affinity::Free),
        proptest::collection::btree_set(0_u32..64, 1..5)
            .prop_map(|list| Affinity::List(list.into_iter().collect())),
    ]
}

/// A direction of fio's: sizes with whole percents, one random share, one alignment.
fn direction(op: Op) -> impl Strategy<Value = (Op, Vec<(u64, u32)>, u32, bool)> {
    let sizes = proptest::collection::btree_set(1_u64..64, 1..4);
    let cuts = (1_u32..40, 1_u32..40);
    (sizes, cuts, 0_u32..=100, any::<bool>()).prop_map(
        move |(sizes, (one, other), random, fine)| {
            let shares = match sizes.len() {
                1 => vec![100],
                2 => vec![one, 100 - one],
                _ => vec![one, other, 100 - one - other],
            };
            let sizes = sizes.into_iter().map(|size| size * 4096);
            (op, sizes.zip(shares).collect(), random, fine)
        },
    )
}

fn fio_kinds() -> impl Strategy<Value = Vec<IoKind>> {
    let both = (direction(Op::Read), direction(Op::Write), 1_u32..=99)
        .prop_map(|(read, write, share)| vec![(read, share), (write, 100 - share)]);
    let one = select(vec![Op::Read, Op::Write, Op::Trim])
        .prop_flat_map(direction)
        .prop_map(|direction| vec![(direction, 100)]);
    prop_oneof![both, one].prop_map(|directions| {
        let kinds = directions
            .into_iter()
            .flat_map(|((op, sizes, random, fine), share)| {
                let smallest = sizes[0].0;
                let align = if fine && random > 0 { 512 } else { smallest };
                sizes.into_iter().map(move |(size, part)| {
                    let weight = f64::from(part) / 100.0 * f64::from(share);
                    IoKind {
                        op,
                        block_size: Bytes(size),
                        random: Percent(f64::from(random)),
                        align: Bytes(align),
                        weight: (weight * 1e9).round() / 1e9,
                    }
                })
            });
        kinds.collect()
    })
}

fn fio_access(kinds: &[IoKind]) -> impl Strategy<Value = Access> + use<> {
    let random = kinds.iter().any(|kind| kind.random.0 > 0.0);
    let first = kinds[0].block_size;
    let alike = kinds
        .iter()
        .all(|kind| kind.block_size == first && kind.align == first);
    let distribution = if random {
        prop_oneof![
            Just(Distribution::Uniform),
            (2_u32..90).prop_map(|t| Distribution::Zipf {
                theta: f64::from(t) / 91.0
            }),
            (0.01..0.99).prop_map(|h| Distribution::Pareto { h }),
            hot(),
        ]
        .boxed()
    } else {
        Just(Distribution::Uniform).boxed()
    };
    let stride = option::of((1_u64..1000).prop_map(move |step| Bytes(first.0 + step * 512)));
    (distribution, any::<bool>(), stride).prop_map(move |(distribution, once, stride)| Access {
        without_repetition: once && random && alike && distribution == Distribution::Uniform,
        stride: stride.filter(|_| alike && !random),
        distribution,
        cursor: Cursor::Own {
            stride: Some(Bytes(0)),
        },
        ..Access::PLAIN
    })
}

fn fio_pacing(threads: u32, kinds: &[IoKind]) -> impl Strategy<Value = Pacing> + use<> {
    let one_way = kinds.iter().all(|kind| kind.op == kinds[0].op);
    let arrivals = select(vec![Arrivals::Constant, Arrivals::Poisson]);
    let threads = f64::from(threads);
    prop_oneof![
        Just(Pacing::CLOSED),
        (1_u64..100_000, 1_u64..100).prop_map(|(micros, burst)| Pacing::Closed {
            think: Nanos::from_micros(micros),
            burst,
        }),
        (whole(1..=1000), arrivals, any::<bool>()).prop_map(move |(each, arrivals, bytes)| {
            let rate = if bytes && one_way {
                Rate::BytesPerSecond(each * 1e4 * threads)
            } else {
                Rate::Iops(each * 100.0 * threads)
            };
            Pacing::Open { rate, arrivals }
        }),
    ]
}

/// An end of all clones of a job by so many MiB and requests of each.
fn amount(threads: u32, mib: Option<u64>, ios: Option<u64>) -> JobStop {
    JobStop {
        bytes: mib.map(|mib| Bytes((mib << 20) * u64::from(threads))),
        ios: ios.map(|ios| ios * u64::from(threads)),
        ..JobStop::default()
    }
}

fn fio_job() -> impl Strategy<Value = Job> {
    (fio_kinds(), 1_u32..=8)
        .prop_flat_map(|(kinds, threads)| {
            let parts = (fio_access(&kinds), fio_pacing(threads, &kinds));
            (Just(kinds), Just(threads), parts)
        })
        .prop_flat_map(|(kinds, threads, (access, pacing))| {
            let place = (paths(1..=3), 2_u64..1000, 0_u64..2);
            let writes = (any::<[bool; 5]>(), option::of((1_u32..100, any::<bool>())));
            let data = (any::<bool>(), 0_u32..=100, 0_u32..=100, option::of(told()));
            let ends = (
                1_u32..=256,
                option::of(1_u64..1000),
                option::of(1_u64..1000),
            );
            ("[a-z]{1,8}", place, writes, data, ends).prop_map(move |rest| {
                let (name, (targets, mib, offset), (flags, sync), data, ends) = rest;
                let [direct, through, cold, verified, at_end] = flags;
                let (depth, bytes, ios) = ends;
                // Beside a time alone requests are not counted.
                let ios = ios.filter(|_| bytes.is_some());
                let has = |op: Op| kinds.iter().any(|kind| kind.op == op);
                let writes = has(Op::Write);
                let verify = match (verified && !has(Op::Trim), writes) {
                    (false, _) => Verify::Off,
                    (true, true) if cold => Verify::Stamp,
                    (true, true) => Verify::ReadWritten,
                    (true, false) => Verify::Check,
                };
                let used = mib << 20;
                let data = fio_data(data, &kinds, verify);
                let (verify_as, verify_interval) = fio_form(data, &kinds, verify);
                // Of several files fio counts the writes to all.
                let sync = sync.filter(|_| writes && targets.len() < 2);
                Job {
                    name,
                    targets,
                    threads,
                    queue_depth: depth,
                    queue_scope: QueueScope::Shared,
                    size: Some(Bytes(used + (offset << 20))),
                    offset: Bytes(offset << 20),
                    window: (offset > 0).then_some(Bytes(used)),
                    cold: cold && !direct,
                    access: access.clone(),
                    pacing: pacing.clone(),
                    durability: Durability {
                        direct,
                        write_through: through && writes,
                        sync: sync.map(|(writes, data_only)| SyncEvery { writes, data_only }),
                    },
                    sync_at_end: at_end && writes,
                    data,
                    verify,
                    compat: Compat {
                        verify_as,
                        verify_interval,
                        ..Compat::default()
                    }
                    .boxed(),
                    stop: amount(threads, bytes, ios),
                    kinds: kinds.clone(),
                    ..Job::plain()
                }
            })
        })
}

fn fio_data(
    (zero, compress, duplicate, told): (bool, u32, u32, Option<Fill>),
    kinds: &[IoKind],
    verify: Verify,
) -> Data {
    let writes = kinds.iter().any(|kind| kind.op == Op::Write);
    let plain = !writes || verify != Verify::Off;
    let one_size = |kind: &IoKind| {
        kind.block_size == kinds[0].block_size && kind.align.0.is_multiple_of(kind.block_size.0)
    };
    // Without checks fio has no offset in a pattern, and with them it needs one block size.
    let told = told.filter(|fill| match (verify, fill) {
        (Verify::Off, Fill::Pattern(pattern)) => !pattern.has_offset(),
        (Verify::Off, _) => true,
        _ => kinds.iter().all(one_size),
    });
    if let Some(fill) = told {
        return Data {
            fill,
            ..Data::PLAIN
        };
    }
    let (fill, compressible_to, duplicate) = match (zero, plain) {
        (true, false) => (Fill::Zero, 100, 0),
        (false, false) => (Fill::Random, compress, duplicate),
        (_, true) => (Fill::Random, 100, 0),
    };
    Data {
        fill,
        compressible_to: Percent(f64::from(compressible_to)),
        duplicate: Percent(f64::from(duplicate)),
    }
}

/// The blocks that fio makes of a check, where it can, and their size where it is not that of all
/// requests.
fn fio_form(data: Data, kinds: &[IoKind], verify: Verify) -> (BlockForm, Option<Bytes>) {
    let sizes = |op: Op| {
        let of_op = kinds.iter().filter(move |kind| kind.op == op);
        of_op.map(|kind| kind.block_size.0)
    };
    let least = |op: Op| sizes(op).min();
    let writes = if least(Op::Write).is_some() {
        Op::Write
    } else {
        Op::Read
    };
    let low = least(writes).unwrap_or(1);
    let high = sizes(writes).max().unwrap_or(1);
    let mut block = low.min(least(Op::Read).unwrap_or(low)).max(1);
    if !low.is_multiple_of(block) || !high.is_multiple_of(block) {
        block = (1..=low)
            .rev()
            .find(|it| low.is_multiple_of(*it) && high.is_multiple_of(*it))
            .unwrap_or(1);
    }
    let fits = |kind: &IoKind| {
        kind.block_size.0.is_multiple_of(block) && kind.align.0.is_multiple_of(block)
    };
    let whole = block.is_multiple_of(512) && kinds.iter().all(fits);
    if verify != Verify::Off && data.fill.is_given() {
        (BlockForm::FioBare, None)
    } else if verify == Verify::Off || !whole {
        (BlockForm::Fathom, None)
    } else {
        let differ = kinds.iter().any(|kind| kind.block_size.0 != block);
        (BlockForm::FioCrc32c, differ.then_some(Bytes(block)))
    }
}

/// Bytes that can be told beforehand.
pub(crate) fn told() -> impl Strategy<Value = Fill> {
    let patterns = ["00", "deadbeef", "%o", "c0ffee%o01"];
    let patterns = patterns.map(|text| Fill::Pattern(text.parse().expect("a pattern")));
    select([&patterns[..], &[Fill::Counting]].concat())
}

/// No more than fio does of it in one pass: several may end with one, a little before.
fn keep_to_one_pass(job: &mut Job) {
    let is_plain = matches!(job.access.walk, Walk::Free | Walk::TrimFirst);
    let unit = job.kinds.iter().map(|kind| kind.block_size.0).min();
    let unit = unit.unwrap_or(1);
    let used = job.size.map_or(0, |size| size.0) - job.offset.0;
    let pass = if is_plain && job.access.stride.is_none() {
        used / unit * unit
    } else {
        unit
    };
    let pairs = u64::from(job.access.walk == Walk::TrimFirst);
    let shares = u64::from(job.threads) * (1 + pairs);
    let stop = &mut job.stop;
    stop.bytes = stop
        .bytes
        .map(|bytes| Bytes((bytes.0 / shares).min(pass) * shares));
}

/// By the clock fio makes several passes, and drops pages before each.
fn drop_pages_again(job: &mut Job) {
    if job.stop.bytes.is_some() {
        return;
    }
    let is_random = job.kinds.iter().all(|kind| kind.random == Percent::ALL);
    job.cold &= is_random && job.access.walk == Walk::Free && job.access.stride.is_none();
    let unit = job.kinds.iter().map(|kind| kind.block_size.0).min();
    let used = job.size.map_or(0, |size| size.0) - job.offset.0;
    let blocks = used / unit.unwrap_or(1);
    let is_between = |kind: &IoKind| Some(kind.align.0) < unit;
    // Without a map of blocks fio goes on until it has had all bytes.
    let keeps_map = job.access.without_repetition
        && job.access.distribution == Distribution::Uniform
        && !job.kinds.iter().any(is_between);
    let trims = job.kinds.iter().any(|kind| kind.op == Op::Trim);
    let each = if keeps_map || trims {
        blocks * unit.unwrap_or(1)
    } else {
        used
    };
    let pass = each * job.targets.len() as u64;
    let cold_again = job.cold.then_some(Bytes(pass));
    job.set_compat(|compat| compat.cold_again = cold_again);
}

/// Workloads that a job file of fio says to the letter, with what the run is to do besides.
pub(crate) fn fio() -> impl Strategy<Value = (Workload, RunWishes)> {
    let phase = (vec(fio_job(), 1..4), 0_u64..10_000, 1_u64..100_000);
    let seed = proptest::option::of(0..=i64::MAX as u64);
    let run = (seed, any::<bool>(), any::<bool>(), list());
    ("[a-z]{1,8}", vec(phase, 1..4), run).prop_map(|(name, phases, run)| {
        let (seed, stop_on_error, huge_pages, affinity) = run;
        let phases = phases.into_iter().enumerate().map(|(index, phase)| {
            let (mut jobs, warm_up, duration) = phase;
            for job in &mut jobs {
                let bytes = job.stop.bytes.is_some() && job.stop.ios.is_none();
                job.stop.with_warm_up = warm_up > 0 && bytes;
                keep_to_one_pass(job);
                drop_pages_again(job);
            }
            for (number, job) in jobs.iter_mut().enumerate() {
                job.name = format!("{}{index}{number}", job.name);
            }
            let first = jobs[0].name.clone();
            let name = match jobs.len() {
                1 => first,
                count => format!("{first} and {} more", count - 1),
            };
            Phase {
                name,
                warm_up: Nanos::from_micros(warm_up),
                duration: Some(Nanos::from_millis(duration)),
                jobs,
                ..Phase::plain()
            }
        });
        let workload = Workload {
            name,
            source: "fio".to_owned(),
            seed,
            phases: phases.collect(),
            ..Workload::plain()
        };
        let wishes = RunWishes {
            affinity,
            huge_pages,
            keep_files: true,
            engine: Some(EngineKind::IoUring),
            stop_on_error,
            ..RunWishes::default()
        };
        (workload, wishes)
    })
}

fn diskspd_pacing(threads: u32, targets: usize) -> impl Strategy<Value = Pacing> {
    let shares = f64::from(threads) * targets as f64;
    prop_oneof![
        Just(Pacing::CLOSED),
        (1_u64..1000, 1_u64..100).prop_map(|(ms, burst)| Pacing::Closed {
            think: Nanos::from_millis(ms),
            burst,
        }),
        whole(1..=100_000).prop_map(move |each| Pacing::Open {
            rate: Rate::BytesPerSecond(each * 1000.0 * shares),
            arrivals: Arrivals::Constant,
        }),
    ]
}

/// Where the requests of DISKSPD go, with so many threads: order, alignment, random share.
fn diskspd_access(threads: u32, block: u64) -> impl Strategy<Value = (Access, u64, u32)> {
    let random = prop_oneof![Just(0_u32), Just(100), 1_u32..100];
    let distribution = prop_oneof![Just(Distribution::Uniform), hot()];
    let cursor = prop_oneof![Just(None), (0_u64..100).prop_map(Some)];
    (random, 1_u64..64, distribution, cursor).prop_map(
        move |(random, sectors, distribution, cursor)| {
            let stride = sectors * 512;
            let gap = match cursor {
                None if random == 0 && threads > 1 => None,
                Some(gap) if random == 0 && threads > 1 => Some(gap * 4096),
                _ => Some(0),
            };
            let access = Access {
                distribution: if random > 0 {
                    distribution
                } else {
                    Distribution::Uniform
                },
                stride: (random < 100).then_some(Bytes(stride)),
                cursor: gap.map_or(Cursor::Shared, |gap| Cursor::Own {
                    stride: Some(Bytes(gap)),
                }),
                cursor_scope: CursorScope::Shared,
                ..Access::PLAIN
            };
            (access, if random > 0 { stride } else { block }, random)
        },
    )
}

fn diskspd_job(targets: Vec<String>) -> impl Strategy<Value = Job> {
    let pool = targets.len() > 1;
    (1_u32..=8, 1_u64..64)
        .prop_flat_map(move |(threads, sectors)| {
            let block = sectors * 512;
            let parts = (
                diskspd_access(threads, block),
                diskspd_pacing(threads, targets.len()),
            );
            (Just((targets.clone(), threads, block)), parts)
        })
        .prop_flat_map(move |(of, ((access, align, random), pacing))| {
            let place = (2_u64..1000, 0_u64..2, 0_u64..2);
            let rest = (
                1_u32..=256,
                0_u32..=100,
                select(FILLS.to_vec()),
                any::<[bool; 3]>(),
            );
            (place, rest).prop_map(move |((mib, offset, cut), (depth, writes, fill, flags))| {
                let (targets, threads, block) = of.clone();
                let [direct, through, shared] = flags;
                // A shared queue takes neither a rate nor bursts.
                let shared = shared && pool && pacing == Pacing::CLOSED;
                let (fill, compressible_to, duplicate) = fill;
                let size = (mib + offset + cut) << 20;
                let kind = |(op, share): (Op, u32)| IoKind {
                    op,
                    block_size: Bytes(block),
                    random: Percent(f64::from(random)),
                    align: Bytes(align),
                    weight: f64::from(share),
                };
                let shares = [(Op::Read, 100 - writes), (Op::Write, writes)];
                let is_drawn = shared && targets.len() > 1;
                Job {
                    compat: Compat {
                        target_order: is_drawn.then_some(TargetOrder::Drawn),
                        data_file: data_file(fill, Bytes(block)),
                        ..Compat::default()
                    }
                    .boxed(),
                    targets,
                    threads,
                    queue_depth: depth,
                    queue_scope: [QueueScope::PerTarget, QueueScope::Shared][usize::from(shared)],
                    size: Some(Bytes(size)),
                    offset: Bytes(offset << 20),
                    window: (cut > 0).then_some(Bytes(mib << 20)),
                    access: access.clone(),
                    pacing: pacing.clone(),
                    durability: Durability {
                        direct,
                        write_through: through && writes > 0,
                        ..Durability::PLAIN
                    },
                    data: Data {
                        fill,
                        compressible_to: Percent(compressible_to),
                        duplicate: Percent(duplicate),
                    },
                    kinds: shares
                        .into_iter()
                        .filter(|(_, share)| *share > 0)
                        .map(kind)
                        .collect(),
                    ..Job::plain()
                }
            })
        })
}

/// The jobs of a time span: each with a target of its own, or one over several.
fn diskspd_jobs() -> impl Strategy<Value = Vec<Job>> {
    let pool = paths(2..=3).prop_flat_map(diskspd_job);
    let pool = (pool, any::<bool>()).prop_map(|(mut job, differ)| {
        let differ = differ && job.compat().target_order.is_some();
        let weights = 1..=job.targets.len() as u32;
        job.set_compat(|compat| compat.target_weights = weights.filter(|_| differ).collect());
        vec![job]
    });
    let apart = vec(paths(1..=1).prop_flat_map(diskspd_job), 1..4);
    prop_oneof![1 => pool, 3 => apart]
}

/// The jobs of a command line: alike but for their targets.
fn diskspd_alike() -> impl Strategy<Value = Vec<Job>> {
    let pool = paths(2..=3)
        .prop_flat_map(diskspd_job)
        .prop_map(|job| vec![job]);
    let one = paths(1..=1).prop_flat_map(diskspd_job);
    let apart = (one, paths(1..=3)).prop_map(|(job, paths)| {
        let on = |path: String| Job {
            targets: vec![path],
            ..job.clone()
        };
        paths.into_iter().map(on).collect()
    });
    prop_oneof![1 => pool, 3 => apart]
}

fn diskspd(
    spans: impl Strategy<Value = Vec<Vec<Job>>>,
) -> impl Strategy<Value = (Workload, RunWishes)> {
    let times = [0_u64..100, 1..1000, 0..100];
    // Its seeds have 32 bits.
    let seed = proptest::option::of(any::<u32>().prop_map(u64::from));
    let run = (seed, 100_u64..=60_000, any::<bool>(), list());
    (spans, times, run).prop_map(|(spans, [warm_up, duration, cool_down], run)| {
        let (seed, interval, huge_pages, affinity) = run;
        let phases = spans.into_iter().enumerate().map(|(index, mut jobs)| {
            // Random bytes are said of a time span, and go for all of its targets but zeros.
            let is_random = jobs.iter().any(|job| job.data.fill == Fill::Random);
            for job in jobs
                .iter_mut()
                .filter(|job| is_random && job.data.fill == Fill::Counting)
            {
                job.data.fill = Fill::Random;
            }
            for (number, job) in jobs.iter_mut().enumerate() {
                job.name = match job.targets.len() {
                    1 => format!("target {}", number + 1),
                    _ => "pool".to_owned(),
                };
            }
            Phase {
                name: format!("timespan {}", index + 1),
                warm_up: Nanos::from_secs(warm_up),
                duration: Some(Nanos::from_secs(duration)),
                cool_down: Nanos::from_secs(cool_down),
                jobs,
                ..Phase::plain()
            }
        });
        let workload = Workload {
            name: "diskspd".to_owned(),
            seed,
            interval: Nanos::from_millis(interval),
            phases: phases.collect(),
            ..Workload::plain()
        };
        let wishes = RunWishes {
            affinity,
            huge_pages,
            keep_files: true,
            ..RunWishes::default()
        };
        (workload, wishes)
    })
}

/// Workloads that a profile of DISKSPD says to the letter.
pub(crate) fn diskspd_profile() -> impl Strategy<Value = (Workload, RunWishes)> {
    diskspd(vec(diskspd_jobs(), 1..4))
}

/// Workloads that a command line of DISKSPD says to the letter.
pub(crate) fn diskspd_line() -> impl Strategy<Value = (Workload, RunWishes)> {
    diskspd(diskspd_alike().prop_map(|jobs| vec![jobs]))
}
