//! `sadf -d` (lines of values between semicolons), and the JSON of `sadf -j` and `iostat -o JSON`.

use super::columns::{self, Column};
use super::instants::instant;
use super::table::{begin, cells, lines};
use super::words::Text;
use crate::diagnostic::Diagnostic;
use fathom_core::recording::{Recording, Sample};
use serde::Deserialize;
use std::collections::BTreeMap;

const SECOND: u64 = 1_000_000_000;

/// Whether a text is of `sadf -d`.
pub(super) fn is_lines(source: &Text) -> bool {
    let head = begin(source).next();
    head.is_some_and(|line| line.starts_with("# hostname;interval;timestamp"))
}

/// Reads the lines.
pub(super) fn read_lines(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let mut recording = Recording {
        tool: "sadf".to_owned(),
        notes: vec![JOINT.to_owned()],
        ..Recording::default()
    };
    let mut heads: Vec<Option<Column>> = Vec::new();
    let mut device_at = None;
    for (at, line) in lines(source) {
        if let Some(head) = line.strip_prefix("# ") {
            let names: Vec<&str> = head.split(';').collect();
            device_at = names.iter().position(|name| *name == "DEV");
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
            at: Some(row[2].text.to_string()),
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
        recording.device(&row[device_at].text).samples.push(sample);
    }
    Ok(recording)
}

const JOINT: &str = "sar does not tell reads from writes, and counts discards among them";

/// Whether a text is JSON of sysstat.
pub(super) fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{') && text.contains("\"sysstat\"")
}

#[derive(Deserialize)]
struct Document {
    sysstat: Sysstat,
}

#[derive(Deserialize)]
struct Sysstat {
    #[serde(default)]
    hosts: Vec<Host>,
}

#[derive(Deserialize)]
struct Host {
    nodename: Option<String>,
    #[serde(default)]
    statistics: Vec<Statistics>,
}

#[derive(Deserialize)]
struct Statistics {
    /// `sadf` writes an object, `iostat -t` a text.
    timestamp: Option<Stamp>,
    #[serde(default)]
    disk: Vec<BTreeMap<String, Value>>,
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

/// Columns of the JSON that are not called as those of the text.
fn column(name: &str) -> Option<Column> {
    Some(match name {
        "rkB" => Column::ReadBytes(1024.0),
        "wkB" => Column::WrittenBytes(1024.0),
        "util" | "util-percent" => Column::Busy,
        // The same once more, in sectors.
        "rd_sec" | "wr_sec" | "dc_sec" | "avgrq-sz" | "avgqu-sz" => Column::Other,
        name => columns::column(name)?,
    })
}

/// Reads the JSON.
pub(super) fn read_json(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let text = source.whole();
    let document: Document =
        serde_json::from_str(&text).map_err(|error| Box::new(source.json(&text, &error)))?;
    let mut recording = Recording::default();
    let mut is_sar = false;
    let mut before: Option<i128> = None;
    for host in document.sysstat.hosts {
        recording.host = recording.host.or(host.nodename);
        let alone = host.statistics.len() == 1;
        for (index, statistics) in host.statistics.into_iter().enumerate() {
            let (at, length_ns, of_sar) = match statistics.timestamp {
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
                    let length = now.zip(before).map(|(now, before)| now - before);
                    before = now;
                    let length = length.and_then(|length| u64::try_from(length).ok());
                    (Some(text), length, false)
                }
                None => (None, None, false),
            };
            is_sar |= of_sar;
            // The first report of iostat is the mean since the machine was started.
            if !of_sar && index == 0 && !alone {
                recording
                    .notes
                    .push(super::iostat::FIRST_LEFT_OUT.to_owned());
                continue;
            }
            for disk in statistics.disk {
                let mut sample = Sample {
                    at: at.clone(),
                    length_ns: length_ns.filter(|length| *length > 0),
                    ..Sample::default()
                };
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
                if let Some(name) = name {
                    recording.device(&name).samples.push(sample);
                }
            }
        }
    }
    if is_sar { "sadf" } else { "iostat" }.clone_into(&mut recording.tool);
    if is_sar {
        recording.notes.push(JOINT.to_owned());
    }
    Ok(recording)
}
