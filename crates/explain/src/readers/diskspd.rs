//! The text of DISKSPD, all of it or a single table.

use super::ReaderMatch;
use crate::command::words;
use crate::evidence::{Data, Direction, Evidence, Latency, Load, Side};
use crate::number::{after, plain, size_with};
use crate::paste::Line;

pub(crate) fn read(lines: &[Line]) -> Option<ReaderMatch> {
    let first = lines.first()?.text.trim();
    let is_start = first.starts_with("Command Line:")
        || first.starts_with("Input parameters:")
        || first.starts_with("Results for timespan")
        || table_of(first).is_some() && is_table(lines);
    if !is_start {
        return None;
    }
    let mut output = Output::default();
    output.evidence.lines = (lines[0].number, lines[0].number);
    let mut used = 0;
    let mut strange = 0;
    for (index, line) in lines.iter().enumerate() {
        let text = line.text.trim();
        let is_next = text.starts_with("Command Line:") && index > 0;
        if is_next || strange > 30 {
            break;
        }
        if text.is_empty() || output.take(line, text) {
            strange = 0;
            used = index + 1;
        } else {
            strange += 1;
        }
    }
    let evidence = output.finish(lines[used - 1].number)?;
    Some(ReaderMatch {
        evidence: vec![evidence],
        used,
    })
}

fn table_of(text: &str) -> Option<Direction> {
    match text {
        "Total IO" => Some(Direction::Both),
        "Read IO" => Some(Direction::Read),
        "Write IO" => Some(Direction::Write),
        _ => None,
    }
}

/// Whether a heading of columns follows soon.
fn is_table(lines: &[Line]) -> bool {
    let near = lines.iter().take(4);
    near.clone()
        .any(|line| line.text.contains("bytes") && line.text.contains('|'))
}

#[derive(Default)]
struct Output {
    evidence: Evidence,
    table: Option<Direction>,
    columns: Vec<String>,
    rows: f64,
    is_latency: bool,
    heads: Vec<String>,
}

impl Output {
    fn take(&mut self, line: &Line, text: &str) -> bool {
        if let Some(rest) = text.strip_prefix("Command Line:") {
            let words = words(rest);
            self.evidence.load = load(&words[1.min(words.len())..]);
            self.evidence.load.command = words;
            return true;
        }
        if let Some(table) = table_of(text) {
            self.table = Some(table);
            self.rows = 0.0;
            return true;
        }
        if text.contains('|') {
            return self.cells(line, text);
        }
        if text.starts_with("total:") || text.starts_with("avg.") {
            return true;
        }
        self.parameter(text)
    }

    /// Input parameters, and what is said of the run.
    #[expect(clippy::too_many_lines, reason = "one arm for each line of an output")]
    fn parameter(&mut self, text: &str) -> bool {
        let load = &mut self.evidence.load;
        if let Some(rest) = text.strip_prefix("actual test time:") {
            self.evidence.runtime_s = plain(rest.trim().trim_end_matches('s'));
        } else if let Some(rest) = text.strip_prefix("block size:") {
            load.block = size_with(rest.trim(), true);
        } else if let Some(rest) = text.strip_prefix("number of outstanding I/O operations") {
            load.depth = rest.rsplit(':').next().and_then(plain);
        } else if let Some(rest) = text.strip_prefix("path: '") {
            rest.trim_end_matches('\'').clone_into(&mut load.target);
        } else if text.starts_with("using software cache") {
            load.direct = Some(false);
        } else if text.contains("software cache disabled")
            || text.contains("software and write caches")
        {
            load.direct = Some(true);
        } else if text.starts_with("hardware and software write caches disabled")
            || text.starts_with("hardware write cache disabled")
        {
            load.flush_every = Some(1.0);
        } else if text.starts_with("using random I/O") {
            load.random = Some(true);
        } else if text.starts_with("using sequential I/O") {
            load.random = Some(false);
        } else if text.starts_with("zeroing write buffers") {
            load.data = Some(Data::Zeros);
        } else if text.starts_with("throughput rate-limited") || text.starts_with("think time:") {
            load.is_limited = after(text, ":").is_none_or(|time| time.trim() != "0ms");
        } else if let Some(rest) = text.strip_prefix("warm up time:") {
            load.warm_up_s = plain(rest.trim().trim_end_matches('s'));
        } else if let Some(rest) = text.strip_prefix("thread count:") {
            load.jobs = plain(rest);
        } else {
            let known = [
                "Input parameters",
                "timespan",
                "----",
                "duration",
                "cool down",
                "affinity",
                "measuring latency",
                "gathering IOPS",
                "random seed",
                "using ",
                "performing ",
                "threads per file",
                "IO priority",
                "burst size",
                "System information",
                "computer name",
                "start time",
                "cpu count",
                "core count",
                "group count",
                "node count",
                "socket count",
                "heterogeneous",
                "active power",
                "Results for",
                "****",
                "proc count",
                "max file size",
                "base file offset",
                "thread stride",
                "write buffer",
                "Latency distribution",
                "Total latency",
                "generating",
                "IO Distribution",
                "WARNING",
                "advanced affinity",
                "effective",
            ];
            return known.iter().any(|word| text.starts_with(word));
        }
        true
    }

    fn cells(&mut self, line: &Line, text: &str) -> bool {
        let cells: Vec<&str> = text.split('|').map(str::trim).collect();
        let first = cells[0];
        if first == "thread" {
            self.columns = cells.iter().map(|cell| cell.to_lowercase()).collect();
            return true;
        }
        if first == "%-ile" {
            self.is_latency = true;
            self.heads = cells.iter().map(|cell| cell.to_lowercase()).collect();
            self.evidence.see("latency", line.number);
            return true;
        }
        if first.starts_with("avg") && cells.get(1).is_some_and(|cell| cell.ends_with('%')) {
            self.evidence.cpu_all = plain(cells[1].trim_end_matches('%'));
            self.evidence.see("cpu", line.number);
            return true;
        }
        if first.starts_with("total") {
            let cells: Vec<&str> = std::iter::once("")
                .chain(text.trim_start_matches("total:").split('|').map(str::trim))
                .collect();
            return self.total(line, &cells);
        }
        if self.is_latency {
            self.percentile(first, &cells);
            return true;
        }
        if self.table.is_some() && plain(first).is_some() {
            self.rows += 1.0;
            if self.evidence.load.target.is_empty()
                && let Some(file) = cells
                    .last()
                    .filter(|_| self.columns.last().is_some_and(|last| last == "file"))
            {
                file.split(" (")
                    .next()
                    .unwrap_or_default()
                    .clone_into(&mut self.evidence.load.target);
                self.evidence.load.size = after(file, " (").and_then(|size| size_with(size, true));
            }
        }
        first.is_empty()
            || plain(first).is_some()
            || matches!(first, "CPU" | "Core" | "Group" | "Socket" | "Node")
    }

    fn total(&mut self, line: &Line, cells: &[&str]) -> bool {
        let Some(direction) = self.table else {
            return true;
        };
        let column = |name: &str| {
            let at = self.columns.iter().position(|column| column == name)?;
            plain(cells.get(at)?)
        };
        // Before 2.1 the column of MiB/s was headed MB/s.
        let rate = column("mib/s")
            .or_else(|| column("mb/s"))
            .map(|mib| mib * 1_048_576.0);
        let side = Side {
            direction,
            requests: column("i/os"),
            bytes: column("bytes"),
            rate,
            iops: column("i/o per s"),
            latency: column("avglat").map(|mean| Latency {
                mean: Some(mean * 1e6),
                deviation: column("latstddev").map(|deviation| deviation * 1e6),
                samples: column("i/os"),
                ..Latency::default()
            }),
            ..Side::default()
        };
        if self.columns.iter().any(|column| column == "mb/s") {
            self.evidence.facts.push("diskspd-mb");
        }
        self.evidence.load.jobs = self.evidence.load.jobs.or(Some(self.rows.max(1.0)));
        self.evidence.see("rate", line.number);
        self.evidence.sides.push(side);
        self.table = None;
        true
    }

    fn percentile(&mut self, name: &str, cells: &[&str]) {
        for (index, head) in self.heads.iter().enumerate().skip(1) {
            let direction = match head.split(' ').next().unwrap_or_default() {
                "read" => Direction::Read,
                "write" => Direction::Write,
                _ => Direction::Both,
            };
            let Some(time) = cells.get(index).and_then(|cell| plain(cell)) else {
                continue;
            };
            let sides = &mut self.evidence.sides;
            let Some(side) = sides.iter_mut().find(|side| side.direction == direction) else {
                continue;
            };
            let latency = side.latency.get_or_insert_default();
            let time = time * 1e6;
            match name {
                "min" => latency.min = Some(time),
                "max" => latency.max = Some(time),
                _ => {
                    let at = match name
                        .strip_suffix("-nines")
                        .or_else(|| name.strip_suffix("-9s"))
                    {
                        Some(nines) => plain(nines).map(|nines| 100.0 - 10_f64.powf(2.0 - nines)),
                        None => plain(name.trim_end_matches(|sign: char| sign.is_alphabetic())),
                    };
                    latency.percentiles.extend(at.map(|at| (at, time)));
                }
            }
        }
    }

    fn finish(mut self, last: usize) -> Option<Evidence> {
        let mut evidence = self.evidence;
        evidence.tool = "diskspd";
        evidence.format = "diskspd-text";
        evidence.lines.1 = last;
        // Reads and writes are what counts; where only the total was pasted, it stands for both.
        let sides = std::mem::take(&mut evidence.sides);
        let (total, apart): (Vec<Side>, Vec<Side>) = sides
            .into_iter()
            .partition(|side| side.direction == Direction::Both);
        let apart: Vec<Side> = apart
            .into_iter()
            .filter(|side| side.iops.is_some_and(|iops| iops > 0.0))
            .collect();
        evidence.sides = if apart.is_empty() { total } else { apart };
        if let (
            Some(Side {
                requests: Some(requests),
                bytes: Some(bytes),
                ..
            }),
            None,
        ) = (evidence.sides.first(), evidence.load.block)
            && *requests > 0.0
        {
            evidence.load.block = Some(bytes / requests);
        }
        self.columns.clear();
        // Parameters without a table are a load, of which the result is missing.
        let has_load = evidence.load.block.is_some() && !evidence.load.target.is_empty();
        (evidence.is_measured() || has_load).then_some(evidence)
    }
}

/// The load of a command line.
pub(crate) fn load(words: &[String]) -> Load {
    let mut load = Load {
        is_complete: true,
        block: Some(65536.0),
        depth: Some(2.0),
        random: Some(false),
        read_percent: Some(100.0),
        direct: Some(false),
        // The pattern of a buffer counts its bytes up.
        data: Some(Data::Compressible),
        ..Load::default()
    };
    let mut threads = 1.0;
    let mut paths = 0.0;
    for word in words {
        let Some(option) = word.strip_prefix(['-', '/']) else {
            paths += 1.0;
            word.clone_into(&mut load.target);
            continue;
        };
        let Some(letter) = option.chars().next() else {
            continue;
        };
        let value = &option[letter.len_utf8()..];
        load.options.insert(letter.to_string(), value.to_owned());
        match letter {
            'b' => load.block = size_with(value, true),
            'o' => load.depth = plain(value),
            't' => threads = plain(value).unwrap_or(1.0),
            'F' => load.jobs = plain(value),
            'r' => load.random = Some(true),
            'c' | 'f' if size_with(value, true).is_some() => load.size = size_with(value, true),
            'w' => load.read_percent = Some(100.0 - plain(value).unwrap_or(10.0)),
            'W' => load.warm_up_s = plain(value),
            'g' | 'i' => load.is_limited = true,
            'h' => {
                load.direct = Some(true);
                load.flush_every = Some(1.0);
            }
            'S' => {
                let all = if value.is_empty() { "u" } else { value };
                if all.contains(['u', 'h']) {
                    load.direct = Some(true);
                }
                if all.contains(['w', 'h']) {
                    load.flush_every = Some(1.0);
                }
            }
            'Z' => {
                load.data = Some(if value.is_empty() {
                    Data::Zeros
                } else if value.starts_with('r') {
                    Data::Random
                } else {
                    Data::Compressible
                });
            }
            _ => {}
        }
    }
    if load.jobs.is_none() && paths > 0.0 {
        load.jobs = Some(threads * paths);
    }
    load
}
