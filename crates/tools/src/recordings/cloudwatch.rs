//! Exports of Amazon CloudWatch: the JSON of `get-metric-data` and `get-metric-statistics`, and
//! the CSV of the console.

use super::instants::{instant, of_seconds};
use super::readings::{Count, Metric, Reading, Readings};
use super::table::{Cell, begin, cells, lines, mark, number};
use super::words::Text;
use crate::diagnostic::Diagnostic;
use fathom_core::recording::Recording;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
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
struct Series {
    #[serde(default)]
    id: String,
    #[serde(default)]
    label: String,
    #[serde(default, deserialize_with = "times")]
    timestamps: Vec<Instant>,
    #[serde(default)]
    values: Vec<f64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Point {
    #[serde(deserialize_with = "time")]
    timestamp: Instant,
    sum: Option<f64>,
    average: Option<f64>,
}

/// An instant in nanoseconds, and as it is written.
type Instant = (i128, Box<str>);

/// A time as a text, or as seconds since 1970. A wrong one is told at its place.
struct Time;

impl<'de> DeserializeSeed<'de> for Time {
    type Value = Instant;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Instant, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Visitor<'_> for Time {
    type Value = Instant;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a time")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Instant, E> {
        let at = instant(text).ok_or_else(|| no_time(text))?;
        Ok((at, text.into()))
    }

    fn visit_f64<E: Error>(self, seconds: f64) -> Result<Instant, E> {
        let text = seconds.to_string();
        let at = of_seconds(seconds).ok_or_else(|| no_time(&text))?;
        Ok((at, text.into()))
    }

    fn visit_u64<E: Error>(self, seconds: u64) -> Result<Instant, E> {
        self.visit_f64(seconds as f64)
    }

    fn visit_i64<E: Error>(self, seconds: i64) -> Result<Instant, E> {
        self.visit_f64(seconds as f64)
    }
}

fn no_time<E: Error>(text: &str) -> E {
    E::custom(format!("`{text}` is no time"))
}

fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Instant, D::Error> {
    Time.deserialize(deserializer)
}

/// Times one by one, so that a wrong one is told with its line.
fn times<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Instant>, D::Error> {
    struct Times;
    impl<'de> Visitor<'de> for Times {
        type Value = Vec<Instant>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of times")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
            let mut found = Vec::new();
            while let Some(time) = seq.next_element_seed(Time)? {
                found.push(time);
            }
            Ok(found)
        }
    }
    deserializer.deserialize_seq(Times)
}

/// Reads the JSON.
pub(super) fn read_json(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let mut answer = Answer {
        readings: Readings::from_begins(),
        unknown: Vec::new(),
        assumed: false,
    };
    source.json(Whole(&mut answer))?;
    Ok(finish(answer.readings, &answer.unknown, answer.assumed))
}

/// What was read so far.
struct Answer {
    readings: Readings,
    /// Metrics that say nothing of a load.
    unknown: Vec<String>,
    /// Whether counts are taken as sums.
    assumed: bool,
}

impl Answer {
    /// A metric of `get-metric-data`.
    fn series(&mut self, series: Series) {
        let named = format!("{} {}", series.label, series.id);
        let Some((metric, count)) = metric(&named) else {
            self.unknown.push(series.label);
            return;
        };
        self.assumed |= count == Count::Sum;
        let device = volume(&named).unwrap_or("volume");
        for ((at, text), value) in series.timestamps.iter().zip(series.values) {
            let reading = reading(metric, count, value);
            self.readings.put(device, (*at, text), reading);
        }
    }

    /// The metric of `get-metric-statistics`.
    fn points(&mut self, label: &str, points: &[Point]) {
        let Some((metric, usual)) = metric(label) else {
            return;
        };
        let device = volume(label).unwrap_or("volume");
        for point in points {
            let (value, count) = match (point.sum, point.average, usual) {
                (Some(sum), _, Count::Sum) => (sum, Count::Sum),
                (_, Some(average), Count::Mean) => (average, Count::Mean),
                _ => continue,
            };
            let (at, text) = &point.timestamp;
            let reading = reading(metric, count, value);
            self.readings.put(device, (*at, text), reading);
        }
    }
}

/// The whole answer, read metric by metric.
struct Whole<'a>(&'a mut Answer);

impl<'de> DeserializeSeed<'de> for Whole<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Whole<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an answer of CloudWatch")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let (mut label, mut points) = (String::new(), Vec::new());
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "MetricDataResults" => map.next_value_seed(Metrics(&mut *self.0))?,
                "Label" => label = map.next_value()?,
                "Datapoints" => points = map.next_value()?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        self.0.points(&label, &points);
        Ok(())
    }
}

/// The metrics of an answer.
struct Metrics<'a>(&'a mut Answer);

impl<'de> DeserializeSeed<'de> for Metrics<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Metrics<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(series) = seq.next_element()? {
            self.0.series(series);
        }
        Ok(())
    }
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
