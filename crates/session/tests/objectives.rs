//! The search for the highest rate under an objective, against queueing theory: servers with
//! exponential service under Poisson arrivals (L. Kleinrock, "Queueing Systems", volume 1).

use fathom_core::spec::{IoKind, Job, Phase, Workload};
use fathom_core::{Bytes, EngineKind, Nanos, Op};
use fathom_session::ramp::{ObjectiveSearch, SearchTimes};
use fathom_session::{Plan, Session, Silent};
use fathom_volume::System;
use fathom_volume::models::{Device, Node, ServiceLaw};

fn job() -> Job {
    Job {
        name: "clients".to_owned(),
        queue_depth: 512,
        kinds: vec![IoKind::plain(Op::Read, Bytes(4096))],
        ..Job::plain()
    }
}

/// A session on `servers` servers of `mean_ns` each, exponential.
fn session<'a>(servers: u32, mean_ns: f64, seed: u64) -> Session<'a> {
    let device = Device::new(1 << 40, ServiceLaw::Exponential(mean_ns), seed).servers(servers);
    let node = Node::Device(Box::new(device));
    let system = System::new(format!("M/M/{servers}"), node, Vec::new(), Vec::new());
    let phase = Phase {
        warm_up: Nanos::from_secs(1),
        duration: Some(Nanos::from_secs(1)),
        jobs: vec![job()],
        ..Phase::plain()
    };
    let workload = Workload {
        name: "theory".to_owned(),
        seed: Some(seed),
        phases: vec![phase],
        ..Workload::plain()
    };
    let plan = Plan::new(workload).on("sim").by(EngineKind::Sim);
    Session::new(plan).modelled(Box::new(system))
}

/// The rate that the search finds.
fn found(servers: u32, mean_ns: f64, objective: &str, seed: u64, step: Nanos) -> f64 {
    let mut session = session(servers, mean_ns, seed);
    let times = SearchTimes {
        step,
        precision: 0.01,
        repetitions: 1,
    };
    let objectives = vec![objective.parse().expect("an objective")];
    let template = session.plan.workload.phases[0].clone();
    let mut course = ObjectiveSearch::new(template, objectives, times);
    let result = session.run_along(&mut course, &mut Silent);
    let result = result.expect("a simulated run");
    let answer = course.answer(&result.phases).expect("an answer");
    answer.rate.unwrap_or(0.0)
}

/// How many seeds, from 1 on, stay within 2 % of `truth`; prints what they found.
#[expect(clippy::print_stdout, reason = "the figures are what it is run for")]
fn near(truth: f64, seeds: u64, found: impl Fn(u64) -> f64) -> u64 {
    let rates: Vec<f64> = (1..=seeds).map(found).collect();
    let near = |rate: &&f64| (**rate / truth - 1.0).abs() <= 0.02;
    let count = rates.iter().filter(near).count() as u64;
    let worst = rates.iter().map(|rate| (rate / truth - 1.0).abs() * 100.0);
    let worst = worst.fold(0.0, f64::max);
    println!("{count} of {seeds} within 2 % of {truth}, the farthest by {worst:.2} %: {rates:.0?}");
    count
}

#[test]
fn the_rate_found_is_that_of_theory() {
    let step = Nanos::from_secs(20);
    // One server of 10,000 a second: the mean is 1 / (10,000 - rate).
    assert_eq!(
        near(9000.0, 1, |seed| found(1, 1e5, "mean<=1ms", seed, step)),
        1
    );
}

/// Twenty seeds of three systems take minutes, so that they are only searched when asked for:
///
/// ```text
/// FATHOM_SEEDS=20 cargo test --release -p fathom-session --test objectives -- --nocapture
/// ```
#[test]
fn nineteen_of_twenty_seeds_find_the_rate_of_theory() {
    let Some(seeds) = option_env!("FATHOM_SEEDS") else {
        fathom_testing::skip("FATHOM_SEEDS=20 searches with twenty seeds");
        return;
    };
    let seeds: u64 = seeds.parse().expect("a number of seeds");
    let step = Nanos::from_secs(60);
    // The 99th percentile of one server is ln 100 / (10,000 - rate). Eight servers of 800 µs each
    // answer in 1.5015 ms on average at nine tenths of what they can do (Erlang's C formula).
    for (servers, mean_ns, objective, truth) in [
        (1, 1e5, "mean<=1ms", 9000.0),
        (1, 1e5, "p99<=5ms", 9078.97),
        (8, 8e5, "mean<=1501500ns", 9000.0),
    ] {
        let near = near(truth, seeds, |seed| {
            found(servers, mean_ns, objective, seed, step)
        });
        assert!(
            20 * near >= 19 * seeds,
            "M/M/{servers} {objective}: {near} of {seeds}"
        );
    }
}
