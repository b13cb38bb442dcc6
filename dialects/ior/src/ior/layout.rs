//! The tables of IOR: what was asked for, a row for each phase, and a summary of the repetitions.
#![expect(
    clippy::format_push_string,
    reason = "a report is written once; growing lines read better than write! does"
)]

use super::options::{IorOptions, LETTERS};
use crate::tables::processes_and_nodes;
use crate::tasks;
use fathom_core::Op;
use fathom_core::result::{PhaseResult, RunResult};
use fathom_core::spec::{Job, Walk};
use fathom_tools::words::CommandWords;

const MIB: f64 = (1 << 20) as f64;
const KIB: f64 = 1024.0;

/// The heads of the summary, in IOR's widths.
const SUMMARY_HEADS: [&str; 3] = [
    "Operation   Max(MiB)   Min(MiB)  Mean(MiB)     StdDev   Max(OPs)   Min(OPs)  Mean(OPs)     \
     StdDev    Mean(s) Stonewall(s) Stonewall(MiB)",
    " Test# #Tasks tPN reps fPP reord reordoff reordrand seed segcnt ",
    "  blksiz    xsize aggs(MiB)   API RefNum\n",
];

/// The report of a result, as IOR lays it out.
pub fn render(result: &RunResult) -> String {
    let asked = Shape::of(result);
    let rows: Vec<Row> = result.phases.iter().filter_map(Row::of).collect();
    let workload = &result.provenance.workload;
    let mut text = format!(
        "IOR by fathom {}\n{:<20}: {}\n{:<20}: {}\n{:<20}: Linux {}\n",
        result.provenance.version,
        "Began",
        result.provenance.started_at,
        "Command line",
        workload.source,
        "Machine",
        result.provenance.host.hostname
    );
    text.push_str(&asked.options(result));
    text.push_str(&table(&asked, &rows));
    text + &summary(&asked, &rows, workload.repeat)
}

/// What the jobs of a phase come to, as IOR asks for it.
struct Shape {
    tasks: usize,
    nodes: usize,
    own_files: bool,
    random: bool,
    block: u64,
    transfer: u64,
    segments: u64,
    /// How many hosts away the data is that is read, if it is not one's own.
    reorder: Option<u64>,
    name: String,
}

impl Shape {
    fn of(result: &RunResult) -> Self {
        let phases = &result.provenance.workload.phases;
        let jobs = phases.first().map_or(&[][..], |phase| &phase.jobs);
        let first = jobs.first();
        let transfer = first.map_or(0, |job| job.largest_io().0);
        let block = first.map_or(0, |job| match job.access.walk {
            Walk::Zones { length, .. } => length.0,
            _ => job.window.or(job.size).unwrap_or_default().0,
        });
        let bytes = first.map_or(0, |job| job.stop.ios.unwrap_or(0) * transfer);
        let name_of = |job: &Job| job.targets.first().cloned().unwrap_or_default();
        let names: Vec<String> = jobs.iter().map(name_of).collect();
        let own_files = names.windows(2).any(|pair| pair[0] != pair[1]);
        let name = names.first().cloned().unwrap_or_default();
        let (processes, nodes) = processes_and_nodes(result);
        let source = &result.provenance.workload.source;
        let words = CommandWords::split(source, "source").ok();
        let words = words.filter(|_| tasks::detect(source, "ior") > 0);
        let asked = words.map(|words| LETTERS.read(&words, &words.list, IorOptions::plain()).asked);
        Self {
            tasks: jobs.len() * processes,
            nodes,
            own_files,
            random: first.is_some_and(|job| job.access.without_repetition),
            block,
            transfer,
            segments: bytes.checked_div(block).unwrap_or(0),
            reorder: asked
                .filter(|asked| asked.reorder)
                .map(|asked| asked.node_offset),
            name: match name.strip_suffix(".00000000") {
                Some(stem) if own_files => stem.to_owned(),
                _ => name,
            },
        }
    }

    /// Where hosts have not the same number, the most of one.
    fn tasks_per_node(&self) -> usize {
        self.tasks.div_ceil(self.nodes.max(1))
    }

    fn options(&self, result: &RunResult) -> String {
        let access = if self.own_files {
            "file-per-process"
        } else {
            "single-shared-file"
        };
        let order = if self.random { "random" } else { "sequential" };
        let all = self.tasks as u64 * self.block * self.segments;
        let rows = [
            ("api", "POSIX".to_owned()),
            ("test filename", self.name.clone()),
            ("access", access.to_owned()),
            ("type", "independent".to_owned()),
            ("segments", self.segments.to_string()),
            ("ordering in a file", order.to_owned()),
            ("nodes", self.nodes.to_string()),
            ("tasks", self.tasks.to_string()),
            ("clients per node", self.tasks_per_node().to_string()),
            ("repetitions", result.provenance.workload.repeat.to_string()),
            ("xfersize", human(self.transfer)),
            ("blocksize", human(self.block)),
            ("aggregate filesize", human(all)),
        ];
        let mut text = "\nOptions: \n".to_owned();
        for (name, value) in rows {
            text.push_str(&format!("{name:<20}: {value}\n"));
        }
        text
    }
}

/// What a phase came to.
struct Row {
    op: Op,
    iteration: u32,
    bytes: u64,
    ios: u64,
    seconds: f64,
    /// The time of a request of the task where it is shortest, gaps included.
    latency_s: f64,
}

impl Row {
    fn of(phase: &PhaseResult) -> Option<Self> {
        let mut row = Self {
            op: Op::Read,
            iteration: phase.repeat.saturating_sub(1),
            bytes: 0,
            ios: 0,
            seconds: 0.0,
            latency_s: f64::INFINITY,
        };
        for job in &phase.jobs {
            let seconds = job.active_ns as f64 / 1e9;
            for op in [Op::Write, Op::Read] {
                let Some(done) = job.ops.get(op).filter(|done| done.ios > 0) else {
                    continue;
                };
                row.op = op;
                row.bytes += done.bytes;
                row.ios += done.ios;
                row.seconds = row.seconds.max(seconds);
                row.latency_s = row.latency_s.min(seconds / done.ios as f64);
            }
        }
        (row.ios > 0 && row.seconds > 0.0).then_some(row)
    }

    const fn name(&self) -> &'static str {
        match self.op {
            Op::Write => "write",
            _ => "read",
        }
    }

    fn mib(&self) -> f64 {
        self.bytes as f64 / MIB / self.seconds
    }

    fn iops(&self) -> f64 {
        self.ios as f64 / self.seconds
    }
}

/// The columns of the table, with their widths.
const COLUMNS: [(&str, usize); 10] = [
    ("access", 10),
    ("bw(MiB/s)", 11),
    ("IOPS", 11),
    ("Latency(s)", 12),
    ("block(KiB)", 11),
    ("xfer(KiB)", 11),
    ("open(s)", 11),
    ("wr/rd(s)", 11),
    ("close(s)", 11),
    ("total(s)", 11),
];

fn table(asked: &Shape, rows: &[Row]) -> String {
    let line = |cells: [String; 10], last: &str| {
        let cells = cells.iter().zip(COLUMNS);
        let cells = cells.map(|(cell, (_, width))| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().concat() + last + "\n"
    };
    let mut text = "\nResults: \n\n".to_owned();
    text.push_str(&line(COLUMNS.map(|(head, _)| head.to_owned()), "iter"));
    let strokes = COLUMNS.map(|(head, _)| match head {
        "open(s)" => "-".repeat(8),
        _ => "-".repeat(head.len()),
    });
    text.push_str(&line(strokes, "----"));
    for row in rows {
        let cells = [
            row.name().to_owned(),
            figure(row.mib()),
            figure(row.iops()),
            figure(row.latency_s),
            figure(asked.block as f64 / KIB),
            figure(asked.transfer as f64 / KIB),
            "-".to_owned(),
            figure(row.seconds),
            "-".to_owned(),
            figure(row.seconds),
        ];
        text.push_str(&line(cells, &row.iteration.to_string()));
    }
    text
}

/// As many decimals as IOR gives a figure.
fn figure(value: f64) -> String {
    match value {
        ..1.0 => format!("{value:.6}"),
        ..3600.0 => format!("{value:.2}"),
        _ => format!("{value:.0}"),
    }
}

/// A size as IOR tells it.
fn human(bytes: u64) -> String {
    let units = [(1_u64 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB")];
    let unit = units.into_iter().find(|(unit, _)| bytes >= *unit);
    match unit {
        Some((unit, name)) if bytes.is_multiple_of(unit) => format!("{} {name}", bytes / unit),
        Some((unit, name)) => format!("{:.2} {name}", bytes as f64 / unit as f64),
        None => format!("{bytes} bytes"),
    }
}

fn summary(asked: &Shape, rows: &[Row], repetitions: u32) -> String {
    let mut text = "\nSummary of all tests:\n".to_owned();
    let [first, second, third] = SUMMARY_HEADS;
    text.push_str(&[first, second, third].concat());
    for op in [Op::Write, Op::Read] {
        let of: Vec<&Row> = rows.iter().filter(|row| row.op == op).collect();
        let Some(first) = of.first() else { continue };
        let spread = |values: Vec<f64>| {
            let count = values.len() as f64;
            let mean = values.iter().sum::<f64>() / count;
            let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
            let max = values.iter().copied().fold(f64::MIN, f64::max);
            let min = values.iter().copied().fold(f64::MAX, f64::min);
            let deviation = (squares / count).sqrt();
            format!("{max:>10.2} {min:>10.2} {mean:>10.2} {deviation:>10.2}")
        };
        let seconds = of.iter().map(|row| row.seconds).sum::<f64>() / of.len() as f64;
        text.push_str(&format!(
            "{:<9} {} {} {seconds:>10.5} {:>10} {:>13} {:>5} {:>6} {:>3} {repetitions:>4} {:>3} \
             {:>5} {:>8} {:>9} {:>4} {:>6} {:>8} {:>8} {:>9.1} POSIX {:>6}\n",
            first.name(),
            spread(of.iter().map(|row| row.mib()).collect()),
            spread(of.iter().map(|row| row.iops()).collect()),
            "NA",
            "NA",
            0,
            asked.tasks,
            asked.tasks_per_node(),
            u8::from(asked.own_files),
            u8::from(asked.reorder.is_some()),
            asked.reorder.unwrap_or(1),
            0,
            0,
            asked.segments,
            asked.block,
            asked.transfer,
            first.bytes as f64 / MIB,
            0,
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compared with what IOR 4.1 prints.
    #[test]
    fn rows_stand_as_those_of_ior_do() {
        let asked = Shape {
            tasks: 2,
            nodes: 1,
            own_files: false,
            random: false,
            block: 16 << 10,
            transfer: 4 << 10,
            segments: 2,
            reorder: None,
            name: "f1".to_owned(),
        };
        let row = |iteration, seconds| Row {
            op: Op::Write,
            iteration,
            bytes: 64 << 10,
            ios: 16,
            seconds,
            latency_s: 0.000_053,
        };
        let rows = [row(0, 0.024), row(1, 0.009_378)];
        let expected = "
Results: 

access    bw(MiB/s)  IOPS       Latency(s)  block(KiB) xfer(KiB)  open(s)    \
wr/rd(s)   close(s)   total(s)   iter
------    ---------  ----       ----------  ---------- ---------  --------   \
--------   --------   --------   ----
write     2.60       666.67     0.000053    16.00      4.00       -          \
0.024000   -          0.024000   0
write     6.66       1706.12    0.000053    16.00      4.00       -          \
0.009378   -          0.009378   1
";
        assert_eq!(table(&asked, &rows), expected);
        let expected = "
Summary of all tests:
Operation   Max(MiB)   Min(MiB)  Mean(MiB)     StdDev   Max(OPs)   Min(OPs)  \
Mean(OPs)     StdDev    Mean(s) Stonewall(s) Stonewall(MiB) Test# #Tasks tPN reps \
fPP reord reordoff reordrand seed segcnt   blksiz    xsize aggs(MiB)   API RefNum
write           6.66       2.60       4.63       2.03    1706.12     666.67    \
1186.39     519.73    0.01669         NA            NA     0      2   2    2   0     \
0        1         0    0      2    16384     4096       0.1 POSIX      0
";
        assert_eq!(summary(&asked, &rows, 2), expected);
    }
}
