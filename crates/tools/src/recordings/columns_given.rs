//! Plain CSV whose columns somebody states: `--columns time=1,device=2,read_iops=3`.

use super::instants::instant;
use super::readings::{Count, Metric, Reading, Readings};
use super::table::{Cell, begin, cells, lines, mark, value};
use super::words::Text;
use crate::diagnostic::Diagnostic;
use fathom_core::recording::Recording;
use std::str::FromStr;

const SECOND: f64 = 1e9;
const MILLION: f64 = 1e6;
const KIB: f64 = 1_024.0;
const MIB: f64 = KIB * KIB;

/// What a column may be, apart from `time` and `device`.
const NAMES: [(&str, Metric, f64); 16] = [
    ("iops", Metric::Transfers, 1.0),
    ("read_iops", Metric::Reads, 1.0),
    ("write_iops", Metric::Writes, 1.0),
    ("read_bytes", Metric::ReadBytes, 1.0),
    ("write_bytes", Metric::WrittenBytes, 1.0),
    ("read_kib", Metric::ReadBytes, KIB),
    ("write_kib", Metric::WrittenBytes, KIB),
    ("read_mib", Metric::ReadBytes, MIB),
    ("write_mib", Metric::WrittenBytes, MIB),
    ("read_mb", Metric::ReadBytes, MILLION),
    ("write_mb", Metric::WrittenBytes, MILLION),
    ("read_ms", Metric::ReadAwait, 1.0),
    ("write_ms", Metric::WriteAwait, 1.0),
    ("ms", Metric::Await, 1.0),
    ("queue_depth", Metric::QueueDepth, 1.0),
    ("idle_percent", Metric::Idle, 1.0),
];

/// The columns of a CSV, counted from 1. Rates are per second.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenColumns {
    time: usize,
    device: Option<usize>,
    /// A column, its metric, and what turns its unit into ours.
    rest: Vec<(usize, Metric, f64)>,
}

impl FromStr for GivenColumns {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (mut time, mut device, mut rest) = (None, None, Vec::new());
        for part in text.split(',') {
            let pair = part.split_once('=');
            let pair =
                pair.and_then(|(name, column)| Some((name.trim(), column.trim().parse().ok()?)));
            let Some((name, column @ 1..=10_000)) = pair else {
                return Err(format!(
                    "`{part}` is no column; expected one such as read_iops=2"
                ));
            };
            let index: usize = column - 1;
            let known = NAMES.iter().find(|(known, ..)| *known == name);
            match (name, known) {
                ("time", _) => time = Some(index),
                ("device", _) => device = Some(index),
                (_, Some((_, metric, factor))) => rest.push((index, *metric, *factor)),
                (_, None) => {
                    let names = NAMES.map(|(name, ..)| name).join(", ");
                    return Err(format!("`{name}` is none of time, device, {names}"));
                }
            }
        }
        match time {
            Some(time) if !rest.is_empty() => Ok(Self { time, device, rest }),
            Some(_) => Err("expected a column with a rate, such as read_iops=2".to_owned()),
            None => Err("expected the column of the time, such as time=1".to_owned()),
        }
    }
}

/// Reads the rows whose time can be understood; those before the first are its head.
pub(super) fn read(source: &Text, columns: &GivenColumns) -> Result<Recording, Box<Diagnostic>> {
    let widest = begin(source).take(50).max_by_key(|line| {
        let count = |mark: char| line.matches(mark).count();
        [',', ';', '\t'].map(count).into_iter().max()
    });
    let mark = widest.map_or(',', mark);
    let mut readings = Readings::default();
    let mut is_first = true;
    for (at, line) in lines(source) {
        let row = cells(at, &line, mark);
        let cell = |index: usize| row.get(index);
        let time = cell(columns.time).and_then(|cell| Some((time(&cell.text)?, cell)));
        let Some((instant, time)) = time else {
            if is_first {
                continue;
            }
            return Err(Box::new(expected(source, &row, columns.time, at, "a time")));
        };
        is_first = false;
        let device = columns.device.and_then(cell).map(|cell| cell.text.as_ref());
        for (index, metric, factor) in &columns.rest {
            let Some(found) = cell(*index) else {
                return Err(Box::new(expected(source, &row, *index, at, "a number")));
            };
            let Some(value) = value_of(source, found, *metric)? else {
                continue;
            };
            let reading = Reading {
                metric: *metric,
                count: Count::Mean,
                value: value * factor,
                span: None,
            };
            readings.put(device.unwrap_or("disk"), (instant, &time.text), reading);
        }
    }
    if readings.is_empty() {
        let first = begin(source).next().unwrap_or_default();
        let column = columns.time + 1;
        let refusal = source.refuse(first, &format!("no line has a time in column {column}"));
        return Err(Box::new(
            refusal.with("use time=N for the column of the time, counted from 1"),
        ));
    }
    Ok(readings.recording("CSV", None))
}

/// More than this in a second, or of milliseconds, no device does.
const MOST: f64 = 1e15;

/// The number of a cell, if a device can have it; none for an empty cell.
fn value_of(
    source: &Text,
    cell: &Cell<'_>,
    metric: Metric,
) -> Result<Option<f64>, Box<Diagnostic>> {
    let (most, range) = match metric {
        Metric::Idle => (100.0, "0 to 100"),
        _ => (MOST, "0 to 1e15"),
    };
    let plain = cell.text.trim().parse::<f64>().ok();
    let found = match plain {
        Some(number) => Some(number),
        None => value(source, cell)?,
    };
    if found.is_none_or(|number| (0.0..=most).contains(&number)) {
        return Ok(found);
    }
    let message = format!("expected a number of {range}");
    Err(Box::new(source.error(cell.at, cell.raw, message)))
}

/// An instant, or seconds since the start of the recording.
fn time(text: &str) -> Option<i128> {
    instant(text).or_else(|| {
        let seconds: f64 = text.trim().parse().ok()?;
        (seconds.is_finite() && seconds.abs() < SECOND).then_some((seconds * SECOND) as i128)
    })
}

fn expected(source: &Text, row: &[Cell<'_>], index: usize, at: usize, what: &str) -> Diagnostic {
    let message = format!("expected {what} in column {}", index + 1);
    match row.get(index) {
        Some(cell) => source.error(cell.at, cell.raw, message),
        None => source.error(at, "", message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_named_or_refused() {
        let found = "time=1,device=3,read_iops=2,write_mib=5".parse();
        let expected = GivenColumns {
            time: 0,
            device: Some(2),
            rest: vec![(1, Metric::Reads, 1.0), (4, Metric::WrittenBytes, MIB)],
        };
        assert_eq!(found, Ok(expected));
        let cases = [
            (
                "read_iops=2",
                "expected the column of the time, such as time=1",
            ),
            (
                "time=1",
                "expected a column with a rate, such as read_iops=2",
            ),
            (
                "time=0",
                "`time=0` is no column; expected one such as read_iops=2",
            ),
            ("", "`` is no column; expected one such as read_iops=2"),
        ];
        for (text, message) in cases {
            assert_eq!(
                text.parse::<GivenColumns>(),
                Err(message.to_owned()),
                "{text}"
            );
        }
    }
}
