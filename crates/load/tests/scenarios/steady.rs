//! Steady state: reached, and given up.

use crate::scenario::{Scenario, job};
use fathom_core::interval::Part;
use fathom_core::result::EndReason;
use fathom_core::spec::{Steady, SteadyMetric};
use fathom_core::{Nanos, Percent};

fn rule() -> Steady {
    Steady {
        metric: SteadyMetric::Iops,
        round: Nanos::from_secs(1),
        rounds: 5,
        range: Percent(20.0),
        slope: Percent(10.0),
        deviation: None,
        deviation_most: None,
        slope_most: None,
        max_rounds: 12,
    }
}

fn scenario() -> Scenario {
    let mut scenario = Scenario::new(job("reads"), Nanos::from_micros(100));
    scenario.phase().duration = None;
    scenario.phase().steady = Some(rule());
    scenario
}

#[test]
fn the_window_that_passes_is_the_measured_time() {
    // The third second stalls for half of its length: the first steady window begins after it.
    let result = scenario()
        .stalling(Nanos::from_millis(2_200), Nanos::from_millis(500))
        .run();
    let steady = result.steady.as_ref().expect("a rule was given");
    assert_eq!(
        (result.ended_by, steady.reached, steady.rounds.len()),
        (EndReason::Steady, true, 8)
    );
    assert_eq!(
        (result.warm_up_ns, result.measured_ns),
        (3_000_000_000, 5_000_000_000)
    );
    assert_eq!(result.jobs[0].completed, 50_000);
    let measured = result
        .intervals
        .iter()
        .filter(|i| i.part == Part::Measure)
        .count();
    assert_eq!(measured, 5);
}

#[test]
fn limits_in_the_unit_of_the_metric_hold_beside_those_of_the_mean() {
    // Half a second is lost in the second: 10,000 requests a second, then 5,000 once.
    let ended = |change: fn(&mut Steady)| {
        let mut scenario = scenario();
        let mut rule = Steady {
            range: Percent(100.0),
            slope: Percent(100.0),
            ..rule()
        };
        change(&mut rule);
        scenario.phase().steady = Some(rule);
        let stall = (Nanos::from_millis(1_200), Nanos::from_millis(500));
        let result = scenario.stalling(stall.0, stall.1).run();
        let steady = result.steady.expect("a rule was given");
        (result.ended_by, steady.rounds.len())
    };
    // In the first five rounds the mean is 9,000, the farthest of them 4,000 below, and the line
    // moves by 500 a round; in the next window by 1,000, and then the stall is behind.
    let found = [
        ended(|rule| rule.deviation_most = Some(4_100.0)),
        ended(|rule| rule.deviation_most = Some(3_900.0)),
        ended(|rule| rule.slope_most = Some(600.0)),
        ended(|rule| rule.slope_most = Some(400.0)),
    ];
    let reached = |rounds| (EndReason::Steady, rounds);
    assert_eq!(found, [reached(5), reached(7), reached(5), reached(7)]);
}

#[test]
fn a_load_that_stays_unsteady_is_given_up() {
    let mut scenario = scenario();
    scenario.volume.stalls = (0..20)
        .step_by(3)
        .map(|second| fathom_engine::sim::Stall {
            at: Nanos::from_millis(second * 1000 + 200),
            length: Nanos::from_millis(500),
        })
        .collect();
    let result = scenario.run();
    let steady = result.steady.as_ref().expect("a rule was given");
    let found = (result.ended_by, steady.reached, steady.rounds.len());
    assert_eq!(found, (EndReason::NotSteady, false, 12));
    assert!(steady.range_percent > 40.0, "{}", steady.range_percent);
}
