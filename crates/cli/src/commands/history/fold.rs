//! Runs that were made together as one row: those of one `fathom ab`, and those of a suite.

use super::{begin, remarks, short, state, target};
use crate::table::Table;
use crate::width;
use fathom_core::figure;
use fathom_store::RunRow;

/// Neighbouring runs that were made together; each run is its own group with `each`.
pub(super) fn groups(rows: &[RunRow], each: bool) -> Vec<&[RunRow]> {
    let together = |one: &RunRow, two: &RunRow| {
        !each
            && campaign(one).is_some()
            && (campaign(one), &one.hostname) == (campaign(two), &two.hostname)
    };
    rows.chunk_by(together).collect()
}

/// What a run was made for: `ab:ID` or `suite:NAME`.
fn campaign(row: &RunRow) -> Option<&str> {
    row.tags.iter().find_map(|tag| {
        let pairs = tag
            .starts_with("ab:")
            .then(|| tag.split_once('/'))
            .flatten();
        match pairs {
            Some((pairs, _)) => Some(pairs),
            None => tag.starts_with("suite:").then_some(tag.as_str()),
        }
    })
}

/// A row for each group, in fewer columns where the terminal has no room for all.
pub(super) fn table(groups: &[&[RunRow]]) -> Table {
    let whole = whole(groups);
    match width::known() {
        Some(most) if whole.width() > most => short::table(groups),
        _ => whole,
    }
}

fn whole(groups: &[&[RunRow]]) -> Table {
    let mut table = Table::new(&[
        "RUN",
        "BEGIN (UTC)",
        "WORKLOAD",
        "DISK",
        ">IOPS",
        ">MB/s",
        ">P99",
        "STATE",
        "TAGS, NOTE",
    ]);
    for group in groups {
        match group {
            [only] => table.row(super::cells(only)),
            group => table.row(together(group)),
        }
    }
    table
}

fn together(group: &[RunRow]) -> [String; 9] {
    let most = group.iter().map(|row| row.iops);
    let rates = range(most, figure::iops);
    let bytes = range(
        group.iter().map(|row| row.bytes_per_second),
        figure::megabytes,
    );
    let times = group.iter().filter_map(|row| Some(row.p99_ns? as f64));
    let last = last(group);
    [
        figure::plural(group.len() as u64, "run"),
        begin(&last.started_at),
        one_of(group, |row| &row.workload),
        target(&one_of(group, |row| super::measured_on(row))),
        rates,
        bytes,
        range(times, figure::time),
        state(worst(group)),
        said(group),
    ]
}

/// The first of them, which is the last of the list.
pub(super) fn last(group: &[RunRow]) -> &RunRow {
    group.last().unwrap_or(&group[0])
}

/// What they have in common.
pub(super) fn one_of(group: &[RunRow], of: fn(&RunRow) -> &str) -> String {
    let first = of(&group[0]);
    let is_same = group.iter().all(|row| of(row) == first);
    if is_same { first } else { "several" }.to_owned()
}

/// The one that may be trusted least.
pub(super) fn worst(group: &[RunRow]) -> &RunRow {
    let states = ["VALID", "QUALIFIED", "SUSPECT", "INVALID"];
    let rank = |row: &&RunRow| states.iter().position(|word| *word == row.state);
    group.iter().max_by_key(rank).unwrap_or(&group[0])
}

/// The name of what they were made for, with its sides, and the first note.
pub(super) fn said(group: &[RunRow]) -> String {
    let name = campaign(last(group)).unwrap_or_default();
    let mut sides: Vec<&str> = group
        .iter()
        .flat_map(|row| &row.tags)
        .filter_map(|tag| tag.strip_prefix(name)?.strip_prefix('/'))
        .collect();
    sides.sort_unstable();
    sides.dedup();
    let sides = if sides.is_empty() {
        String::new()
    } else {
        format!("/{}", sides.join(" /"))
    };
    let noted = group.iter().find(|row| row.note.is_some());
    let note = noted.map_or_else(String::new, |row| format!("; {}", remarks(row)));
    format!("{name}{sides}{note}")
}

/// The least and the most of some figures.
fn range(values: impl Iterator<Item = f64>, figure: impl Fn(f64) -> String) -> String {
    let values: Vec<f64> = values.collect();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(0.0, f64::max);
    match (values.is_empty(), figure(least), figure(most)) {
        (true, ..) => "-".to_owned(),
        (false, least, most) if least == most => most,
        (false, least, most) => format!("{least} … {most}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::row;
    use super::*;

    fn tagged(name: &str, tag: &str, iops: f64) -> RunRow {
        RunRow {
            tags: vec![tag.to_owned()],
            iops,
            ..row(name)
        }
    }

    #[test]
    fn runs_made_together_are_a_line() {
        let rows = [
            tagged("7f3a", "ab:0123abcd/a", 100.0),
            tagged("7f3b", "ab:0123abcd/b", 90.0),
            tagged("7f3c", "ab:ffff0000/a", 90.0),
            tagged("7f3d", "suite:sas", 1000.0),
            tagged("7f3e", "suite:sas", 1000.0),
            row("7f3f"),
            row("8000"),
        ];
        let lengths =
            |each| -> Vec<usize> { groups(&rows, each).iter().map(|one| one.len()).collect() };
        assert_eq!(lengths(false), [2, 1, 2, 1, 1]);
        assert_eq!(lengths(true), [1; 7]);
        let cells = together(groups(&rows, false)[0]);
        let expected = [
            "2 runs",
            "2026-03-01 12:00:00",
            "random-read-4k",
            "vda, 275 GB virtio, ext4",
            "90.0 … 100.0",
            "276.5",
            "1.23 ms",
            "VALID",
            "ab:0123abcd/a /b",
        ];
        assert_eq!(cells, expected.map(str::to_owned));
    }
}
