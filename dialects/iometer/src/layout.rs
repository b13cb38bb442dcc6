//! The table that Iometer writes: a block for each step, with rows for all, for the manager (this
//! machine), for every processor that was looked at, for every worker and for every disk that only
//! one worker has.
//!
//! Columns that have no meaning here (connections, packets, interrupts) hold zeros or nothing, as
//! in Iometer for tests without networks. What the source of an import does not say is empty.
#![expect(
    clippy::format_push_string,
    reason = "a report is written once; growing sentences read better than write! does"
)]

use super::keys::{self, SPEC_HEADER, Written};
use super::steps;
use fathom_core::foreign::is_formula;
use fathom_core::result::{
    EndReason, JobResult, OpResult, PhaseResult, ProcessorUse, ResultField, RunResult,
};
use fathom_core::spec::Job;
use fathom_core::units::rfc3339;
use fathom_core::{Histogram, Op};
use fathom_tools::left_out;
use fathom_tools::results::instant;

/// Upper ends of the latency bins, nanoseconds; the last bin has none.
const BINS_NS: [u64; 20] = [
    50_000,
    100_000,
    200_000,
    500_000,
    1_000_000,
    2_000_000,
    5_000_000,
    10_000_000,
    15_000_000,
    20_000_000,
    30_000_000,
    50_000_000,
    100_000_000,
    200_000_000,
    500_000_000,
    1_000_000_000,
    2_000_000_000,
    4_700_000_000,
    5_000_000_000,
    10_000_000_000,
];

/// Ticks of a second, in which raw times are: nanoseconds.
const TICKS: &str = "1000000000.000000";

const COLUMNS: [&str; 60] = [
    "'Target Type",
    "Target Name",
    "Access Specification Name",
    "# Managers",
    "# Workers",
    "# Disks",
    "IOps",
    "Read IOps",
    "Write IOps",
    "MiBps (Binary)",
    "Read MiBps (Binary)",
    "Write MiBps (Binary)",
    "MBps (Decimal)",
    "Read MBps (Decimal)",
    "Write MBps (Decimal)",
    "Transactions per Second",
    "Connections per Second",
    "Average Response Time",
    "Average Read Response Time",
    "Average Write Response Time",
    "Average Transaction Time",
    "Average Connection Time",
    "Maximum Response Time",
    "Maximum Read Response Time",
    "Maximum Write Response Time",
    "Maximum Transaction Time",
    "Maximum Connection Time",
    "Errors",
    "Read Errors",
    "Write Errors",
    "Bytes Read",
    "Bytes Written",
    "Read I/Os",
    "Write I/Os",
    "Connections",
    "Transactions per Connection",
    "Total Raw Read Response Time",
    "Total Raw Write Response Time",
    "Total Raw Transaction Time",
    "Total Raw Connection Time",
    "Maximum Raw Read Response Time",
    "Maximum Raw Write Response Time",
    "Maximum Raw Transaction Time",
    "Maximum Raw Connection Time",
    "Total Raw Run Time",
    "Starting Sector",
    "Maximum Size",
    "Queue Depth",
    "% CPU Utilization",
    "% User Time",
    "% Privileged Time",
    "% DPC Time",
    "% Interrupt Time",
    "Processor Speed",
    "Interrupts per Second",
    "CPU Effectiveness",
    "Packets/Second",
    "Packet Errors",
    "Segments Retransmitted/Second",
    "0 to 50 uS,50 to 100 uS,100 to 200 uS,200 to 500 uS,0.5 to 1 mS,1 to 2 mS,2 to 5 mS,\
     5 to 10 mS,10 to 15 mS,15 to 20 mS,20 to 30 mS,30 to 50 mS,50 to 100 mS,100 to 200 mS,\
     200 to 500 mS,0.5 to 1 S,1 to 2 s,2 to 4.7 s,4.7 to 5 s,5 to 10 s, >= 10 s",
];

/// The table of results as Dynamo writes it.
pub fn render(result: &RunResult) -> String {
    let time = stamp(result, 0);
    let workload = &result.provenance.workload;
    let mut text = format!(
        "'Test Type,Test Description\n0,{}\n'Version\n1.1.0\n'Time Stamp\n{time}\n",
        plain(&workload.description)
    );
    let names = COLUMNS.join(",");
    let mut last = None;
    for (index, phase) in result.phases.iter().enumerate() {
        // The steps of one specification follow each other.
        let spec = spec_of(&phase.name);
        if last.replace(spec) != Some(spec) {
            text.push_str(&specifications(result, index, spec));
        }
        text.push_str(&format!("'Results\n{names}\n"));
        for line in block(result, phase).lines() {
            text.push_str(&without_unknown(line, &names, result));
            text.push('\n');
        }
        let end_ns = phase.start_ns + phase.measured_ns + phase.cool_down_ns;
        text.push_str(&format!("'Time Stamp\n{}\n", stamp(result, end_ns)));
    }
    let is_whole =
        |phase: &PhaseResult| !matches!(phase.ended_by, EndReason::Interrupted | EndReason::Errors);
    // By this scripts know that nothing will follow.
    if !result.phases.is_empty() && result.phases.iter().all(is_whole) {
        text.push_str("'End Test\n");
    }
    if let Some(note) = left_out::operations(result) {
        text.push_str(&format!("'Note\n{}\n", plain(&note)));
    }
    text
}

/// An instant of the run as Iometer writes it; nothing where its start is not known.
fn stamp(result: &RunResult, after_ns: u64) -> String {
    let begin = instant::of_rfc3339(&result.provenance.started_at);
    let begin = begin.filter(|_| result.provenance.origin.knows(ResultField::StartedAt));
    let Some(begin) = begin else {
        return String::new();
    };
    let time = rfc3339(begin.saturating_add(after_ns));
    let time = time.trim_end_matches('Z').replacen('T', " ", 1);
    match time.split_once('.') {
        Some((second, fraction)) => format!("{second}:{fraction:0<3.3}"),
        None => format!("{time}:000"),
    }
}

/// The specification of a step, whose name also contains what is cycled.
fn spec_of(phase: &str) -> &str {
    let mut name = phase;
    while let Some((before, step)) = name.rsplit_once(", ") {
        let mut words = step.split(' ');
        let what = words.next().filter(|what| steps::CYCLED.contains(what));
        let number = words.next().and_then(|number| number.parse::<u64>().ok());
        if what.and(number).is_none() {
            break;
        }
        name = before;
    }
    name
}

/// Columns by the beginning of their names, and the field of the document that each rests on.
const RESTS_ON: &[(ResultField, &[&str])] = &[
    (
        ResultField::Ios,
        &[
            "IOps",
            "Read IOps",
            "Write IOps",
            "Transactions per Second",
            "Average Response",
            "Average Read",
            "Average Write",
            "Average Trans",
            "Read I/Os",
            "Write I/Os",
            "Total Raw Read",
            "Total Raw Write",
            "Total Raw Trans",
        ],
    ),
    (
        ResultField::Bytes,
        &[
            "MiBps",
            "Read MiBps",
            "Write MiBps",
            "MBps",
            "Read MBps",
            "Write MBps",
            "Bytes Read",
            "Bytes Written",
        ],
    ),
    (
        ResultField::ServiceNsMax,
        &[
            "Maximum Re",
            "Maximum Write",
            "Maximum Trans",
            "Maximum Raw",
        ],
    ),
    (
        ResultField::Failed,
        &["Errors", "Read Errors", "Write Errors"],
    ),
    (ResultField::Workload, &["Starting Sector", "Maximum Size"]),
    (ResultField::QueueDepth, &["Queue Depth"]),
    (
        ResultField::Process,
        &[
            "% CPU",
            "% User",
            "% Privileged",
            "% DPC",
            "% Interrupt",
            "CPU Effectiveness",
        ],
    ),
];

/// A row without the cells about which the source of an import says nothing.
fn without_unknown(line: &str, names: &str, result: &RunResult) -> String {
    let origin = &result.provenance.origin;
    if !origin.is_imported() {
        return line.to_owned();
    }
    // Few sources have a histogram; without one there is nothing to put into bins.
    let jobs = result.phases.iter().flat_map(|phase| &phase.jobs);
    let mut ops = jobs
        .flat_map(|job| [&job.ops[Op::Read], &job.ops[Op::Write]])
        .flatten();
    let has_bins = ops.any(|op| op.service_histogram.is_some());
    let fields = RESTS_ON.iter().filter(|(field, _)| !origin.knows(*field));
    let unknown: Vec<&str> = fields
        .flat_map(|(_, names)| names.iter().copied())
        .collect();
    let cells = line.split(',').zip(names.split(',')).map(|(cell, name)| {
        let is_bin = name.ends_with('S') && name.contains(" to ")
            || name.ends_with(" s")
            || name.trim().starts_with(">=");
        let is_unknown = unknown.iter().any(|begin| name.starts_with(begin));
        if is_unknown || (is_bin && !has_bins) {
            ""
        } else {
            cell
        }
    });
    cells.collect::<Vec<_>>().join(",")
}

/// A field without the comma and the line ends that would break the row, and with an underscore
/// before what a spreadsheet would evaluate and before the apostrophe, by which a heading starts.
fn plain(text: &str) -> String {
    let before = if is_formula(text) || text.starts_with('\'') {
        "_"
    } else {
        ""
    };
    format!("{before}{}", text.replace([',', '\n', '\r'], " "))
}

/// What was asked for in a step: the access specifications that its workers have.
fn specifications(result: &RunResult, step: usize, spec: &str) -> String {
    let mut text = "'Access specifications\n".to_owned();
    let phases = &result.provenance.workload.phases;
    let name = &result.phases[step].name;
    let jobs = phases.iter().find(|phase| phase.name == *name);
    let mut told: Vec<Vec<String>> = Vec::new();
    for job in jobs.iter().flat_map(|phase| &phase.jobs) {
        let lines = lines(job);
        if told.contains(&lines) {
            continue;
        }
        let name = match told.len() {
            0 => plain(spec),
            _ => plain(&format!("{spec} of {}", job.name)),
        };
        text.push_str(&format!("{SPEC_HEADER}\n{name},0\n"));
        text.push_str(&format!("'{}\n", keys::access_names()));
        text.push_str(&lines.concat());
        told.push(lines);
    }
    text + "'End access specifications\n"
}

/// Kinds that differ only in their operation are one line.
fn lines(job: &Job) -> Vec<String> {
    let total: f64 = job.kinds.iter().map(|kind| kind.weight).sum();
    let mut seen: Vec<(u64, f64, u64, f64, f64)> = Vec::new();
    for kind in &job.kinds {
        let (size, align) = (kind.block_size.0, kind.align.0);
        let random = kind.random.0;
        let reads = if kind.op == Op::Read {
            kind.weight
        } else {
            0.0
        };
        let same = seen
            .iter_mut()
            .find(|line| (line.0, line.2) == (size, align) && (line.1 - random).abs() < 1e-9);
        match same {
            Some(line) => {
                line.3 += kind.weight;
                line.4 += reads;
            }
            None => seen.push((size, random, align, kind.weight, reads)),
        }
    }
    let (delay_ms, burst) = match job.pacing {
        fathom_core::spec::Pacing::Closed { think, burst } => (think.0 / 1_000_000, burst),
        _ => (0, 1),
    };
    let line = |(size, random, align, weight, reads): (u64, f64, u64, f64, f64)| {
        let line = Written {
            size,
            of_size: weight * 100.0 / total,
            reads: reads * 100.0 / weight,
            random,
            delay_ms,
            burst,
            align,
        };
        keys::access_line(&line) + ",\n"
    };
    seen.into_iter().map(line).collect()
}

/// The rows of one step.
fn block(result: &RunResult, phase: &PhaseResult) -> String {
    let all = WorkerRow::of(phase, phase.jobs.iter());
    let workers = phase.jobs.len().to_string();
    let mut targets: Vec<&String> = phase.jobs.iter().flat_map(|job| &job.targets).collect();
    targets.sort();
    targets.dedup();
    let disks = targets.len().to_string();
    let spec = plain(spec_of(&phase.name));
    let host = &result.provenance.host;
    let cpus = f64::from(host.cpus.max(1));
    let bins = all.bins();
    let mut text = all.line(
        ["ALL", "All", &spec, "1", &workers, &disks],
        &raw_nothing(),
        &place_of(result, phase, None),
        &cpu(phase, cpus, all.iops(), ""),
        &bins,
    );
    let manager = plain(&host.hostname);
    text.push_str(&all.line(
        ["MANAGER", &manager, &spec, "", &workers, &disks],
        &all.raw(phase.measured_ns),
        &place_of(result, phase, None),
        &cpu(phase, cpus, all.iops(), TICKS),
        &bins,
    ));
    for one in &phase.process.processors {
        text.push_str(&processor(one));
    }
    for job in &phase.jobs {
        let row = WorkerRow::of(phase, std::iter::once(job));
        let place = place_of(result, phase, Some(job));
        let raw = row.raw(phase.measured_ns);
        let count = job.targets.len().to_string();
        let name = plain(&job.name);
        let bins = row.bins();
        let head = ["WORKER", &name, &spec, "", "", &count];
        text.push_str(&row.line(head, &raw, &place, &no_cpu(), &bins));
        if let [target] = job.targets.as_slice() {
            let target = plain(target);
            let head = ["DISK", &target, "", "", "", ""];
            text.push_str(&row.line(head, &raw, &place, &no_cpu(), &bins));
        }
    }
    text
}

/// The row of a processor, which has shares of its time and nothing else.
fn processor(one: &ProcessorUse) -> String {
    let before = COLUMNS.iter().position(|name| *name == "% CPU Utilization");
    let mut cells = vec!["PROCESSOR".to_owned(), format!("CPU {}", one.number)];
    cells.resize(before.unwrap_or(0), String::new());
    // The other shares of Windows are part of the kernel's; interrupts are not looked at.
    let shares = [
        one.user_percent + one.kernel_percent,
        one.user_percent,
        one.kernel_percent,
        0.0,
        0.0,
    ];
    cells.extend(shares.map(fixed));
    cells.extend([TICKS.to_owned(), fixed(0.0)]);
    cells.extend(["", "", "", ""].map(str::to_owned));
    cells.join(",") + "\n"
}

/// Jobs added up.
struct WorkerRow {
    seconds: f64,
    reads: Sum,
    writes: Sum,
}

#[derive(Default)]
struct Sum {
    ios: u64,
    bytes: u64,
    errors: u64,
    latency_ns: f64,
    slowest_ns: u64,
    histogram: Histogram,
}

impl Sum {
    fn add(&mut self, done: &OpResult) {
        self.ios += done.ios;
        self.bytes += done.bytes;
        self.errors += done.errors;
        self.latency_ns += done.service_ns.mean * done.service_ns.count as f64;
        self.slowest_ns = self.slowest_ns.max(done.service_ns.max);
        let encoded = done.service_histogram.as_ref();
        if let Some(histogram) = encoded.and_then(|encoded| encoded.decode().ok()) {
            self.histogram.add(&histogram);
        }
    }

    /// Mean, milliseconds.
    fn mean_ms(&self) -> f64 {
        self.latency_ns / self.ios.max(1) as f64 / 1e6
    }
}

impl WorkerRow {
    fn of<'a>(phase: &PhaseResult, jobs: impl Iterator<Item = &'a JobResult>) -> Self {
        let (mut reads, mut writes) = (Sum::default(), Sum::default());
        for job in jobs {
            job.ops[Op::Read].iter().for_each(|done| reads.add(done));
            job.ops[Op::Write].iter().for_each(|done| writes.add(done));
        }
        Self {
            seconds: phase.measured_ns.max(1) as f64 / 1e9,
            reads,
            writes,
        }
    }

    fn iops(&self) -> f64 {
        (self.reads.ios + self.writes.ios) as f64 / self.seconds
    }

    fn line(
        &self,
        head: [&str; 6],
        raw: &[String],
        place: &[String; 3],
        cpu: &[String],
        bins: &[String],
    ) -> String {
        let (reads, writes) = (&self.reads, &self.writes);
        let rate = |count: u64| count as f64 / self.seconds;
        let three = |read: f64, write: f64| [fixed(read + write), fixed(read), fixed(write)];
        let binary = |bytes: u64| rate(bytes) / 1_048_576.0;
        let decimal = |bytes: u64| rate(bytes) / 1e6;
        let ios = (reads.ios + writes.ios).max(1) as f64;
        let mean = (reads.latency_ns + writes.latency_ns) / ios / 1e6;
        let slowest = reads.slowest_ns.max(writes.slowest_ns);
        let ms = |nanos: u64| fixed(nanos as f64 / 1e6);
        let mut cells: Vec<String> = head.map(str::to_owned).to_vec();
        cells.extend(three(rate(reads.ios), rate(writes.ios)));
        cells.extend(three(binary(reads.bytes), binary(writes.bytes)));
        cells.extend(three(decimal(reads.bytes), decimal(writes.bytes)));
        // A transaction is a request, as long as none has a reply.
        cells.extend([fixed(self.iops()), fixed(0.0)]);
        cells.extend([fixed(mean), fixed(reads.mean_ms()), fixed(writes.mean_ms())]);
        cells.extend([fixed(mean), fixed(0.0)]);
        cells.extend([slowest, reads.slowest_ns, writes.slowest_ns, slowest].map(ms));
        cells.push(fixed(0.0));
        let errors = [reads.errors + writes.errors, reads.errors, writes.errors];
        let counts = [reads.bytes, writes.bytes, reads.ios, writes.ios, 0];
        cells.extend(errors.iter().chain(&counts).map(u64::to_string));
        // Transactions per connection: connections are not made anew.
        cells.push("-1".to_owned());
        cells.extend_from_slice(raw);
        cells.extend_from_slice(place);
        cells.extend_from_slice(cpu);
        // Packets are those of the machine.
        let has_packets = cpu.first().is_some_and(|share| !share.is_empty());
        let packets = if has_packets {
            fixed(0.0)
        } else {
            String::new()
        };
        cells.extend([packets.clone(), packets.clone(), packets]);
        cells.extend_from_slice(bins);
        cells.join(",") + "\n"
    }

    /// Sums and maxima in ticks, which are nanoseconds here.
    fn raw(&self, run_ns: u64) -> Vec<String> {
        let (reads, writes) = (&self.reads, &self.writes);
        let sums = [reads.latency_ns, writes.latency_ns];
        let both = sums[0] + sums[1];
        let slowest = reads.slowest_ns.max(writes.slowest_ns);
        let mut cells: Vec<String> = [sums[0], sums[1], both, 0.0]
            .iter()
            .map(|sum| format!("{sum:.0}"))
            .collect();
        let maxima = [reads.slowest_ns, writes.slowest_ns, slowest, 0, run_ns];
        cells.extend(maxima.iter().map(u64::to_string));
        cells
    }

    fn bins(&self) -> Vec<String> {
        let up_to = |end: u64| {
            let below = end - 1;
            self.reads.histogram.count_up_to(below) + self.writes.histogram.count_up_to(below)
        };
        let total = self.reads.histogram.len() + self.writes.histogram.len();
        let mut before = 0;
        let mut bins = Vec::new();
        for end in BINS_NS {
            let count = up_to(end).max(before);
            bins.push((count - before).to_string());
            before = count;
        }
        bins.push(total.saturating_sub(before).to_string());
        bins
    }
}

fn raw_nothing() -> Vec<String> {
    vec![String::new(); 9]
}

/// First sector, number of sectors and queue depth: those of a worker, or of all if all agree.
fn place_of(result: &RunResult, phase: &PhaseResult, job: Option<&JobResult>) -> [String; 3] {
    let specs: Vec<&Job> = phase
        .jobs
        .iter()
        .filter(|other| job.is_none_or(|job| job.name == other.name))
        .filter_map(|other| result.job_spec(&phase.name, &other.name))
        .collect();
    let common = |get: fn(&Job) -> u64| {
        let first = specs.first().map(|spec| get(spec));
        let agree = specs.iter().all(|spec| Some(get(spec)) == first);
        match first {
            Some(value) if agree => value.to_string(),
            _ => "-1".to_owned(),
        }
    };
    [
        common(|spec| spec.offset.0 / 512),
        common(|spec| spec.window.or(spec.size).unwrap_or_default().0 / 512),
        common(|spec| u64::from(spec.queue_depth)),
    ]
}

/// Shares of the machine's processor time, and requests a second for each percent of it; `ticks` is
/// what a raw time is counted in.
fn cpu(phase: &PhaseResult, cpus: f64, iops: f64, ticks: &str) -> Vec<String> {
    let share = |nanos: u64| nanos as f64 * 100.0 / (phase.measured_ns.max(1) as f64 * cpus);
    let user = share(phase.process.user_ns);
    let system = share(phase.process.system_ns);
    let total = user + system;
    let effectiveness = if total > 0.0 { iops / total } else { 0.0 };
    vec![
        fixed(total),
        fixed(user),
        fixed(system),
        fixed(0.0),
        fixed(0.0),
        ticks.to_owned(),
        fixed(0.0),
        fixed(effectiveness),
    ]
}

/// The same of one worker, whose use is not known.
fn no_cpu() -> Vec<String> {
    let mut cells = vec![String::new(); 8];
    TICKS.clone_into(&mut cells[5]);
    cells
}

/// A result as Iometer writes it: six decimals.
fn fixed(value: f64) -> String {
    format!("{value:.6}")
}

/// A number with up to six decimals, no zeros at the end.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula_or_a_heading() {
        let cases = [
            ("=1+1", "_=1+1"),
            ("@SUM(A1)", "_@SUM(A1)"),
            ("+cmd", "_+cmd"),
            ("-cmd|x", "_-cmd|x"),
            ("\t=x", "_\t=x"),
            ("'Results", "_'Results"),
            ("-1.5", "-1.5"),
            ("a=b,c\nd", "a=b c d"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(plain(text), expected);
        }
    }
}
