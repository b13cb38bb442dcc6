//! The slowest requests are kept one by one, whoever made them and whenever.

use crate::scenario::{Scenario, job, kind, open};
use fathom_core::result::{OpResult, PhaseResult, SlowRequest};
use fathom_core::result::{SlowEvent, slow_events};
use fathom_core::slowest::KEPT;
use fathom_core::spec::Arrivals;
use fathom_core::{Nanos, Op};
use fathom_engine::sim::Stall;

/// Two threads with ten requests in flight each on twenty servers of a millisecond, for three
/// seconds with three stalls.
fn stalling() -> Scenario {
    let mut reads = job("reads");
    reads.threads = 2;
    reads.queue_depth = 10;
    let mut scenario = Scenario::new(reads, Nanos::from_millis(1)).lasting(Nanos::from_secs(3));
    scenario.workload.interval = Nanos::from_millis(100);
    scenario.volume.servers = 20;
    scenario.volume.stalls = [(500_500, 100), (1_500_500, 80), (2_500_500, 60)]
        .map(|(at, length)| Stall {
            at: Nanos::from_micros(at),
            length: Nanos::from_millis(length),
        })
        .into();
    scenario
}

fn reads(result: &PhaseResult) -> &OpResult {
    result.jobs[0].ops.get(Op::Read).expect("it reads")
}

/// When they were issued, how long they took and how many there are, in milliseconds.
fn groups(slowest: &[SlowRequest]) -> Vec<(u64, u64, usize)> {
    let mut groups: Vec<(u64, u64, usize)> = Vec::new();
    for one in slowest {
        let (issued, service) = (one.issued_ns / 1_000_000, one.service_ns / 1_000_000);
        match groups.last_mut() {
            Some(last) if (last.0, last.1) == (issued, service) => last.2 += 1,
            _ => groups.push((issued, service, 1)),
        }
    }
    groups
}

#[test]
fn every_request_that_a_stall_held_is_kept() {
    let result = stalling().run();
    let slowest = &reads(&result).slowest;
    assert_eq!(slowest.len(), KEPT);
    // The other forty took a millisecond, as all others: the earliest stay.
    let expected = [(500, 101, 20), (1_500, 81, 20), (2_500, 61, 20)];
    assert_eq!(groups(&slowest[..60]), expected);
    assert_eq!(groups(&slowest[60..]), [(0, 1, 20), (1, 1, 20)]);
    let mut places: Vec<u64> = slowest[..20].iter().map(|one| one.offset).collect();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 20, "they are twenty requests");
    assert!(
        slowest
            .iter()
            .all(|one| one.bytes == 4096 && one.target == 0)
    );
    assert_eq!(slowest[0].lag_ns, None);
}

#[test]
fn the_highest_percentile_rests_on_as_many_events_as_there_were_stalls() {
    let result = stalling().run();
    let reads = reads(&result);
    // Of 55,180 requests 55 are beyond p99.9, and p99.99 is not said.
    assert_eq!(reads.ios, 55_180);
    let median = reads.service_ns.percentile("50").expect("it is said");
    let event = |end_ms: u64, requests, longest_ms: u64| SlowEvent {
        first_ns: end_ms * 1_000_000,
        last_ns: end_ms * 1_000_000,
        requests,
        longest_ns: longest_ms * 1_000_000,
    };
    let expected = [
        event(601, 20, 101),
        event(1_581, 20, 81),
        event(2_561, 15, 61),
    ];
    assert_eq!(slow_events(&reads.slowest[..55], median), expected);
}

#[test]
fn what_came_in_the_warm_up_is_not_kept() {
    let mut scenario = stalling();
    scenario.phase().warm_up = Nanos::from_secs(1);
    scenario.phase().duration = Some(Nanos::from_secs(2));
    let result = scenario.run();
    let expected = [(1_500, 81, 20), (2_500, 61, 20)];
    assert_eq!(groups(&reads(&result).slowest[..40]), expected);
}

/// 1,000 arrivals a second on one server of 0.2 ms that stalls for 50 ms from 500 ms on.
#[test]
fn an_open_load_keeps_all_three_stamps() {
    let mut paced = job("paced");
    paced.queue_depth = 4;
    paced.pacing = open(1_000.0, Arrivals::Constant);
    let result = Scenario::new(paced, Nanos::from_micros(200))
        .stalling(Nanos::from_micros(500_100), Nanos::from_millis(50))
        .run();
    let slowest = &reads(&result).slowest;
    let first = slowest[0];
    // The one that was being served when the stall began.
    let stamps = (first.issued_ns, first.service_ns, first.lag_ns);
    assert_eq!(stamps, (500_000_000, 50_200_000, Some(0)));
    // Four fit into the queue; those behind them waited for a place, and less for the storage.
    let lags: Vec<u64> = slowest[..5].iter().filter_map(|one| one.lag_ns).collect();
    assert_eq!(lags[..4], [0; 4]);
    let longest = slowest.iter().map(SlowRequest::response_ns).max();
    assert_eq!(longest, Some(50_200_000));
}

#[test]
fn each_operation_has_its_own() {
    let mut mixed = job("mixed");
    mixed.kinds = vec![kind(Op::Read, 4096), kind(Op::Write, 8192)];
    let result = Scenario::new(mixed, Nanos::from_millis(1)).run();
    let job = &result.jobs[0];
    let kept = [Op::Read, Op::Write].map(|op| {
        let slowest = &job.ops.get(op).expect("it does both").slowest;
        (slowest.len(), slowest[0].bytes)
    });
    assert_eq!(kept, [(KEPT, 4096), (KEPT, 8192)]);
}
