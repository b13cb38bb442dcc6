//! Outputs about flushes alone: pveperf, `pg_test_fsync` and the log of etcd.

use super::ReaderMatch;
use crate::evidence::{Direction, Evidence, Latency, Side};
use crate::number::{after, plain, size_with, time};
use crate::paste::Line;

/// Lines of one output at most.
const MOST_LINES: usize = 60;

/// Writes one after the other, each durable before the next.
fn durable(evidence: &mut Evidence, rate: f64, line: usize) {
    evidence.load.depth = Some(1.0);
    evidence.load.jobs = Some(1.0);
    evidence.load.flush_every = Some(1.0);
    evidence.flush = Some(Latency {
        mean: Some(1e9 / rate),
        ..Latency::default()
    });
    evidence.sides.push(Side {
        direction: Direction::Write,
        iops: Some(rate),
        ..Side::default()
    });
    evidence.see("flush", line);
    evidence.see("rate", line);
}

/// A table of names and values, each of them once.
pub(crate) fn pveperf(lines: &[Line]) -> Option<ReaderMatch> {
    const NAMES: [&str; 8] = [
        "CPU BOGOMIPS",
        "REGEX/SECOND",
        "HD SIZE",
        "BUFFERED READS",
        "AVERAGE SEEK TIME",
        "FSYNCS/SECOND",
        "DNS EXT",
        "DNS INT",
    ];
    let mut evidence = Evidence::new("pveperf", "pveperf");
    let mut used = 0;
    for line in lines.iter().take(NAMES.len()) {
        let Some((name, value)) = line.text.trim().split_once(':') else {
            break;
        };
        if !NAMES.contains(&name) {
            break;
        }
        used += 1;
        evidence.lines.1 = line.number;
        match name {
            "HD SIZE" => {
                let target = value.split(['(', ')']).nth(1).unwrap_or_default();
                target.clone_into(&mut evidence.load.target);
            }
            "FSYNCS/SECOND" => {
                let rate = plain(value.trim()).filter(|rate| *rate > 0.0)?;
                durable(&mut evidence, rate, line.number);
            }
            _ => {}
        }
    }
    evidence.lines.0 = lines.first()?.number;
    evidence.is_measured().then_some(ReaderMatch {
        evidence: vec![evidence],
        used,
    })
}

/// Each method of making one write durable is a result. What follows them compares sizes of writes.
pub(crate) fn pg_test_fsync(lines: &[Line]) -> Option<ReaderMatch> {
    let first = lines.first()?.text.trim();
    let is_start = first.ends_with(" seconds per test")
        || first.starts_with("Compare file sync methods using one ");
    if !is_start {
        return None;
    }
    let mut found = ReaderMatch::default();
    let mut block = None;
    for (index, line) in lines.iter().enumerate().take(MOST_LINES) {
        let text = line.text.trim();
        if let Some(rest) = text.strip_prefix("Compare file sync methods using ") {
            let one = rest.strip_prefix("one ");
            block = one.and_then(|rest| size_with(rest.split(" write").next()?, true));
        } else if text.starts_with("Compare open_sync") || text.starts_with("Test if fsync") {
            block = None;
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        let [method, rate, "ops/sec", ..] = words.as_slice() else {
            continue;
        };
        found.used = index + 1;
        let (Some(block), Some(rate)) = (block, plain(rate).filter(|rate| *rate > 0.0)) else {
            continue;
        };
        let mut evidence = Evidence::new("pg_test_fsync", "pg-test-fsync");
        (*method).clone_into(&mut evidence.title);
        evidence.lines = (line.number, line.number);
        evidence.load.block = Some(block);
        durable(&mut evidence, rate, line.number);
        found.evidence.push(evidence);
    }
    (!found.evidence.is_empty()).then_some(found)
}

/// Flushes of which etcd says that they took too long.
pub(crate) fn etcd(lines: &[Line]) -> Option<ReaderMatch> {
    let mut evidence = Evidence::new("etcd", "etcd-log");
    let mut slow = Latency::default();
    let mut used = 0;
    for line in lines {
        let Some(took) = slow_flush(&line.text) else {
            break;
        };
        used += 1;
        evidence.lines.1 = line.number;
        slow.max = Some(slow.max.map_or(took, |max| max.max(took)));
    }
    slow.samples = Some(used as f64);
    evidence.lines.0 = lines.first()?.number;
    evidence.see("flush", evidence.lines.0);
    evidence.flush = Some(slow);
    (used > 0).then_some(ReaderMatch {
        evidence: vec![evidence],
        used,
    })
}

/// The histogram of flushes that etcd publishes: buckets count from the least.
pub(crate) fn etcd_metrics(lines: &[Line]) -> Option<ReaderMatch> {
    let bucket = |line: &Line| {
        let rest = after(&line.text, "etcd_disk_wal_fsync_duration_seconds_bucket")?;
        let (labels, count) = rest.split_once('}')?;
        let most = after(labels, "le=\"")?.split('"').next()?;
        // None is the bucket of all.
        Some((plain(most), plain(count.trim())?))
    };
    bucket(lines.first()?)?;
    let mut evidence = Evidence::new("etcd", "etcd-metrics");
    let all: Vec<_> = lines.iter().map_while(bucket).collect();
    // The sum and the count follow.
    let name = "etcd_disk_wal_fsync_duration_seconds";
    let own = lines
        .iter()
        .take_while(|line| line.text.trim().starts_with(name));
    let used = all.len().max(own.count());
    let (_, count) = *all.last().filter(|(_, count)| *count > 0.0)?;
    let share = |(most, below): &(Option<f64>, f64)| Some((below / count * 100.0, (*most)? * 1e9));
    evidence.lines = (lines[0].number, lines[used - 1].number);
    evidence.see("flush", evidence.lines.0);
    evidence.flush = Some(Latency {
        percentiles: all.iter().filter_map(share).collect(),
        samples: Some(count),
        ..Latency::default()
    });
    Some(ReaderMatch {
        evidence: vec![evidence],
        used,
    })
}

/// The time of a slow flush in nanoseconds: `slow fdatasync` of etcd 3.4 and later, and `sync
/// duration of` before.
fn slow_flush(text: &str) -> Option<f64> {
    let took = match after(text, "slow fdatasync") {
        Some(rest) => after(rest, "\"took\":\"").or_else(|| after(rest, "took="))?,
        None => after(text, "sync duration of ")?,
    };
    time(took).filter(|took| *took > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paste;

    #[test]
    fn buckets_become_percentiles() {
        let name = "etcd_disk_wal_fsync_duration_seconds_bucket";
        let text = format!(
            "{name}{{le=\"0.008\"}} 96\n{name}{{le=\"0.016\"}} 99\n{name}{{le=\"+Inf\"}} 120\n"
        );
        let found = etcd_metrics(&paste::lines(&text)).expect("three lines");
        let flush = found.evidence[0].flush.clone().expect("flushes");
        let expected = (3, vec![(80.0, 8e6), (82.5, 16e6)], Some(120.0));
        assert_eq!((found.used, flush.percentiles, flush.samples), expected);
    }

    #[test]
    fn times_of_both_logs_are_read() {
        let new =
            r#"{"level":"warn","msg":"slow fdatasync","took":"1.5s","expected-duration":"1s"}"#;
        let old = "etcd: sync duration of 2.25s, expected less than 1s";
        let found = etcd(&paste::lines(&format!("{new}\n{old}\nready"))).expect("two lines");
        let flush = found.evidence[0].flush.clone();
        let expected = Latency {
            max: Some(2.25e9),
            samples: Some(2.0),
            ..Latency::default()
        };
        assert_eq!((found.used, flush), (2, Some(expected)));
        assert!(etcd(&paste::lines("took 3s")).is_none());
    }
}
