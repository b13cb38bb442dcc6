//! Every rule of a specification: one workload that breaks it, and all that is said about it.

use fathom_core::op::Op;
use fathom_core::spec::validate::{Violation, validate};
use fathom_core::spec::{
    Access, Arrivals, Cursor, CursorScope, Data, Distribution, Durability, Fill, HotRange, IoKind,
    Job, JobStop, Pacing, Phase, QueueScope, Steady, SteadyMetric, SyncEvery, Verify, Workload,
};
use fathom_core::units::{Bytes, Nanos, Percent, Rate};

const SNIA: Steady = Steady {
    metric: SteadyMetric::Iops,
    round: Nanos::from_secs(60),
    rounds: 5,
    range: Percent(20.0),
    slope: Percent(10.0),
    max_rounds: 25,
};

/// Reads and writes of 8 KiB at random, without a fault.
fn job(name: &str) -> Job {
    let kind = |op, weight| IoKind {
        op,
        block_size: Bytes(8192),
        random: Percent::ALL,
        align: Bytes(8192),
        weight,
    };
    Job {
        name: name.into(),
        targets: Vec::new(),
        threads: 1,
        queue_depth: 1,
        queue_scope: QueueScope::PerTarget,
        size: None,
        offset: Bytes(0),
        window: None,
        access: Access {
            distribution: Distribution::Uniform,
            without_repetition: false,
            stride: None,
            cursor: Cursor::Own { stride: None },
            cursor_scope: CursorScope::PerOp,
        },
        pacing: Pacing::CLOSED,
        after: None,
        durability: Durability {
            direct: true,
            write_through: false,
            sync: None,
        },
        data: Data {
            fill: Fill::Random,
            compressible_to: Percent::ALL,
            duplicate: Percent::ZERO,
        },
        verify: Verify::Off,
        stop: JobStop::default(),
        kinds: vec![kind(Op::Read, 70.0), kind(Op::Write, 30.0)],
    }
}

fn phase(name: &str) -> Phase {
    Phase {
        name: name.into(),
        warm_up: Nanos::ZERO,
        duration: Some(Nanos::from_secs(30)),
        cool_down: Nanos::ZERO,
        steady: None,
        jobs: vec![job("a")],
    }
}

fn workload() -> Workload {
    Workload {
        name: "w".into(),
        description: String::new(),
        source: String::new(),
        seed: 1,
        interval: Nanos::from_secs(1),
        repeat: 1,
        phases: vec![phase("p")],
    }
}

/// Path below the thing that is broken, message, remedy.
type Expected<'a> = (&'a str, &'a str, &'a str);

/// All that is said about the good workload after a change.
fn found(change: impl FnOnce(&mut Workload)) -> Vec<Violation> {
    let mut workload = workload();
    change(&mut workload);
    validate(&workload)
}

fn violation(prefix: &str, (key, message, remedy): Expected<'_>) -> Violation {
    Violation {
        path: format!("{prefix}{key}"),
        message: message.into(),
        remedy: remedy.into(),
    }
}

#[track_caller]
fn workload_breaks(change: impl FnOnce(&mut Workload), expected: Expected<'_>) {
    assert_eq!(found(change), [violation("", expected)]);
}

#[track_caller]
fn phase_breaks(change: impl FnOnce(&mut Phase), expected: Expected<'_>) {
    let found = found(|workload| change(&mut workload.phases[0]));
    assert_eq!(found, [violation("phase[0].", expected)]);
}

#[track_caller]
fn job_breaks(change: impl FnOnce(&mut Job), expected: Expected<'_>) {
    let found = found(|workload| change(&mut workload.phases[0].jobs[0]));
    assert_eq!(found, [violation("phase[0].job[0].", expected)]);
}

#[track_caller]
fn job_is_fine(change: impl FnOnce(&mut Job)) {
    assert_eq!(
        found(|workload| change(&mut workload.phases[0].jobs[0])),
        []
    );
}

fn sequential(job: &mut Job) {
    for kind in &mut job.kinds {
        kind.random = Percent::ZERO;
    }
}

fn only(job: &mut Job, op: Op) {
    job.kinds.truncate(1);
    job.kinds[0].op = op;
}

#[test]
fn a_good_workload_breaks_no_rule() {
    assert_eq!(validate(&workload()), []);
}

#[test]
fn the_workload_has_a_name_an_interval_a_repeat_and_a_phase() {
    workload_breaks(
        |workload| workload.name = " ".into(),
        (
            "name",
            "the workload has no name",
            "name it, as in `name = \"oltp\"`",
        ),
    );
    for (interval, message) in [
        (
            Nanos::from_millis(99),
            "an interval of 99ms is out of range",
        ),
        (Nanos::from_secs(61), "an interval of 61s is out of range"),
    ] {
        workload_breaks(
            |workload| workload.interval = interval,
            ("interval", message, "choose one from 100ms to 60s"),
        );
    }
    workload_breaks(
        |workload| workload.repeat = 0,
        ("repeat", "zero repeats measure nothing", "give at least 1"),
    );
    workload_breaks(
        |workload| workload.phases.clear(),
        (
            "phase",
            "the workload has no phase",
            "add a `[[phase]]` with a job",
        ),
    );
}

#[test]
fn names_are_given_and_differ() {
    workload_breaks(
        |workload| workload.phases.push(phase("p")),
        (
            "phase[1].name",
            "two phases are called `p`",
            "give each phase a name of its own",
        ),
    );
    phase_breaks(
        |phase| phase.jobs.push(job("a")),
        (
            "job[1].name",
            "two jobs of the phase are called `a`",
            "give each job a name of its own",
        ),
    );
    phase_breaks(
        |phase| phase.name.clear(),
        ("name", "the phase has no name", "name it"),
    );
    job_breaks(
        |job| job.name.clear(),
        ("name", "the job has no name", "name it"),
    );
}

#[test]
fn a_phase_has_jobs_and_an_end() {
    phase_breaks(
        |phase| phase.jobs.clear(),
        ("job", "the phase has no job", "add a `[[phase.job]]`"),
    );
    phase_breaks(
        |phase| phase.duration = Some(Nanos::ZERO),
        (
            "duration",
            "a duration of 0 measures nothing",
            "give it a positive time",
        ),
    );
    phase_breaks(
        |phase| phase.duration = None,
        (
            "duration",
            "the phase never ends",
            "give it a `duration`, a `steady` rule, or a job with `stop`",
        ),
    );
    let too_long = |key| {
        let message = "a phase of more than ten years is not possible";
        (key, message, "choose less")
    };
    phase_breaks(|phase| phase.warm_up = Nanos::MAX, too_long("warm_up"));
    phase_breaks(
        |phase| phase.duration = Some(Nanos::MAX),
        too_long("duration"),
    );
    phase_breaks(|phase| phase.cool_down = Nanos::MAX, too_long("cool_down"));
}

#[test]
fn each_kind_of_end_is_enough() {
    let ends: [fn(&mut Phase); 3] = [
        |phase| phase.steady = Some(SNIA),
        |phase| phase.jobs[0].stop.bytes = Some(Bytes(1)),
        |phase| phase.jobs[0].stop.ios = Some(1),
    ];
    for end in ends {
        let found = found(|workload| {
            workload.phases[0].duration = None;
            end(&mut workload.phases[0]);
        });
        assert_eq!(found, []);
    }
}

#[test]
fn a_steady_rule_can_be_met() {
    let breaks = |change: fn(&mut Steady), expected: Expected<'_>| {
        let mut steady = SNIA;
        change(&mut steady);
        phase_breaks(|phase| phase.steady = Some(steady), expected);
    };
    breaks(
        |steady| steady.rounds = 2,
        (
            "steady.rounds",
            "fewer than 3 rounds have no trend",
            "use 5, as SNIA does",
        ),
    );
    breaks(
        |steady| steady.max_rounds = 4,
        (
            "steady.max_rounds",
            "4 rounds at most never fill 5 rounds",
            "make `max_rounds` at least as large as `rounds`",
        ),
    );
    breaks(
        |steady| steady.round = Nanos::from_millis(99),
        (
            "steady.round",
            "a round shorter than 100ms is noise",
            "use 1s or more",
        ),
    );
    let snia = "SNIA's are `range = 20` and `slope = 10`";
    breaks(
        |steady| steady.range = Percent(0.0),
        ("steady.range", "0% is not a tolerance", snia),
    );
    breaks(
        |steady| steady.slope = Percent(101.0),
        ("steady.slope", "101% is not a tolerance", snia),
    );
}

#[test]
fn a_job_waits_for_bursts_of_another_job() {
    let cyclic = Pacing::Cyclic {
        every: Nanos::from_secs(80),
        bytes: Bytes::MIB,
    };
    let triggered = Pacing::Triggered { bytes: Bytes::MIB };
    let with_second = |pacing: Pacing| {
        let mut second = job("b");
        second.pacing = pacing;
        second.after = Some("a".into());
        second
    };
    let chain = found(|workload| {
        let jobs = &mut workload.phases[0].jobs;
        jobs[0].pacing = cyclic.clone();
        jobs.push(with_second(triggered.clone()));
    });
    assert_eq!(chain, []);
    phase_breaks(
        |phase| phase.jobs.push(with_second(triggered.clone())),
        (
            "job[1].after",
            "job `a` has no bursts to wait for",
            "give it `pacing = { cyclic = { every = \"80s\", bytes = \"2GiB\" } }`",
        ),
    );
    job_breaks(
        |job| job.after = Some("c".into()),
        (
            "after",
            "the phase has no job `c` to wait for",
            "name a job of the same phase",
        ),
    );
    job_breaks(
        |job| job.pacing = triggered.clone(),
        (
            "pacing",
            "a triggered burst waits for nobody",
            "name the job it follows, as in `after = \"wij\"`",
        ),
    );
    let circle = found(|workload| {
        let jobs = &mut workload.phases[0].jobs;
        jobs[0].pacing = triggered.clone();
        jobs[0].after = Some("b".into());
        jobs.push(with_second(triggered.clone()));
    });
    let waits = |key| {
        let message = "jobs wait for each other in a circle";
        violation("phase[0].", (key, message, "break the circle"))
    };
    assert_eq!(circle, [waits("job[0].after"), waits("job[1].after")]);
}

#[test]
fn threads_and_depth_are_possible() {
    for (threads, message) in [
        (0, "0 threads are not possible"),
        (4097, "4097 threads are not possible"),
    ] {
        job_breaks(
            |job| job.threads = threads,
            ("threads", message, "choose 1 to 4096"),
        );
    }
    for (depth, message) in [
        (0, "a queue depth of 0 is not possible"),
        (32_769, "a queue depth of 32769 is not possible"),
    ] {
        job_breaks(
            |job| job.queue_depth = depth,
            ("queue_depth", message, "choose 1 to 32768"),
        );
    }
}

#[test]
fn the_window_holds_a_request_and_lies_in_the_target() {
    let small = "8191B does not hold one request of 8KiB";
    let larger = "make it at least 8KiB";
    job_breaks(|job| job.size = Some(Bytes(8191)), ("size", small, larger));
    job_breaks(
        |job| job.window = Some(Bytes(8191)),
        ("window", small, larger),
    );
    let remedy = "make `size` larger, or `offset` and `window` smaller";
    job_breaks(
        |job| {
            job.size = Some(Bytes::MIB);
            job.offset = Bytes::MIB;
        },
        (
            "offset",
            "the window ends at 1032KiB in a target of 1MiB",
            remedy,
        ),
    );
    job_breaks(
        |job| {
            job.size = Some(Bytes::MIB);
            job.offset = Bytes::KIB;
            job.window = Some(Bytes::MIB);
        },
        (
            "window",
            "the window ends at 1025KiB in a target of 1MiB",
            remedy,
        ),
    );
    job_breaks(
        |job| job.offset = Bytes(100),
        (
            "offset",
            "direct I/O cannot begin at 100B",
            "use a multiple of 512B, or `direct = false`",
        ),
    );
    let beyond = |key| (key, "no target reaches beyond 8 EiB", "choose less");
    let most = Some(Bytes(u64::MAX));
    job_breaks(|job| job.size = most, beyond("size"));
    job_breaks(|job| job.window = most, beyond("window"));
    job_breaks(|job| job.offset = Bytes(1 << 63), beyond("offset"));
}

#[test]
fn a_kind_of_request_is_possible() {
    job_breaks(
        |job| job.kinds.clear(),
        (
            "io",
            "the job has no kind of request",
            "give `block_size` and `read`, or a `[[phase.job.io]]` list",
        ),
    );
    job_breaks(
        |job| job.kinds[1].op = Op::Flush,
        (
            "io[1].op",
            "a flush is not drawn by weight",
            "use `durability.sync = { writes = N, data_only = true }`",
        ),
    );
    let remedy = "choose 1B to 1GiB; direct I/O needs a multiple of the sector size";
    for (size, message) in [
        (Bytes(0), "a block size of 0B is not possible"),
        (Bytes(2 << 30), "a block size of 2GiB is not possible"),
    ] {
        job_breaks(
            |job| job.kinds[0].block_size = size,
            ("io[0].block_size", message, remedy),
        );
    }
    job_breaks(
        |job| job.kinds[0].block_size = Bytes(1000),
        (
            "io[0].block_size",
            "direct I/O cannot move 1000B",
            "use a multiple of 512B, or `direct = false`",
        ),
    );
    job_breaks(
        |job| {
            job.kinds[0].block_size = Bytes(1000);
            job.kinds[0].align = Bytes(1000);
        },
        (
            "io[0].block_size",
            "direct I/O cannot move 1000B",
            "use a multiple of 512B, or `direct = false`",
        ),
    );
    job_is_fine(|job| {
        job.kinds[0].block_size = Bytes(1000);
        job.kinds[0].align = Bytes(1000);
        job.durability.direct = false;
    });
    for (align, message) in [
        (Bytes(0), "offsets cannot be a multiple of 0B"),
        (Bytes(100), "offsets cannot be a multiple of 100B"),
    ] {
        job_breaks(
            |job| job.kinds[1].align = align,
            (
                "io[1].align",
                message,
                "use the block size, or for direct I/O a multiple of 512B",
            ),
        );
    }
    job_breaks(
        |job| job.kinds[0].random = Percent(101.0),
        ("io[0].random", "101% is not a share", "give 0 to 100"),
    );
    for (weight, message) in [
        (0.0, "a weight of 0 is not possible"),
        (-1.0, "a weight of -1 is not possible"),
        (f64::NAN, "a weight of NaN is not possible"),
        (f64::INFINITY, "a weight of inf is not possible"),
    ] {
        job_breaks(
            |job| job.kinds[1].weight = weight,
            (
                "io[1].weight",
                message,
                "give a positive number, or leave the kind out",
            ),
        );
    }
}

#[test]
fn a_pass_without_repetition_has_one_block_size_and_no_hot_blocks() {
    job_is_fine(|job| job.access.without_repetition = true);
    job_breaks(
        |job| {
            job.access.without_repetition = true;
            job.kinds[0].block_size = Bytes(4096);
        },
        (
            "access.without_repetition",
            "a pass over each block once needs one block size",
            "give all kinds the same `block_size` and `align`",
        ),
    );
    job_breaks(
        |job| {
            job.access.without_repetition = true;
            job.access.distribution = Distribution::Zipf { theta: 1.0 };
        },
        (
            "access.without_repetition",
            "a pass over each block once has no hot blocks",
            "drop `without_repetition` or the distribution",
        ),
    );
    job_breaks(
        |job| {
            sequential(job);
            job.access.without_repetition = true;
        },
        (
            "access.without_repetition",
            "no request of the job is random",
            "set `random = 100`, or drop `without_repetition`",
        ),
    );
}

#[test]
fn strides_and_cursors_need_sequential_requests_and_aligned_places() {
    job_breaks(
        |job| job.access.stride = Some(Bytes::MIB),
        (
            "access.stride",
            "no request of the job is sequential",
            "set `random = 0`",
        ),
    );
    job_breaks(
        |job| {
            sequential(job);
            job.access.stride = Some(Bytes(0));
        },
        (
            "access.stride",
            "a stride of 0 stays at one place",
            "give it a positive size",
        ),
    );
    job_breaks(
        |job| {
            sequential(job);
            job.access.stride = Some(Bytes(1000));
        },
        (
            "access.stride",
            "direct I/O needs aligned offsets",
            "use a multiple of 512B",
        ),
    );
    job_breaks(
        |job| job.access.cursor = Cursor::Shared,
        (
            "access.cursor",
            "no request of the job is sequential, so there is no position to share",
            "set `random` below 100, or drop the cursor",
        ),
    );
    job_breaks(
        |job| {
            sequential(job);
            job.access.cursor = Cursor::Own {
                stride: Some(Bytes(1000)),
            };
        },
        (
            "access.cursor",
            "direct I/O needs aligned offsets",
            "start the threads a multiple of 512B apart",
        ),
    );
}

#[test]
fn a_distribution_is_possible() {
    job_breaks(
        |job| {
            sequential(job);
            job.access.distribution = Distribution::Zipf { theta: 1.0 };
        },
        (
            "access.distribution",
            "no request of the job is random",
            "set `random = 100`, or drop the distribution",
        ),
    );
    let range = |ios, of| HotRange {
        ios: Percent(ios),
        of: Percent(of),
    };
    let hot = |ranges: &[HotRange]| Distribution::Hot {
        ranges: ranges.to_vec(),
    };
    let deviation = |percent| Distribution::Normal {
        deviation: Percent(percent),
    };
    let zipf = "choose one above 0, usually 0.8 to 1.2";
    let pareto = "choose one between 0 and 1, as in 0.9";
    let normal = "choose one above 0 and up to 100";
    let sums = "keep both sums at 100 or below, and leave space for what is left";
    let cases = [
        (
            Distribution::Zipf { theta: 0.0 },
            "a zipf theta of 0 is not possible",
            zipf,
        ),
        (
            Distribution::Zipf { theta: 11.0 },
            "a zipf theta of 11 is not possible",
            zipf,
        ),
        (
            Distribution::Pareto { h: 0.0 },
            "a pareto power of 0 is not possible",
            pareto,
        ),
        (
            Distribution::Pareto { h: 1.0 },
            "a pareto power of 1 is not possible",
            pareto,
        ),
        (
            deviation(0.0),
            "a deviation of 0% of the window is not possible",
            normal,
        ),
        (
            deviation(101.0),
            "a deviation of 101% of the window is not possible",
            normal,
        ),
        (
            hot(&[]),
            "the ranges take 0 % of the requests over 0 % of the window",
            sums,
        ),
        (
            hot(&[range(60.0, 10.0), range(50.0, 10.0)]),
            "the ranges take 110 % of the requests over 20 % of the window",
            sums,
        ),
        (
            hot(&[range(60.0, 100.0)]),
            "the ranges take 60 % of the requests over 100 % of the window",
            sums,
        ),
        (
            hot(&[range(60.0, 0.0)]),
            "the ranges take 60 % of the requests over 0 % of the window",
            sums,
        ),
    ];
    for (distribution, message, remedy) in cases {
        job_breaks(
            |job| job.access.distribution = distribution,
            ("access.distribution", message, remedy),
        );
    }
    for distribution in [
        hot(&[range(90.0, 10.0), range(5.0, 10.0)]),
        hot(&[range(90.0, 10.0), range(10.0, 90.0)]),
        deviation(100.0),
    ] {
        job_is_fine(|job| job.access.distribution = distribution);
    }
}

#[test]
fn pacing_is_possible() {
    let closed = |think, burst| Pacing::Closed { think, burst };
    job_breaks(
        |job| job.pacing = closed(Nanos::from_secs(1), 0),
        (
            "pacing.burst",
            "a burst of 0 requests never ends",
            "give at least 1",
        ),
    );
    job_breaks(
        |job| job.pacing = closed(Nanos::ZERO, 2),
        (
            "pacing.burst",
            "a burst without `think` is no burst",
            "add `think`",
        ),
    );
    for (rate, message) in [
        (Rate::Iops(0.0), "a rate of 0 IOPS is not possible"),
        (
            Rate::BytesPerSecond(f64::INFINITY),
            "a rate of inf B/s is not possible",
        ),
    ] {
        job_breaks(
            |job| {
                job.pacing = Pacing::Open {
                    rate,
                    arrivals: Arrivals::Constant,
                }
            },
            (
                "pacing.rate",
                message,
                "give a positive rate, as in `1000 IOPS`",
            ),
        );
    }
    job_breaks(
        |job| {
            job.pacing = Pacing::Cyclic {
                every: Nanos::ZERO,
                bytes: Bytes::MIB,
            }
        },
        (
            "pacing.every",
            "a period of 0 is no period",
            "as in `every = \"80s\"`",
        ),
    );
    job_breaks(
        |job| {
            job.threads = 4;
            job.pacing = Pacing::Cyclic {
                every: Nanos::from_secs(1),
                bytes: Bytes(31 * 1024),
            };
        },
        (
            "pacing.bytes",
            "a burst of 31KiB gives not every thread a request",
            "make it at least 32KiB",
        ),
    );
}

#[test]
fn only_writes_are_made_durable() {
    let sync = |writes| {
        Some(SyncEvery {
            writes,
            data_only: true,
        })
    };
    job_breaks(
        |job| job.durability.sync = sync(0),
        (
            "durability.sync",
            "a flush after every 0 writes is not possible",
            "give 1 or more",
        ),
    );
    job_breaks(
        |job| {
            only(job, Op::Read);
            job.durability.sync = sync(1);
        },
        (
            "durability.sync",
            "the job writes nothing to flush",
            "drop `sync`",
        ),
    );
    job_breaks(
        |job| {
            only(job, Op::Read);
            job.durability.write_through = true;
        },
        (
            "durability.write_through",
            "the job writes nothing to write through",
            "drop `write_through`",
        ),
    );
}

#[test]
fn data_agrees_with_itself_and_with_verification() {
    job_breaks(
        |job| job.data.compressible_to = Percent(-1.0),
        (
            "data.compressible_to",
            "-1% is not a share",
            "give 0 to 100",
        ),
    );
    job_breaks(
        |job| job.data.duplicate = Percent(200.0),
        ("data.duplicate", "200% is not a share", "give 0 to 100"),
    );
    job_breaks(
        |job| {
            job.data.fill = Fill::Zero;
            job.data.compressible_to = Percent(50.0);
        },
        (
            "data.fill",
            "zeros are fully compressible and duplicate already",
            "use `fill = \"random\"` with `compressible_to` or `duplicate`",
        ),
    );
    job_breaks(
        |job| {
            job.verify = Verify::Stamp;
            job.data.fill = Fill::Zero;
        },
        (
            "data.fill",
            "self-describing blocks are neither zero nor duplicate",
            "use `fill = \"random\"` without `duplicate`, or `verify = \"off\"`",
        ),
    );
    job_breaks(
        |job| {
            job.verify = Verify::Check;
            job.durability.direct = false;
            job.kinds[0].align = Bytes(100);
        },
        (
            "verify",
            "self-describing blocks are 512B each",
            "use block sizes and alignments that are a multiple of 512B",
        ),
    );
    job_breaks(
        |job| {
            job.verify = Verify::ReadBack;
            only(job, Op::Trim);
        },
        (
            "verify",
            "a trimmed block has no content to check",
            "drop the trims",
        ),
    );
}

#[test]
fn a_job_ends_after_something() {
    job_breaks(
        |job| job.stop.bytes = Some(Bytes(0)),
        (
            "stop.bytes",
            "a job that ends after 0B does nothing",
            "give a positive size",
        ),
    );
    job_breaks(
        |job| job.stop.ios = Some(0),
        (
            "stop.ios",
            "a job that ends after 0 requests does nothing",
            "give at least 1",
        ),
    );
}

#[test]
fn all_violations_are_told_in_reading_order() {
    let paths: Vec<String> = found(|workload| {
        workload.repeat = 0;
        workload.phases[0].duration = None;
        let job = &mut workload.phases[0].jobs[0];
        job.threads = 0;
        job.kinds[1].weight = 0.0;
        job.durability.sync = Some(SyncEvery {
            writes: 0,
            data_only: false,
        });
    })
    .into_iter()
    .map(|violation| violation.path)
    .collect();
    assert_eq!(
        paths,
        [
            "repeat",
            "phase[0].duration",
            "phase[0].job[0].threads",
            "phase[0].job[0].io[1].weight",
            "phase[0].job[0].durability.sync"
        ]
    );
}
