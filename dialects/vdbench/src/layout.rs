//! The summary of vdbench: what each run was asked for, a row for each of its intervals, and their
//! average without the warm-up.
#![expect(
    clippy::format_push_string,
    reason = "a report is written once; growing lines read better than write! does"
)]

use fathom_core::Op;
use fathom_core::interval::Part;
use fathom_core::result::{EndReason, IntervalResult, PhaseResult, ResultField, RunResult};
use fathom_core::spec::{Pacing, Phase, Workload};
use fathom_core::summary::LatencySummary;
use fathom_core::units::rfc3339;
use fathom_tools::left_out;
use fathom_tools::results::instant;

const MIB: f64 = 1_048_576.0;

/// The heads of the columns after the time.
const HEADS: [[&str; 13]; 2] = [
    [
        "interval", "i/o", "MB/sec", "bytes", "read", "resp", "read", "write", "resp", "resp",
        "queue", "cpu%", "cpu%",
    ],
    [
        "", "rate", "1024**2", "i/o", "pct", "time", "resp", "resp", "max", "stddev", "depth",
        "sys+u", "sys",
    ],
];
/// Their widths.
const WIDTHS: [usize; 13] = [10, 10, 8, 7, 6, 8, 8, 8, 8, 8, 5, 5, 5];

/// The summary of a result.
pub fn render(result: &RunResult) -> String {
    let mut text = String::new();
    for phase in &result.phases {
        let start = phase.start_ns.saturating_sub(phase.warm_up_ns);
        let asked = asked(&result.provenance.workload, &phase.name);
        text.push_str(&format!("{} Starting RD={asked}\n\n", time(result, start)));
        for (heads, first) in HEADS.iter().zip([date(result), String::new()]) {
            text.push_str(&line(&first, &heads.map(str::to_owned)));
        }
        text.push_str(&rows(result, phase, start));
        text.push('\n');
    }
    if let Some(note) = left_out::operations(result) {
        text.push_str(&format!("* {note}\n"));
    }
    let is_whole =
        |phase: &PhaseResult| !matches!(phase.ended_by, EndReason::Interrupted | EndReason::Errors);
    // Scripts look for this line.
    if !result.phases.is_empty() && result.phases.iter().all(is_whole) {
        let end = result
            .phases
            .iter()
            .map(|phase| phase.start_ns + phase.measured_ns)
            .max();
        let end = time(result, end.unwrap_or(0));
        text.push_str(&format!(
            "{end} Vdbench execution completed successfully.\n"
        ));
    }
    text
}

/// The runs of a workload, each in a line.
pub(crate) fn simulated(workload: &Workload) -> String {
    let phases = workload.phases.iter();
    let one = |phase: &Phase| format!("Simulating RD={}\n", asked(workload, &phase.name));
    phases.map(one).collect()
}

/// What a run was asked for.
fn asked(workload: &Workload, name: &str) -> String {
    let (run, loops) = name.split_once(' ').unwrap_or((name, "None"));
    let Some(phase) = workload.phases.iter().find(|phase| phase.name == name) else {
        return name.to_owned();
    };
    let rates = phase.jobs.iter().filter_map(|job| match job.pacing {
        Pacing::Open { rate, .. } => Some(rate.per_second()),
        _ => None,
    });
    let rate: f64 = rates.sum();
    let rate = if rate > 0.0 {
        format!("{rate:.0}")
    } else {
        "Uncontrolled MAX".to_owned()
    };
    let seconds = |nanos: fathom_core::Nanos| nanos.0 / 1_000_000_000;
    let elapsed = match phase.duration {
        Some(duration) => seconds(duration).to_string(),
        None => "(none)".to_owned(),
    };
    let warm_up = match seconds(phase.warm_up) {
        0 => String::new(),
        warm_up => format!(" warmup={warm_up}"),
    };
    format!("{run}; I/O rate: {rate}; elapsed={elapsed}{warm_up}; For loops: {loops}")
}

/// The figures of a row.
#[derive(Debug, Default)]
struct Row {
    seconds: f64,
    reads: Sum,
    writes: Sum,
    depth: f64,
    cpu: Option<(f64, f64)>,
}

/// Requests of one direction.
#[derive(Debug, Default)]
struct Sum {
    ios: u64,
    bytes: u64,
    /// Sums of the times and of their squares.
    times: [f64; 2],
    slowest_ns: u64,
}

impl Sum {
    fn add(&mut self, ios: u64, bytes: u64, times: &LatencySummary) {
        let count = times.count as f64;
        let square = times.stddev.mul_add(times.stddev, times.mean * times.mean);
        self.ios += ios;
        self.bytes += bytes;
        self.times[0] += times.mean * count;
        self.times[1] += square * count;
        self.slowest_ns = self.slowest_ns.max(times.max);
    }

    fn mean_ms(&self) -> f64 {
        self.times[0] / self.ios.max(1) as f64 / 1e6
    }
}

impl Row {
    /// The cells after the name. A field of an import that its source does not have is `NaN`.
    fn cells(&self, result: &RunResult) -> Vec<String> {
        let ios = self.reads.ios + self.writes.ios;
        let bytes = self.reads.bytes + self.writes.bytes;
        let count = ios.max(1) as f64;
        let rate = |amount: f64| amount / self.seconds.max(f64::MIN_POSITIVE);
        let mean = (self.reads.times[0] + self.writes.times[0]) / count;
        let square = (self.reads.times[1] + self.writes.times[1]) / count;
        let slowest = self.reads.slowest_ns.max(self.writes.slowest_ns);
        let deviation = mean.mul_add(-mean, square).max(0.0).sqrt();
        let (all, system) = self.cpu.unwrap_or((f64::NAN, f64::NAN));
        let known = |field: ResultField| result.provenance.origin.knows(field);
        let told = |is_known: bool, number: f64| if is_known { number } else { f64::NAN };
        let (has_ios, has_bytes) = (known(ResultField::Ios), known(ResultField::Bytes));
        let bytes = bytes as f64;
        vec![
            format!("{:.2}", told(has_ios, rate(ios as f64))),
            format!("{:.2}", told(has_bytes, rate(bytes) / MIB)),
            format!("{:.0}", told(has_ios && has_bytes, bytes / count)),
            format!(
                "{:.2}",
                told(has_ios, self.reads.ios as f64 * 100.0 / count)
            ),
            format!("{:.3}", told(has_ios, mean / 1e6)),
            format!("{:.3}", told(has_ios, self.reads.mean_ms())),
            format!("{:.3}", told(has_ios, self.writes.mean_ms())),
            format!(
                "{:.3}",
                told(known(ResultField::ServiceNsMax), slowest as f64 / 1e6)
            ),
            format!(
                "{:.3}",
                told(known(ResultField::ServiceNsStddev), deviation / 1e6)
            ),
            format!("{:.1}", told(known(ResultField::QueueDepth), self.depth)),
            format!("{all:.1}"),
            format!("{system:.1}"),
        ]
    }
}

/// The rows of a run, whose load began at `start`.
fn rows(result: &RunResult, phase: &PhaseResult, start: u64) -> String {
    let mut text = String::new();
    let load = |one: &&IntervalResult| one.part != Part::CoolDown;
    let intervals: Vec<&IntervalResult> = phase.intervals.iter().filter(load).collect();
    // Seconds of the measured intervals, and the CPU time of the machine in them.
    let (mut seconds, mut all, mut system) = (0.0, 0.0, 0.0);
    for (index, interval) in intervals.iter().enumerate() {
        let end = start.saturating_add(interval.start_ns + interval.length_ns);
        let row = of_interval(phase, interval);
        if let Some(cpu) = row.cpu.filter(|_| interval.part == Part::Measure) {
            seconds += row.seconds;
            all += cpu.0 * row.seconds;
            system += cpu.1 * row.seconds;
        }
        text.push_str(&named(
            &time(result, end),
            &(index + 1).to_string(),
            &row,
            result,
        ));
    }
    let warm_up = intervals
        .iter()
        .filter(|one| one.part == Part::WarmUp)
        .count();
    let name = format!("avg_{}-{}", warm_up + 1, intervals.len().max(warm_up + 1));
    let end = time(result, phase.start_ns.saturating_add(phase.measured_ns));
    let row = Row {
        cpu: (seconds > 0.0).then(|| (all / seconds, system / seconds)),
        ..of_phase(phase)
    };
    text + &named(&end, &name, &row, result)
}

fn of_interval(phase: &PhaseResult, interval: &IntervalResult) -> Row {
    let mut row = Row {
        seconds: interval.length_ns as f64 / 1e9,
        ..Row::default()
    };
    for job in &interval.jobs {
        row.depth += job.queue_depth_held;
        for (op, sum) in [(Op::Read, &mut row.reads), (Op::Write, &mut row.writes)] {
            if let Some(done) = &job.ops[op] {
                sum.add(done.ios, done.bytes, &done.service_ns);
            }
        }
    }
    // The machine is read a little later than the interval ends.
    let middle = interval.start_ns + interval.length_ns / 2;
    let same = phase
        .machine
        .iter()
        .find(|one| (one.start_ns..one.start_ns + one.length_ns).contains(&middle));
    let cpu = same.and_then(|one| one.cpu.as_ref());
    row.cpu = cpu.map(|cpu| (cpu.user_percent + cpu.system_percent, cpu.system_percent));
    row
}

fn of_phase(phase: &PhaseResult) -> Row {
    let mut row = Row {
        seconds: phase.measured_ns as f64 / 1e9,
        ..Row::default()
    };
    for job in &phase.jobs {
        row.depth += job.queue_depth_held;
        for (op, sum) in [(Op::Read, &mut row.reads), (Op::Write, &mut row.writes)] {
            if let Some(done) = &job.ops[op] {
                sum.add(done.ios, done.bytes, &done.service_ns);
            }
        }
    }
    row
}

fn named(time: &str, name: &str, row: &Row, result: &RunResult) -> String {
    let mut cells = row.cells(result).into_iter();
    let cells: [String; 13] = std::array::from_fn(|index| match index {
        0 => name.to_owned(),
        _ => cells.next().unwrap_or_default(),
    });
    line(time, &cells)
}

fn line(first: &str, cells: &[String; 13]) -> String {
    let cells = cells
        .iter()
        .zip(WIDTHS)
        .map(|(cell, width)| format!("{cell:>width$}"));
    let line = format!("{first:<12}{}", cells.collect::<Vec<_>>().join(" "));
    format!("{}\n", line.trim_end())
}

/// The start of the run, if it is known.
fn began(result: &RunResult) -> Option<u64> {
    let is_known = result.provenance.origin.knows(ResultField::StartedAt);
    instant::of_rfc3339(&result.provenance.started_at).filter(|_| is_known)
}

/// A time of day, to the millisecond; empty where the start is not known.
fn time(result: &RunResult, after_ns: u64) -> String {
    let Some(begin) = began(result) else {
        return String::new();
    };
    let whole = rfc3339(begin.saturating_add(after_ns));
    let time = whole.split_once('T').map_or("", |(_, time)| time);
    match time.trim_end_matches('Z').split_once('.') {
        Some((second, fraction)) => format!("{second}.{fraction:0<3.3}"),
        None => format!("{}.000", time.trim_end_matches('Z')),
    }
}

/// The date of the start, as in `Mar 01, 2026`.
fn date(result: &RunResult) -> String {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let Some(begin) = began(result) else {
        return String::new();
    };
    let whole = rfc3339(begin);
    let mut parts = whole.split('T').next().unwrap_or_default().split('-');
    let (year, month, day) = (parts.next(), parts.next(), parts.next());
    let month = month.and_then(|month| month.parse::<usize>().ok());
    let name = month.and_then(|month| MONTHS.get(month.checked_sub(1)?));
    match (year, name, day) {
        (Some(year), Some(name), Some(day)) => format!("{name} {day}, {year}"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::fixture::{self, JobPlan, Stream};
    use fathom_core::result::{CpuShares, MachineInterval};

    #[test]
    fn the_average_has_the_cpu_time_of_the_machine_as_its_intervals_have() {
        let stream = Stream::random(Op::Read, 4096, vec![100; 4]);
        let job = JobPlan::closed("read", 1, vec![stream]);
        let mut result = fixture::run("load", &[("rd1", vec![job])]);
        let phase = &mut result.phases[0];
        let rows = phase.intervals.iter().zip([10.0, 20.0, 30.0, 40.0]);
        phase.machine = rows
            .map(|(interval, percent)| MachineInterval {
                start_ns: interval.start_ns,
                length_ns: interval.length_ns,
                cpu: Some(CpuShares {
                    user_percent: percent,
                    system_percent: 1.0,
                    ..CpuShares::default()
                }),
                ..MachineInterval::default()
            })
            .collect();
        let text = render(&result);
        let shares = text.lines().filter_map(|line| {
            let cells: Vec<&str> = line.split_whitespace().collect();
            // The time, the name, and eleven figures before the two shares.
            (cells.len() == 14).then(|| [cells[1], cells[12], cells[13]].map(str::to_owned))
        });
        let expected = [
            ["1", "11.0", "1.0"],
            ["2", "21.0", "1.0"],
            ["3", "31.0", "1.0"],
            ["4", "41.0", "1.0"],
            ["avg_1-4", "26.0", "1.0"],
        ];
        assert_eq!(shares.collect::<Vec<_>>(), expected);
    }
}
