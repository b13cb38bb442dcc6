//! CSV and TSV of Windows' Performance Monitor, `relog` and `typeperf`: counters of PhysicalDisk
//! and LogicalDisk, in English, German and French. (A Japanese Windows has the English names.)

use super::instants::instant;
use super::readings::{Count, Metric, Reading, Readings};
use super::table::{begin, cells, lines, mark, number};
use super::words::Text;
use crate::diagnostic::Diagnostic;
use fathom_core::recording::Recording;

/// Counters in small letters, with what turns their unit into ours.
const COUNTERS: [(&str, Metric, f64); 34] = [
    ("disk reads/sec", Metric::Reads, 1.0),
    ("disk writes/sec", Metric::Writes, 1.0),
    ("disk transfers/sec", Metric::Transfers, 1.0),
    ("disk read bytes/sec", Metric::ReadBytes, 1.0),
    ("disk write bytes/sec", Metric::WrittenBytes, 1.0),
    ("avg. disk sec/read", Metric::ReadAwait, 1e3),
    ("avg. disk sec/write", Metric::WriteAwait, 1e3),
    ("avg. disk sec/transfer", Metric::Await, 1e3),
    ("avg. disk queue length", Metric::QueueDepth, 1.0),
    ("% idle time", Metric::Idle, 1.0),
    ("lesevorgänge/s", Metric::Reads, 1.0),
    ("lesevorgänge/sek.", Metric::Reads, 1.0),
    ("schreibvorgänge/s", Metric::Writes, 1.0),
    ("schreibvorgänge/sek.", Metric::Writes, 1.0),
    ("übertragungen/s", Metric::Transfers, 1.0),
    ("bytes gelesen/s", Metric::ReadBytes, 1.0),
    ("byte gelesen/s", Metric::ReadBytes, 1.0),
    ("bytes geschrieben/s", Metric::WrittenBytes, 1.0),
    ("byte geschrieben/s", Metric::WrittenBytes, 1.0),
    ("mittlere sek./lesevorgänge", Metric::ReadAwait, 1e3),
    ("mittlere sek./schreibvorgänge", Metric::WriteAwait, 1e3),
    ("mittlere sek./übertragung", Metric::Await, 1e3),
    (
        "durchschnittl. warteschlangenlänge des datenträgers",
        Metric::QueueDepth,
        1.0,
    ),
    ("leerlaufzeit (%)", Metric::Idle, 1.0),
    ("lectures disque/s", Metric::Reads, 1.0),
    ("écritures disque/s", Metric::Writes, 1.0),
    ("transferts disque/s", Metric::Transfers, 1.0),
    ("lectures disque, octets/s", Metric::ReadBytes, 1.0),
    ("écritures disque, octets/s", Metric::WrittenBytes, 1.0),
    ("moyenne disque s/lecture", Metric::ReadAwait, 1e3),
    ("moyenne disque s/écriture", Metric::WriteAwait, 1e3),
    ("moyenne disque s/transfert", Metric::Await, 1e3),
    (
        "longueur moyenne de file d'attente du disque",
        Metric::QueueDepth,
        1.0,
    ),
    ("pourcentage d'inactivité", Metric::Idle, 1.0),
];
/// Objects whose counters are of disks.
const PHYSICAL: [&str; 3] = [
    "physicaldisk",
    "physikalischer datenträger",
    "disque physique",
];
const LOGICAL: [&str; 3] = ["logicaldisk", "logischer datenträger", "disque logique"];

/// Whether a text is one of theirs.
pub(super) fn is_csv(source: &Text) -> bool {
    let head = begin(source).next();
    let of_relog = |line: &str| line.contains("(PDH-CSV") || line.contains("(PDH-TSV");
    head.is_some_and(|line| of_relog(line) || line.contains(",\"\\\\"))
}

/// The column of a path such as `\\HOST\PhysicalDisk(0 C:)\Disk Reads/sec`.
struct Column {
    host: String,
    is_physical: bool,
    instance: String,
    metric: Metric,
    factor: f64,
}

fn column(path: &str) -> Option<Column> {
    let (host, rest) = path.strip_prefix("\\\\")?.split_once('\\')?;
    let (object, counter) = rest.rsplit_once('\\')?;
    let (object, instance) = object.split_once('(')?;
    let object = object.trim().to_lowercase();
    let is_physical = PHYSICAL.contains(&object.as_str());
    if !is_physical && !LOGICAL.contains(&object.as_str()) {
        return None;
    }
    let counter = counter.trim().to_lowercase().replace('’', "'");
    let known = COUNTERS.iter().find(|(name, ..)| *name == counter)?;
    Some(Column {
        host: host.to_owned(),
        is_physical,
        instance: instance.trim_end_matches(')').to_owned(),
        metric: known.1,
        factor: known.2,
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
    let mut columns: Vec<Option<Column>> = heads.iter().map(|cell| column(&cell.text)).collect();
    if columns.iter().all(Option::is_none) {
        let refusal = source.refuse(&head, "none of its counters is of a disk");
        return Err(Box::new(
            refusal.with("the counters of \\PhysicalDisk(*)\\*"),
        ));
    }
    let any = |test: fn(&Column) -> bool| columns.iter().flatten().any(test);
    let (has_physical, has_single) = (
        any(|column| column.is_physical),
        any(|column| column.is_physical && column.instance != "_Total"),
    );
    let is_left_out = |column: &Column| {
        has_physical && !column.is_physical || has_single && column.instance == "_Total"
    };
    let hosts = columns.iter().flatten().map(|column| column.host.clone());
    let host = hosts.into_iter().next();
    for place in &mut columns {
        if place.as_ref().is_some_and(is_left_out) {
            *place = None;
        }
    }
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
        for (cell, column) in row.iter().zip(&columns) {
            let Some(column) = column else { continue };
            let value = number(&cell.text)
                .map_err(|()| source.error(cell.at, cell.raw, "expected a number".to_owned()))?;
            let Some(value) = value else { continue };
            let reading = Reading {
                metric: column.metric,
                count: Count::Mean,
                value: value * column.factor,
                span: None,
            };
            readings.put(&column.instance, (instant, &time.text), reading);
        }
    }
    Ok(readings.recording("perfmon", host))
}
