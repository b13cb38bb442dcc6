//! collectl: its plot format (`-P`) with the detail of disks (`-sD`) or their sum (`-sd`), and the
//! table of disks on a screen.

use super::instants::instant;
use super::iostat::words;
use super::readings::{Count, Metric, Reading, Readings};
use super::sar::ALL_DISKS;
use super::table::number;
use super::words::Text;
use crate::diagnostic::Diagnostic;
use fathom_core::recording::Recording;

const KIB: f64 = 1_024.0;

/// Whether a text is in the plot format.
pub(super) fn is_plot(begin: &str) -> bool {
    begin
        .lines()
        .any(|line| line.starts_with("#Date") && line.contains("[DSK"))
}

/// Whether a text has the table of disks.
pub(super) fn is_table(begin: &str) -> bool {
    begin.lines().any(is_head)
}

fn is_head(line: &str) -> bool {
    // Asked of every line of every recording, so the words wait until the mark is there.
    let Some(head) = line.trim_start().strip_prefix('#') else {
        return false;
    };
    let mut words = head.split_whitespace().skip_while(|word| *word == "Time");
    ["Name", "KBytes", "Merged", "IOs", "Size"]
        .into_iter()
        .all(|word| words.next() == Some(word))
}

/// What a column of the plot format is, without the device before it.
fn metric(name: &str) -> Option<(Metric, f64)> {
    Some(match name {
        "Reads" | "ReadTot" => (Metric::Reads, 1.0),
        "Writes" | "WriteTot" => (Metric::Writes, 1.0),
        "RKBytes" | "ReadKBTot" => (Metric::ReadBytes, KIB),
        "WKBytes" | "WriteKBTot" => (Metric::WrittenBytes, KIB),
        "WaitR" => (Metric::ReadAwait, 1.0),
        "WaitW" => (Metric::WriteAwait, 1.0),
        "Wait" => (Metric::Await, 1.0),
        "QueLen" => (Metric::QueueDepth, 1.0),
        _ => return None,
    })
}

/// Reads the plot format, with blanks or commas.
pub(super) fn read_plot(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let mut readings = Readings::default();
    let mut columns: Vec<Option<(String, Metric, f64)>> = Vec::new();
    let is_mark = |letter: char| letter.is_whitespace() || letter == ',' || letter == ';';
    for (at, line) in source.lines() {
        let row: Vec<&str> = line
            .split(is_mark)
            .filter(|word| !word.is_empty())
            .collect();
        if row.first() == Some(&"#Date") {
            columns = row.iter().map(|name| column(name)).collect();
            // Of single disks and their sum the single ones.
            let has_single = columns.iter().flatten().any(|one| one.0 != ALL_DISKS);
            let is_sum = |one: &(String, Metric, f64)| has_single && one.0 == ALL_DISKS;
            for place in &mut columns {
                *place = place.take().filter(|one| !is_sum(one));
            }
            continue;
        }
        if columns.is_empty() || line.starts_with('#') || row.is_empty() {
            continue;
        }
        let text = row.iter().take(2).copied().collect::<Vec<_>>().join(" ");
        let Some(now) = instant(&text) else {
            return Err(Box::new(source.error(
                at,
                &line,
                "expected a date and a time".to_owned(),
            )));
        };
        for (word, column) in row.iter().zip(&columns) {
            let Some((device, metric, factor)) = column else {
                continue;
            };
            let value = number(word).map_err(|()| {
                source.error(at, &line, format!("expected a number, not `{word}`"))
            })?;
            put(
                &mut readings,
                device,
                (now, &text),
                *metric,
                value.map(|one| one * factor),
            );
        }
    }
    Ok(readings.recording("collectl", None))
}

/// The column of `[DSK:sda]Reads` or `[DSK]ReadTot`.
fn column(name: &str) -> Option<(String, Metric, f64)> {
    let (device, name) = name.strip_prefix("[DSK")?.split_once(']')?;
    let (metric, factor) = metric(name)?;
    let device = device.strip_prefix(':').unwrap_or(ALL_DISKS);
    Some((device.to_owned(), metric, factor))
}

fn put(
    readings: &mut Readings,
    device: &str,
    at: (i128, &str),
    metric: Metric,
    value: Option<f64>,
) {
    if let Some(value) = value {
        let reading = Reading {
            metric,
            count: Count::Mean,
            value,
            span: None,
        };
        readings.put(device, at, reading);
    }
}

/// Columns of the table behind the name: reads, writes and means, each with its size.
const TABLE: [(usize, Metric, f64); 8] = [
    (0, Metric::ReadBytes, KIB),
    (2, Metric::Reads, 1.0),
    (4, Metric::ReadAwait, 1.0),
    (5, Metric::WrittenBytes, KIB),
    (7, Metric::Writes, 1.0),
    (9, Metric::WriteAwait, 1.0),
    (11, Metric::QueueDepth, 1.0),
    (12, Metric::Await, 1.0),
];

/// Reads the table; with `-oT` each row has its time of day.
pub(super) fn read_table(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let mut readings = Readings::default();
    let mut has_time = false;
    let mut reports = 0_i128;
    for (at, line) in source.lines() {
        if is_head(&line) {
            has_time = line.starts_with("#Time");
            reports += i128::from(!has_time);
            continue;
        }
        let row = words(at, &line);
        if reports == 0 && !has_time || line.starts_with('#') || row.is_empty() {
            continue;
        }
        let (time, row) = row.split_at(usize::from(has_time));
        let text = time.first().map_or("", |(_, word)| *word);
        let now = if has_time {
            instant(&format!("2000-01-01 {text}"))
        } else {
            Some(reports)
        };
        let (Some(now), Some(((_, device), figures))) = (now, row.split_first()) else {
            return Err(Box::new(source.error(
                at,
                &line,
                "expected a row of a disk".to_owned(),
            )));
        };
        for (index, metric, factor) in TABLE {
            let Some((at, word)) = figures.get(index) else {
                continue;
            };
            let letter = word.strip_suffix('K');
            let value = number(letter.unwrap_or(word))
                .map_err(|()| source.error(*at, word, "expected a number".to_owned()))?;
            let many = if letter.is_some() { 1e3 } else { 1.0 };
            let value = value.map(|value| value * factor * many);
            put(&mut readings, device, (now, text), metric, value);
        }
    }
    let mut recording = readings.recording("collectl", None);
    recording.without_times();
    Ok(recording)
}
