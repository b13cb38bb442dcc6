//! Runs where a terminal has no room for all columns: a line for each, and a second one for what
//! was written on it.

use super::{fold, remarks, speed};
use crate::table::Table;
use fathom_core::figure;
use fathom_store::RunRow;

/// Letters of the targets' column.
const TARGET_LETTERS: usize = 10;
/// Letters of the workloads' column.
const WORKLOAD_LETTERS: usize = 16;
/// Of requests as large as this, or larger, people ask how many bytes a second they move.
const LARGE_BYTES: f64 = 65_536.0;

pub(super) fn table(groups: &[&[RunRow]]) -> Table {
    let mut table = Table::new(&[
        "RUN",
        // A column at the right is not broken.
        ">BEGIN (UTC)",
        "WORKLOAD",
        "DISK",
        ">RATE",
        ">P99",
        "STATE",
        "TAGS, NOTE",
    ]);
    let latest = groups.first().map_or("", |group| &group[0].started_at);
    for group in groups {
        table.row(match group {
            [only] => of_run(only, latest),
            group => of_group(group, latest),
        });
    }
    table
}

fn of_run(row: &RunRow, latest: &str) -> [String; 8] {
    [
        row.name.clone(),
        begin(&row.started_at, latest),
        workload(&row.workload),
        target(super::measured_on(row)),
        speed(row, &rate(row)),
        super::p99(row),
        trust(row),
        below(row, &remarks(row)),
    ]
}

fn of_group(group: &[RunRow], latest: &str) -> [String; 8] {
    let most = |of: fn(&RunRow) -> f64| {
        let found = group.iter().max_by(|one, two| of(one).total_cmp(&of(two)));
        found.unwrap_or(&group[0])
    };
    let fastest = most(|row| row.iops);
    let slowest = most(|row| row.p99_ns.unwrap_or(0) as f64);
    let time = slowest.p99_ns.map(|p99| figure::time(p99 as f64));
    [
        figure::plural(group.len() as u64, "run"),
        begin(&fold::last(group).started_at, latest),
        workload(&fold::one_of(group, |row| &row.workload)),
        target(&fold::one_of(group, |row| super::measured_on(row))),
        format!("≤ {}", rate(fastest)),
        time.map_or_else(|| "-".to_owned(), |time| format!("≤ {time}")),
        trust(fold::worst(group)),
        below(fold::worst(group), &fold::said(group)),
    ]
}

/// To the minute, in the year of the latest run; of other years the day.
fn begin(started_at: &str, latest: &str) -> String {
    let parts = (started_at.get(5..10), started_at.get(11..16));
    match parts {
        (Some(day), Some(time)) if started_at.get(..4) == latest.get(..4) => {
            format!("{day} {time}")
        }
        _ => started_at.get(..10).unwrap_or(started_at).to_owned(),
    }
}

/// The first part of a long name.
fn workload(name: &str) -> String {
    if name.chars().count() <= WORKLOAD_LETTERS {
        return name.to_owned();
    }
    let begin = name.chars().take(WORKLOAD_LETTERS - 1);
    begin.chain(['…']).collect()
}

/// The name of a disk; of a path the end, which tells most.
fn target(disk: &str) -> String {
    let targets = disk.split(", ").next().unwrap_or(disk);
    let letters = targets.chars().count();
    if letters <= TARGET_LETTERS {
        return targets.to_owned();
    }
    if !targets.starts_with('/') {
        let begin = targets.chars().take(TARGET_LETTERS - 1);
        return begin.chain(['…']).collect();
    }
    let end = targets.chars().skip(letters + 1 - TARGET_LETTERS);
    format!("…{}", end.collect::<String>())
}

fn rate(row: &RunRow) -> String {
    if row.bytes_per_second >= LARGE_BYTES * row.iops {
        format!("{} MB/s", figure::megabytes(row.bytes_per_second))
    } else {
        format!("{}/s", figure::iops(row.iops))
    }
}

/// The state alone; the second line has what else there is to say of it.
fn trust(row: &RunRow) -> String {
    let is_running = row.status == "running";
    if is_running { &row.status } else { &row.state }.clone()
}

/// What makes a run another one than a complete measurement, and what was written on it.
fn below(row: &RunRow, written: &str) -> String {
    let origin = if row.origin == "measured" {
        ""
    } else {
        row.origin.as_str()
    };
    let status = match (row.status.as_str(), row.interruption.as_str()) {
        ("complete" | "running", "") => "",
        (status, "") => status,
        (_, interruption) => interruption,
    };
    let parts = [origin, status, written].into_iter();
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::super::tests::row;
    use super::*;

    #[test]
    fn a_run_is_a_line_of_eighty_columns() {
        let large = RunRow {
            iops: 12.0,
            bytes_per_second: 12.0 * 1_048_576.0,
            tags: vec!["nightly".to_owned()],
            ..row("7f3b")
        };
        let simulated = RunRow {
            origin: "simulated".to_owned(),
            disk: "4x gp2:250GiB under r5d.xlarge".to_owned(),
            started_at: "2025-03-01T12:00:00.123Z".to_owned(),
            state: "QUALIFIED".to_owned(),
            phases: 6,
            ..row("7f3c")
        };
        let side = |name: &str, iops| RunRow {
            tags: vec![format!("ab:0123abcd/{name}")],
            iops,
            ..row("7f3d")
        };
        let pair = [side("a", 90_000.0), side("b", 80_000.0)];
        let rows = [row("7f3a"), large, simulated];
        let mut groups: Vec<&[RunRow]> = rows.iter().map(std::slice::from_ref).collect();
        groups.push(&pair);
        let expected = "\
RUN    BEGIN (UTC) WORKLOAD       DISK             RATE       P99 STATE
    TAGS, NOTE
7f3a   03-01 12:00 random-read-4k vda          67,512/s   1.23 ms VALID
7f3b   03-01 12:00 random-read-4k vda         12.6 MB/s   1.23 ms VALID
    nightly
7f3c    2025-03-01 random-read-4k 4x gp2:25… ≤ 67,512/s ≤ 1.23 ms QUALIFIED
    simulated
2 runs 03-01 12:00 random-read-4k vda        ≤ 90,000/s ≤ 1.23 ms VALID
    ab:0123abcd/a /b";
        let lines = table(&groups).fitted(80).concat();
        assert_eq!(lines.join("\n"), expected);
    }
}
