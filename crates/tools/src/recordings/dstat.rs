//! CSV of `dstat --output` and of `pcp dstat`: bytes of disks, and with `-r` their requests.

use super::instants::instant;
use super::readings::{Count, Metric, Reading, Readings};
use super::sar::ALL_DISKS;
use super::table::{Cell, begin, cells, lines, value};
use super::words::Text;
use crate::diagnostic::Diagnostic;
use fathom_core::recording::Recording;

/// Whether a text is of it.
pub(super) fn is_csv(source: &Text) -> bool {
    let mut first = begin(source).take(3);
    first.any(|line| line.to_ascii_lowercase().contains("dstat") && line.contains("CSV output"))
        || begin(source)
            .take(10)
            .any(|line| line.contains("\"dsk/") || line.contains("\"io/"))
}

/// Whether a text is what it prints on a screen.
pub(super) fn is_screen(begin: &str) -> bool {
    begin
        .lines()
        .take(5)
        .any(|line| line.contains("-dsk/") && line.contains("--"))
}

/// Figures on a screen are rounded to three digits, so they are no recording.
pub(super) fn refuse_screen(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let first = source.begin.lines().next().unwrap_or_default();
    let refusal = source.refuse(
        first,
        "this is the screen of dstat, whose figures are rounded",
    );
    Err(Box::new(refusal.with(
        "record it as CSV: dstat -t -d -r --output FILE.csv 1",
    )))
}

/// A column of the table.
struct Column {
    index: usize,
    device: String,
    metric: Metric,
}

/// Reads the disks; of single ones and their sum the single ones.
pub(super) fn read(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let mut readings = Readings::default();
    let mut groups: Vec<String> = Vec::new();
    let mut columns: Vec<Column> = Vec::new();
    let mut time_at = None;
    let mut host = None;
    let mut count = 0_i128;
    for (at, line) in lines(source) {
        let row = cells(at, &line, ',');
        if row[0].text == "Host:" {
            host = row.get(1).map(|cell| cell.text.to_string());
        } else if row.iter().any(is_group) {
            groups = filled(&row);
        } else if !groups.is_empty() && row.iter().any(|cell| cell.text == "read") {
            let is_time = |cell: &Cell<'_>| ["time", "epoch", "date/time"].contains(&&*cell.text);
            time_at = row.iter().position(is_time);
            columns = row
                .iter()
                .zip(&groups)
                .enumerate()
                .filter_map(column)
                .collect();
            if columns.iter().any(|one| one.device != ALL_DISKS) {
                columns.retain(|one| one.device != ALL_DISKS);
            }
        } else if !columns.is_empty() && row.len() > 1 {
            let time = time_at.and_then(|index| row.get(index));
            count += 1;
            let text = time.map_or("", |cell| cell.text.as_ref());
            let now = stamp(text).unwrap_or(count);
            for column in &columns {
                let Some(cell) = row.get(column.index) else {
                    continue;
                };
                let Some(value) = value(source, cell)? else {
                    continue;
                };
                let reading = Reading {
                    metric: column.metric,
                    count: Count::Mean,
                    value,
                    span: None,
                };
                readings.put(&column.device, (now, text), reading);
            }
        }
    }
    let mut recording = readings.recording("dstat", host);
    recording.without_times();
    Ok(recording)
}

fn is_group(cell: &Cell<'_>) -> bool {
    cell.text.starts_with("dsk/") || cell.text.starts_with("io/")
}

/// The name of a group stands above its first column alone.
fn filled(row: &[Cell<'_>]) -> Vec<String> {
    let mut last = String::new();
    let name = |cell: &Cell<'_>| {
        if !cell.text.is_empty() {
            last = cell.text.to_string();
        }
        last.clone()
    };
    row.iter().map(name).collect()
}

fn column((index, (cell, group)): (usize, (&Cell<'_>, &String))) -> Option<Column> {
    let (what, device) = group.split_once('/')?;
    let metric = match (what, cell.text.as_ref()) {
        ("dsk", "read") => Metric::ReadBytes,
        ("dsk", "writ") => Metric::WrittenBytes,
        ("io", "read") => Metric::Reads,
        ("io", "writ") => Metric::Writes,
        _ => return None,
    };
    let device = if device == "total" { ALL_DISKS } else { device };
    Some(Column {
        index,
        device: device.to_owned(),
        metric,
    })
}

/// An instant; `20-11 10:00:00` has no year, which does not matter for a distance.
fn stamp(text: &str) -> Option<i128> {
    instant(text).or_else(|| {
        let (day, clock) = text.trim().split_once(' ')?;
        instant(&format!("{day}-2000 {clock}"))
    })
}
