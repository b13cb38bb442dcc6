//! Open loads: a stall must appear in every request that it delayed.

use crate::scenario::{Scenario, job, open};
use fathom_core::Nanos;
use fathom_core::spec::Arrivals;

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
    let read = result.jobs[0].read.as_ref().expect("the job reads");
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
