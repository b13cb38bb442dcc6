//! The XML of `sadf -x`: an element a line, as sadf writes it.

use super::columns;
use super::sadf::column;
use super::sar::{ALL_DISKS, without_sum};
use super::words::Text;
use crate::diagnostic::Diagnostic;
use fathom_core::recording::{Recording, Sample};

const SECOND: u64 = 1_000_000_000;

/// Whether a text is of it.
pub(super) fn is_xml(begin: &str) -> bool {
    begin.trim_start_matches('\u{feff}').starts_with('<') && begin.contains("<sysstat")
}

/// Reads the disks, or the sum of all of them.
pub(super) fn read(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let mut recording = Recording {
        tool: "sadf".to_owned(),
        ..Recording::default()
    };
    let mut now = Sample::default();
    let mut sum: Option<Sample> = None;
    for (at, line) in source.lines() {
        let Some((name, attributes)) = element(&line) else {
            continue;
        };
        let value = |wanted: &str| {
            let mut all = attributes.iter();
            all.find(|(key, _)| *key == wanted).map(|(_, value)| *value)
        };
        match name {
            "host" => recording.host = value("nodename").map(str::to_owned),
            "timestamp" => {
                now = Sample::default();
                let stamp = value("date").zip(value("time"));
                now.at = stamp.map(|(date, time)| format!("{date} {time}").into());
                let interval = value("interval").and_then(|text| text.parse::<u64>().ok());
                let length = interval.and_then(|seconds| seconds.checked_mul(SECOND));
                now.length_ns = length.filter(|length| *length > 0);
            }
            "disk-device" => {
                let Some(device) = value("dev") else { continue };
                let mut sample = now.clone();
                put(source, at, &attributes, &mut sample)?;
                columns::complete(&mut sample);
                recording.device(device).samples.push(sample);
            }
            "io-reads" | "io-writes" => {
                let mut sample = sum.take().unwrap_or_else(|| now.clone());
                put(source, at, &attributes, &mut sample)?;
                if name == "io-reads" {
                    sum = Some(sample);
                } else {
                    columns::complete(&mut sample);
                    recording.device(ALL_DISKS).samples.push(sample);
                }
            }
            _ => {}
        }
    }
    without_sum(&mut recording);
    Ok(recording)
}

fn put(
    source: &Text,
    at: usize,
    attributes: &[(&str, &str)],
    into: &mut Sample,
) -> Result<(), Box<Diagnostic>> {
    for (key, value) in attributes {
        let Some(column) = column(key) else { continue };
        columns::put(column, value, into).ok_or_else(|| {
            source.error(
                at,
                "",
                format!("expected a number for `{key}`, not `{value}`"),
            )
        })?;
    }
    Ok(())
}

/// The name and the attributes of the element that begins on a line.
fn element(line: &str) -> Option<(&str, Vec<(&str, &str)>)> {
    let inner = line.trim().strip_prefix('<')?;
    let (name, mut rest) = inner.split_once(' ')?;
    let mut attributes = Vec::new();
    while let Some((key, after)) = rest.split_once("=\"") {
        let Some((value, next)) = after.split_once('"') else {
            break;
        };
        attributes.push((key.trim(), value));
        rest = next;
    }
    Some((name, attributes))
}
