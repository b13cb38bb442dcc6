//! Recorded requests on volumes of known truth, and against token buckets that are counted here.

use fathom_core::trace::TraceRequest;
use fathom_core::{Nanos, Op};
use fathom_volume::fit::{CreditEnd, Played, play};
use fathom_volume::layout::Options;
use fathom_volume::models::ServiceLaw;
use fathom_volume::{Catalog, Layout};

const SECOND_NS: u64 = 1_000_000_000;

fn on(text: &str, requests: &[TraceRequest], length: Nanos) -> Played {
    let options = Options {
        service: Some(ServiceLaw::Constant(0.0)),
        ..Options::default()
    };
    let layout: Layout = text.parse().expect(text);
    let day = "2026-11-21".parse().expect("a day");
    let built = layout.build(&Catalog::embedded(), day, &options);
    play(&built.expect(text).system, requests, length)
}

fn request(at_ns: u64, number: u64, len: u32) -> TraceRequest {
    // No two are next to each other, and a stripe has them in turn.
    let offset = number * 7_919 % 100_000 * (1 << 20) + number % 2 * (256 << 10);
    let op = if number.is_multiple_of(3) {
        Op::Write
    } else {
        Op::Read
    };
    TraceRequest::new(Nanos(at_ns), op, offset, len)
}

/// A constant rate of 4 KiB for some seconds.
fn constant(iops: u64, seconds: u64) -> (Vec<TraceRequest>, Nanos) {
    let requests =
        (0..iops * seconds).map(|number| request(number * SECOND_NS / iops, number, 4096));
    (requests.collect(), Nanos::from_secs(seconds))
}

/// A number that looks random (SplitMix64).
fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

#[test]
fn a_constant_rate_gets_what_the_limit_gives() {
    let (requests, length) = constant(2_000, 10);
    let found = [
        "io1:100GiB:3000iops",
        "io1:100GiB:1500iops",
        "io1:100GiB:500iops",
    ]
    .map(|text| {
        let found = on(text, &requests, length);
        // The buckets of the first request are empty but for a token.
        let limit = found.limits.first().filter(|limit| limit.requests > 1);
        let limit = limit.map(|limit| (limit.limit.clone(), limit.per_second as u64));
        (found.iops().round() as u64, found.waiting_at_end, limit)
    });
    let io1 = |iops| Some(("io1 IOPS".to_owned(), iops));
    // What waits at the end: 500 and 1,500 a second too many.
    let expected = [
        (2_000, 0, None),
        (1_500, 5_000, io1(1_500)),
        (500, 14_999, io1(500)),
    ];
    assert_eq!(found, expected);
}

#[test]
fn credit_is_empty_when_it_is_computed_to_be() {
    // 250 GiB give 750 IOPS: 2,000 lose 1,250 a second of 5.4 million.
    let (requests, length) = constant(2_000, 10);
    let ends = |text: &str| -> Vec<(f64, bool)> {
        let found = on(text, &requests, length).credits.into_iter();
        let rounded = |end: CreditEnd| ((end.seconds * 100.0).round() / 100.0, end.is_repeated);
        found.map(rounded).collect()
    };
    let found = [
        "gp2:250GiB",
        "gp2:250GiB:credit=50%",
        "gp2:250GiB:credit=0.1%",
        "2x gp2:250GiB",
        "gp2:700GiB",
        "gp3:250GiB",
    ]
    .map(ends);
    let expected: [&[(f64, bool)]; 6] = [
        &[(4_320.0, true)],
        &[(2_160.0, true)],
        &[(4.32, false)],
        // Two volumes lose 250 a second each.
        &[(21_600.0, true)],
        &[],
        &[],
    ];
    assert_eq!(found, expected);
}

/// A bucket as a textbook has it: a level that grows.
struct Bucket {
    rate: f64,
    full: f64,
    level: f64,
    at: f64,
}

impl Bucket {
    const fn new(rate: f64, full: f64, level: f64) -> Self {
        Self {
            rate,
            full,
            level,
            at: 0.0,
        }
    }

    fn grown(&self, at: f64) -> f64 {
        (self.level + (at - self.at) * self.rate).min(self.full)
    }

    fn ready(&self, at: f64, tokens: f64) -> f64 {
        at + ((tokens - self.grown(at)) / self.rate).max(0.0)
    }

    fn take(&mut self, at: f64, tokens: f64) {
        self.level = self.grown(at) - tokens;
        self.at = at;
    }
}

/// What a volume with a limit of requests, one of bytes and perhaps a credit of requests does.
struct Truth {
    held_seconds: f64,
    longest: f64,
    waiting_at_end: u64,
    spent: Option<f64>,
}

fn truth(requests: &[TraceRequest], length: Nanos, buckets: &mut [(Bucket, bool)]) -> Truth {
    let (mut last, mut covered) = (0.0_f64, 0.0_f64);
    let mut truth = Truth {
        held_seconds: 0.0,
        longest: 0.0,
        waiting_at_end: 0,
        spent: None,
    };
    for request in requests {
        let at = request.at.as_secs_f64();
        let tokens = |counts_bytes: bool| {
            if counts_bytes {
                f64::from(request.len)
            } else {
                1.0
            }
        };
        // Who came before goes before.
        let mut start = at.max(last);
        for (bucket, counts_bytes) in buckets.iter() {
            start = start.max(bucket.ready(start, tokens(*counts_bytes)));
        }
        for (bucket, counts_bytes) in buckets.iter_mut() {
            bucket.take(start, tokens(*counts_bytes));
        }
        last = start;
        let end = start.min(length.as_secs_f64());
        truth.held_seconds += (end - at.max(covered)).max(0.0);
        covered = covered.max(end);
        truth.longest = truth.longest.max(start - at);
        truth.waiting_at_end += u64::from(start > length.as_secs_f64());
        let is_spent = buckets.get(2).is_some_and(|(credit, _)| credit.level < 1.0);
        if start > at && is_spent {
            truth.spent.get_or_insert(at);
        }
    }
    truth
}

#[test]
fn two_hundred_random_traces_and_volumes_wait_as_token_buckets_say() {
    let mib = 1_048_576.0;
    for seed in 0..200_u64 {
        let mut drawn = seed << 32;
        let mut draw = |most: u64| {
            drawn += 1;
            mixed(drawn) % most
        };
        let peak = |rate: f64| Bucket::new(rate, (rate * 0.01).floor().max(1.0), 1.0);
        let (text, mut buckets) = if seed.is_multiple_of(2) {
            let (iops, rate) = (3_000 + draw(3_000), 125 + draw(400));
            let text = format!("gp3:100GiB:{iops}iops:{rate}MiB/s");
            let bytes = (peak(rate as f64 * mib), true);
            (text, vec![(peak(iops as f64), false), bytes])
        } else {
            let (gib, permille) = (40 + draw(120), 1 + draw(4));
            let text = format!("gp2:{gib}GiB:credit=0.{permille}%");
            let full = 5_400_000.0;
            let credit = Bucket::new(
                (gib as f64 * 3.0).max(100.0),
                full,
                full * permille as f64 / 1e3,
            );
            let bytes = (peak(128.0 * mib), true);
            (text, vec![(peak(3_000.0), false), bytes, (credit, false)])
        };
        let length = Nanos::from_secs(10);
        let rate = 500 + draw(6_000);
        let largest = [4_096, 16_384, 65_536, 262_144][draw(4) as usize];
        // Bursts: half of the requests come in a tenth of the time.
        let begin_ns = 20_000_000;
        let mut instants: Vec<u64> = (0..rate * 10)
            .map(|number| match number % 2 {
                0 => begin_ns + draw(10 * SECOND_NS - begin_ns),
                _ => 3 * SECOND_NS + draw(SECOND_NS),
            })
            .collect();
        instants.sort_unstable();
        let requests: Vec<TraceRequest> = (0..)
            .zip(&instants)
            .map(|(number, at_ns)| request(*at_ns, number, largest.min(4096 << draw(7))))
            .collect();
        let found = on(&text, &requests, length);
        let truth = truth(&requests, length, &mut buckets);
        let spent = found.credits.iter().find(|end| !end.is_repeated);
        let far = [
            found.held_seconds - truth.held_seconds,
            found.longest_wait_seconds - truth.longest,
            found.waiting_at_end as f64 - truth.waiting_at_end as f64,
            spent.map_or(0.0, |end| end.seconds) - truth.spent.unwrap_or(0.0),
        ];
        // Rounding may decide at which of two requests a bucket counts as empty.
        let near = [1e-6, 1e-6, 1.5, 0.01];
        let is_near = far.iter().zip(near).all(|(far, near)| far.abs() < near);
        assert!(is_near, "seed {seed}: {text} at {rate} a second: {far:?}");
    }
}
