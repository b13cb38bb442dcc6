//! Runs as CSV: a row for each. Its numbers have the names of the metrics of a result.

use super::Runs;
use fathom_report::sheet::Sheet;
use fathom_store::RunRow;
use std::io::{self, Write};

const HEADS: [&str; 18] = [
    "name",
    "run_id",
    "status",
    "state",
    "started_at",
    "workload",
    "targets",
    "disk",
    "hostname",
    "engine",
    "origin",
    "phases",
    "iops",
    "bytes_per_second",
    "response_p99_ns",
    "answer",
    "tags",
    "note",
];

pub(super) fn write(runs: &Runs<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut put = |sheet: Sheet| out.write_all(sheet.finish().as_bytes());
    put(Sheet::new(HEADS))?;
    let mut written = Ok(());
    let read = runs.store.each(runs.filter, |row| {
        written = put(Sheet::new(cells(row)));
        written.is_ok()
    });
    if let Err(error) = read {
        runs.failed.replace(Some(error));
    }
    written
}

fn cells(row: RunRow) -> [String; HEADS.len()] {
    let p99_ns = row.p99_ns.map(|p99_ns| p99_ns.to_string());
    [
        row.name,
        row.run_id,
        row.status,
        row.state,
        row.started_at,
        row.workload,
        row.targets,
        row.disk,
        row.hostname,
        row.engine,
        row.origin,
        row.phases.to_string(),
        row.iops.to_string(),
        row.bytes_per_second.to_string(),
        p99_ns.unwrap_or_default(),
        row.answer,
        row.tags.join(" "),
        row.note.unwrap_or_default(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::result::metric::METRICS;

    #[test]
    fn numbers_have_the_names_of_metrics() {
        let known = |head: &&str| METRICS.iter().any(|metric| metric.key == **head);
        let found: Vec<&str> = HEADS.into_iter().filter(|head| known(head)).collect();
        assert_eq!(found, ["iops", "bytes_per_second", "response_p99_ns"]);
    }
}
