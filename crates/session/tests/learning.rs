//! Workloads of known truth: their requests are generated without I/O, learned, and compared with
//! what they were made by. Each is made of a seed.

use fathom_capture::learn::{Census, Loop, Role, Roles, Services, Survey, workload};
use fathom_core::spec::validate::validate;
use fathom_core::spec::{Access, Arrivals, Bursts, Distribution, Durability, HotRange, IoKind};
use fathom_core::spec::{Job, Pacing, PauseLength, Phase, RateCurve, SyncEvery, Workload};
use fathom_core::{Bytes, Nanos, Op, Percent, Rate};
use fathom_session::twin::{Played, play};
use std::fmt::Write as _;

/// Length of each.
const SECONDS: u64 = 6;
/// Workloads: of an ordinary test, and with `FATHOM_STATISTICS=full`.
const COUNTS: [u64; 2] = [6, 30];

/// A generator of choices (SplitMix64).
struct Choices(u64);

impl Choices {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, count: u64) -> u64 {
        self.next() % count
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }

    fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Service times: 40 µs and exponential ones, of a flush 10 times as long.
fn services(choices: &mut Choices) -> Services {
    let mut services = Services::default();
    let mean_ns = choices.of(&[60_000.0, 150_000.0, 400_000.0]);
    for op in [Op::Read, Op::Write, Op::Flush] {
        let factor = if op == Op::Flush { 3.0 } else { 1.0 };
        for _ in 0..10_000 {
            let drawn = -(1.0 - choices.uniform()).ln() * mean_ns;
            services.add(op, 4096, ((40_000.0 + drawn) * factor) as u64);
        }
    }
    services
}

/// What a job requests: a log writes in order.
fn kinds(choices: &mut Choices, size: u64, is_log: bool) -> Vec<IoKind> {
    let mut kinds = Vec::new();
    if is_log {
        kinds.push(IoKind {
            random: Percent(0.0),
            ..IoKind::plain(Op::Write, Bytes(choices.of(&[4096, 8192, 65_536])))
        });
    } else {
        let read = choices.of(&[100, 95, 70, 50, 30, 0]);
        let sequential = choices.of(&[0, 0, 0, 30, 100]);
        let random = Percent(f64::from(100 - sequential));
        for (op, weight) in [(Op::Read, read), (Op::Write, 100 - read)] {
            if weight > 0 {
                kinds.push(IoKind {
                    weight: f64::from(weight),
                    random,
                    ..IoKind::plain(op, Bytes(size))
                });
            }
        }
        if choices.below(3) == 0 {
            kinds.push(IoKind {
                weight: 10.0,
                random,
                ..IoKind::plain(Op::Read, Bytes(4 * size))
            });
        }
    }
    kinds
}

/// A job of a window that nothing else uses.
fn job(choices: &mut Choices, name: &str, window: u64, number: u64) -> Job {
    let size = choices.of(&[4096, 8192, 16_384]);
    let is_log = number > 0;
    let kinds = kinds(choices, size, is_log);
    let is_random = kinds.iter().all(|kind| kind.random.0 > 0.0);
    let distribution = match choices.below(3) {
        1 if is_random => Distribution::Zipf {
            theta: choices.of(&[0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3]),
        },
        2 if is_random => Distribution::Hot {
            ranges: vec![HotRange {
                ios: Percent(90.0),
                of: Percent(10.0),
            }],
        },
        _ => Distribution::Uniform,
    };
    let (threads, depth, pacing) = match choices.below(5) {
        0 => (choices.of(&[1, 4]), 1, Pacing::CLOSED),
        1 => (1, choices.of(&[8, 32]), Pacing::CLOSED),
        2 => {
            let think = Nanos::from_micros(choices.of(&[300, 1000, 3000]));
            let burst = choices.of(&[1, 1, 8]);
            (choices.of(&[2, 8]), 1, Pacing::Closed { think, burst })
        }
        _ => {
            let rate = Rate::Iops(choices.of(&[900.0, 3000.0, 8000.0]));
            let arrivals = choices.of(&[Arrivals::Poisson, Arrivals::Constant]);
            (choices.of(&[1, 2]), 64, Pacing::Open { rate, arrivals })
        }
    };
    // A flush after each write makes an open load wait, so that it is not open any more.
    // With flushes a deep queue is not kept full.
    let is_flushed = is_log && depth == 1 && !pacing.is_open();
    Job {
        name: name.to_owned(),
        threads,
        queue_depth: depth,
        size: Some(Bytes(4 << 30)),
        offset: Bytes(number << 30),
        window: Some(Bytes(window)),
        access: Access {
            distribution,
            ..Access::PLAIN
        },
        pacing,
        durability: Durability {
            sync: is_flushed.then_some(SyncEvery {
                writes: choices.of(&[1, 4]),
                data_only: true,
            }),
            ..Durability::PLAIN
        },
        kinds,
        ..Job::plain()
    }
}

fn truth(choices: &mut Choices, seed: u64) -> Workload {
    let mut jobs = Vec::new();
    for number in 0..=choices.below(2) {
        let window = choices.of(&[64 << 20, 256 << 20, 1 << 30]);
        let name = ["main-data", "side-log"][number as usize];
        jobs.push(job(choices, name, window, number));
    }
    Workload {
        name: "truth".to_owned(),
        seed: Some(seed),
        phases: vec![Phase {
            duration: Some(Nanos::from_secs(SECONDS)),
            jobs,
            ..Phase::plain()
        }],
        ..Workload::plain()
    }
}

fn learn(played: &Played, seconds: u64) -> Vec<Role> {
    let length_ns = seconds * 1_000_000_000;
    let mut census = Census::default();
    census.add(&played.requests, &played.tasks);
    let roles = Roles::of(census, length_ns, None);
    let mut survey = Survey::new(&roles);
    survey.add(&roles, &played.requests);
    survey.finish(&roles)
}

/// What differs in the instants of the requests.
fn missed_pace(job: &Job, role: &Role) -> Option<String> {
    let depth = job.queue_depth;
    match (&job.pacing, role.pace) {
        (Pacing::Open { arrivals, .. }, Loop::Open { arrivals: found }) if *arrivals == found => {
            None
        }
        (
            Pacing::Closed { think, burst },
            Loop::Closed {
                threads,
                depth: found,
                burst: burst_found,
                think_ns,
            },
        ) if (threads, found, burst_found) == (job.threads, depth, *burst)
            && think_ns.abs_diff(think.0) <= think.0 / 20 =>
        {
            None
        }
        (truth, found) => Some(format!("{found:?} instead of {truth:?}")),
    }
}

/// What differs between a job and its role.
fn misses(job: &Job, role: &Role, requests: u64) -> Vec<String> {
    let mut misses = Vec::new();
    let mut check = |what: &str, truth: f64, found: f64, most: f64| {
        if (truth - found).abs() > most {
            misses.push(format!("{what} {found:.3} instead of {truth:.3}"));
        }
    };
    let all: f64 = job.kinds.iter().map(|kind| kind.weight).sum();
    for kind in &job.kinds {
        let is_it = |one: &&IoKind| (one.op, one.block_size) == (kind.op, kind.block_size);
        let found = role.kinds.iter().find(is_it);
        let share = found.map_or(0.0, |kind| kind.weight);
        let what = format!("share of {} {}", kind.op.name(), kind.block_size);
        check(&what, kind.weight / all * 100.0, share, 1.0);
        let random = found.map_or(-100.0, |kind| kind.random.0);
        check(
            &format!("random share of {what}"),
            kind.random.0,
            random,
            2.0,
        );
        let align = found.map_or(0, |kind| kind.align.0);
        if kind.random.0 > 0.0 {
            check("align", kind.align.0 as f64, align as f64, 0.0);
        }
    }
    check(
        "sizes",
        job.kinds.len() as f64,
        role.kinds.len() as f64,
        0.0,
    );
    let iops = requests as f64 / SECONDS as f64;
    check("rate", 1.0, role.iops / iops, 0.01);
    let window = job.window.unwrap_or_default().0;
    let space = role.footprint_bytes as f64 / window as f64;
    // What is written in order may not reach the end.
    if job.is_random() {
        check("space", 1.0, space, 0.02);
    }
    match (&job.access.distribution, &role.distribution) {
        (Distribution::Zipf { theta }, Distribution::Zipf { theta: found }) => {
            check("Zipf exponent", *theta, *found, 0.05);
        }
        (Distribution::Hot { ranges }, Distribution::Hot { ranges: found }) => {
            check("hot space", ranges[0].of.0, found[0].of.0, 0.0);
            check("hot share", ranges[0].ios.0, found[0].ios.0, 1.0);
        }
        (truth, found) if truth == found => {}
        (truth, found) => misses.push(format!("offsets {found:?} instead of {truth:?}")),
    }
    let writes = job.durability.sync.map(|sync| sync.writes);
    if writes != role.writes_per_flush {
        misses.push(format!(
            "flush {:?} instead of {writes:?}",
            role.writes_per_flush
        ));
    }
    misses.extend(missed_pace(job, role));
    misses
}

/// Whether open and closed are right.
fn is_loop_right(job: &Job, role: &Role) -> bool {
    job.pacing.is_open() == matches!(role.pace, Loop::Open { .. })
}

/// One workload: what is wrong with what was learned, and with a run of the twin.
fn attack(seed: u64) -> (Vec<String>, bool) {
    let mut choices = Choices(seed);
    let services = services(&mut choices);
    let truth = truth(&mut choices, seed);
    assert_eq!(validate(&truth), [], "seed {seed}");
    let played = play(&truth, &services).expect("it is played");
    let roles = learn(&played, SECONDS);
    let jobs = &truth.phases[0].jobs;
    let mut found = Vec::new();
    let mut is_right = true;
    if roles.len() != jobs.len() {
        found.push(format!("{} roles instead of {}", roles.len(), jobs.len()));
    }
    for (number, job) in jobs.iter().enumerate() {
        // Roles are known by where their requests go.
        let Some(role) = roles.iter().find(|role| role.process == job.name) else {
            found.push(format!("no role of {}", job.name));
            is_right = false;
            continue;
        };
        let tasks = played.tasks.iter().enumerate();
        let own: Vec<u32> = tasks
            .filter(|(_, task)| task.name.starts_with(&job.name))
            .map(|(task, _)| task as u32)
            .collect();
        let is_own = |request: &&fathom_capture::Request| {
            own.contains(&request.task) && request.flags.op() != Some(Op::Flush)
        };
        let requests = played.requests.iter().filter(is_own).count() as u64;
        is_right &= is_loop_right(job, role);
        let misses = misses(job, role, requests).into_iter();
        found.extend(misses.map(|miss| format!("job {number}: {miss}")));
    }
    let twin = workload(&roles, "twin", Nanos::from_secs(SECONDS));
    assert_eq!(validate(&twin), [], "seed {seed}");
    let again = play(&twin, &services).expect("it is played").requests.len() as f64;
    let before = played.requests.len() as f64;
    if (again / before - 1.0).abs() > 0.03 {
        found.push(format!(
            "the twin makes {again} requests instead of {before}"
        ));
    }
    (found, is_right)
}

#[test]
fn thirty_workloads_are_found_again() {
    let is_full = std::env::var("FATHOM_STATISTICS").is_ok_and(|value| value == "full");
    let count = COUNTS[usize::from(is_full)];
    let first = std::env::var("FATHOM_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok());
    let first: u64 = first.unwrap_or(1);
    let mut text = String::new();
    let mut right = 0;
    for seed in first..first + count {
        let (misses, is_right) = attack(seed);
        right += u64::from(is_right);
        for miss in misses {
            let _ = writeln!(text, "seed {seed}: {miss}");
        }
    }
    assert_eq!((right, text.as_str()), (count, ""));
}

/// An open load in bursts, of 200 s.
fn in_bursts(bursts: Bursts) -> Workload {
    let job = Job {
        name: "bursty".to_owned(),
        queue_depth: 1024,
        size: Some(Bytes(1 << 30)),
        pacing: Pacing::Open {
            rate: Rate::Iops(1000.0),
            arrivals: Arrivals::Bursts(bursts),
        },
        kinds: vec![IoKind::plain(Op::Write, Bytes(8192))],
        ..Job::plain()
    };
    Workload {
        name: "truth".to_owned(),
        seed: Some(3),
        phases: vec![Phase {
            duration: Some(Nanos::from_secs(200)),
            jobs: vec![job],
            ..Phase::plain()
        }],
        ..Workload::plain()
    }
}

/// The largest factor between two indexes of dispersion of the same interval.
fn largest_factor(one: &Role, other: &Role) -> f64 {
    let pairs = one.dispersion.iter().zip(other.dispersion);
    let factors = pairs.map(|(a, b)| (a.unwrap_or(0.0) / b.unwrap_or(0.0)).ln().abs().exp());
    factors.fold(1.0, f64::max)
}

#[test]
fn bursts_are_found_again() {
    let services = services(&mut Choices(1));
    let mut found = Vec::new();
    for (share, every_ms, length_ms, clocked) in [
        (80.0, 5000, 300, true),
        (100.0, 2000, 40, true),
        (50.0, 10_000, 1000, true),
        (90.0, 1000, 100, false),
        (100.0, 400, 20, false),
        (60.0, 2000, 200, false),
    ] {
        let truth = Bursts {
            share: Percent(share),
            every: Nanos::from_millis(every_ms),
            length: Nanos::from_millis(length_ms),
            clocked,
        };
        let workload_of_it = in_bursts(truth);
        assert_eq!(validate(&workload_of_it), []);
        let played = play(&workload_of_it, &services).expect("it is played");
        let roles = learn(&played, 200);
        let [role] = roles.as_slice() else {
            panic!("{} roles", roles.len());
        };
        let twin = workload(&roles, "twin", Nanos::from_secs(200));
        assert_eq!(validate(&twin), []);
        let again = play(&twin, &services).expect("it is played");
        let factor = largest_factor(role, &learn(&again, 200)[0]);
        let is_clocked = match role.pace {
            Loop::Open {
                arrivals: Arrivals::Bursts(bursts),
            } => Some(bursts.clocked),
            _ => None,
        };
        if is_clocked != Some(clocked) || factor > 1.5 {
            found.push(format!("{truth}: {:?}, factor {factor:.2}", role.pace));
        }
    }
    assert_eq!(found, Vec::<String>::new());
}

/// A rate that rises and falls over two minutes, as before and after office hours.
fn changing(arrivals: Arrivals) -> Workload {
    let mut workload = in_bursts(Bursts {
        share: Percent(50.0),
        every: Nanos::from_secs(1),
        length: Nanos::from_millis(100),
        clocked: true,
    });
    let phase = &mut workload.phases[0];
    phase.duration = Some(Nanos::from_secs(120));
    let rate = Rate::Iops(1000.0);
    phase.jobs[0].pacing = Pacing::Open { rate, arrivals };
    phase.jobs[0].rate_curve = Some(RateCurve {
        every: Nanos::from_secs(20),
        levels: vec![10, 60, 170, 200, 150, 10],
    });
    workload
}

#[test]
fn a_changing_rate_is_found_again() {
    let services = services(&mut Choices(1));
    let by_the_clock = Bursts {
        share: Percent(80.0),
        every: Nanos::from_millis(500),
        length: Nanos::from_millis(40),
        clocked: true,
    };
    let mut found = Vec::new();
    for arrivals in [Arrivals::Poisson, Arrivals::Bursts(by_the_clock)] {
        let truth = changing(arrivals);
        assert_eq!(validate(&truth), []);
        let played = play(&truth, &services).expect("it is played");
        let roles = learn(&played, 120);
        let twin = workload(&roles, "twin", Nanos::from_secs(120));
        assert_eq!(validate(&twin), []);
        let again = play(&twin, &services).expect("it is played");
        let factor = largest_factor(&roles[0], &learn(&again, 120)[0]);
        // Each level of the truth is that of ten intervals.
        let levels = roles[0].rate_curve.as_ref().map(|curve| &curve.levels);
        let levels: Vec<u32> = levels.into_iter().flatten().copied().collect();
        let means = levels.chunks(10).map(|ten| ten.iter().sum::<u32>() / 10);
        let off = means.zip([10_u32, 60, 170, 200, 150, 10]);
        let most_off = off.map(|(mean, level)| mean.abs_diff(level)).max();
        found.push((levels.len(), most_off <= Some(5), factor <= 1.5));
    }
    assert_eq!(found, [(60, true, true); 2]);
}

#[test]
fn a_workload_is_played_the_same_again() {
    let mut choices = Choices(7);
    let services = services(&mut choices);
    let truth = truth(&mut choices, 7);
    let requests = || play(&truth, &services).expect("it is played").requests;
    assert!(requests() == requests());
}

/// A closed load of 60 s with two lengths of pauses, all four times as long at the end.
fn thinking(threads: u32, sync: Option<u32>) -> Workload {
    let pause = |share, length| PauseLength {
        share: Percent(share),
        length,
    };
    let job = Job {
        name: "thinking".to_owned(),
        threads,
        size: Some(Bytes(1 << 30)),
        pacing: Pacing::Closed {
            think: Nanos::from_millis(2),
            burst: 4,
        },
        pauses: vec![pause(80.0, 3), pause(20.0, 30)],
        rate_curve: Some(RateCurve {
            every: Nanos::from_secs(10),
            levels: vec![160, 140, 100, 80, 80, 40],
        }),
        durability: Durability {
            sync: sync.map(|writes| SyncEvery {
                writes,
                data_only: true,
            }),
            ..Durability::PLAIN
        },
        kinds: vec![IoKind::plain(Op::Write, Bytes(8192))],
        ..Job::plain()
    };
    Workload {
        name: "truth".to_owned(),
        seed: Some(5),
        phases: vec![Phase {
            duration: Some(Nanos::from_secs(60)),
            jobs: vec![job],
            ..Phase::plain()
        }],
        ..Workload::plain()
    }
}

/// The services of a device, all of them this long.
fn services_of(write_ns: u64, flush_ns: u64) -> Services {
    let mut services = Services::default();
    for percent in 50..150 {
        services.add(Op::Write, 8192, write_ns * percent / 100);
        services.add(Op::Flush, 0, flush_ns * percent / 100);
    }
    services
}

#[test]
fn pauses_are_found_again_on_every_device() {
    let here = services_of(400_000, 2_000_000);
    let mut found = Vec::new();
    for (threads, sync) in [(1, None), (4, None), (2, Some(4))] {
        let truth = thinking(threads, sync);
        assert_eq!(validate(&truth), []);
        let played = play(&truth, &here).expect("it is played");
        let twin = workload(&learn(&played, 60), "twin", Nanos::from_secs(60));
        assert_eq!(validate(&twin), []);
        for there in [&here, &services_of(20_000, 40_000)] {
            let truth = play(&truth, there).expect("it is played");
            let twin = play(&twin, there).expect("it is played");
            let rate = twin.requests.len() as f64 / truth.requests.len() as f64;
            let [one, other] = [&truth, &twin].map(|played| learn(played, 60));
            let factor = largest_factor(&one[0], &other[0]);
            if (rate - 1.0).abs() > 0.03 || factor > 1.5 {
                found.push(format!(
                    "{threads} {sync:?}: rate {rate:.3}, factor {factor:.2}"
                ));
            }
        }
    }
    assert_eq!(found, Vec::<String>::new());
}
