//! Bursts: how long they last, how long they take to come back, and what is left after them.

use crate::bench::{KIB, closed, course, open, seconds, system};
use fathom_core::{Nanos, Op};
use fathom_volume::model::{Bound, VolumeModel};
use fathom_volume::{Demand, System};

const THEN: &str = "2018-11-29";
const NOW: &str = "2026-11-21";

/// Seconds of the first step, and requests a second in it and after.
fn burst(system: &mut System) -> (f64, u64, u64) {
    let day = Nanos::from_secs(86_400 * 40);
    let served = system.serve(&closed(Op::Read, 4 * KIB, 256), Nanos::ZERO, day);
    let rate = |step: usize| served.steps[step].iops().round() as u64;
    (served.steps[0].span.as_secs_f64(), rate(0), rate(1))
}

/// Seconds of idling until an empty bucket is full.
fn refill(system: &mut System) -> u64 {
    let month = seconds(86_400 * 40);
    system.serve(&closed(Op::Read, 4 * KIB, 256), Nanos::ZERO, month);
    let level = |system: &System, after: u64| {
        let level = &system.state(month + seconds(after)).levels[0];
        level.full - level.value
    };
    // The first second at which nothing is missing, by halving.
    let (mut low, mut high) = (0, 86_400 * 2);
    while low < high {
        let middle = u64::midpoint(low, high);
        if level(system, middle) <= 1.0 {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

#[test]
fn gp2_bursts_as_the_published_table_says() {
    // GiB, seconds of burst, seconds to fill.
    let cases = [
        (10, 1862, 54_000),
        (33, 1862, 54_000),
        (50, 1895, 36_000),
        (100, 2000, 18_000),
        (200, 2250, 9_000),
        (250, 2400, 7_200),
        (500, 3600, 3_600),
        (750, 7200, 2_400),
        (900, 18_000, 2_000),
    ];
    for (gib, lasts, fills) in cases {
        let text = format!("gp2:{gib}GiB");
        let base = (3 * gib).max(100);
        let (span, peak, after) = burst(&mut system(&text, None, NOW));
        assert_eq!(
            (span.round() as u64, peak, after),
            (lasts, 3000, base),
            "{text}"
        );
        let found = refill(&mut system(&text, None, NOW));
        assert!(found.abs_diff(fills) <= 1, "{text}: {found} s");
    }
    assert_eq!(
        course(&system("gp2:1000GiB", None, NOW).serve(
            &closed(Op::Read, 4 * KIB, 256),
            Nanos::ZERO,
            seconds(1_000_000)
        )),
        [(1_000_000, 3000)]
    );
}

#[test]
fn four_times_gp2_of_50_gib_beats_io1_for_half_an_hour() {
    let mut stripe = system("4x gp2:50GiB", None, THEN);
    assert_eq!(burst(&mut stripe), (1_894.736_842_106, 12_000, 600));
    let mut io1 = system("io1:200GiB:10000iops", None, THEN);
    let served = io1.serve(
        &closed(Op::Read, 4 * KIB, 256),
        Nanos::ZERO,
        seconds(86_400),
    );
    assert_eq!(course(&served), [(86_400, 10_000)]);
}

#[test]
fn an_instance_of_2018_holds_25000_provisioned_iops_back() {
    let mut volume = system("io1:500GiB:25000iops", Some("r5d.xlarge"), THEN);
    let served = volume.serve(
        &closed(Op::Read, 4 * KIB, 256),
        Nanos::ZERO,
        seconds(86_400),
    );
    assert_eq!(course(&served), [(1800, 18_750), (84_600, 6_000)]);
    let names = volume.limits();
    let bounds: Vec<String> = served
        .steps
        .iter()
        .map(|step| match step.bound {
            Bound::Limit(index) => format!("{}, peak", names[usize::from(index)]),
            Bound::Spent(index) => format!("{}, spent", names[usize::from(index)]),
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(bounds, ["r5d.xlarge IOPS, peak", "r5d.xlarge IOPS, spent"]);
    // Large requests: 437.5 MB/s, then 106.25.
    let mut volume = system("io1:500GiB:25000iops", Some("r5d.xlarge"), THEN);
    let served = volume.serve(
        &closed(Op::Read, 256 * KIB, 64),
        Nanos::ZERO,
        seconds(86_400),
    );
    assert_eq!(course(&served), [(1800, 1669), (84_600, 405)]);
}

#[test]
fn five_gp3_are_held_by_an_instance_of_80000() {
    let text = "5x gp3:200GiB:16000iops:625MiB/s";
    let rate = |bytes: u32| {
        let mut volume = system(text, Some("r5.24xlarge"), "2023-06-01");
        let served = volume.serve(&closed(Op::Read, bytes, 1024), Nanos::ZERO, seconds(60));
        let names = volume.limits();
        let bound = match served.steps[0].bound {
            Bound::Limit(index) => names[usize::from(index)].clone(),
            other => format!("{other:?}"),
        };
        (course(&served), bound)
    };
    assert_eq!(
        rate(8 * KIB),
        (vec![(60, 80_000)], "r5.24xlarge IOPS".to_owned())
    );
    // 19,000 Mbit/s = 2,375 MB/s.
    let expected = (vec![(60, 36_240)], "r5.24xlarge throughput".to_owned());
    assert_eq!(rate(64 * KIB), expected);
}

#[test]
fn both_limits_of_a_gp3_coincide_at_8_kib() {
    let rate = |kib: u32| {
        let mut volume = system("gp3:200GiB:16000iops:125MiB/s", None, "2023-06-01");
        let served = volume.serve(&closed(Op::Read, kib * KIB, 256), Nanos::ZERO, seconds(60));
        served.steps[0].iops().round() as u64
    };
    assert_eq!(
        [4, 8, 16, 64, 256].map(rate),
        [16_000, 16_000, 8_000, 2_000, 500]
    );
}

#[test]
fn three_p30_are_held_by_a_small_machine() {
    let mut disks = system("3x P30", Some("Standard_B2ms"), NOW);
    let served = disks.serve(&closed(Op::Read, 4 * KIB, 64), Nanos::ZERO, seconds(86_400));
    assert_eq!(course(&served), [(1800, 4_000), (84_600, 1_920)]);
}

#[test]
fn sixteen_cores_of_an_e32s_v3_get_48_megabytes_each() {
    let mut disks = system("8x P30", Some("E32s_v3"), NOW);
    let served = disks.serve(
        &closed(Op::Read, 1024 * KIB, 64),
        Nanos::ZERO,
        seconds(86_400),
    );
    let megabytes = |step: usize| served.steps[step].iops() * 1.048_576;
    assert_eq!(
        (megabytes(0).round() as u64, megabytes(1).round() as u64),
        (1600, 768)
    );
    assert_eq!(served.steps[0].span.as_secs_f64().round() as u64, 1800);
}

#[test]
fn a_day_of_work_and_a_night_of_rest_never_run_dry() {
    // 8 h at 900 a second and 16 h at 300 use 4.32 M of 5.4 M credits a day.
    let mut volume = system("gp2:250GiB", None, NOW);
    let (day, night) = (seconds(8 * 3600), seconds(16 * 3600));
    let mut at = Nanos::ZERO;
    for _ in 0..7 {
        for (rate, span) in [(900.0, day), (300.0, night)] {
            let served = volume.serve(&open(Op::Read, 8 * KIB, rate), at, span);
            assert_eq!(course(&served), [(span.0 / 1_000_000_000, rate as u64)]);
            assert!(served.backlog < 1.0);
            at = at + span;
        }
    }
    // At 900 without a rest it lasts for 10 h; then work piles up.
    let mut volume = system("gp2:250GiB", None, NOW);
    let served = volume.serve(
        &open(Op::Read, 8 * KIB, 900.0),
        Nanos::ZERO,
        seconds(39_600),
    );
    assert_eq!(course(&served), [(36_000, 900), (3_600, 750)]);
    assert_eq!(served.backlog.round() as u64, 540_000);
    // Later, with less to do, it is worked off first.
    let after = Demand {
        backlog: served.backlog,
        ..open(Op::Read, 8 * KIB, 300.0)
    };
    let served = volume.serve(&after, seconds(39_600), seconds(7_200));
    assert_eq!(course(&served), [(1_200, 750), (6_000, 300)]);
}

#[test]
fn st1_gives_a_scan_of_itself_and_then_its_baseline() {
    let mut volume = system("st1:1TiB", None, "2023-06-01");
    let scan = Demand {
        closed: fathom_volume::Flow {
            kinds: vec![fathom_volume::FlowKind {
                op: Op::Read,
                bytes: 1_048_576.0,
                sequential: 1.0,
                together: 1.0,
                weight: 1.0,
            }],
        },
        outstanding: 16.0,
        ..Demand::default()
    };
    let served = volume.serve(&scan, Nanos::ZERO, seconds(10_000));
    assert_eq!(course(&served), [(4_993, 250), (5_007, 40)]);
    // Random 16 KiB count as 1 MiB each.
    let mut volume = system("st1:2TiB", None, "2023-06-01");
    let served = volume.serve(&closed(Op::Read, 16 * KIB, 64), Nanos::ZERO, seconds(60));
    assert_eq!(course(&served), [(60, 500)]);
}

#[test]
fn credit_can_be_spent_before() {
    let mut volume = system("gp2:250GiB:credit=50%", None, NOW);
    assert_eq!(burst(&mut volume).0.round() as u64, 1_200);
    let mut volume = system("gp2:250GiB:credit=0%", None, NOW);
    let served = volume.serve(&closed(Op::Read, 4 * KIB, 64), Nanos::ZERO, seconds(600));
    assert_eq!(course(&served), [(600, 750)]);
}

#[test]
fn fifteen_hours_are_a_few_steps() {
    let mut stripe = system("4x gp2:250GiB", Some("r5d.xlarge"), THEN);
    let span = seconds(15 * 3600);
    let served = stripe.serve(&closed(Op::Read, 8 * KIB, 64), Nanos::ZERO, span);
    assert_eq!(course(&served), [(2_400, 12_000), (51_600, 3_000)]);
}
