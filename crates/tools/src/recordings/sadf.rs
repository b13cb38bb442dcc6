//! `sadf -d` (lines of values between semicolons), and the JSON of `sadf -j` and `iostat -o JSON`.

use super::columns::{self, Column};
use super::instants::instant;
use super::sar::{ALL_DISKS, without_sum};
use super::table::{begin, cells, lines};
use super::words::Text;
use crate::diagnostic::Diagnostic;
use fathom_core::recording::{Recording, Sample};
use serde::Deserialize;
use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

const SECOND: u64 = 1_000_000_000;

/// Whether a text is of `sadf -d`.
pub(super) fn is_lines(source: &Text) -> bool {
    let head = begin(source).next();
    head.is_some_and(|line| line.starts_with("# hostname;interval;timestamp"))
}

pub(super) fn read_lines(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let mut recording = Recording {
        tool: "sadf".to_owned(),
        ..Recording::default()
    };
    let mut heads: Vec<Option<Column>> = Vec::new();
    // None before a table of disks; all disks together have no name.
    let mut device_at: Option<Option<usize>> = None;
    for (at, line) in lines(source) {
        if let Some(head) = line.strip_prefix("# ") {
            let names: Vec<&str> = head.split(';').collect();
            let named = names.iter().position(|name| *name == "DEV");
            let is_sum = named.is_none() && names.contains(&"rtps");
            device_at = (named.is_some() || is_sum).then_some(named);
            heads = names.iter().map(|name| columns::column(name)).collect();
            continue;
        }
        let Some(device_at) = device_at else { continue };
        let row = cells(at, &line, ';');
        let interval = row.get(1).and_then(|cell| cell.text.parse::<i64>().ok());
        if interval == Some(-1) {
            // A restart.
            continue;
        }
        if row.len() != heads.len() {
            let message = format!(
                "a row of {} cells under a head of {}",
                row.len(),
                heads.len()
            );
            return Err(Box::new(source.error(at, &line, message)));
        }
        let Some(interval) = interval.and_then(|seconds| u64::try_from(seconds).ok()) else {
            let cell = &row[1];
            let message = "expected whole seconds".to_owned();
            return Err(Box::new(source.error(cell.at, cell.raw, message)));
        };
        let mut sample = Sample {
            at: Some(row[2].text.as_ref().into()),
            length_ns: interval.checked_mul(SECOND).filter(|length| *length > 0),
            ..Sample::default()
        };
        for (cell, column) in row.iter().zip(&heads) {
            let Some(column) = column else { continue };
            columns::put(*column, &cell.text, &mut sample)
                .ok_or_else(|| source.error(cell.at, cell.raw, "expected a number".to_owned()))?;
        }
        columns::complete(&mut sample);
        recording
            .host
            .get_or_insert_with(|| row[0].text.to_string());
        let device = device_at.map_or(ALL_DISKS, |at| row[at].text.as_ref());
        recording.device(device).samples.push(sample);
    }
    without_sum(&mut recording);
    Ok(recording)
}

pub(super) const JOINT: &str =
    "sar does not tell reads from writes, and counts discards among them";

/// Whether a text is JSON of sysstat.
pub(super) fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{') && text.contains("\"sysstat\"")
}

#[derive(Deserialize)]
struct Statistics {
    /// `sadf` writes an object, `iostat -t` a text.
    timestamp: Option<Stamp>,
    #[serde(default)]
    disk: Vec<BTreeMap<String, Value>>,
    /// All disks together, of `sadf -j -- -b`.
    io: Option<Together>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Together {
    io_reads: BTreeMap<String, Value>,
    io_writes: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Stamp {
    Parts {
        date: String,
        time: String,
        interval: Option<u64>,
    },
    Text(String),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    Number(f64),
    Text(String),
    Other(serde::de::IgnoredAny),
}

/// Columns of the JSON and XML that are not called as those of the text.
pub(super) fn column(name: &str) -> Option<Column> {
    Some(match name {
        "bread" => Column::ReadBytes(512.0),
        "bwrtn" => Column::WrittenBytes(512.0),
        "rkB" => Column::ReadBytes(1024.0),
        "wkB" => Column::WrittenBytes(1024.0),
        "util" | "util-percent" => Column::Busy,
        // The same once more, in sectors.
        "rd_sec" | "wr_sec" | "dc_sec" | "avgrq-sz" | "avgqu-sz" => Column::Other,
        name => columns::column(name)?,
    })
}

pub(super) fn read_json(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let mut reader = Reader::default();
    source.json(SadfValue {
        level: Level::Document,
        into: &mut reader,
    })?;
    let Reader {
        mut recording,
        is_sar,
        ..
    } = reader;
    if is_sar { "sadf" } else { "iostat" }.clone_into(&mut recording.tool);
    if is_sar {
        without_sum(&mut recording);
    }
    Ok(recording)
}

/// What was read so far.
#[derive(Default)]
struct Reader {
    recording: Recording,
    is_sar: bool,
    /// When the last report was made.
    before: Option<i128>,
    /// Reports of the host.
    reports: usize,
    /// The first report of iostat: taken where it is the only one.
    first: Option<Vec<(String, Sample)>>,
}

impl Reader {
    fn report(&mut self, report: Statistics) {
        let (at, length_ns, of_sar) = match report.timestamp {
            Some(Stamp::Parts {
                date,
                time,
                interval,
            }) => {
                let length = interval.and_then(|seconds| seconds.checked_mul(SECOND));
                (Some(format!("{date} {time}")), length, true)
            }
            Some(Stamp::Text(text)) => {
                let now = instant(&text);
                let length = now.zip(self.before).map(|(now, before)| now - before);
                self.before = now;
                let length = length.and_then(|length| u64::try_from(length).ok());
                (Some(text), length, false)
            }
            None => (None, None, false),
        };
        self.is_sar |= of_sar;
        let at: Option<Arc<str>> = at.map(Into::into);
        let length_ns = length_ns.filter(|length| *length > 0);
        let together = report.io.map(|io| {
            let name = ("disk-device".to_owned(), Value::Text(ALL_DISKS.to_owned()));
            let figures = io.io_reads.into_iter().chain(io.io_writes);
            figures.chain([name]).collect()
        });
        let samples = report.disk.into_iter().chain(together).filter_map(|disk| {
            let empty = Sample {
                at: at.clone(),
                length_ns,
                ..Sample::default()
            };
            sample(disk, empty)
        });
        self.reports += 1;
        if self.reports == 1 && !of_sar {
            // The mean since the machine was started.
            self.first = Some(samples.collect());
            return;
        }
        if self.first.take().is_some() {
            let note = super::iostat::FIRST_LEFT_OUT.to_owned();
            self.recording.notes.push(note);
        }
        for (name, sample) in samples {
            self.recording.device(&name).samples.push(sample);
        }
    }

    fn host_ends(&mut self) {
        self.reports = 0;
        for (name, sample) in self.first.take().into_iter().flatten() {
            self.recording.device(&name).samples.push(sample);
        }
    }
}

/// What one disk did, and its name.
fn sample(disk: BTreeMap<String, Value>, empty: Sample) -> Option<(String, Sample)> {
    let mut sample = empty;
    let mut name = None;
    for (key, value) in disk {
        match (key.as_str(), value) {
            ("disk_device" | "disk-device", Value::Text(text)) => name = Some(text),
            (key, Value::Number(number)) => {
                if let Some(column) = column(key) {
                    columns::put(column, &number.to_string(), &mut sample);
                }
            }
            _ => {}
        }
    }
    columns::complete(&mut sample);
    name.map(|name| (name, sample))
}

/// Where in the document a value stands.
#[derive(Clone, Copy)]
enum Level {
    Document,
    Sysstat,
    Hosts,
    Host,
    Reports,
}

/// A value of the document that is read part by part.
struct SadfValue<'a> {
    level: Level,
    into: &'a mut Reader,
}

impl SadfValue<'_> {
    const fn below(&mut self, level: Level) -> SadfValue<'_> {
        SadfValue {
            level,
            into: self.into,
        }
    }
}

impl<'de> DeserializeSeed<'de> for SadfValue<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match self.level {
            Level::Hosts | Level::Reports => deserializer.deserialize_seq(self),
            Level::Document | Level::Sysstat | Level::Host => deserializer.deserialize_map(self),
        }
    }
}

impl<'de> Visitor<'de> for SadfValue<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.level {
            Level::Hosts | Level::Reports => "a sequence",
            Level::Document | Level::Sysstat | Level::Host => "a map",
        })
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<(), A::Error> {
        if matches!(self.level, Level::Hosts) {
            while seq.next_element_seed(self.below(Level::Host))?.is_some() {
                self.into.host_ends();
            }
            return Ok(());
        }
        while let Some(report) = seq.next_element()? {
            self.into.report(report);
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        let mut is_known = false;
        while let Some(key) = map.next_key::<String>()? {
            let below = match (self.level, key.as_str()) {
                (Level::Document, "sysstat") => Level::Sysstat,
                (Level::Sysstat, "hosts") => Level::Hosts,
                (Level::Host, "statistics") => Level::Reports,
                (Level::Host, "nodename") => {
                    let name: Option<String> = map.next_value()?;
                    let host = &mut self.into.recording.host;
                    *host = host.take().or(name);
                    continue;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            is_known = true;
            map.next_value_seed(self.below(below))?;
        }
        if matches!(self.level, Level::Document) && !is_known {
            return Err(A::Error::missing_field("sysstat"));
        }
        Ok(())
    }
}
