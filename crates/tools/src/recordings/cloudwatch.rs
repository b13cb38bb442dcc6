//! Exports of Amazon CloudWatch: the JSON of `get-metric-data` and `get-metric-statistics`, and
//! the CSV of the console.

use super::instants::{instant, of_seconds};
use super::readings::{Count, Metric, Reading, Readings};
use super::table::{Cell, begin, cells, lines, mark, number};
use super::words::Text;
use crate::diagnostic::Diagnostic;
use fathom_core::recording::Recording;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, SeqAccess, Visitor};
use std::fmt;

/// The metrics of volumes and of instances, with how each is counted where nobody says it.
const METRICS: [(&str, Metric, Count); 11] = [
    ("ReadOps", Metric::Reads, Count::Sum),
    ("WriteOps", Metric::Writes, Count::Sum),
    ("ReadBytes", Metric::ReadBytes, Count::Sum),
    ("WriteBytes", Metric::WrittenBytes, Count::Sum),
    ("TotalReadTime", Metric::ReadSeconds, Count::Sum),
    ("TotalWriteTime", Metric::WriteSeconds, Count::Sum),
    ("IdleTime", Metric::IdleSeconds, Count::Sum),
    ("QueueLength", Metric::QueueDepth, Count::Mean),
    ("AvgReadLatency", Metric::ReadAwait, Count::Mean),
    ("AvgWriteLatency", Metric::WriteAwait, Count::Mean),
    ("AvgIOPS", Metric::Transfers, Count::Mean),
];
/// What stands before them: EBS volumes, EBS of an instance, disks of the instance itself.
const BEGINS: [&str; 3] = ["Volume", "EBS", "Disk"];

/// The metric that a text names, as in `vol-1 VolumeReadOps`.
fn metric(text: &str) -> Option<(Metric, Count)> {
    let letters = |letter: char| !letter.is_ascii_alphanumeric();
    text.split(letters).find_map(|word| {
        let rest = BEGINS.iter().find_map(|begin| word.strip_prefix(begin))?;
        let known = METRICS.iter().find(|(name, ..)| *name == rest)?;
        Some((known.1, known.2))
    })
}

/// The volume or instance that a text names.
fn volume(text: &str) -> Option<&str> {
    let words = text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '-'));
    let mut named = words.filter(|word| {
        let id = word.strip_prefix("vol-").or(word.strip_prefix("i-"));
        id.is_some_and(|id| id.len() >= 4 && id.bytes().all(|byte| byte.is_ascii_hexdigit()))
    });
    named.next()
}

/// Whether a text is JSON of CloudWatch.
pub(super) fn is_json(text: &str) -> bool {
    let text = text.trim_start();
    let is_named = |name: &str| {
        text.get(..4_096.min(text.len()))
            .unwrap_or(text)
            .contains(name)
    };
    text.starts_with('{') && (text.contains("\"MetricDataResults\"") || is_named("\"Datapoints\""))
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Answer {
    #[serde(default)]
    metric_data_results: Vec<Series>,
    #[serde(default)]
    label: String,
    #[serde(default)]
    datapoints: Vec<Point>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Series {
    #[serde(default)]
    id: String,
    #[serde(default)]
    label: String,
    #[serde(default, deserialize_with = "times")]
    timestamps: Vec<(i128, String)>,
    #[serde(default)]
    values: Vec<f64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Point {
    #[serde(deserialize_with = "time")]
    timestamp: (i128, String),
    sum: Option<f64>,
    average: Option<f64>,
}

/// A text, or seconds since 1970.
#[derive(Deserialize)]
#[serde(untagged)]
enum Time {
    Text(String),
    Seconds(f64),
}

impl Time {
    fn read<E: serde::de::Error>(self) -> Result<(i128, String), E> {
        let (at, text) = match self {
            Self::Text(text) => (instant(&text), text),
            Self::Seconds(seconds) => (of_seconds(seconds), seconds.to_string()),
        };
        let at = at.ok_or_else(|| E::custom(format!("`{text}` is no time")))?;
        Ok((at, text))
    }
}

fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(i128, String), D::Error> {
    Time::deserialize(deserializer)?.read()
}

/// Times one by one, so that a wrong one is told with its line.
fn times<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(i128, String)>, D::Error> {
    struct Times;
    impl<'de> Visitor<'de> for Times {
        type Value = Vec<(i128, String)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of times")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
            let mut found = Vec::new();
            while let Some(time) = seq.next_element::<Time>()? {
                found.push(
                    time.read()
                        .map_err(|error: A::Error| A::Error::custom(error))?,
                );
            }
            Ok(found)
        }
    }
    deserializer.deserialize_seq(Times)
}

/// Reads the JSON.
pub(super) fn read_json(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let text = source.whole();
    let answer: Answer =
        serde_json::from_str(&text).map_err(|error| Box::new(source.json(&text, &error)))?;
    let mut readings = Readings::from_begins();
    let mut unknown = Vec::new();
    let mut assumed = false;
    for series in answer.metric_data_results {
        let named = format!("{} {}", series.label, series.id);
        let Some((metric, count)) = metric(&named) else {
            unknown.push(series.label);
            continue;
        };
        assumed |= count == Count::Sum;
        let device = volume(&named).unwrap_or("volume").to_owned();
        for ((at, text), value) in series.timestamps.iter().zip(series.values) {
            readings.put(&device, (*at, text), reading(metric, count, value));
        }
    }
    if let Some((metric, usual)) = metric(&answer.label) {
        let device = volume(&answer.label).unwrap_or("volume").to_owned();
        for point in answer.datapoints {
            let (value, count) = match (point.sum, point.average, usual) {
                (Some(sum), _, Count::Sum) => (sum, Count::Sum),
                (_, Some(average), Count::Mean) => (average, Count::Mean),
                _ => continue,
            };
            let (at, text) = &point.timestamp;
            readings.put(&device, (*at, text), reading(metric, count, value));
        }
    }
    Ok(finish(readings, &unknown, assumed))
}

const fn reading(metric: Metric, count: Count, value: f64) -> Reading {
    Reading {
        metric,
        count,
        value,
        span: None,
    }
}

fn finish(readings: Readings, unknown: &[String], assumed: bool) -> Recording {
    let mut recording = readings.recording("CloudWatch", None);
    if assumed {
        recording.notes.push(
            "counts and bytes of CloudWatch are taken as sums of a period (`--stat Sum`), and the \
             period as the usual distance of two points"
                .to_owned(),
        );
    }
    if !unknown.is_empty() {
        let names = unknown.join(", ");
        recording.notes.push(format!(
            "metrics that say nothing of a load are left out: {names}"
        ));
    }
    recording
}

/// Whether a text is CSV of the console: a line that names metrics above lines that begin with a
/// time.
pub(super) fn is_csv(source: &Text) -> bool {
    begin(source)
        .take(20)
        .any(|line| line.contains([',', ';']) && metric(line).is_some())
}

/// What a column is of, by all the lines above the first time.
#[derive(Clone, Debug, Default)]
struct Column {
    device: Option<String>,
    metric: Option<(Metric, Count)>,
    span: Option<f64>,
    title: String,
}

/// Reads the CSV.
pub(super) fn read_csv(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let mut readings = Readings::from_begins();
    let mut columns: Vec<Column> = Vec::new();
    let first = begin(source).find(|line| metric(line).is_some());
    let mark = first.map_or(',', mark);
    for (at, line) in lines(source) {
        let row = cells(at, &line, mark);
        let Some(time) = instant(&row[0].text) else {
            head(&mut columns, &row);
            continue;
        };
        for (cell, column) in row[1..].iter().zip(&columns) {
            let Some((metric, count)) = column.metric else {
                continue;
            };
            let value = number(&cell.text)
                .map_err(|()| source.error(cell.at, cell.raw, "expected a number".to_owned()))?;
            let Some(value) = value else { continue };
            let device = column.device.as_deref().unwrap_or("volume");
            let reading = Reading {
                span: column.span,
                ..reading(metric, count, value)
            };
            readings.put(device, (time, &row[0].text), reading);
        }
    }
    let unknown = columns.iter().filter(|column| column.metric.is_none());
    let unknown: Vec<String> = unknown.map(|column| column.title.clone()).collect();
    let mut known = columns.iter().filter_map(|column| column.metric);
    let assumed = known.any(|(_, count)| count == Count::Sum);
    Ok(finish(readings, &unknown, assumed))
}

/// A line above the first time says something of each column.
fn head(columns: &mut Vec<Column>, row: &[Cell<'_>]) {
    columns.resize(columns.len().max(row.len() - 1), Column::default());
    for (cell, column) in row[1..].iter().zip(columns) {
        let text = cell.text.as_ref();
        if column.title.is_empty() {
            text.clone_into(&mut column.title);
        }
        column.device = column.device.take().or(volume(text).map(str::to_owned));
        column.metric = column.metric.or(metric(text));
        match (row[0].text.as_ref(), text) {
            ("Period", period) => column.span = period.parse().ok(),
            ("Statistic" | "Stat", "Average") => {
                // A mean of counts has no meaning for a load: what a request counts is not known.
                column.metric = column.metric.filter(|(_, count)| *count == Count::Mean);
            }
            _ => {}
        }
    }
}
