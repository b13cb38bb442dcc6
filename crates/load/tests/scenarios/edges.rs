//! The ends of a phase's parts, and what a seed determines.

use crate::scenario::{Scenario, job, kind, open};
use fathom_core::interval::Part;
use fathom_core::result::Edges;
use fathom_core::spec::{Arrivals, Distribution};
use fathom_core::{Nanos, Op};

#[test]
fn warm_up_and_cool_down_are_load_but_not_result() {
    let mut scenario = Scenario::new(job("reads"), Nanos::from_micros(100));
    scenario.phase().warm_up = Nanos::from_millis(250);
    scenario.phase().cool_down = Nanos::from_millis(150);
    scenario.workload.interval = Nanos::from_millis(100);
    let result = scenario.lasting(Nanos::from_millis(500)).run();
    assert_eq!(result.jobs[0].completed, 5000);
    assert_eq!(
        (result.start_ns, result.measured_ns),
        (250_000_000, 500_000_000)
    );
    let parts: Vec<(Part, u64)> = result
        .intervals
        .iter()
        .map(|interval| (interval.part, interval.length_ns / 1_000_000))
        .collect();
    let warm_up = [100, 100, 50].map(|length| (Part::WarmUp, length));
    let measure = [100; 5].map(|length| (Part::Measure, length));
    let cool_down = [100, 50].map(|length| (Part::CoolDown, length));
    assert_eq!(parts, [&warm_up[..], &measure, &cool_down].concat());
}

#[test]
fn what_warm_up_leaves_in_flight_is_accounted_for() {
    let mut few = job("few");
    few.queue_depth = 4;
    few.stop.ios = Some(12);
    let mut scenario = Scenario::new(few, Nanos::from_micros(100));
    scenario.phase().warm_up = Nanos::from_millis(1);
    let ended = scenario.run();
    let job = &ended.jobs[0];
    assert_eq!((job.submitted, job.completed), (12, 16));
    assert_eq!(
        job.edges,
        Some(Edges {
            before: 4,
            after: 0
        })
    );
    scenario.phase().jobs[0].stop.ios = None;
    let cut = scenario.lasting(Nanos::from_millis(2)).run();
    let job = &cut.jobs[0];
    assert_eq!((job.submitted, job.completed), (20, 20));
    assert_eq!(
        job.edges,
        Some(Edges {
            before: 4,
            after: 4
        })
    );
}

#[test]
fn intervals_add_up_to_the_whole() {
    let mut mix = job("mix");
    mix.queue_depth = 4;
    mix.kinds = vec![kind(Op::Read, 4096), kind(Op::Write, 8192)];
    let result = Scenario::new(mix, Nanos::from_micros(130))
        .lasting(Nanos::from_secs(7))
        .run();
    let write = result.jobs[0].ops.get(Op::Write).expect("the job writes");
    let measured = result
        .intervals
        .iter()
        .filter(|interval| interval.part == Part::Measure);
    let mut sum = fathom_core::Histogram::new();
    let mut ios = 0;
    for interval in measured {
        let op = interval.jobs[0]
            .ops
            .get(Op::Write)
            .expect("each interval has writes");
        ios += op.ios;
        let encoded = op
            .service_histogram
            .as_ref()
            .expect("each interval has its histogram");
        sum.add(&encoded.decode().expect("own bytes"));
    }
    let encoded = write
        .service_histogram
        .as_ref()
        .expect("the job has its histogram");
    let whole = encoded.decode().expect("own bytes");
    assert_eq!(ios, write.ios);
    assert_eq!(
        sum.buckets().collect::<Vec<_>>(),
        whole.buckets().collect::<Vec<_>>()
    );
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let run = |seed: u64| {
        let mut paced = job("paced");
        paced.threads = 3;
        paced.queue_depth = 8;
        paced.pacing = open(5000.0, Arrivals::Poisson);
        paced.access.distribution = Distribution::Zipf { theta: 1.1 };
        paced.kinds = vec![kind(Op::Read, 4096), kind(Op::Write, 16384)];
        let mut scenario = Scenario::new(paced, Nanos::from_micros(150));
        scenario.workload.seed = Some(seed);
        serde_json::to_string(&scenario.run()).expect("a result is JSON")
    };
    assert_eq!(run(7), run(7));
    assert_ne!(run(7), run(8));
}
