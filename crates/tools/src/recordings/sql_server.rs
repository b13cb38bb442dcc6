//! SQL Server's `sys.dm_io_virtual_file_stats`, taken twice or more: the CSV of Management Studio
//! or the table of sqlcmd, all in one file. Its `sample_ms` is the time.

use super::instants::of_seconds;
use super::readings::{Count, Metric, Reading, Readings};
use super::table::{Cell, begin, cells, lines, mark, value};
use super::words::Text;
use crate::diagnostic::Diagnostic;
use fathom_core::recording::Recording;

const COLUMNS: [(&str, Metric, f64); 6] = [
    ("num_of_reads", Metric::Reads, 1.0),
    ("num_of_bytes_read", Metric::ReadBytes, 1.0),
    ("io_stall_read_ms", Metric::ReadSeconds, 1e-3),
    ("num_of_writes", Metric::Writes, 1.0),
    ("num_of_bytes_written", Metric::WrittenBytes, 1.0),
    ("io_stall_write_ms", Metric::WriteSeconds, 1e-3),
];
/// Columns that name a file, as people join them.
const NAMES: [&str; 9] = [
    "database_id",
    "file_id",
    "database_name",
    "databasename",
    "database",
    "db_name",
    "file_name",
    "physical_name",
    "name",
];

/// Whether a text has the table.
pub(super) fn is_table(source: &Text) -> bool {
    begin(source).take(20).any(is_head)
}

fn is_head(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    line.contains("num_of_reads") && line.contains("num_of_writes")
}

/// Where the columns stand.
struct Head {
    count: usize,
    time: usize,
    names: Vec<usize>,
    metrics: Vec<(usize, Metric, f64)>,
}

/// The cells of a line: between marks, or between blanks where sqlcmd pads them.
fn row(at: usize, line: &str, mark: char) -> Vec<Cell<'_>> {
    let mut row = cells(at, line, mark);
    if mark == ' ' {
        row.retain(|cell| !cell.text.is_empty());
    }
    row
}

/// Reads the differences of the counters of each file.
pub(super) fn read(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let mut readings = Readings::default();
    let mut head: Option<Head> = None;
    let mut between = ',';
    for (at, line) in lines(source) {
        if is_head(&line) {
            between = match mark(&line) {
                found if line.contains(found) => found,
                _ if line.contains('|') => '|',
                _ => ' ',
            };
            head = Some(of_head(source, at, &line, between)?);
            continue;
        }
        let row = row(at, &line, between);
        let Some(head) = head.as_ref().filter(|head| row.len() == head.count) else {
            // `(12 rows affected)`, and what stands above the table.
            continue;
        };
        if row[head.time].text.starts_with('-') {
            // The line below the head.
            continue;
        }
        let Some(time) = value(source, &row[head.time])? else {
            continue;
        };
        let cell = &row[head.time];
        let now = of_seconds(time / 1e3)
            .ok_or_else(|| source.error(cell.at, cell.raw, "expected milliseconds".to_owned()))?;
        let names = head.names.iter().map(|index| row[*index].text.as_ref());
        let device = names.collect::<Vec<_>>().join(":");
        for (index, metric, factor) in &head.metrics {
            let Some(value) = value(source, &row[*index])? else {
                continue;
            };
            let reading = Reading {
                metric: *metric,
                count: Count::Total,
                value: value * factor,
                span: None,
            };
            let at = (now, row[head.time].text.as_ref());
            readings.put(&device, at, reading);
        }
    }
    let mut recording = readings.recording("SQL Server", None);
    recording.notes.push(
        "times include the wait in SQL Server and in Windows; how many requests were in flight is \
         not counted"
            .to_owned(),
    );
    Ok(recording)
}

fn of_head(source: &Text, at: usize, line: &str, mark: char) -> Result<Head, Box<Diagnostic>> {
    let row = row(at, line, mark);
    let index = |name: &str| {
        let mut cells = row.iter();
        cells.position(|cell| cell.text.eq_ignore_ascii_case(name))
    };
    let Some(time) = index("sample_ms") else {
        let mut error = source.error(at, line, "the table has no `sample_ms`".to_owned());
        error.remedy = Some(
            "take all columns: SELECT * FROM \
                             sys.dm_io_virtual_file_stats(NULL, NULL), twice, into one file"
                .to_owned(),
        );
        return Err(Box::new(error));
    };
    let metrics = COLUMNS.iter();
    let metrics =
        metrics.filter_map(|(name, metric, factor)| Some((index(name)?, *metric, *factor)));
    Ok(Head {
        count: row.len(),
        time,
        names: NAMES.into_iter().filter_map(index).collect(),
        metrics: metrics.collect(),
    })
}
