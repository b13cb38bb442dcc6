//! Open loads: a stall must appear in every request that it delayed.

use crate::scenario::{Scenario, job, kind, open};
use fathom_core::spec::{Arrivals, Pacing};
use fathom_core::{Nanos, Op, Rate};

/// 1,000 arrivals a second for 10 s on one server of 0.2 ms, one stall of 500 ms at 5 s. The
/// answer is known by calculation: 625 requests take 1 ms or more, up to 500.2 ms.
#[test]
fn a_stall_is_in_every_request_it_delayed() {
    let mut paced = job("paced");
    paced.pacing = open(1000.0, Arrivals::Constant);
    paced.queue_depth = 1;
    let result = Scenario::new(paced, Nanos::from_micros(200))
        .lasting(Nanos::from_millis(10_001))
        .stalling(Nanos::from_secs(5), Nanos::from_millis(500))
        .run();
    let read = result.jobs[0].ops.get(Op::Read).expect("the job reads");
    let response = &read.response_ns;
    let histogram = read
        .response_histogram
        .as_ref()
        .expect("an open load has response times");
    let histogram = histogram.decode().expect("own bytes");
    let late = histogram.len() - histogram.count_up_to(999_000);
    assert_eq!((read.ios, late, response.max), (10_001, 625, 500_200_000));
    // Mean of the true response over 10,000 requests: 15.85 ms; the next one is on time.
    assert_eq!(
        (response.mean / 1e4).round() as u64,
        1585,
        "hundredths of a millisecond"
    );
    let known = [
        ("50", 200_000),
        ("90", 200_000),
        ("95", 100_200_000),
        ("99", 420_200_000),
        ("99.9", 492_200_000),
    ];
    for (name, exact) in known {
        // The histogram reports the upper edge of a bucket of 0.1 %.
        let above = response.percentiles[name] - exact;
        assert!(
            above <= exact / 1000,
            "p{name} is {above} ns above {exact} ns"
        );
    }
    // The service time alone hides it: one request of 500.2 ms.
    let service = &read.service_ns;
    let mean = (service.mean / 1e4).round() as u64;
    assert_eq!((service.max, mean), (500_200_000, 25));
}

/// Requests that an open load of `rate` makes in 10 s on a volume that is never busy.
fn made(rate: f64, arrivals: Arrivals, threads: u32) -> u64 {
    let mut paced = job("paced");
    paced.pacing = open(rate, arrivals);
    paced.threads = threads;
    paced.queue_depth = 64;
    let mut scenario = Scenario::new(paced, Nanos(1)).lasting(Nanos::from_secs(10));
    scenario.volume.servers = 64;
    scenario.run().jobs[0].submitted
}

#[test]
fn a_rate_is_met_at_every_speed() {
    for (rate, threads) in [(10.0, 1), (1000.0, 3), (30_000.0, 1), (300_000.0, 2)] {
        let constant = made(rate, Arrivals::Constant, threads);
        // One more or less falls on the last instant.
        let off = constant.abs_diff((rate * 10.0) as u64);
        assert!(off <= 1, "constant at {rate}: {constant}");
        // The number of Poisson arrivals has the square root of the mean as its deviation; at
        // 300,000 a second that is 0.06 %, where gaps cut to microseconds give 32 % too many.
        let poisson = made(rate, Arrivals::Poisson, threads) as f64;
        let deviations = (poisson - rate * 10.0) / (rate * 10.0).sqrt();
        assert!(
            deviations.abs() < 3.0,
            "poisson at {rate}: {deviations} deviations"
        );
    }
}

#[test]
fn bytes_a_second_are_met_with_mixed_sizes() {
    let mut paced = job("paced");
    paced.pacing = Pacing::Open {
        rate: Rate::BytesPerSecond(100e6),
        arrivals: Arrivals::Constant,
    };
    paced.queue_depth = 8;
    paced.kinds = vec![kind(Op::Read, 4096), kind(Op::Read, 65536)];
    let result = Scenario::new(paced, Nanos(1))
        .lasting(Nanos::from_secs(10))
        .run();
    let read = result.jobs[0].ops.get(Op::Read).expect("the job reads");
    let off = read.bytes.abs_diff(1_000_000_000);
    assert!(off <= 65536, "{off} bytes off 1 GB");
}

/// A first-come queue with exponential arrivals and one fixed server (M/D/1): the mean response
/// is the service time times 1 + rho / (2 (1 - rho)) (Pollaczek, Khinchine).
#[test]
fn queueing_theory_is_met() {
    let mut paced = job("paced");
    paced.pacing = open(8000.0, Arrivals::Poisson);
    paced.queue_depth = 1024;
    let result = Scenario::new(paced, Nanos::from_micros(100))
        .lasting(Nanos::from_secs(60))
        .run();
    let read = result.jobs[0].ops.get(Op::Read).expect("the job reads");
    let expected = 100_000.0 * (1.0 + 0.8 / (2.0 * 0.2));
    let off = (read.response_ns.mean - expected).abs() / expected;
    assert!(
        off < 0.02,
        "{} instead of {expected} ns",
        read.response_ns.mean
    );
}

/// Requests that were due and those that were submitted, of a load that is always served.
fn due_and_submitted(change: impl FnOnce(&mut fathom_core::spec::Job)) -> (Option<u64>, u64) {
    let mut paced = job("paced");
    paced.pacing = open(2_000.0, Arrivals::Constant);
    paced.threads = 3;
    paced.queue_depth = 8;
    change(&mut paced);
    let mut scenario = Scenario::new(paced, Nanos::from_micros(50));
    scenario.volume.servers = 64;
    let job = &scenario.lasting(Nanos::from_millis(2_750)).run().jobs[0];
    (job.due, job.submitted)
}

#[test]
fn what_was_served_was_due_and_nothing_else() {
    assert_eq!(due_and_submitted(|_| ()), (Some(5_500), 5_500));
    // Over by itself in the middle of an interval: the last part of it counts as well.
    let amount = due_and_submitted(|job| job.stop.ios = Some(4_801));
    assert_eq!(amount, (Some(4_801), 4_801));
    let poisson = due_and_submitted(|job| job.pacing = open(2_000.0, Arrivals::Poisson));
    assert_eq!(poisson.0, Some(poisson.1));
}
