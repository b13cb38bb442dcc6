use super::*;
use fathom_core::interval::Part;
use fathom_core::result::{Pace, Probe, ProbeKind};
use fathom_core::{Op, fixture};

/// A closed run at `depth`: `series` requests a second of `bytes` each.
fn run(depth: u64, bytes: u64, series: &[f64]) -> RunResult {
    let mut result = fixture::random_read();
    let phase = &mut result.phases[0];
    shape(phase, depth, bytes, series);
    result
}

fn shape(phase: &mut PhaseResult, depth: u64, bytes: u64, series: &[f64]) {
    let mean = series.iter().sum::<f64>() / series.len() as f64;
    phase.measured_ns = series.len() as u64 * 1_000_000_000;
    let job = &mut phase.jobs[0];
    job.queue_depth = depth;
    job.queue_depth_possible = depth;
    job.queue_depth_held = depth as f64;
    let read = job.ops[Op::Read].as_mut().expect("it reads");
    read.ios = (mean * series.len() as f64) as u64;
    read.iops = mean;
    read.bytes_per_second = mean * bytes as f64;
    read.service_ns.mean = depth as f64 / mean * 1e9;
    let template = phase
        .intervals
        .iter()
        .find(|interval| interval.part == Part::Measure)
        .expect("a measured interval")
        .clone();
    phase.intervals = series
        .iter()
        .enumerate()
        .map(|(second, rate)| {
            let mut interval = template.clone();
            interval.start_ns = second as u64 * 1_000_000_000;
            interval.length_ns = 1_000_000_000;
            let read = interval.jobs[0].ops[Op::Read].as_mut().expect("it reads");
            read.ios = *rate as u64;
            interval
        })
        .collect();
}

fn probe(result: &mut RunResult, kind: ProbeKind, depth: u64, bytes: u64, rate: f64) {
    let mut phase = result.phases[0].clone();
    shape(&mut phase, depth, bytes, &[rate; 5]);
    result.probes.push(Probe {
        of_phase: phase.name.clone(),
        kind,
        phase,
    });
}

fn bound(result: &mut RunResult, caps: &[&str]) -> Bound {
    let caps: Vec<Cap> = caps.iter().map(|cap| cap.parse().expect("a cap")).collect();
    explain(result, &caps);
    *result.phases[0].bound.clone().expect("a bound")
}

/// The DISKSPD guide's run: 64 outstanding requests on a machine with a limit of 1,920.
fn guide() -> RunResult {
    let wobble = [1936.0, 1953.0, 1971.0];
    let series: Vec<f64> = (0..120).map(|second| wobble[second % 3]).collect();
    run(64, 8192, &series)
}

#[test]
fn the_guides_plateau_is_the_machines_limit() {
    let found = bound(&mut guide(), &["vm=1920iops", "disks=20000iops"]);
    assert_eq!(
        (found.kind, found.name.as_str(), found.confirmed),
        (BoundKind::Cap, "vm", false)
    );
    assert_eq!(
        found.sentence,
        "the limit `vm` of 1,920 IOPS (the user): the plateau of 1,953 IOPS is 1.7 % above it"
    );
    let mut result = guide();
    probe(&mut result, ProbeKind::DoubleDepth, 128, 8192, 1953.0);
    let found = bound(&mut result, &["vm=1920iops"]);
    assert!(found.confirmed);
    assert_eq!(
        found.sentence,
        "the limit `vm` of 1,920 IOPS (the user): the plateau of 1,953 IOPS is 1.7 % above it; \
         twice the outstanding requests changed nothing"
    );
}

#[test]
fn what_grows_is_not_at_a_cap() {
    let mut result = guide();
    probe(&mut result, ProbeKind::DoubleDepth, 128, 8192, 3000.0);
    let found = bound(&mut result, &["vm=1920iops"]);
    assert_eq!(found.kind, BoundKind::QueueDepth);
}

#[test]
fn two_limits_that_coincide_are_ambiguous() {
    // 16,000 requests of 8 KiB are 131 MB/s: gp3's limits of both kinds.
    let series = vec![16_000.0; 30];
    let found = bound(
        &mut run(64, 8192, &series),
        &["requests=16000iops", "bytes=125MiB/s"],
    );
    assert_eq!(found.kind, BoundKind::Ambiguous);
    assert_eq!(
        (found.sentence.as_str(), found.advice.as_str()),
        (
            "ambiguous: with requests of 8 KiB the limits `requests` of 16,000 IOPS and `bytes` of \
             131.1 MB/s nearly coincide",
            "use --block-size 2 KiB and 32 KiB: the smaller shows the limit of requests, \
             the larger that of bytes"
        )
    );
}

#[test]
fn a_bucket_that_ran_dry_is_told_with_its_size() {
    let series = [vec![3000.0; 40], vec![1000.0; 40]].concat();
    let found = bound(&mut run(64, 4096, &series), &["volume=1000iops"]);
    let bucket = found.bucket.expect("a bucket");
    assert!((bucket.capacity_ios - 80_000.0).abs() < 1.0, "{bucket:?}");
    assert_eq!(
        (found.kind, found.name.as_str()),
        (BoundKind::Cap, "volume")
    );
    assert_eq!(
        found.evidence[0],
        "a burst bucket is empty after 40.0 s: 3,000 IOPS, then 1,000. It holds at least 80,000 \
         requests of credit, and is full again after 80.0 s idle"
    );
}

#[test]
fn more_load_shows_what_no_limit_explains() {
    let kind = |depth_rate: f64, threads_rate: f64| {
        let mut result = run(32, 4096, &[50_000.0; 30]);
        probe(&mut result, ProbeKind::DoubleDepth, 64, 4096, depth_rate);
        probe(
            &mut result,
            ProbeKind::DoubleThreads,
            32,
            4096,
            threads_rate,
        );
        bound(&mut result, &[]).kind
    };
    assert_eq!(kind(50_100.0, 50_000.0), BoundKind::BeyondHost);
    assert_eq!(kind(50_100.0, 60_000.0), BoundKind::Generator);
    assert_eq!(kind(70_000.0, 50_000.0), BoundKind::QueueDepth);
    assert_eq!(kind(45_000.0, 45_000.0), BoundKind::Contention);
    assert_eq!(kind(53_000.0, 50_000.0), BoundKind::Unexplained);
}

#[test]
fn without_probes_or_limits_it_is_unexplained_unless_one_request_is_all() {
    let found = bound(&mut run(32, 4096, &[50_000.0; 30]), &[]);
    assert_eq!(found.kind, BoundKind::Unexplained);
    let found = bound(&mut run(1, 4096, &[10_000.0; 30]), &[]);
    assert_eq!(
        (found.kind, found.sentence.as_str()),
        (
            BoundKind::QueueDepth,
            "queue depth: with one request at a time, 100 µs per request allow at most 10,000 IOPS"
        )
    );
}

/// The five rows of the doubling test: kind, name and sentence for the rates at twice the depth and
/// at twice the threads, and the share of the slots that held a request meanwhile.
#[test]
fn the_five_rows_of_the_doubling_test() {
    let row = |depth_rate: f64, held: f64, threads_rate: f64| {
        let mut result = run(64, 8192, &[1953.0; 30]);
        probe(&mut result, ProbeKind::Same, 64, 8192, 1953.0);
        probe(&mut result, ProbeKind::DoubleDepth, 128, 8192, depth_rate);
        let doubled = result.probes.last_mut().expect("a probe");
        let job = &mut doubled.phase.jobs[0];
        job.queue_depth_held = held;
        job.ops[Op::Read]
            .as_mut()
            .expect("it reads")
            .service_ns
            .mean = held / depth_rate * 1e9;
        probe(
            &mut result,
            ProbeKind::DoubleThreads,
            64,
            8192,
            threads_rate,
        );
        let found = bound(&mut result, &[]);
        (found.kind, found.name, found.sentence)
    };
    let rows = [
        (
            row(1953.0, 128.0, 1953.0),
            BoundKind::BeyondHost,
            "outside this host",
            "outside this host: twice the outstanding requests left 1,953 IOPS and took 2.00 times \
             as long. The device, a link or an unknown limit is saturated",
        ),
        (
            row(1953.0, 128.0, 2500.0),
            BoundKind::Generator,
            "generator CPU",
            "the load generator: the same requests from twice the threads gave 28.0 % more",
        ),
        (
            row(2500.0, 128.0, 1953.0),
            BoundKind::QueueDepth,
            "queue depth",
            "queue depth: 64.0 outstanding requests do not saturate the storage. Twice as many \
             gave 28.0 % more",
        ),
        (
            row(1500.0, 128.0, 1500.0),
            BoundKind::Contention,
            "contention",
            "contention: twice the outstanding requests gave 23.2 % less. The load is beyond the \
             saturation point",
        ),
        (
            row(1953.0, 64.0, 1953.0),
            BoundKind::Generator,
            "generator",
            "the load generator: twice the outstanding requests left throughput and latency as \
             they were, so the slots are not filled",
        ),
    ];
    for (found, kind, name, sentence) in rows {
        assert_eq!(found, (kind, name.to_owned(), sentence.to_owned()));
    }
}

#[test]
fn threads_that_help_go_before_a_limit_that_lies_there() {
    let mut result = guide();
    probe(&mut result, ProbeKind::DoubleDepth, 128, 8192, 1953.0);
    probe(&mut result, ProbeKind::DoubleThreads, 64, 8192, 2500.0);
    assert_eq!(
        bound(&mut result, &["vm=1920iops"]).kind,
        BoundKind::Generator
    );
}

#[test]
fn a_burst_that_ends_while_it_is_tried_is_no_contention() {
    let tried = |same: f64, depth: f64, again: f64| {
        let mut result = run(32, 4096, &[3000.0; 30]);
        probe(&mut result, ProbeKind::Same, 32, 4096, same);
        probe(&mut result, ProbeKind::DoubleDepth, 64, 4096, depth);
        probe(&mut result, ProbeKind::SameAgain, 32, 4096, again);
        let found = bound(&mut result, &["volume=1000iops"]);
        (found.kind, found.name, found.confirmed)
    };
    let at_cap = (BoundKind::Cap, "volume".to_owned(), true);
    // It ended before the doubling, within it, or right after the run.
    assert_eq!(tried(3000.0, 1000.0, 1000.0), at_cap);
    assert_eq!(
        tried(3000.0, 2000.0, 1000.0),
        (BoundKind::Cap, "volume".to_owned(), false)
    );
    assert_eq!(tried(1000.0, 1000.0, 1000.0), at_cap);
}

#[test]
fn a_doubling_that_did_not_double_shows_nothing() {
    let mut result = run(32, 4096, &[50_000.0; 30]);
    probe(&mut result, ProbeKind::DoubleDepth, 64, 4096, 50_000.0);
    let doubled = result.probes.last_mut().expect("a probe");
    doubled.phase.jobs[0].queue_depth_possible = 32;
    assert_eq!(bound(&mut result, &[]).kind, BoundKind::Unexplained);
}

/// A closed mixed run that falls: rates of reads and writes, and their service times, before and
/// after.
fn fallen(before: [(f64, f64); 2], after: [(f64, f64); 2]) -> RunResult {
    let all = |[read, write]: [(f64, f64); 2]| read.0 + write.0;
    let series = [vec![all(before); 20], vec![all(after); 20]].concat();
    let mut result = run(16, 65_536, &series);
    let phase = &mut result.phases[0];
    let job = &mut phase.jobs[0];
    let mut write = job.ops[Op::Read].clone().expect("it reads");
    let (of_reads, of_writes) = (before[0].0 + after[0].0, before[1].0 + after[1].0);
    let of_all = of_reads + of_writes;
    let read = job.ops[Op::Read].as_mut().expect("it reads");
    for (op, share) in [
        (&mut *read, of_reads / of_all),
        (&mut write, of_writes / of_all),
    ] {
        op.iops *= share;
        op.bytes_per_second *= share;
        op.ios = (op.ios as f64 * share) as u64;
    }
    job.ops[Op::Write] = Some(write);
    for (second, interval) in phase.intervals.iter_mut().enumerate() {
        let [reads, writes] = if second < 20 { before } else { after };
        let job = &mut interval.jobs[0];
        let mut write = job.ops[Op::Read].clone().expect("it reads");
        let read = job.ops[Op::Read].as_mut().expect("it reads");
        for (op, (rate, ns)) in [(&mut *read, reads), (&mut write, writes)] {
            op.ios = rate as u64;
            op.bytes = op.ios * 65_536;
            op.service_ns.mean = ns;
        }
        job.ops[Op::Write] = Some(write);
    }
    result
}

fn told(found: &Bound) -> Vec<(fathom_core::result::Mechanism, i32)> {
    let culprits = found.culprits.iter();
    culprits.map(|one| (one.mechanism, one.score)).collect()
}

#[test]
fn reads_that_do_not_slow_down_tell_a_cache_for_writes_from_a_credit() {
    use fathom_core::result::Mechanism::{FlashCache, InstanceCredit, VolumeCredit, WriteCache};
    // 16 outstanding: 8,000 requests of 2 ms each; then 2,000 of 8 ms.
    let credit = [
        [(4000.0, 2e6), (4000.0, 2e6)],
        [(1000.0, 8e6), (1000.0, 8e6)],
    ];
    let found = bound(&mut fallen(credit[0], credit[1]), &[]);
    assert_eq!(told(&found), [(VolumeCredit, 2), (InstanceCredit, 1)]);
    // Reads take what they took; writes took a tenth of that and now take more.
    let cache = [
        [(4000.0, 2e6), (4000.0, 2e5)],
        [(1000.0, 2e6), (1000.0, 14e6)],
    ];
    let found = bound(&mut fallen(cache[0], cache[1]), &[]);
    assert_eq!(told(&found), [(WriteCache, 5), (FlashCache, 2)]);
    assert_eq!(
        found.evidence[..3],
        [
            "the rate fell after 20.0 s: 8,000 IOPS, then 2,000. Before that, 120,000 requests \
             (7.32 GiB) exceeded the later rate",
            "most like the controller's write-back cache: reads did not become slower, the amount \
             written above the later rate fits a controller, a write first took less than a read, \
             and then as much",
            "or the fast cells of the flash (SLC cache): reads did not become slower, the written \
             amount is a typical share of the device; against it: a write first took less than a \
             read, and then as much",
        ]
    );
    assert_eq!(
        (found.kind, found.sentence.as_str()),
        (
            BoundKind::BeyondHost,
            "the controller's write-back cache, or the fast cells of the flash (SLC cache): \
             afterwards the rate is 2,000 IOPS instead of 8,000"
        )
    );
}

#[test]
fn too_few_outstanding_requests_are_told_with_how_many_it_takes() {
    // A single request takes 80 µs, and 500,000 IOPS are the most: 40 at least.
    let told = |depth_rate: f64| {
        let mut result = run(32, 4096, &[400_000.0; 30]);
        probe(&mut result, ProbeKind::DoubleDepth, 64, 4096, depth_rate);
        probe(&mut result, ProbeKind::Single, 1, 4096, 12_500.0);
        bound(&mut result, &[]).evidence[1].clone()
    };
    assert_eq!(
        told(500_000.0),
        "32 outstanding requests cannot saturate this device. It needs at least 40 (a single \
         request takes 80.0 µs, and 500,000 IOPS were reached)"
    );
    assert_eq!(
        told(400_000.0),
        "32 outstanding requests are the minimum to saturate it (a single request takes 80.0 µs, \
         and 400,000 IOPS were reached)"
    );
}

#[test]
fn a_second_burst_confirms_a_bucket() {
    // Two seconds of rest for each of burst: 3,000 and 1,000.
    let tried = |burst_s: usize| {
        let mut result = run(64, 4096, &[vec![3000.0; 40], vec![1000.0; 40]].concat());
        probe(&mut result, ProbeKind::Recovery, 64, 4096, 1.0);
        let again = [
            vec![0.0; 10],
            vec![3000.0; burst_s],
            vec![1000.0; 10 - burst_s],
        ]
        .concat();
        let rested = result.probes.last_mut().expect("a probe");
        shape(&mut rested.phase, 64, 4096, &again);
        bound(&mut result, &["volume=1000iops"]).evidence[1].clone()
    };
    assert_eq!(
        tried(5),
        "after 10.0 s idle it gave a burst of 5.0 s, where 5.0 s were expected: the bucket is \
         confirmed"
    );
    assert_eq!(
        tried(9),
        "after 10.0 s idle it gave a burst of 9.0 s, where 5.0 s were expected: it is not, or not \
         only, a bucket that fills at the later rate"
    );
}

/// A limit of the control group is in the report; so it has a name.
#[test]
fn a_limit_of_the_control_group_has_a_name() {
    let mut result = run(64, 4096, &[500.0; 60]);
    result.provenance.io_limits = vec!["io.max sda riops=500 wbps=4096".to_owned()];
    probe(&mut result, ProbeKind::DoubleDepth, 128, 4096, 500.0);
    let found = bound(&mut result, &[]);
    let sentence = "the limit `io.max riops` of 500.0 IOPS (the control group, on sda): the \
                    plateau of 500.0 IOPS is at it; twice the outstanding requests changed nothing";
    assert_eq!(
        (found.kind, found.confirmed, found.sentence.as_str()),
        (BoundKind::Cap, true, sentence)
    );
}

/// What Linux 6.18 made of a limit of 500 reads and eight outstanding ones.
#[test]
fn a_limit_that_stops_the_load_in_slices_holds_it_though_little_is_let_through() {
    const STOPS: [u64; 24] = [
        21, 26, 0, 34, 0, 27, 0, 30, 0, 28, 0, 29, 0, 27, 0, 31, 0, 30, 0, 30, 0, 27, 0, 29,
    ];
    let with = |limit: &str, ios: &[u64], slice_ns: u64| {
        let mut result = run(8, 4096, &[296.0; 60]);
        result.provenance.io_limits = vec![limit.to_owned()];
        result.phases[0].pace = Some(Pace {
            start_ns: 0,
            slice_ns,
            ios: ios.to_vec(),
        });
        bound(&mut result, &[]).sentence
    };
    let unknown = "bottleneck not found: 296.0 IOPS with 8.00 outstanding requests, and no known \
                   limit is near this rate";
    let held = "the limit `io.max riops` of 500.0 IOPS (the control group, on sda): the plateau \
                of 296.0 IOPS is 40.8 % below it. The kernel stopped the load in each of its \
                slices of 100 ms, and let only this part through";
    let even = [15; 24];
    let few: Vec<u64> = STOPS.iter().map(|ios| ios / 10).collect();
    let ms = 1_000_000;
    for (limit, ios, slice_ns, expected) in [
        ("io.max sda riops=500", &STOPS[..], 50 * ms, held),
        ("io.max sda riops=500", &even, 50 * ms, unknown),
        ("io.max sda riops=500", &few, 50 * ms, unknown),
        // In longer slices the stops cannot be seen.
        ("io.max sda riops=500", &STOPS, 100 * ms, unknown),
        ("io.max sda riops=600", &STOPS, 50 * ms, unknown),
        ("io.max sda wiops=500", &STOPS, 50 * ms, unknown),
    ] {
        assert_eq!(with(limit, ios, slice_ns), expected, "{limit} {ios:?}");
    }
}

#[test]
fn a_stall_of_the_short_run_is_no_contention() {
    let with = |longest_ns: u64| {
        let mut result = run(64, 4096, &[1000.0; 60]);
        probe(&mut result, ProbeKind::DoubleDepth, 128, 4096, 800.0);
        let read = result.probes[0].phase.jobs[0].ops[Op::Read].as_mut();
        read.expect("it reads").service_ns.max = longest_ns;
        let found = bound(&mut result, &[]);
        (found.kind, found.sentence)
    };
    let contention = "contention: twice the outstanding requests gave 20.0 % less. The load is \
                      beyond the saturation point";
    assert_eq!(
        with(400_000_000),
        (BoundKind::Contention, contention.to_owned())
    );
    let stall = "bottleneck not found: one request took 20.0 % of the time with twice as many \
                 outstanding, which gave 20.0 % less. This is a stall, not contention";
    assert_eq!(
        with(1_000_000_000),
        (BoundKind::Unexplained, stall.to_owned())
    );
}

/// One flush after each write: its slots stand empty while it lasts, and the generator is not slow.
#[test]
fn a_load_that_waits_for_its_flushes_says_so() {
    let with = |flush_ns: f64| {
        let mut result = run(32, 4096, &[1000.0; 60]);
        let phase = &mut result.provenance.workload.phases[0];
        phase.jobs[0].durability.sync = Some(fathom_core::spec::SyncEvery {
            writes: 1,
            data_only: false,
        });
        let job = &mut result.phases[0].jobs[0];
        job.queue_depth_held = 0.9;
        job.active_ns = 60_000_000_000;
        job.ops[Op::Write] = job.ops[Op::Read].take();
        job.ops[Op::Flush] = job.ops[Op::Write].clone();
        let flush = job.ops[Op::Flush].as_mut().expect("it flushes");
        flush.service_ns.mean = flush_ns;
        for interval in &mut result.phases[0].intervals {
            let job = &mut interval.jobs[0];
            job.ops[Op::Write] = job.ops[Op::Read].take();
        }
        let found = bound(&mut result, &[]);
        (found.kind, found.name, found.sentence)
    };
    let sentence = "flushes: the load waits for 60,000 of them, 800 µs each, 80.0 % of the time. \
                    No write is sent during a flush";
    assert_eq!(
        with(800_000.0),
        (
            BoundKind::QueueDepth,
            "flushes".to_owned(),
            sentence.to_owned()
        )
    );
    assert_eq!(with(400_000.0).1, "generator");
}
