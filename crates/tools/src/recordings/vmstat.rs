//! `vmstat`: with `-d -t` its counters of disks; without `-d` the blocks that went in and out, of
//! all disks together and without their number.

use super::instants::instant;
use super::iostat::words;
use super::readings::{Count, Metric, Reading, Readings};
use super::sar::ALL_DISKS;
use super::words::Text;
use crate::diagnostic::Diagnostic;
use fathom_core::recording::Recording;
use std::collections::HashMap;

const SECTOR: f64 = 512.0;
/// vmstat counts in KiB.
const BLOCK: f64 = 1024.0;

/// Columns of all its versions.
const COLUMNS: [&str; 20] = [
    "r", "b", "swpd", "free", "buff", "cache", "inact", "active", "si", "so", "bi", "bo", "in",
    "cs", "us", "sy", "id", "wa", "st", "gu",
];

/// Whether a text is of vmstat.
pub(super) fn is_vmstat(text: &str) -> bool {
    text.lines()
        .take(5)
        .any(|line| Head::of(line).is_some() || is_disk_head(line))
}

/// The second line above a table of `vmstat -d`.
fn is_disk_head(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    words.starts_with(&[
        "total", "merged", "sectors", "ms", "total", "merged", "sectors", "ms",
    ])
}

/// Where a table of all has blocks in and out.
#[derive(Clone, Copy, Debug)]
struct Head {
    columns: usize,
    blocks_in: usize,
    blocks_out: usize,
}

impl Head {
    fn of(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let at = |name: &str| words.iter().position(|word| *word == name);
        let _swap = at("swpd")?;
        Some(Self {
            // A zone stands behind them where times do.
            columns: 1 + words.iter().rposition(|word| COLUMNS.contains(word))?,
            blocks_in: at("bi")?,
            blocks_out: at("bo")?,
        })
    }
}

/// Reads either.
pub(super) fn read(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    if source.begin.lines().any(is_disk_head) {
        of_disks(source)
    } else {
        of_all(source)
    }
}

/// The counters of disks, each less what it was the last time.
fn of_disks(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let mut readings = Readings::default();
    let mut last: HashMap<String, (i128, Vec<f64>)> = HashMap::new();
    for (at, line) in source.lines() {
        let row = words(at, &line);
        if row.is_empty() || line.starts_with("disk-") || is_disk_head(&line) {
            continue;
        }
        let name = row[0].1;
        let figures: Option<Vec<f64>> = row[1..]
            .iter()
            .take(10)
            .map(|(_, word)| word.parse().ok())
            .collect();
        let Some(figures) = figures.filter(|figures| figures.len() == 10) else {
            let message = "expected the ten counters of a disk".to_owned();
            return Err(Box::new(source.error(at, &line, message)));
        };
        let stamp: Vec<&str> = row[11..].iter().map(|(_, word)| *word).collect();
        let text = stamp.join(" ");
        let Some(now) = instant(&text) else {
            let mut error = source.error(at, &line, "this line has no time".to_owned());
            error.remedy =
                Some("`vmstat -d -t 10`: its counters mean nothing without one".to_owned());
            return Err(Box::new(error));
        };
        if let Some((before, known)) = last.get(name) {
            let span = (now - before) as f64 / 1e9;
            let more = |index: usize| (figures[index] - known[index]).max(0.0);
            let all = [
                (Metric::Reads, more(0)),
                (Metric::ReadBytes, more(2) * SECTOR),
                (Metric::ReadSeconds, more(3) / 1e3),
                (Metric::Writes, more(4)),
                (Metric::WrittenBytes, more(6) * SECTOR),
                (Metric::WriteSeconds, more(7) / 1e3),
            ];
            for (metric, value) in all.into_iter().filter(|_| span > 0.0) {
                let reading = Reading {
                    metric,
                    count: Count::Sum,
                    value,
                    span: Some(span),
                };
                readings.put(name, (now, &text), reading);
            }
        }
        last.insert(name.to_owned(), (now, figures));
    }
    Ok(readings.recording("vmstat", None))
}

/// Blocks in and out.
fn of_all(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let mut readings = Readings::default();
    let mut head: Option<Head> = None;
    let mut is_first = true;
    let mut count = 0_i128;
    for (at, line) in source.lines() {
        if let Some(found) = Head::of(&line) {
            head = Some(found);
            continue;
        }
        let row = words(at, &line);
        let Some(head) = head.filter(|_| !row.is_empty() && !line.starts_with("procs")) else {
            continue;
        };
        if row.len() < head.columns {
            let message = format!(
                "a row of {} words under a head of {}",
                row.len(),
                head.columns
            );
            return Err(Box::new(source.error(at, &line, message)));
        }
        // The first line is the mean since the machine was started.
        if std::mem::take(&mut is_first) {
            continue;
        }
        let figure = |index: usize| {
            let (at, word) = row[index];
            let number = word.parse::<f64>().ok().filter(|number| number.is_finite());
            let refused = || source.error(at, word, "expected a number".to_owned());
            number.ok_or_else(|| Box::new(refused()))
        };
        let (blocks_in, blocks_out) = (figure(head.blocks_in)?, figure(head.blocks_out)?);
        let stamp: Vec<&str> = row[head.columns..].iter().map(|(_, word)| *word).collect();
        let text = stamp.join(" ");
        count += 1;
        let time = instant(&text).unwrap_or(count);
        let all = [
            (Metric::ReadBytes, blocks_in * BLOCK),
            (Metric::WrittenBytes, blocks_out * BLOCK),
        ];
        for (metric, value) in all {
            let reading = Reading {
                metric,
                count: Count::Mean,
                value,
                span: None,
            };
            readings.put(ALL_DISKS, (time, &text), reading);
        }
    }
    let mut recording = readings.recording("vmstat", None);
    recording.without_times();
    recording
        .notes
        .push("`vmstat -d -t` and `iostat -x` count requests".to_owned());
    recording.notes.push(
        "the first line is left out: it is the mean since the machine was started".to_owned(),
    );
    Ok(recording)
}
