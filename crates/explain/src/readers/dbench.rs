//! The summary of dbench for Kubernetes, which runs fio with direct I/O for 15 seconds each.

use super::ReaderMatch;
use crate::evidence::{Direction, Evidence, Latency, Side};
use crate::number::{plain, si, size};
use crate::paste::Line;

/// A line of the summary: how it begins, and what its two numbers are.
struct Row {
    label: &'static str,
    title: &'static str,
    unit: Unit,
    /// Block size, whether offsets are random, outstanding requests, and jobs.
    load: (f64, bool, f64, f64),
}

enum Unit {
    Iops,
    Rate,
    Micros,
}

const ROWS: [Row; 4] = [
    Row {
        label: "Random Read/Write IOPS:",
        title: "random 4 KiB",
        unit: Unit::Iops,
        load: (4096.0, true, 64.0, 1.0),
    },
    Row {
        label: "BW:",
        title: "random 128 KiB",
        unit: Unit::Rate,
        load: (131_072.0, true, 64.0, 1.0),
    },
    Row {
        label: "Average Latency (usec) Read/Write:",
        title: "random 4 KiB, four outstanding",
        unit: Unit::Micros,
        load: (4096.0, true, 4.0, 1.0),
    },
    Row {
        label: "Sequential Read/Write:",
        title: "sequential 1 MiB",
        unit: Unit::Rate,
        load: (1_048_576.0, false, 16.0, 4.0),
    },
];

/// Lines of a summary at most.
const MOST_LINES: usize = 8;

pub(crate) fn read(lines: &[Line]) -> Option<ReaderMatch> {
    let is_row = |line: &Line| line.text.trim().starts_with(ROWS[0].label);
    is_row(lines.first()?).then_some(())?;
    let mut found = ReaderMatch::default();
    for (index, line) in lines.iter().take(MOST_LINES).enumerate() {
        if index > 0 && is_row(line) {
            break;
        }
        let text = line.text.trim();
        let of_line = ROWS.iter().filter_map(|row| {
            let (before, pair) = text.split_once(row.label)?;
            // `BW:` follows on the same line.
            (before.is_empty() || before.ends_with(". ")).then(|| results(row, pair, line))
        });
        let of_line: Vec<Evidence> = of_line.flatten().collect();
        if !of_line.is_empty() {
            found.used = index + 1;
        }
        found.evidence.extend(of_line);
    }
    (!found.evidence.is_empty()).then_some(found)
}

/// `294k/22.3k`: reads, then writes.
fn results(row: &Row, pair: &str, line: &Line) -> Vec<Evidence> {
    let pair = pair.split(". ").next().unwrap_or(pair).trim();
    let values: Vec<&str> = match row.unit {
        Unit::Rate => pair.split(" / ").collect(),
        Unit::Iops | Unit::Micros => pair.split('/').collect(),
    };
    let sides = [(Direction::Read, 100.0), (Direction::Write, 0.0)];
    let of = |(value, (direction, read_percent)): (&&str, (Direction, f64))| {
        let mut side = Side {
            direction,
            ..Side::default()
        };
        match row.unit {
            Unit::Iops => side.iops = Some(si(value)?),
            Unit::Rate => side.rate = Some(size(value)?),
            Unit::Micros => {
                side.latency = Some(Latency {
                    mean: Some(plain(value)? * 1e3),
                    ..Latency::default()
                });
            }
        }
        let mut one = Evidence::new("fio", "dbench");
        row.title.clone_into(&mut one.title);
        one.lines = (line.number, line.number);
        one.see("rate", line.number);
        one.runtime_s = Some(15.0);
        one.sides.push(side);
        let load = &mut one.load;
        load.direct = Some(true);
        load.read_percent = Some(read_percent);
        let (block, random, depth, jobs) = row.load;
        load.block = Some(block);
        load.random = Some(random);
        load.depth = Some(depth);
        load.jobs = Some(jobs);
        Some(one)
    };
    values.iter().zip(sides).filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paste::lines;

    #[test]
    fn every_line_has_reads_and_writes() {
        let text = "Random Read/Write IOPS: 20.5k/3001. BW: 310MiB/s / 120MiB/s\n\
                    Average Latency (usec) Read/Write: 450.25/1210.5\n\
                    Sequential Read/Write: 400MiB/s / 118MiB/s\n\
                    Mixed Random Read/Write IOPS: 9.1k/3021";
        let found = read(&lines(text)).expect("a summary");
        let mib = f64::from(1 << 20);
        let row = |one: &Evidence| {
            let side = &one.sides[0];
            let mean = side.latency.as_ref().and_then(|latency| latency.mean);
            (
                one.load.block,
                side.direction,
                side.iops.or(side.rate).or(mean),
            )
        };
        let rows: Vec<_> = found.evidence.iter().map(row).collect();
        let small = Some(4096.0);
        let [large, stream] = [Some(131_072.0), Some(mib)];
        let [read, write] = [Direction::Read, Direction::Write];
        let expected = [
            (small, read, Some(20_500.0)),
            (small, write, Some(3001.0)),
            (large, read, Some(310.0 * mib)),
            (large, write, Some(120.0 * mib)),
            (small, read, Some(450_250.0)),
            (small, write, Some(1_210_500.0)),
            (stream, read, Some(400.0 * mib)),
            (stream, write, Some(118.0 * mib)),
        ];
        assert_eq!((rows, found.used), (expected.to_vec(), 3));
    }
}
