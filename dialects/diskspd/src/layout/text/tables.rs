//! Processors, requests and percentiles of a time span.

use super::chart::chart;
use super::input::bytes;
use super::{ASTERISKS, UNKNOWN};
use crate::display_size;
use crate::effective::Part;
use crate::layout::figures::{Figures, Flow, Table, flow};
use crate::processor_group::{GROUP, cores};
use fathom_core::result::{ProcessorUse, ResultField};
use std::collections::BTreeMap;

const MIB: f64 = 1_048_576.0;

pub(super) fn results(figures: &Figures<'_>, text: &mut String) {
    *text += &format!("actual test time:\t{}\n", time(figures.seconds()));
    let threads = if figures.origin.knows(ResultField::Threads) {
        figures.threads().to_string()
    } else {
        UNKNOWN.to_owned()
    };
    *text += &format!("thread count:\t\t{threads}\n");
    if figures.span.threads > 0 && figures.span.outstanding > 0 {
        *text += &format!("request count:\t\t{}\n", figures.span.outstanding);
    }
    *text += "\n";
    processors(figures, text);
    distributions(figures, text);
    for table in Table::ALL {
        *text += &format!("\n{}\n", table.title());
        requests(figures, table, text);
    }
    if figures.span.measure_latency {
        if figures.targets.len() > 1 {
            for (path, of_target) in &figures.targets {
                *text += &format!("\nLatency distribution: {path}\n");
                chart(of_target, text);
            }
        }
        *text += "\nTotal latency distribution:\n";
        chart(&figures.total, text);
    }
}

fn time(seconds: Option<f64>) -> String {
    seconds.map_or_else(|| UNKNOWN.to_owned(), |seconds| format!("{seconds:.2}s"))
}

/// A column that tells processors apart: whether it is shown, its title, its rule, its cell of a
/// processor and the number of its core.
type Column = (bool, &'static str, usize, fn(&ProcessorUse, u32) -> String);

fn processors(figures: &Figures<'_>, text: &mut String) {
    let all = &figures.phase.process.processors;
    let several = |of: fn(&ProcessorUse) -> u32| all.iter().any(|one| of(one) != of(&all[0]));
    let smt = all
        .iter()
        .enumerate()
        .any(|(index, one)| all[..index].iter().any(|other| other.core == one.core));
    let columns: [Column; 4] = [
        (several(|one| one.socket), "Socket | ", 9, |one, _| {
            format!("{:7}| ", one.socket)
        }),
        (several(|one| one.node), "Node | ", 7, |one, _| {
            format!("{:5}| ", one.node)
        }),
        (
            several(|one| one.number / GROUP),
            "Group | ",
            8,
            |one, _| format!("{:6}| ", one.number / GROUP),
        ),
        (smt, "Core | ", 7, |_, core| format!("{core:5}| ")),
    ];
    let shown: Vec<&Column> = columns.iter().filter(|column| column.0).collect();
    let titles: String = shown.iter().map(|column| column.1).collect();
    let width: usize = shown.iter().map(|column| column.2).sum();
    let rule = "-".repeat(width + 40);
    *text += &format!("{titles}CPU |  Usage |  User  | Kernel |  Idle\n{rule}\n");
    for (one, core) in all.iter().zip(cores(all)) {
        let cells: String = shown.iter().map(|column| column.3(one, core)).collect();
        let number = one.number % GROUP;
        *text += &format!("{cells}{number:4}| {}\n", shares(one));
    }
    let blank = " ".repeat(width);
    let mean = if figures.knows_processors() {
        shares(&average(figures))
    } else {
        ["    N/A"; 4].join("| ")
    };
    *text += &format!("{rule}\n{blank}avg.| {mean}\n");
}

/// Usage, user, kernel and idle.
fn shares(one: &ProcessorUse) -> String {
    let usage = one.user_percent + one.kernel_percent;
    format!(
        "{usage:6.2}%| {:6.2}%| {:6.2}%| {:6.2}%",
        one.user_percent, one.kernel_percent, one.idle_percent
    )
}

/// Over all processors. Where they were not looked at one by one it is zero, as DISKSPD has it
/// when Windows does not tell.
pub(in crate::layout) fn average(figures: &Figures<'_>) -> ProcessorUse {
    let all = &figures.phase.process.processors;
    let mean = |of: fn(&ProcessorUse) -> f64| {
        all.iter().map(of).fold(0.0, |sum, share| sum + share) / all.len().max(1) as f64
    };
    ProcessorUse {
        user_percent: mean(|one| one.user_percent),
        kernel_percent: mean(|one| one.kernel_percent),
        idle_percent: mean(|one| one.idle_percent),
        ..ProcessorUse::default()
    }
}

/// Where shares of requests really went, in bytes: each distribution once, below the targets and
/// threads that had it.
fn distributions(figures: &Figures<'_>, text: &mut String) {
    let mut users = Users::new();
    for line in figures.lines.iter().filter(|line| !line.parts.is_empty()) {
        let targets = users.entry(&line.parts).or_default();
        targets
            .entry(&line.path)
            .or_default()
            .extend(line.threads());
    }
    *text += &effective(users);
}

/// The parts that requests go to, with the threads of each target that have them.
type Users<'a> = BTreeMap<&'a [Part], BTreeMap<&'a str, Vec<u64>>>;

fn effective(users: Users<'_>) -> String {
    let mut text = String::new();
    if !users.is_empty() {
        text += "\nEffective IO Distributions\n--------------------------\n";
    }
    for (parts, targets) in users {
        for (path, threads) in targets {
            text += &format!("target: {path} [thread:{}]\n", runs(&threads));
        }
        let all: u32 = parts.iter().map(|part| part.ios).sum();
        for part in parts {
            text += &if all >= 100 {
                format!("   {:3}% of IO => ", part.ios)
            } else {
                // What has no place on the target is left out, and the rest is all.
                let share = f64::from(part.ios) * 100.0 / f64::from(all);
                format!("    {share:.1}% of IO => ")
            };
            text += &bytes(part.start, Some(part.start + part.length));
        }
    }
    text
}

/// Numbers, each with a blank before it, three and more that follow each other as ` 0 - 2`.
fn runs(numbers: &[u64]) -> String {
    let mut text = String::new();
    let mut rest = numbers;
    while let Some(first) = rest.first() {
        let follows = |(index, number): &(usize, &u64)| **number == first + *index as u64;
        let run = rest.iter().enumerate().take_while(follows).count();
        text += &match run {
            1 => format!(" {first}"),
            2 => format!(" {first} {}", first + 1),
            _ => format!(" {first} - {}", first + run as u64 - 1),
        };
        rest = &rest[run..];
    }
    text
}

fn requests(figures: &Figures<'_>, table: Table, text: &mut String) {
    let span = figures.span;
    let (latency, deviation) = (span.measure_latency, span.iops_bucket_ms.is_some());
    let mut header =
        "thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s ".to_owned();
    let mut width = 66;
    for (shown, title, columns) in [
        (latency, "|  AvgLat  ", 11),
        (deviation, "| IopsStdDev ", 13),
        (latency, "| LatStdDev ", 12),
        (true, "|  file", 12),
    ] {
        if shown {
            header += title;
            width += columns;
        }
    }
    let rule = "-".repeat(width);
    *text += &format!("{header}\n{rule}\n");
    for line in &figures.lines {
        let cells = cells(
            figures,
            flow(table, line.read, line.write),
            line.stddevs[table as usize],
        );
        let size = match line.size_bytes {
            0 if figures.origin.is_imported() => UNKNOWN.to_owned(),
            bytes => display_size(bytes),
        };
        *text += &format!("{:6} | {cells} | {} ({size})\n", line.thread, line.path);
    }
    let total = cells(
        figures,
        flow(table, figures.read, figures.write),
        figures.stddevs[table as usize],
    );
    *text += &format!("{rule}\ntotal:   {total}\n");
}

fn cells(figures: &Figures<'_>, flow: Flow, stddev: f64) -> String {
    let span = figures.span;
    let [iops, bytes_per_second] = figures.rates(flow);
    let two = |rate: Option<f64>| rate.map_or_else(String::new, |rate| format!("{rate:.2}"));
    let knows = |field: ResultField| figures.origin.knows(field);
    let shown = |known: bool, width: usize, text: String| {
        let text = if known { text } else { "N/A".to_owned() };
        format!("{text:>width$}")
    };
    let mut cells = vec![
        shown(knows(ResultField::Bytes), 15, flow.bytes.to_string()),
        shown(knows(ResultField::Ios), 12, flow.ios.to_string()),
        shown(
            knows(ResultField::Bytes) && bytes_per_second.is_some(),
            10,
            two(bytes_per_second.map(|rate| rate / MIB)),
        ),
        shown(knows(ResultField::Ios) && iops.is_some(), 10, two(iops)),
    ];
    let latency = flow.latency;
    if span.measure_latency {
        // DISKSPD has a zero where nothing was done.
        let is_told = latency.count > 0 || (knows(ResultField::Ios) && flow.ios == 0);
        cells.push(shown(is_told, 8, format!("{:.3}", latency.mean_ms())));
    }
    if span.iops_bucket_ms.is_some() {
        cells.push(shown(figures.knows_series(), 10, format!("{stddev:.2}")));
    }
    let mut text = cells.join(" | ");
    if span.measure_latency && latency.count == 0 {
        text += " |       N/A";
    } else if span.measure_latency {
        text += &format!(" |  {:8.3}", latency.stddev_ms());
    }
    text
}

/// All time spans together.
pub(super) fn totals(figures: &[Figures<'_>], text: &mut String) {
    let seconds: Option<f64> = figures.iter().map(Figures::seconds).sum();
    let sum = |of: fn(&Figures<'_>) -> Flow| {
        figures.iter().map(of).fold((0, 0), |(ios, bytes), flow| {
            (ios + flow.ios, bytes + flow.bytes)
        })
    };
    let (writes, reads) = (sum(|figures| figures.write), sum(|figures| figures.read));
    let rule = "-".repeat(ASTERISKS);
    *text += &format!("\n\nTotals:\n{}\n\n", "*".repeat(ASTERISKS));
    *text += "type   |       bytes     |     I/Os     |    MiB/s   |  I/O per s\n";
    let rate = |amount: f64| {
        let rate = seconds.map(|seconds| format!("{:.2}", amount / seconds));
        rate.unwrap_or_else(|| "N/A".to_owned())
    };
    let row = |label: &str, (ios, bytes): (u64, u64)| {
        format!(
            "{label}| {bytes:15} | {ios:12} | {:>10} | {:>10}\n",
            rate(bytes as f64 / MIB),
            rate(ios as f64)
        )
    };
    let both = (writes.0 + reads.0, writes.1 + reads.1);
    *text += &format!(
        "{rule}\n{}{}{rule}\n{}\n",
        row("write  ", writes),
        row("read   ", reads),
        row("total  ", both)
    );
    *text += &format!("total test time:\t{}\n", time(seconds));
}

#[cfg(test)]
mod tests {
    use super::*;

    const KB: u64 = 1 << 10;

    /// Parts of a share, a begin and an end in KiB.
    fn parts(list: &[(u32, u64, u64)]) -> Vec<Part> {
        let mut before = 0;
        let part = |(ios, start, end): &(u32, u64, u64)| {
            before += ios;
            Part {
                before: before - ios,
                ios: *ios,
                start: start * KB,
                length: (end - start) * KB,
            }
        };
        list.iter().map(part).collect()
    }

    fn told(users: &[(&str, &[u64], &[Part])]) -> String {
        let mut all = Users::new();
        for (path, threads, parts) in users {
            let targets = all.entry(parts).or_default();
            targets.insert(path, threads.to_vec());
        }
        let text = effective(all);
        let head = "\nEffective IO Distributions\n--------------------------\n";
        text.strip_prefix(head).expect("a head").to_owned()
    }

    /// The texts that DISKSPD holds fast.
    #[test]
    fn threads_that_share_a_distribution_are_told_together() {
        let small = parts(&[(10, 0, 8), (10, 8, 20), (80, 28, 100)]);
        let ranges = "    10% of IO => [     0    -      8KiB)\n    10% of IO => [     8KiB -     \
                      20KiB)\n    80% of IO => [    28KiB -    100KiB)\n";
        let one = |threads: &[u64], expected: &str| {
            let head = format!("target: testfile.dat [thread:{expected}]\n");
            assert_eq!(told(&[("testfile.dat", threads, &small)]), head + ranges);
        };
        one(&[0], " 0");
        one(&[0, 1], " 0 1");
        one(&[0, 1, 2], " 0 - 2");
        let other = ("testfile2.dat", &[3][..], small.as_slice());
        assert_eq!(
            told(&[("testfile.dat", &[0, 1, 2, 4], &small), other]),
            format!(
                "target: testfile.dat [thread: 0 - 2 4]\ntarget: testfile2.dat [thread: \
                 3]\n{ranges}"
            )
        );
        let large = parts(&[(10, 0, 100), (10, 100, 204), (80, 304, 1024)]);
        assert_eq!(
            told(&[
                ("testfile.dat", &[0], &small),
                ("testfile2.dat", &[1], &large)
            ]),
            format!(
                "target: testfile.dat [thread: 0]\n{ranges}target: testfile2.dat [thread: 1]\n    \
                 10% of IO => [     0    -    100KiB)\n    10% of IO => [   100KiB -    \
                 204KiB)\n    80% of IO => [   304KiB -      1MiB)\n"
            )
        );
    }

    #[test]
    fn shares_of_a_target_that_ends_early_are_scaled() {
        let gb = 1 << 20;
        let whole = parts(&[(10, 0, gb), (10, gb, 2 * gb), (80, 102 * gb, 200 * gb)]);
        assert_eq!(
            told(&[("testfile.dat", &[0], &whole)]),
            "target: testfile.dat [thread: 0]\n    10% of IO => [     0    -      1GiB)\n    10% \
             of IO => [     1GiB -      2GiB)\n    80% of IO => [   102GiB -    200GiB)\n"
        );
        let cut = parts(&[(10, 0, 50), (20, 50, 60), (30, 60, 100)]);
        assert_eq!(
            told(&[("testfile.dat", &[0], &cut)]),
            "target: testfile.dat [thread: 0]\n    16.7% of IO => [     0    -     50KiB)\n    \
             33.3% of IO => [    50KiB -     60KiB)\n    50.0% of IO => [    60KiB -    100KiB)\n"
        );
    }
}
