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
