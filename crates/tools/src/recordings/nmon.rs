//! nmon, of Linux and AIX: sections of values between commas, each row with the number of its
//! snapshot.

use super::instants::instant;
use super::readings::{Count, Metric, Reading, Readings};
use super::table::{cells, lines, value};
use super::words::Text;
use crate::diagnostic::Diagnostic;
use fathom_core::recording::Recording;
use std::collections::HashMap;

const KIB: f64 = 1_024.0;

/// Sections of disks; with more disks than fit they go on as `DISKREAD1`, `DISKREAD2`.
const SECTIONS: [(&str, Metric, f64); 8] = [
    ("DISKREAD", Metric::ReadBytes, KIB),
    ("DISKWRITE", Metric::WrittenBytes, KIB),
    ("DISKXFER", Metric::Transfers, 1.0),
    ("DISKRIO", Metric::Reads, 1.0),
    ("DISKWIO", Metric::Writes, 1.0),
    ("DISKREADSERV", Metric::ReadAwait, 1.0),
    ("DISKWRITESERV", Metric::WriteAwait, 1.0),
    ("DISKSERV", Metric::Await, 1.0),
];

/// Whether a text is of nmon.
pub(super) fn is_nmon(begin: &str) -> bool {
    let mut lines = begin.lines();
    lines.any(|line| line.starts_with("AAA,") || line.starts_with("ZZZZ,T"))
        && begin.lines().any(|line| line.matches(',').count() > 1)
}

/// Reads the sections of disks.
pub(super) fn read(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let mut readings = Readings::default();
    let mut heads: HashMap<String, Vec<String>> = HashMap::new();
    let mut stamps: HashMap<String, (i128, String)> = HashMap::new();
    let mut host = None;
    for (at, line) in lines(source) {
        let row = cells(at, &line, ',');
        let (section, Some(second)) = (row[0].text.as_ref(), row.get(1)) else {
            continue;
        };
        let third = row.get(2).map(|cell| cell.text.as_ref());
        match section {
            "AAA" if second.text == "host" => host = third.map(str::to_owned),
            "ZZZZ" => {
                let day = row.get(3).map_or("", |cell| cell.text.as_ref());
                let text = format!("{day} {}", third.unwrap_or_default());
                let now = instant(&text).ok_or_else(|| {
                    source.error(at, &line, "expected a time and a date".to_owned())
                })?;
                stamps.insert(second.text.to_string(), (now, text));
            }
            _ => {
                let name = section.trim_end_matches(|letter: char| letter.is_ascii_digit());
                let Some((_, metric, factor)) = SECTIONS.iter().find(|one| one.0 == name) else {
                    continue;
                };
                let Some((now, text)) = stamps.get(second.text.as_ref()) else {
                    let names = row[2..].iter().map(|cell| cell.text.to_string());
                    heads.insert(section.to_owned(), names.collect());
                    continue;
                };
                let names = heads.get(section).map(Vec::as_slice).unwrap_or_default();
                for (cell, device) in row[2..].iter().zip(names) {
                    let Some(value) = value(source, cell)? else {
                        continue;
                    };
                    let reading = Reading {
                        metric: *metric,
                        count: Count::Mean,
                        value: value * factor,
                        span: None,
                    };
                    readings.put(device, (*now, text), reading);
                }
            }
        }
    }
    Ok(readings.recording("nmon", host))
}
