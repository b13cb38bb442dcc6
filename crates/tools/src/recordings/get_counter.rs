//! What `Get-Counter` prints or `Export-Csv` makes of it: the path of a counter and a colon, and
//! its value on the next line. The time stands before the first counter on the screen, and behind
//! the last one in the CSV.

use super::instants::instant;
use super::perfmon::{self, Column};
use super::readings::{Count, Reading, Readings};
use super::table::number;
use super::words::Text;
use crate::diagnostic::Diagnostic;
use fathom_core::recording::Recording;

/// The counter whose path ends a line.
fn path(line: &str) -> Option<(&str, &str)> {
    let path = line.trim_end().strip_suffix(':')?;
    let at = path.find("\\\\")?;
    Some((&path[..at], path[at..].trim_end()))
}

/// Whether a text is of it.
pub(super) fn is_text(begin: &str) -> bool {
    begin
        .lines()
        .filter_map(path)
        .any(|(_, path)| perfmon::column(path).is_some())
}

/// Reads the counters of disks.
pub(super) fn read(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let mut readings = Readings::default();
    let mut time: Option<(i128, String)> = None;
    // Of the CSV: the values that wait for the time behind them.
    let mut waiting: Vec<(Column, f64)> = Vec::new();
    let mut counter: Option<Column> = None;
    for (at, line) in source.lines() {
        if let Some((before, path)) = path(&line) {
            if let Some(now) = stamp(before) {
                time = Some(now);
            }
            counter = perfmon::column(path).filter(|column| !column.is_total());
            continue;
        }
        if let Some(counter) = counter.take_if(|_| !line.trim().is_empty()) {
            let word = line.trim().trim_matches('"');
            let value = number(word)
                .map_err(|()| source.error(at, &line, "expected a number".to_owned()))?;
            waiting.extend(value.map(|value| (counter, value)));
        } else if let Some(after) = line.trim_start().strip_prefix("\",") {
            time = after.split("\",\"").find_map(stamp);
            put(&mut readings, time.as_ref(), &mut waiting);
            time = None;
        }
        if time.is_some() {
            put(&mut readings, time.as_ref(), &mut waiting);
        }
    }
    Ok(readings.recording("perfmon", None))
}

fn stamp(text: &str) -> Option<(i128, String)> {
    let text = text.trim().trim_matches('"');
    Some((instant(text)?, text.to_owned()))
}

fn put(readings: &mut Readings, time: Option<&(i128, String)>, waiting: &mut Vec<(Column, f64)>) {
    let Some((now, text)) = time else { return };
    for (column, value) in waiting.drain(..) {
        let reading = Reading {
            metric: column.metric,
            count: Count::Mean,
            value: value * column.factor,
            span: None,
        };
        readings.put(&column.instance, (*now, text), reading);
    }
}
