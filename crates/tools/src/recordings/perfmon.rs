//! CSV and TSV of Windows' Performance Monitor, `relog`, `typeperf` and `Export-Counter`, and of
//! `esxtop -b`: counters of disks, in the languages of [`super::counter_name`].

use super::counter_name::{self, Object};
use super::instants::instant;
use super::readings::{Count, Metric, Reading, Readings};
use super::table::{begin, cells, lines, mark, value};
use super::words::Text;
use crate::diagnostic::Diagnostic;
use fathom_core::recording::Recording;

/// Whether a text is one of theirs.
pub(super) fn is_csv(source: &Text) -> bool {
    let head = begin(source).next();
    let of_relog = |line: &str| line.contains("(PDH-CSV") || line.contains("(PDH-TSV");
    head.is_some_and(|line| of_relog(line) || line.contains(",\"\\\\"))
}

/// The column of a path such as `\\HOST\PhysicalDisk(0 C:)\Disk Reads/sec`.
pub(super) struct Column {
    host: String,
    object: Object,
    pub(super) instance: String,
    pub(super) metric: Metric,
    pub(super) factor: f64,
}

impl Column {
    /// Whether it is of all disks together.
    pub(super) fn is_total(&self) -> bool {
        self.instance.eq_ignore_ascii_case("_total")
    }
}

pub(super) fn column(path: &str) -> Option<Column> {
    let (host, rest) = path.strip_prefix("\\\\")?.split_once('\\')?;
    let (object, counter) = rest.rsplit_once('\\')?;
    let (object, instance) = object.split_once('(')?;
    let object = counter_name::object(&object.trim().to_lowercase())?;
    let counter = counter.trim().to_lowercase().replace('’', "'");
    let (metric, factor) = counter_name::metric(&counter)?;
    let instance = instance.strip_suffix(')').unwrap_or(instance);
    Some(Column {
        host: host.to_owned(),
        object,
        instance: instance.to_owned(),
        metric,
        factor,
    })
}

/// Reads the disks; of physical and logical ones the physical, of single ones and their sum the
/// single ones.
pub(super) fn read(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let mut rows = lines(source);
    let Some((at, head)) = rows.next() else {
        return Ok(Recording::default());
    };
    let mark = mark(&head);
    let heads = cells(at, &head, mark);
    let columns = heads.iter().enumerate().skip(1);
    let columns = columns.filter_map(|(index, cell)| Some((index, column(&cell.text)?)));
    let mut columns: Vec<(usize, Column)> = columns.collect();
    let Some(object) = columns.iter().map(|(_, one)| one.object).min() else {
        let refusal = source.refuse(
            &head,
            "none of its counters is of a disk, in a known language",
        );
        return Err(Box::new(refusal.with(
            "record the counters of \\PhysicalDisk(*)\\* with English names, as `typeperf` and \
             `relog` do on an English Windows; docs/need.md lists the languages",
        )));
    };
    columns.retain(|(_, one)| one.object == object);
    if columns.iter().any(|(_, one)| !one.is_total()) {
        columns.retain(|(_, one)| !one.is_total());
    }
    let host = columns.first().map(|(_, one)| one.host.clone());
    let is_esxtop = heads
        .iter()
        .any(|cell| cell.text.ends_with("MBytes Read/sec"));
    let is_esxtop = is_esxtop || object == Object::Adapter;
    let mut readings = Readings::default();
    for (at, line) in rows {
        let row = cells(at, &line, mark);
        let time = &row[0];
        let Some(instant) = instant(&time.text) else {
            // `typeperf` ends with a sentence of its own.
            if row.len() < heads.len() {
                continue;
            }
            return Err(Box::new(source.error(
                time.at,
                time.raw,
                "expected a time".to_owned(),
            )));
        };
        for (index, column) in &columns {
            let Some(cell) = row.get(*index) else {
                continue;
            };
            let Some(value) = value(source, cell)? else {
                continue;
            };
            let reading = Reading {
                metric: column.metric,
                count: Count::Mean,
                value: value * column.factor,
                span: None,
            };
            readings.put(&column.instance, (instant, &time.text), reading);
        }
    }
    let tool = if is_esxtop { "esxtop" } else { "perfmon" };
    Ok(readings.recording(tool, host))
}
