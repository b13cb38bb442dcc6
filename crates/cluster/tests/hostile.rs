//! Peers that send anything: strangers, and members that know the token. The coordinator ends the
//! connection or the measurement, and takes nobody at his word who has not shown that he knows the
//! token.

use fathom_cluster::MeasurementOutcome;
use fathom_cluster::fixture::hostile::{bytes_of, member, sealed, stranger};
use fathom_cluster::frame::framed;
use fathom_cluster::greeting::Greeting;
use fathom_cluster::message::{
    Estate, IntervalReport, MemberResult, SeriesCounts, SeriesDelta, ToCoordinator,
};
use fathom_core::State;
use fathom_core::interval::Part;
use proptest::prelude::*;

fn greeted(bytes: &[u8]) -> Vec<u8> {
    [framed(&Greeting::of("0.1.0").to_bytes()), framed(bytes)].concat()
}

#[test]
fn who_says_nothing_is_sent_away() {
    for bytes in [Vec::new(), greeted(b"")[..15].to_vec(), greeted(b"")] {
        let found = stranger(&bytes);
        assert_eq!((found.trusted, found.closed), (false, 1), "{bytes:?}");
    }
}

/// The other member never comes: whatever this one says, nothing was measured.
fn is_no_result(outcome: &MeasurementOutcome) -> bool {
    outcome.abandoned.is_some() || outcome.state() == State::Invalid
}

fn message() -> impl Strategy<Value = ToCoordinator> {
    let number = || prop_oneof![0_u64..4, any::<u64>()];
    let small = || prop_oneof![0_u32..3, any::<u32>()];
    let counts = || {
        (number(), number(), number()).prop_map(|(ios, bytes, errors)| SeriesCounts {
            ios,
            bytes,
            errors,
            short: 0,
        })
    };
    let report = (
        small(),
        number(),
        number(),
        number(),
        any::<u16>(),
        counts(),
    )
        .prop_map(
            |(phase, index, start_ns, end_ns, series, counts)| IntervalReport {
                phase,
                part: Part::Measure,
                index,
                start_ns,
                end_ns,
                series: vec![SeriesDelta {
                    series: series % 4,
                    counts,
                    ..SeriesDelta::default()
                }],
                held: vec![end_ns],
            },
        );
    let result =
        prop::collection::vec(prop::collection::vec(counts(), 0..3), 0..4).prop_map(|phases| {
            MemberResult {
                phases,
                ..MemberResult::default()
            }
        });
    prop_oneof![
        (number(), number()).prop_map(|(number, clock)| ToCoordinator::Pong(number, clock)),
        small().prop_map(ToCoordinator::Ready),
        "[ -~\\x1b\\n]{0,20}".prop_map(ToCoordinator::Failed),
        (small(), number()).prop_map(|(phase, at_ns)| ToCoordinator::Started { phase, at_ns }),
        report.prop_map(ToCoordinator::Interval),
        prop::collection::vec(any::<u8>(), 0..20).prop_map(ToCoordinator::Told),
        prop::collection::vec(any::<u8>(), 0..20).prop_map(ToCoordinator::Brief),
        "[a-z/]{0,9}".prop_map(|owner| ToCoordinator::Makes(Estate {
            owner,
            places: vec!["/tmp/x".to_owned()],
        })),
        "[a-z/]{0,9}".prop_map(|owner| ToCoordinator::Left {
            owner,
            places: Vec::new(),
        }),
        result.prop_map(|result| ToCoordinator::Finished(Box::new(result))),
    ]
}

proptest! {
    #[test]
    fn a_stranger_stays_one(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        let found = stranger(&bytes);
        prop_assert!(!found.trusted);
        let found = stranger(&greeted(&bytes));
        prop_assert!(!found.trusted);
    }

    #[test]
    fn a_stranger_says_nothing_on_a_sealed_stream(
        bytes in prop::collection::vec(any::<u8>(), 0..500),
    ) {
        sealed(&bytes);
    }

    #[test]
    fn a_member_that_sends_bytes_makes_no_good_result(
        bytes in prop::collection::vec(any::<u8>(), 0..2000),
    ) {
        let found = member(&framed(&bytes));
        prop_assert!(is_no_result(&found.outcome));
    }

    #[test]
    fn a_member_that_sends_anything_makes_no_good_result(
        messages in prop::collection::vec(message(), 0..20),
    ) {
        let found = member(&bytes_of(&messages));
        prop_assert!(is_no_result(&found.outcome));
    }
}
