//! RAID arithmetic: front-end requests a second from those of the members.

use crate::bench::{KIB, closed, seconds, system};
use fathom_core::{Nanos, Op};
use fathom_volume::model::{Bound, VolumeModel};
use fathom_volume::{Demand, Flow, FlowKind};

/// Requests a second of a mix of random 4 KiB requests on 16 members of 175 IOPS.
fn mixed(level: &str, reads: f64) -> f64 {
    let text = format!("{level}(16x local-ssd:480GB:175iops:500MB/s)");
    let kind = |op: Op, weight: f64| FlowKind {
        op,
        bytes: 4096.0,
        sequential: 0.0,
        together: 1.0,
        weight,
    };
    let demand = Demand {
        closed: Flow {
            kinds: vec![kind(Op::Read, reads), kind(Op::Write, 100.0 - reads)],
        },
        outstanding: 1024.0,
        ..Demand::default()
    };
    let mut array = system(&text, None, "2026-11-21");
    let served = array.serve(&demand, Nanos::ZERO, seconds(10));
    (served.steps[0].iops() * 10.0).round() / 10.0
}

#[test]
fn every_level_has_its_penalty() {
    let at = |reads: f64| {
        ["raid0", "raid10", "raid5", "raid6"].map(|level| mixed(level, reads).to_string())
    };
    assert_eq!(at(70.0), ["2800", "2153.8", "1473.7", "1120"]);
    assert_eq!(at(30.0), ["2800", "1647.1", "903.2", "622.2"]);
}

#[test]
fn a_whole_stripe_is_written_without_reading() {
    // Four members, three of data: 192 KiB is a whole stripe, and costs one request of each.
    let rate = |kib: u32| {
        let text = "raid5(4x local-ssd:480GB:300iops:5000MB/s, chunk=64KiB)";
        let mut array = system(text, None, "2026-11-21");
        let served = array.serve(&closed(Op::Write, kib * KIB, 256), Nanos::ZERO, seconds(10));
        served.steps[0].iops().round() as u64
    };
    assert_eq!([4, 192, 384].map(rate), [300, 300, 300]);
    assert_eq!(rate(64), 300);
}

#[test]
fn the_slowest_member_holds_a_stripe() {
    let mut stripe = system(
        "gp3:100GiB:3000iops + gp3:100GiB:9000iops",
        None,
        "2026-11-21",
    );
    let served = stripe.serve(&closed(Op::Read, 4 * KIB, 256), Nanos::ZERO, seconds(10));
    let step = served.steps[0];
    assert_eq!(
        (step.iops().round() as u64, step.bound),
        (6000, Bound::Limit(0))
    );
    // Of unequal sizes, each has its share of the places.
    let mut stripe = system(
        "gp3:100GiB:3000iops + gp3:300GiB:9000iops",
        None,
        "2026-11-21",
    );
    let served = stripe.serve(&closed(Op::Read, 4 * KIB, 256), Nanos::ZERO, seconds(10));
    assert_eq!(served.steps[0].iops().round() as u64, 12_000);
}

#[test]
fn a_disk_seeks_for_each_random_request() {
    let mut disk = system("hdd-15k:300GB:150MB/s", None, "2026-11-21");
    let demand = closed(Op::Read, 4 * KIB, 1);
    // 185.2 a second by seek and rotation; service of the interface and transfer beside.
    let served = disk.serve(&demand, Nanos::ZERO, seconds(10));
    assert_eq!(served.steps[0].iops().round() as u64, 181);
}
