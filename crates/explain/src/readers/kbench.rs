//! The summary of kbench, which runs fio on a volume of Kubernetes, or on two to compare them.

use super::ReaderMatch;
use crate::evidence::{Direction, Evidence, Latency, Side};
use crate::number::plain;
use crate::paste::Line;

/// Lines of a summary at most.
const MOST_LINES: usize = 40;

/// What a part of the summary counts: its first line, and the size of a request.
const PARTS: [(&str, f64); 3] = [
    ("IOPS (Read/Write)", 4096.0),
    ("Bandwidth in KiB/sec (Read/Write)", 131_072.0),
    ("Latency in ns (Read/Write)", 4096.0),
];

pub(crate) fn read(lines: &[Line]) -> Option<ReaderMatch> {
    let first = lines.first()?.text.trim();
    if !first.starts_with("FIO Benchmark") || !first.ends_with("Summary") {
        return None;
    }
    let mut volumes: Vec<String> = Vec::new();
    let mut part = None;
    let mut found = ReaderMatch::default();
    for (index, line) in lines.iter().enumerate().take(MOST_LINES) {
        let text = line.text.trim();
        if let Some(names) = text.strip_prefix("For:") {
            volumes = names.trim().split(" vs ").map(str::to_owned).collect();
        }
        part = PARTS.iter().position(|(head, _)| *head == text).or(part);
        let row = text.split_once(':');
        let row = row.filter(|(name, _)| matches!(*name, "Random" | "Sequential"));
        if let Some((part, (name, cells))) = part.zip(row) {
            // The last column is the change in percent.
            let cells = cells.split(" : ").next().unwrap_or(cells);
            for (volume, cell) in volumes.iter().zip(cells.split(" vs ")) {
                let pairs = [Direction::Read, Direction::Write]
                    .into_iter()
                    .zip(cell.split('/'));
                let pairs = pairs.filter_map(|(direction, text)| Some((direction, number(text)?)));
                let all =
                    pairs.map(|(direction, value)| row_of(line, part, name, direction, value));
                let all = all.map(|mut one| {
                    volume.clone_into(&mut one.load.heading);
                    one
                });
                found.evidence.extend(all);
            }
            found.used = index + 1;
        } else if text.starts_with("CPU Idleness:") {
            found.used = index + 1;
        }
    }
    (!found.evidence.is_empty()).then_some(found)
}

fn number(text: &str) -> Option<f64> {
    plain(&text.trim().replace(',', "")).filter(|value| *value > 0.0)
}

/// One number of a row.
fn row_of(line: &Line, part: usize, name: &str, direction: Direction, value: f64) -> Evidence {
    let mut one = Evidence::new("kbench", "kbench");
    one.title = format!("{} {}", name.to_lowercase(), direction.noun());
    one.lines = (line.number, line.number);
    one.see("rate", line.number);
    one.load.random = Some(name == "Random");
    one.load.block = Some(PARTS[part].1);
    one.load.read_percent = Some(if direction == Direction::Read {
        100.0
    } else {
        0.0
    });
    let mut side = Side {
        direction,
        ..Side::default()
    };
    match part {
        0 => side.iops = Some(value),
        1 => side.rate = Some(value * 1024.0),
        _ => {
            one.load.depth = Some(1.0);
            one.load.jobs = Some(1.0);
            one.title += ", one at a time";
            side.iops = Some(1e9 / value);
            side.latency = Some(Latency {
                mean: Some(value),
                ..Latency::default()
            });
        }
    }
    one.sides.push(side);
    one
}
