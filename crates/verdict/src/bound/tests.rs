use super::*;
use fathom_core::fixture;
use fathom_core::interval::Part;
use fathom_core::result::{Probe, ProbeKind};

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
    let read = job.read.as_mut().expect("it reads");
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
            let read = interval.jobs[0].read.as_mut().expect("it reads");
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
        "the limit `vm` of 1,920 IOPS (the user): the plateau of 1,953 IOPS lies 1.7 % above it"
    );
    let mut result = guide();
    probe(&mut result, ProbeKind::DoubleDepth, 128, 8192, 1953.0);
    let found = bound(&mut result, &["vm=1920iops"]);
    assert!(found.confirmed);
    assert_eq!(
        found.sentence,
        "the limit `vm` of 1,920 IOPS (the user): the plateau of 1,953 IOPS lies 1.7 % above it; \
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
            "--block-size 2 KiB and 32 KiB: the smaller shows the limit of requests, the larger \
             that of bytes"
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
        "a burst bucket ran dry after 40.0 s: 3,000 IOPS, then 1,000; at least 80,000 requests of \
         credit, full again after 80.0 s at rest"
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
            "queue depth: with one request at a time, 100 µs each allow 10,000 IOPS and no more"
        )
    );
}
