//! Whole measurements over a simulated network, in virtual time.

use fathom_cluster::clock_offset::PACE_PERCENT;
use fathom_cluster::coordinator::MemberFate;
use fathom_cluster::fixture::network::setup;
use fathom_cluster::fixture::{Fault, FaultKind, Report, Simulation, Weather};
use fathom_cluster::link::Delivery;
use fathom_cluster::{Event, Rules};
use fathom_core::{Nanos, caveat::State};

const LONG: Nanos = Nanos::from_secs(600);

fn run(members: usize, weather: Weather, rules: Rules, faults: &[Fault], seed: u64) -> Report {
    let setup = setup(members, 2, rules, weather.delivery);
    Simulation::new(setup, 4, weather, faults, seed).run(LONG)
}

/// Rules for a network that loses every twentieth frame.
fn patient() -> Rules {
    Rules {
        patience: Nanos::from_secs(30),
        ..Rules::default()
    }
}

/// What all members say they did, added up, is the result.
fn adds_up(report: &Report) {
    let outcome = &report.outcome;
    for (number, phase) in outcome.phases.iter().enumerate() {
        for (series, total) in phase.series.iter().enumerate() {
            let said = outcome.members.iter().map(|member| {
                let result = member.result.as_ref().expect("all finished");
                result.phases[number][series].ios
            });
            assert_eq!(said.sum::<u64>(), total.counts.ios);
            assert_eq!(total.service.len(), total.counts.ios);
            let rows = phase.rows.iter().map(|row| row.counts[series].ios);
            assert!(
                rows.sum::<u64>() > total.counts.ios,
                "warm-up is in the rows"
            );
        }
        let members: u64 = phase
            .rows
            .iter()
            .flat_map(|row| &row.members)
            .map(|ios| u64::from(*ios))
            .sum();
        let rows = phase.rows.iter().flat_map(|row| &row.counts);
        assert_eq!(members, rows.map(|counts| counts.ios).sum::<u64>());
    }
    assert!(
        outcome
            .members
            .iter()
            .all(|member| member.is_balanced == Some(true))
    );
}

fn told(report: &Report) -> Vec<String> {
    let told = report.told.iter().map(|(at, event)| (at, event));
    let shown = told.filter(|(_, event)| {
        !matches!(
            event,
            Event::Joined(_) | Event::Interval { .. } | Event::Finished(_)
        )
    });
    shown
        .map(|(at, event)| format!("{:.1} s: {event}", at.as_secs_f64()))
        .collect()
}

#[test]
fn ten_thousand_members_are_one_measurement() {
    let rules = Rules {
        patience: Nanos::from_secs(30),
        ..Rules::default()
    };
    let setup = setup(10_000, 1, rules, Delivery::Stream);
    let report = Simulation::new(setup, 3, Weather::calm(), &[], 1).run(LONG);
    adds_up(&report);
    assert_eq!(report.outcome.state(), State::Valid);
    assert_eq!(report.outcome.finished(), 10_000);
    let begun = report.begun[0].iter().flatten();
    let (first, last) = (begun.clone().min(), begun.max());
    let spread = last.expect("begun").0 - first.expect("begun").0;
    assert!(spread < 1_000_000, "{spread} ns");
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    for weather in [Weather::calm(), Weather::storm()] {
        let [first, again] = [5, 5].map(|seed| run(200, weather, patient(), &[], seed));
        assert_eq!(first.outcome.state(), State::Valid, "{:?}", told(&first));
        assert_eq!(first.outcome, again.outcome);
        assert_eq!(first.outcome.sums(), again.outcome.sums());
        assert_eq!((first.told, first.frames), (again.told, again.frames));
    }
}

#[test]
fn the_weather_changes_no_count() {
    let calm = run(200, Weather::calm(), Rules::default(), &[], 5);
    let storm = run(200, Weather::storm(), patient(), &[], 6);
    adds_up(&calm);
    adds_up(&storm);
    assert_eq!(calm.outcome.sums(), storm.outcome.sums());
    assert!(storm.frames > calm.frames);
}

#[test]
fn offsets_are_within_their_stated_errors_and_starts_too() {
    for weather in [Weather::calm(), Weather::storm()] {
        let report = run(150, weather, patient(), &[], 9);
        for (rank, member) in report.outcome.members.iter().enumerate() {
            let (offset, error) = member.offset_ns.expect("its clock was read");
            let truth = report.skews_ns[rank].expect("it started");
            // Between the order and the end two phases drift by, at 100 ppm at most.
            let slack = 2_000_000;
            assert!(
                offset.abs_diff(truth) <= error + slack,
                "{offset} {truth} {error}"
            );
            for (phase, start) in member.starts.iter().enumerate() {
                let start = start.expect("it told");
                let begun = report.begun[phase][rank].expect("it started").0 as i64;
                let first = report.begun[phase][0].expect("it started").0 as i64;
                let base = report.outcome.members[0].starts[phase].expect("told");
                let wrong = (start.late_ns - base.late_ns - (begun - first)).unsigned_abs();
                assert!(wrong <= start.error_ns + base.error_ns, "{wrong}");
            }
        }
    }
}

#[test]
fn traffic_does_not_depend_on_who_is_slow_and_memory_not_on_the_length() {
    let setup = setup(3, 1, Rules::default(), Delivery::Stream);
    let report = Simulation::new(setup, 900, Weather::calm(), &[], 3).run(Nanos::from_secs(2000));
    adds_up(&report);
    let phase = &report.outcome.phases[0];
    assert!(phase.rows.len() <= fathom_cluster::limits::ROWS);
    assert_eq!(phase.span, 4);
}

/// One fault of one of four members, and what the user is told: the state of the result last, or
/// that there is none.
const RUNNING: Nanos = Nanos::from_millis(4200);

const FAULTS: &[(FaultKind, Nanos, &str)] = &[
    (
        FaultKind::Down,
        Nanos::ZERO,
        "5.0 s: h2 (rank 2) is missing: it did not come within 5 s
5.0 s: nothing is measured: 1 of 4 members are missing
INVALID, and for h2: nobody",
    ),
    (
        FaultKind::Unreachable,
        Nanos::ZERO,
        "0.0 s: h2 (rank 2) is missing: ssh: connect to host: No route to host
0.0 s: nothing is measured: 1 of 4 members are missing
INVALID, and for h2: nobody",
    ),
    (
        FaultKind::Token,
        Nanos::ZERO,
        "0.0 s: h2 (rank 2) is refused: h2 has another token
0.0 s: h2 (rank 2) is missing: h2 has another token
0.0 s: nothing is measured: 1 of 4 members are missing
INVALID, and for h2: Refused(\"h2 has another token\")",
    ),
    (
        FaultKind::Release,
        Nanos::ZERO,
        "0.0 s: h2 (rank 2) is refused: the coordinator is fathom 0.1.0 (protocol 2), the member \
         is fathom 0.2.0 (protocol 2)
0.0 s: h2 (rank 2) is missing: the coordinator is fathom 0.1.0 (protocol 2), the member is fathom \
         0.2.0 (protocol 2)
0.0 s: nothing is measured: 1 of 4 members are missing
INVALID, and for h2: Refused(\"the coordinator is fathom 0.1.0 (protocol 2), the member is fathom \
         0.2.0 (protocol 2)\")",
    ),
    (
        FaultKind::Prepare,
        Nanos::ZERO,
        "0.0 s: 4 members prepare
0.0 s: h2 (rank 2) failed: cannot lay out /data/f: No space left on device
0.0 s: nothing is measured: 1 of 4 members could not prepare
INVALID, and for h2: Reported",
    ),
    (
        FaultKind::Killed,
        RUNNING,
        "0.0 s: 4 members prepare
0.2 s: phase 1 starts in 500 ms
4.2 s: h2 (rank 2) is lost: its connection ended; counted up to interval 3 of phase 1 (79 requests)
4.7 s: phase 2 starts in 500 ms
QUALIFIED, and for h2: nobody",
    ),
    (
        FaultKind::Stopped(Nanos::from_secs(3)),
        RUNNING,
        "0.0 s: 4 members prepare
0.2 s: phase 1 starts in 500 ms
7.2 s: phase 2 starts in 500 ms
VALID, and for h2: Reported",
    ),
    (
        FaultKind::Stopped(Nanos::from_secs(7)),
        RUNNING,
        "0.0 s: 4 members prepare
0.2 s: phase 1 starts in 500 ms
9.0 s: h2 (rank 2) has been silent for 5.0 s
11.2 s: h2 (rank 2) is heard again
11.2 s: phase 2 starts in 500 ms
VALID, and for h2: Reported",
    ),
    (
        FaultKind::Stopped(Nanos::from_secs(60)),
        RUNNING,
        "0.0 s: 4 members prepare
0.2 s: phase 1 starts in 500 ms
9.0 s: h2 (rank 2) has been silent for 5.0 s
14.0 s: h2 (rank 2) is lost: nothing was heard of it for 10.0 s; counted up to interval 3 of \
         phase 1 (79 requests)
14.0 s: phase 2 starts in 500 ms
QUALIFIED, and for h2: Deserted(\"the coordinator is gone: the connection ended\")",
    ),
    (
        FaultKind::Cut,
        RUNNING,
        "0.0 s: 4 members prepare
0.2 s: phase 1 starts in 500 ms
9.0 s: h2 (rank 2) has been silent for 5.0 s
14.0 s: h2 (rank 2) is lost: nothing was heard of it for 10.0 s; counted up to interval 3 of \
         phase 1 (79 requests)
14.0 s: phase 2 starts in 500 ms
QUALIFIED, and for h2: Deserted(\"nothing was heard of the coordinator for 10.5 s\")",
    ),
    (
        FaultKind::Garbage,
        RUNNING,
        "0.0 s: 4 members prepare
0.2 s: phase 1 starts in 500 ms
4.2 s: h2 (rank 2) is lost: a frame came that is no message; counted up to interval 3 of phase 1 \
         (79 requests)
4.7 s: phase 2 starts in 500 ms
QUALIFIED, and for h2: Deserted(\"the coordinator is gone: the connection ended\")",
    ),
];

#[test]
fn every_fault_is_named() {
    for (kind, at, expected) in FAULTS {
        let fault = Fault {
            rank: 2,
            at: *at,
            kind: *kind,
        };
        let report = run(4, Weather::calm(), Rules::default(), &[fault], 11);
        let mut found = told(&report);
        let ending = report.endings[2].as_ref();
        let ending = ending.map_or_else(|| "nobody".to_owned(), |ending| format!("{ending:?}"));
        let state = report.outcome.state().word();
        found.push(format!("{state}, and for h2: {ending}"));
        assert_eq!(found.join("\n"), *expected, "{kind:?}");
    }
}

#[test]
fn the_rest_is_measured_if_the_user_allows_it() {
    let rules = Rules {
        allow_missing: true,
        ..Rules::default()
    };
    for kind in [FaultKind::Down, FaultKind::Token, FaultKind::Prepare] {
        let fault = Fault {
            rank: 2,
            at: Nanos::ZERO,
            kind,
        };
        let outcome = run(4, Weather::calm(), rules, &[fault], 11).outcome;
        assert_eq!((outcome.finished(), outcome.state()), (3, State::Qualified));
        assert!(outcome.phases[1].series[0].counts.ios > 0);
    }
}

#[test]
fn too_few_members_are_no_answer() {
    let rules = Rules {
        invalid_below_percent: 80.0,
        ..Rules::default()
    };
    let fault = Fault {
        rank: 1,
        at: RUNNING,
        kind: FaultKind::Killed,
    };
    let outcome = run(4, Weather::calm(), rules, &[fault], 11).outcome;
    assert_eq!(outcome.state(), State::Invalid);
    let caveats: Vec<String> = outcome
        .caveats()
        .into_iter()
        .map(|one| one.message)
        .collect();
    assert_eq!(
        caveats,
        [
            "h1 (rank 1) was lost: its connection ended; counted up to interval 3 of phase 1 (95 \
             requests)",
            "3 of 4 members finished (75 %), fewer than the 80 % that are needed for an answer"
        ]
    );
}

#[test]
fn a_member_that_hears_nothing_stops_by_itself() {
    let setup = setup(3, 1, Rules::default(), Delivery::Stream);
    let cut = Fault {
        rank: 1,
        at: RUNNING,
        kind: FaultKind::Cut,
    };
    let report = Simulation::new(setup, 60, Weather::calm(), &[cut], 2).run(LONG);
    let stopped = report.issued_until[1];
    assert!(
        stopped > RUNNING && stopped < Nanos::from_secs(16),
        "{stopped:?}"
    );
    assert!(report.issued_until[0] > Nanos::from_secs(60));
}

#[test]
fn an_interruption_ends_all_and_reports() {
    let setup = setup(5, 1, Rules::default(), Delivery::Stream);
    let simulation = Simulation::new(setup, 60, Weather::calm(), &[], 2);
    let report = simulation.interrupted_at(Nanos::from_secs(9)).run(LONG);
    adds_up(&report);
    assert!(report.outcome.interrupted);
    assert_eq!(report.outcome.finished(), 5);
    assert!(report.ended < Nanos::from_secs(10), "{:?}", report.ended);
    let issued = report.issued_until.iter().max();
    assert!(issued < Some(&Nanos::from_secs(10)), "{issued:?}");
}

/// Clocks that run up to half as fast again or half as fast: those that are off by more than the
/// limit are found within the first seconds, by their pace and not by how far they are ahead, and
/// no other. With seed 3 that of h5 is 0.82 % slow, which is within the limit. What is stated of a
/// pace is true, however close the readings were.
#[test]
fn a_clock_that_runs_at_another_pace_is_named() {
    let weather = Weather {
        drift_ppm: 500_000,
        ..Weather::calm()
    };
    let rules = Rules {
        allow_missing: true,
        ..Rules::default()
    };
    let mut within = Vec::new();
    for seed in 1..=40 {
        let report = run(6, weather, rules, &[], seed);
        for (member, drift_ppm) in report.outcome.members.iter().zip(&report.drifts_ppm) {
            let stated = match &member.fate {
                MemberFate::Lost(why) => why.strip_prefix("its clock runs at "),
                _ => None,
            };
            let is_off = drift_ppm.unsigned_abs() > 10_000 * PACE_PERCENT;
            let seen = (seed, *drift_ppm, &member.fate);
            assert_eq!(stated.is_some(), is_off, "{seen:?}");
            let Some(stated) = stated else {
                within.push((seed, *drift_ppm));
                continue;
            };
            let (bound, rest) = stated.split_once(' ').expect("a bound");
            let pace = rest
                .split(' ')
                .next()
                .and_then(|word| word.parse::<f64>().ok());
            let pace = pace.expect("a number");
            let truth = 1.0 + *drift_ppm as f64 / 1e6;
            let is_true = match bound {
                "least" => (1.0..=truth + 0.005).contains(&pace),
                _ => (truth - 0.005..=1.0).contains(&pace),
            };
            assert!(is_true, "{seen:?}");
        }
    }
    // Of 240 members.
    let expected = [
        (3, -8_191),
        (20, -8_921),
        (21, -2_981),
        (23, -5_591),
        (26, -8_854),
    ];
    assert_eq!(within, expected);
}
