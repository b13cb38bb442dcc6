//! `atop -P DSK`: a line for each disk and interval, with what was counted in it.

use super::instants::of_seconds;
use super::iostat::words;
use super::readings::{Count, Metric, Reading, Readings};
use super::words::Text;
use crate::diagnostic::Diagnostic;
use fathom_core::recording::Recording;

const SECTOR: f64 = 512.0;

/// What stands behind the name of the disk: milliseconds in which it was busy, reads, sectors
/// read, writes, sectors written.
const COLUMNS: [(Metric, f64); 5] = [
    (Metric::BusySeconds, 1e-3),
    (Metric::Reads, 1.0),
    (Metric::ReadBytes, SECTOR),
    (Metric::Writes, 1.0),
    (Metric::WrittenBytes, SECTOR),
];

/// Whether a text is of it.
pub(super) fn is_atop(begin: &str) -> bool {
    let is_mark = |line: &&str| matches!(*line, "RESET" | "SEP");
    let mut lines = begin.lines().map(str::trim);
    lines.clone().any(|line| is_mark(&line)) && lines.any(|line| line.starts_with("DSK "))
}

/// Reads the disks. The first sample is that since the machine was started.
pub(super) fn read(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let mut readings = Readings::default();
    let mut host = None;
    let mut is_since_start = false;
    for (at, line) in source.lines() {
        let row = words(at, &line);
        match row.first() {
            Some((_, "RESET")) => is_since_start = true,
            Some((_, "SEP")) => is_since_start = false,
            Some((_, "DSK")) if !is_since_start => {}
            _ => continue,
        }
        if row.len() < 2 {
            continue;
        }
        let figure = |index: usize| {
            let found = row
                .get(index)
                .and_then(|(_, word)| word.parse::<f64>().ok());
            let wrong = || {
                let message = format!("expected a number as word {} of the line", index + 1);
                Box::new(source.error(at, &line, message))
            };
            found.filter(|number| number.is_finite()).ok_or_else(wrong)
        };
        let (seconds, span) = (figure(2)?, figure(5)?);
        let now = of_seconds(seconds)
            .ok_or_else(|| source.error(at, &line, "expected seconds since 1970".to_owned()))?;
        let device = row.get(6).map_or("", |(_, word)| *word);
        let text = format!("{} {}", row[3].1, row[4].1);
        host.get_or_insert_with(|| row[1].1.to_owned());
        for (index, (metric, factor)) in COLUMNS.into_iter().enumerate() {
            let reading = Reading {
                metric,
                count: Count::Sum,
                value: figure(7 + index)? * factor,
                span: Some(span),
            };
            readings.put(device, (now, &text), reading);
        }
    }
    let mut recording = readings.recording("atop", host);
    recording
        .notes
        .push("the sample since the machine was started is left out".to_owned());
    Ok(recording)
}
