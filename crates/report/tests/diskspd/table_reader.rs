//! A script's reader of the text report, written from the description of DISKSPD's layout: it
//! finds sections by their titles and cells by their bars, as scripts do.

use crate::made::{self, Made};
use std::collections::BTreeMap;

/// The lines after a title up to the next blank line.
fn section<'a>(text: &'a str, title: &str) -> Vec<&'a str> {
    let mut lines = text.lines().skip_while(|line| *line != title);
    lines.next();
    lines.take_while(|line| !line.is_empty()).collect()
}

/// A table of requests: column name to value, for each row and the total.
#[derive(Debug, PartialEq)]
struct Table {
    rows: Vec<BTreeMap<String, String>>,
    total: BTreeMap<String, String>,
}

fn cells(line: &str) -> Vec<String> {
    line.split('|').map(|cell| cell.trim().to_owned()).collect()
}

fn table(text: &str, title: &str) -> Table {
    let lines = section(text, title);
    let names = cells(lines[0]);
    let rule = lines[1];
    assert_eq!(rule, "-".repeat(rule.len()), "{title}");
    let end = lines
        .iter()
        .rposition(|line| *line == rule)
        .expect("a second rule");
    let row = |line: &&str| names.iter().cloned().zip(cells(line)).collect();
    let total = lines[end + 1].strip_prefix("total:").expect("a total");
    // The total has neither a thread nor a file.
    let inner = names[1..names.len() - 1].iter().cloned();
    Table {
        rows: lines[2..end].iter().map(row).collect(),
        total: inner.zip(cells(total)).collect(),
    }
}

fn number(row: &BTreeMap<String, String>, name: &str) -> f64 {
    row[name]
        .parse()
        .unwrap_or_else(|_| panic!("{name}: {}", row[name]))
}

/// The value of `label:` lines with tabs.
fn labelled(text: &str, label: &str) -> String {
    let start = format!("{label}:\t");
    let line = text
        .lines()
        .find(|line| line.trim_start().starts_with(&start))
        .expect(label);
    line.rsplit('\t').next().unwrap_or_default().to_owned()
}

#[test]
fn tables_add_up() {
    for made in [made::full(), made::plain(), made::pool()] {
        let text = made.text();
        let Made { result, .. } = &made;
        for title in ["Total IO", "Read IO", "Write IO"] {
            let table = table(&text, title);
            for name in ["bytes", "I/Os"] {
                let rows: f64 = table.rows.iter().map(|row| number(row, name)).sum();
                let total = number(&table.total, name);
                // An odd count over two threads.
                assert!(
                    (rows - total).abs() <= 4096.0 * 2.0,
                    "{title} {name}: {rows} {total}"
                );
            }
            let seconds = labelled(&text, "actual test time");
            let seconds: f64 = seconds.trim_end_matches('s').parse().expect("seconds");
            let rate = number(&table.total, "I/Os") / seconds;
            assert_eq!(table.total["I/O per s"], format!("{rate:.2}"));
            let rate = number(&table.total, "bytes") / seconds / 1_048_576.0;
            assert_eq!(table.total["MiB/s"], format!("{rate:.2}"));
        }
        let all: u64 = result.phases[0].jobs.iter().map(|job| job.completed).sum();
        assert_eq!(table(&text, "Total IO").total["I/Os"], all.to_string());
    }
}

#[test]
fn columns_are_where_they_were_asked_for() {
    let names = |text: &str| {
        let names = cells(section(text, "Total IO")[0]);
        names.join(",")
    };
    let full = made::full().text();
    assert_eq!(
        names(&full),
        "thread,bytes,I/Os,MiB/s,I/O per s,AvgLat,IopsStdDev,LatStdDev,file"
    );
    assert_eq!(
        names(&made::plain().text()),
        "thread,bytes,I/Os,MiB/s,I/O per s,file"
    );
    // Bars of rows stand one column beside those of the header, in every row alike.
    let bars = |line: &str| -> Vec<usize> { line.match_indices('|').map(|(at, _)| at).collect() };
    let lines = section(&full, "Total IO");
    assert_eq!(lines[1].len(), 114);
    assert_eq!(bars(lines[2]), bars(lines[3]));
    assert_eq!(bars(lines[2])[1..7], bars(lines[5])[..]);
}

#[test]
fn deviation_is_the_population_s_over_buckets() {
    let text = made::full().text();
    let table = table(&text, "Read IO");
    let reads = [
        70_000.0, 70_630.0, 69_160.0, 35_000.0, 71_050.0, 69_510.0, 69_020.0, 70_350.0,
    ];
    let mean: f64 = reads.iter().sum::<f64>() / 8.0;
    let variance = reads.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 8.0;
    assert_eq!(table.total["IopsStdDev"], format!("{:.2}", variance.sqrt()));
}

#[test]
fn processors_are_rows_with_an_average() {
    let text = made::full().text();
    let lines: Vec<&str> = text
        .lines()
        .skip_while(|line| !line.contains("CPU |"))
        .collect();
    assert_eq!(
        lines[0],
        "Socket | Core | CPU |  Usage |  User  | Kernel |  Idle"
    );
    assert_eq!(lines[1].len(), 56);
    assert_eq!(
        lines[2],
        "      0|     0|    0|  12.25%|   0.00%|  12.25%|  87.75%"
    );
    let average = lines[7]
        .trim_start()
        .strip_prefix("avg.|")
        .expect("the average");
    let parts: Vec<f64> = average
        .split('|')
        .map(|cell| {
            cell.trim()
                .trim_end_matches('%')
                .parse()
                .expect("a percentage")
        })
        .collect();
    assert_eq!(parts, [16.0, 3.75, 12.25, 84.0]);
}

#[test]
fn percentiles_rise_from_the_smallest_to_the_largest() {
    let text = made::full().text();
    let lines = section(&text, "Total latency distribution:");
    let rows: Vec<Vec<String>> = lines[2..].iter().map(|line| cells(line)).collect();
    let labels: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
    let expected = "min 25th 50th 75th 90th 95th 99th 3-nines 4-nines 5-nines 6-nines 7-nines \
                    8-nines 9-nines max";
    assert_eq!(labels.join(" "), expected);
    for column in 1..4 {
        let values: Vec<f64> = rows
            .iter()
            .map(|row| row[column].parse().expect("ms"))
            .collect();
        assert!(values.is_sorted(), "{values:?}");
    }
    let pool = made::pool().text();
    let lines = section(&pool, "Total latency distribution:");
    assert_eq!(cells(lines[2])[1], "N/A");
}

#[test]
fn parameters_are_under_their_labels() {
    let text = made::full().text();
    let machine = [
        "cpu count",
        "core count",
        "group count",
        "node count",
        "socket count",
    ];
    let found = machine.map(|label| labelled(&text, label));
    assert_eq!(found, ["8", "2", "1", "1", "2"]);
    assert_eq!(labelled(&text, "thread count"), "2");
    assert_eq!(text.lines().next(), Some(""));
}
