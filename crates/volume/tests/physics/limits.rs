//! What must never happen: more than a limit over any window, or credit below nothing.

use crate::bench::{Source, with_service};
use fathom_core::{Nanos, Op};
use fathom_volume::model::VolumeModel;
use fathom_volume::{Flow, FlowKind};
use proptest::prelude::*;

const SERVICE_NS: u64 = 250_000;

/// A volume, and its limits: requests a second at most and sustained, credit, and bytes a second.
#[derive(Clone, Debug)]
struct Case {
    text: &'static str,
    peak: f64,
    base: f64,
    credit: f64,
    bytes: f64,
}

const MIB: f64 = 1_048_576.0;

fn cases() -> impl Strategy<Value = Case> {
    prop_oneof![
        Just(Case {
            text: "gp2:250GiB:credit=0%",
            peak: 3000.0,
            base: 750.0,
            credit: 0.0,
            bytes: 250.0 * MIB,
        }),
        Just(Case {
            text: "gp2:100GiB:credit=1%",
            peak: 3000.0,
            base: 300.0,
            credit: 54_000.0,
            bytes: 128.0 * MIB,
        }),
        Just(Case {
            text: "gp3:100GiB",
            peak: 3000.0,
            base: 3000.0,
            credit: 0.0,
            bytes: 125.0 * MIB,
        }),
        Just(Case {
            text: "P4:credit=1%",
            peak: 3500.0,
            base: 120.0,
            credit: 60_840.0,
            bytes: 170e6,
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_window_holds_more_than_the_limits(
        case in cases(),
        gaps_us in proptest::collection::vec(0..2_000_u64, 200..2_000),
        block_kib in prop_oneof![Just(4_u32), Just(64), Just(256), Just(512)],
    ) {
        let mut volume = with_service(case.text, None, "2026-11-21", SERVICE_NS as f64);
        let bytes = f64::from(block_kib * 1024);
        let mut source = Source::new(&Flow::of(Op::Write, bytes), volume.size_bytes());
        let units = f64::from(block_kib.div_ceil(256));
        let mut at = Nanos::ZERO;
        let mut starts: Vec<f64> = Vec::new();
        for gap in gaps_us {
            at = at + Nanos::from_micros(gap);
            let done = volume.admit(source.draw(), at).done;
            prop_assert!(done.0 >= at.0 + SERVICE_NS);
            starts.push((done.0 - SERVICE_NS) as f64 / 1e9);
            for level in volume.state(done).levels {
                prop_assert!((0.0..=level.full).contains(&level.value));
            }
        }
        // The rate times the length of the window, what evens out, and one request: both ends of
        // the window count.
        let slack = 0.01;
        for (first, begin) in starts.iter().enumerate() {
            for (index, end) in starts.iter().enumerate().skip(first) {
                let count = (index - first + 1) as f64;
                let length = end - begin + 1e-9;
                prop_assert!(count * units <= case.peak * (length + slack) + 2.0 * units);
                prop_assert!(count * bytes <= case.bytes * (length + slack) + 2.0 * bytes);
            }
        }
        // Credit never goes below nothing: all that was ever taken was there or came in time.
        for (index, at) in starts.iter().enumerate() {
            let taken = (index + 1) as f64 * units;
            prop_assert!(taken <= case.credit + case.base * at + 2.0 * units + 1.0);
        }
    }

    #[test]
    fn the_closed_form_never_exceeds_a_limit_either(
        case in cases(),
        spans in proptest::collection::vec((1..5_000_u64, 0.0..6_000.0_f64, 0..300_u32), 1..20),
        block_kib in prop_oneof![Just(4_u32), Just(64), Just(256), Just(512)],
    ) {
        let mut volume = with_service(case.text, None, "2026-11-21", SERVICE_NS as f64);
        let bytes = f64::from(block_kib * 1024);
        let units = f64::from(block_kib.div_ceil(256));
        let mut at = Nanos::ZERO;
        let mut taken = 0.0;
        let mut backlog = 0.0;
        for (span, open_iops, outstanding) in spans {
            let demand = fathom_volume::Demand {
                closed: Flow { kinds: vec![FlowKind {
                    op: Op::Read, bytes, sequential: 0.0, together: 1.0, weight: 1.0,
                }]},
                outstanding: f64::from(outstanding),
                open: Flow::of(Op::Write, bytes),
                open_iops,
                backlog,
            };
            let span = Nanos::from_secs(span);
            let served = volume.serve(&demand, at, span);
            let length: u64 = served.steps.iter().map(|step| step.span.0).sum();
            prop_assert_eq!(length, span.0);
            for step in &served.steps {
                prop_assert!(step.iops() * units <= case.peak * (1.0 + 1e-9));
                prop_assert!(step.iops() * bytes <= case.bytes * (1.0 + 1e-9));
                taken += step.iops() * units * step.span.as_secs_f64();
            }
            at = at + span;
            backlog = served.backlog;
            prop_assert!(backlog >= 0.0);
            let credit = case.credit + case.base * at.as_secs_f64();
            prop_assert!(taken <= credit * (1.0 + 1e-9) + 10.0, "{taken} of {credit}");
        }
    }
}
