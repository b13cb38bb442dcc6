//! The two fidelities against each other, on random systems and loads.
//!
//! Tolerance: 1 % of the requests of one volume, 5 % of an array's, and one queue; wherever the
//! outstanding requests alone would give less than half or more than eight times what the limits
//! give. Between, at the bend, the closed form is the asymptote and single requests stay below it:
//! they queue unevenly at the members, and the mix of the moment is not the mean.

use crate::bench::{Source, drive_closed, seconds, total, with_service};
use fathom_core::{Nanos, Op};
use fathom_volume::model::{ServedStep, VolumeModel};
use fathom_volume::{Demand, Flow, FlowKind};
use proptest::prelude::*;

const OF_ONE: f64 = 0.01;
const OF_ARRAY: f64 = 0.05;

fn volumes() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "gp2:250GiB:credit=0.3%",
        "gp2:40GiB:credit=0.2%",
        "gp3:100GiB:6000iops:300MiB/s",
        "io1:100GiB:4000iops",
        "P10:credit=1%",
        "P30",
        "4x gp2:100GiB:credit=0.2%",
        "raid0(gp3:100GiB + gp3:300GiB:5000iops, chunk=64KiB)",
        "raid1(2x gp3:100GiB)",
        "raid10(4x gp3:100GiB, chunk=128KiB)",
        "raid5(4x gp3:100GiB, chunk=64KiB)",
        "raid6(6x gp3:100GiB, chunk=64KiB)",
        "4x hdd-10k:300GB:150MB/s",
    ])
}

fn flows() -> impl Strategy<Value = Flow> {
    let kind = (
        prop_oneof![Just(Op::Read), Just(Op::Write)],
        prop::sample::select(vec![4_u32, 8, 16, 64, 256]),
        1..5_u32,
    );
    proptest::collection::vec(kind, 1..3).prop_map(|kinds| Flow {
        kinds: kinds
            .into_iter()
            .map(|(op, kib, weight)| FlowKind {
                op,
                bytes: f64::from(kib * 1024),
                sequential: 0.0,
                together: 1.0,
                weight: f64::from(weight),
            })
            .collect(),
    })
}

/// Requests of both fidelities in a closed load.
fn both(text: &str, instance: Option<&str>, flow: &Flow, depth: u32, span: Nanos) -> (f64, f64) {
    let mut discrete = with_service(text, instance, "2026-11-21", 400e3);
    let mut fluid = discrete.clone();
    let one_by_one = drive_closed(&mut discrete, flow, depth, span) as f64;
    let demand = Demand {
        closed: flow.clone(),
        outstanding: f64::from(depth),
        ..Demand::default()
    };
    (one_by_one, total(&fluid.serve(&demand, Nanos::ZERO, span)))
}

/// Whether the outstanding requests alone would give about what the limits give, at any time.
fn is_at_the_bend(text: &str, instance: Option<&str>, flow: &Flow, depth: u32) -> bool {
    let mut volume = with_service(text, instance, "2026-11-21", 400e3);
    let alone = f64::from(depth) / volume.latency_ns(flow) * 1e9;
    let endless = Demand {
        closed: flow.clone(),
        outstanding: 1e12,
        ..Demand::default()
    };
    let served = volume.serve(&endless, Nanos::ZERO, seconds(1_000_000));
    let mut limits = served.steps.iter().map(ServedStep::iops);
    limits.any(|limit| (0.5..8.0).contains(&(alone / limit)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn closed_loads_agree(
        text in volumes(),
        flow in flows(),
        depth in prop_oneof![Just(1_u32), Just(128), Just(512)],
        under in any::<bool>(),
    ) {
        let instance = if text.contains('P') {
            "Standard_D8s_v3"
        } else {
            "m5.xlarge"
        };
        let local = text.contains("hdd");
        let instance = (under && !local).then_some(instance);
        prop_assume!(!is_at_the_bend(text, instance, &flow, depth));
        let span = seconds(10);
        let (one_by_one, at_once) = both(text, instance, &flow, depth, span);
        let is_array = text.contains("x ") || text.contains('(');
        let tolerance = if is_array { OF_ARRAY } else { OF_ONE };
        let apart = (one_by_one - at_once).abs();
        prop_assert!(
            apart <= tolerance * at_once + f64::from(depth),
            "{text} at depth {depth}: {one_by_one} one by one, {at_once} at once"
        );
    }
}

#[test]
fn pieces_of_one_write_that_touch_are_merged_in_both() {
    // On four members a write of 256 KiB is a whole stripe and a chunk, which touch on a member.
    let kind = |kib: u32, weight: f64| FlowKind {
        op: Op::Write,
        bytes: f64::from(kib * 1024),
        sequential: 0.0,
        together: 1.0,
        weight,
    };
    let flow = Flow {
        kinds: vec![kind(4, 2.0), kind(256, 1.0)],
    };
    let text = "raid5(4x gp3:100GiB, chunk=64KiB)";
    let (one_by_one, at_once) = both(text, None, &flow, 128, seconds(10));
    let apart = (one_by_one - at_once).abs();
    assert!(
        apart <= 0.02 * at_once + 128.0,
        "{one_by_one} and {at_once}"
    );
}

#[test]
fn open_loads_agree_on_credit() {
    // 2,000 a second on 750: the bucket loses 1,250 a second.
    let mut discrete = with_service("gp2:250GiB:credit=1%", None, "2026-11-21", 400e3);
    let mut fluid = discrete.clone();
    let flow = Flow::of(Op::Read, 8192.0);
    let mut source = Source::new(&flow, discrete.size_bytes());
    for number in 0..60_000_u64 {
        discrete.admit(source.draw(), Nanos(number * 500_000));
    }
    let demand = Demand {
        open: flow,
        open_iops: 2_000.0,
        ..Demand::default()
    };
    fluid.serve(&demand, Nanos::ZERO, seconds(30));
    let level = |levels: fathom_volume::VolumeState| levels.levels[0].value.round() as i64;
    let (one, other) = (
        level(discrete.state(seconds(30))),
        level(fluid.state(seconds(30))),
    );
    assert_eq!(other, 54_000 - 37_500);
    assert!((one - other).abs() <= 2, "{one} and {other}");
}
