//! Times of requests: queues whose answer is known, disks that turn, roles behind one instance.

use fathom_core::{Nanos, Op};
use fathom_volume::catalog::{Catalog, Date};
use fathom_volume::layout::{Options, Spread, build_roles};
use fathom_volume::model::{IoShape, VolumeModel as _};
use fathom_volume::{Layout, System};
use rand_core::SeedableRng as _;
use rand_distr::{Distribution as _, Exp1, StandardUniform};
use rand_xoshiro::Xoshiro256PlusPlus;

fn day(text: &str) -> Date {
    text.parse().expect("a day")
}

fn build(text: &str, options: &Options<'_>) -> System {
    let layout: Layout = text.parse().expect(text);
    let built = layout.build(&Catalog::embedded(), day("2026-11-01"), options);
    built.expect(text).system
}

/// Mean time in nanoseconds of requests that come at random, so many of them, at a rate.
fn mean_of_open(system: &mut System, rate: f64, count: u32) -> f64 {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let (mut at, mut sum) = (0.0, 0.0);
    for _ in 0..count {
        let gap: f64 = Exp1.sample(&mut random);
        at += gap / rate * 1e9;
        let io = IoShape {
            op: Op::Read,
            offset: 0,
            bytes: 4_096,
        };
        let now = Nanos(at as u64);
        sum += (system.admit(io, now).done - now).0 as f64;
    }
    sum / f64::from(count)
}

#[test]
fn one_server_waits_as_the_formulas_say() {
    // A millisecond each, 700 a second: M/M/1 takes 1 / (1 - 0.7) ms; M/G/1 by Pollaczek and
    // Khinchine 1 + 0.7 (1 + c²) / (2 (1 - 0.7)) ms, with c² = exp(0.35²) - 1.
    let c2 = f64::exp(0.35 * 0.35) - 1.0;
    let cases = [
        (Spread::Exponential, 1e6 / 0.3),
        (Spread::OfType, 1e6 * (1.0 + 0.7 * (1.0 + c2) / 0.6)),
        (Spread::None, 1e6 * (1.0 + 0.7 / 0.6)),
    ];
    for (spread, expected) in cases {
        let options = Options {
            service: Some(spread.law(1e6)),
            spread,
            servers: Some(1),
            ..Options::default()
        };
        let mut system = build("local-ssd:480GB:1000000iops:10000MB/s", &options);
        let mean = mean_of_open(&mut system, 700.0, 400_000);
        assert!(
            (mean / expected - 1.0).abs() < 0.03,
            "{spread:?}: {mean} is not {expected}"
        );
    }
}

/// Requests a second at a depth, and the median and the 99th percentile of their times.
fn closed(system: &mut System, depth: usize, count: usize) -> (f64, f64, f64) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
    let size = system.size_bytes();
    let mut free: Vec<Nanos> = vec![Nanos::ZERO; depth];
    let mut times: Vec<f64> = Vec::new();
    for _ in 0..count {
        let slot = (0..depth).min_by_key(|slot| free[*slot]).expect("a slot");
        let place: f64 = StandardUniform.sample(&mut random);
        let io = IoShape {
            op: Op::Read,
            offset: (place * (size - 8_192) as f64) as u64 / 4_096 * 4_096,
            bytes: 4_096,
        };
        let done = system.admit(io, free[slot]).done;
        times.push((done - free[slot]).0 as f64);
        free[slot] = done;
    }
    let end = free.iter().max().expect("a slot").0 as f64 / 1e9;
    times.sort_by(f64::total_cmp);
    (
        count as f64 / end,
        times[count / 2],
        times[count * 99 / 100],
    )
}

#[test]
fn a_disk_that_turns_has_a_spread_and_gains_by_depth() {
    let options = Options {
        spread: Spread::OfType,
        ..Options::default()
    };
    let text = "hdd-7200:4TB:150MB/s";
    let (alone, median, p99) = closed(&mut build(text, &options), 1, 20_000);
    // 1,000 / (8.5 + 4.17) ms, less the transfer.
    assert!((alone / 78.8 - 1.0).abs() < 0.03, "{alone}");
    assert!(p99 > 1.4 * median && median > 8e6, "{median} {p99}");
    let (deep, ..) = closed(&mut build(text, &options), 32, 20_000);
    assert!((1.7..2.6).contains(&(deep / alone)), "{deep} of {alone}");
    let (plain, ..) = closed(&mut build(text, &Options::default()), 32, 2_000);
    assert!((plain / alone - 1.0).abs() < 0.03, "{plain} of {alone}");
}

#[test]
fn a_disk_chooses_among_the_requests_that_its_queue_holds() {
    let options = Options {
        spread: Spread::USUAL,
        ..Options::default()
    };
    let rate = |depth: usize| closed(&mut build("hdd-15k:300GB", &options), depth, 20_000).0;
    let (alone, deep, deeper) = (rate(1), rate(32), rate(512));
    // 1,000 / (3.4 + 2) ms; requests beyond 32 wait in the host.
    assert!((alone / 185.0 - 1.0).abs() < 0.03, "{alone}");
    assert!((1.7..2.6).contains(&(deep / alone)), "{deep} of {alone}");
    assert!((deeper / deep - 1.0).abs() < 0.05, "{deeper} and {deep}");
}

#[test]
fn a_network_volume_has_a_tail() {
    let options = Options {
        spread: Spread::OfType,
        ..Options::default()
    };
    let (_, median, p99) = closed(&mut build("gp3:100GiB", &options), 1, 20_000);
    // exp(2.326 × 0.35).
    assert!((p99 / median / 2.257 - 1.0).abs() < 0.05, "{median} {p99}");
}

#[test]
fn a_small_machine_without_credit_gives_what_the_guide_measured() {
    let catalog = Catalog::embedded();
    let instance = catalog
        .instance("B2ms", None, day("2026-11-01"))
        .expect("a size");
    let rate = |credit: f64| {
        let options = Options {
            instance: Some(instance),
            instance_credit: credit,
            ..Options::default()
        };
        closed(&mut build("3x P30", &options), 64, 240_000).0
    };
    // 1,953 were measured over two minutes.
    let found = rate(0.0);
    assert!((found / 1_953.3 - 1.0).abs() < 0.02, "{found}");
    assert!((rate(1.0) / 4_000.0 - 1.0).abs() < 0.02);
}

#[test]
fn roles_share_the_instance_and_nothing_else() {
    let catalog = Catalog::embedded();
    let at = day("2026-11-01");
    let instance = catalog
        .instance("r5d.xlarge", None, at)
        .expect("an instance");
    let roles = [("data", "gp3:500GiB:16000iops"), ("log", "gp3:100GiB")];
    let roles = roles.map(|(role, text)| (role.to_owned(), text.parse::<Layout>().expect(text)));
    let options = Options {
        instance: Some(instance),
        instance_credit: 0.0,
        ..Options::default()
    };
    let built = build_roles(&roles, &catalog, at, &options).expect("they can be");
    let system = built.system;
    assert_eq!(
        (system.place(0, 2), system.place(1, 2)),
        ((0, 500 << 30), (500 << 30, 100 << 30))
    );
    assert_eq!(
        system.title(),
        "data=gp3:500GiB:16000iops, log=gp3:100GiB under r5d.xlarge"
    );
    let mut names = system.limits();
    names.dedup();
    assert_eq!(
        names,
        [
            "r5d.xlarge IOPS",
            "r5d.xlarge throughput",
            "data gp3 IOPS",
            "data gp3 throughput",
            "log gp3 IOPS",
            "log gp3 throughput"
        ]
    );
    // The log alone gets its 3,000; beside a busy data volume both have the instance's 6,000.
    let rates = |data_depth: usize| {
        let mut system = system.clone();
        let mut free: Vec<(Nanos, bool)> = vec![(Nanos::ZERO, true); 16];
        free.extend(vec![(Nanos::ZERO, false); data_depth]);
        let mut counts = (0_u32, 0_u32);
        let end = Nanos::from_secs(20);
        while let Some(slot) = free
            .iter_mut()
            .min_by_key(|slot| slot.0)
            .filter(|slot| slot.0 < end)
        {
            let begin = if slot.1 { system.place(1, 2).0 } else { 0 };
            let count = if slot.1 { &mut counts.1 } else { &mut counts.0 };
            *count += 1;
            let io = IoShape {
                op: Op::Write,
                offset: begin + u64::from(*count) * 1_048_576 % (50 << 30),
                bytes: 4_096,
            };
            slot.0 = system.admit(io, slot.0).done;
        }
        (f64::from(counts.0) / 20.0, f64::from(counts.1) / 20.0)
    };
    let (_, alone) = rates(0);
    assert!((alone / 3_000.0 - 1.0).abs() < 0.03, "{alone}");
    let (data, log) = rates(64);
    assert!(((data + log) / 6_000.0 - 1.0).abs() < 0.03, "{data} {log}");
    assert!(log < 2_000.0 && data > 4_000.0, "{data} {log}");
}
