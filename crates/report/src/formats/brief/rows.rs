//! One row for each operation of a phase: jobs that do the same are one, and so are repeats.

use super::doubts::Doubts;
use super::shape::Shape;
use crate::figure::{iops, longest, megabytes, percent, time};
use crate::formats::text::{deviation_percent, histograms_together, rate_spread};
use crate::table::{Align, Table};
use fathom_core::Op;
use fathom_core::result::{JobResult, LoadModel, OpResult, PhaseResult, ResultField, RunResult};
use fathom_core::spec::Job;
use fathom_core::summary::{LatencySummary, supports};

/// The table, and what is to be said of it.
pub(super) struct Rows {
    pub(super) table: Table,
    pub(super) notes: Vec<String>,
    pub(super) doubted: Option<Doubted>,
}

/// How many rows a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Doubted {
    pub(super) rows: usize,
    pub(super) of: usize,
}

/// Jobs of one phase whose requests are alike, in one operation.
struct BriefRow<'a> {
    phase: &'a str,
    jobs: Vec<&'a str>,
    op: Op,
    shape: Shape,
    iops: f64,
    /// Standard deviation of the rate, percent of it.
    deviation_percent: Option<f64>,
    bytes_per_second: f64,
    is_open: bool,
    times: Option<LatencySummary>,
    /// Whether the longest of them is the age of a request that had not ended.
    is_max_a_bound: bool,
    failed: u64,
}

/// A job in all repeats of its phase.
struct Stream<'a> {
    position: usize,
    repeats: Vec<&'a JobResult>,
    spec: Option<&'a Job>,
}

pub(super) fn table(result: &RunResult, doubts: &Doubts<'_>, most: usize) -> Option<Rows> {
    let mut rows = rows(result, true);
    if rows.len() > most {
        rows = self::rows(result, false);
    }
    let all = rows.len();
    if all == 0 {
        return None;
    }
    let marks: Vec<String> = rows.iter().map(|row| marks(row, doubts)).collect();
    let doubted = marks.iter().filter(|mark| !mark.is_empty()).count();
    let mut notes = Vec::new();
    if all > most {
        rows.truncate(most - 1);
        notes.push(format!("and {} more rows", all - rows.len()));
    }
    let failed: u64 = rows.iter().map(|row| row.failed).sum();
    if failed > 0 {
        notes.push(format!(
            "{} failed",
            crate::figure::plural(failed, "request")
        ));
    }
    Some(Rows {
        table: drawn(result, &rows, &marks),
        notes,
        doubted: Some(Doubted {
            rows: doubted,
            of: all,
        }),
    })
}

/// The rows, with jobs of different loads apart or all of a phase in one.
fn rows(result: &RunResult, apart: bool) -> Vec<BriefRow<'_>> {
    let mut rows = Vec::new();
    for (index, phase) in result.phases.iter().enumerate() {
        let before = &result.phases[..index];
        if before.iter().any(|other| other.name == phase.name) {
            continue;
        }
        let groups = groups(result, phase, apart);
        for op in Op::ALL {
            rows.extend(
                groups
                    .iter()
                    .filter_map(|group| row(result, phase, group, op)),
            );
        }
    }
    rows
}

fn groups<'a>(result: &'a RunResult, phase: &'a PhaseResult, apart: bool) -> Vec<Vec<Stream<'a>>> {
    let mut groups: Vec<Vec<Stream<'a>>> = Vec::new();
    for (position, (_, spec)) in result.job_specs(phase).enumerate() {
        let same = result.phases.iter().filter(|one| one.name == phase.name);
        let stream = Stream {
            position,
            repeats: same.filter_map(|one| one.jobs.get(position)).collect(),
            spec,
        };
        let kin = groups
            .iter_mut()
            .find(|group| !apart || is_alike(group[0].spec, stream.spec));
        match kin {
            Some(group) => group.push(stream),
            None => groups.push(vec![stream]),
        }
    }
    groups
}

/// Whether two jobs do the same, each in its place.
fn is_alike(one: Option<&Job>, other: Option<&Job>) -> bool {
    let (Some(one), Some(other)) = (one, other) else {
        return false;
    };
    let (name, targets) = (other.name.clone(), other.targets.clone());
    let one = Job {
        name,
        targets,
        ..one.clone()
    };
    one == *other
}

fn row<'a>(
    result: &RunResult,
    phase: &'a PhaseResult,
    group: &[Stream<'a>],
    op: Op,
) -> Option<BriefRow<'a>> {
    let jobs = group.iter().filter_map(|stream| stream.repeats.first());
    let first = *jobs.clone().find(|job| job.ops.get(op).is_some())?;
    let of_op = |stream: &Stream<'a>| -> Vec<&'a OpResult> {
        let repeats = stream.repeats.iter();
        repeats.filter_map(|job| job.ops.get(op)).collect()
    };
    let parts: Vec<Vec<&OpResult>> = group.iter().map(of_op).collect();
    let sum = |each: fn(&OpResult) -> f64| -> f64 {
        let means = parts.iter().filter(|part| !part.is_empty());
        let means = means.map(|part| {
            let total: f64 = part.iter().map(|one| each(one)).sum();
            total / part.len() as f64
        });
        means.sum()
    };
    let is_open = first.load_model == LoadModel::Open;
    let all: Vec<&OpResult> = parts.iter().flatten().copied().collect();
    let mut shape = Shape::of(first, group[0].spec, op);
    let positions: Vec<usize> = group.iter().map(|stream| stream.position).collect();
    let spread = rate_spread(result, (phase, &positions), op);
    shape.depth = jobs.clone().map(|job| Shape::of(job, None, op).depth).sum();
    Some(BriefRow {
        phase: &phase.name,
        jobs: jobs.map(|job| job.name.as_str()).collect(),
        op,
        shape,
        iops: sum(|one| one.iops),
        deviation_percent: deviation_percent(&spread),
        bytes_per_second: sum(|one| one.bytes_per_second),
        is_open,
        times: times(&all, is_open),
        is_max_a_bound: all.iter().any(|one| one.is_max_a_bound()),
        failed: all.iter().map(|one| one.errors).sum(),
    })
}

/// The distribution of one, or of all together.
fn times(all: &[&OpResult], is_open: bool) -> Option<LatencySummary> {
    let summary = match all {
        [only] if is_open => Some(only.response_ns.clone()),
        [only] => Some(only.service_ns.clone()),
        several => histograms_together(several, is_open),
    };
    summary.filter(|summary| summary.count > 0)
}

fn marks(row: &BriefRow<'_>, doubts: &Doubts<'_>) -> String {
    let numbers = doubts.about(row.phase, &row.jobs);
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    if numbers.is_empty() {
        String::new()
    } else {
        format!("! {}", numbers.join(" "))
    }
}

fn drawn(result: &RunResult, rows: &[BriefRow<'_>], marks: &[String]) -> Table {
    let knows = |field: ResultField| result.provenance.origin.knows(field);
    let mut table = Table::default();
    let labels = labels(rows);
    let says_op = rows.iter().zip(&labels).any(|(row, label)| {
        let others = rows.iter().zip(&labels);
        let same = others.filter(|(other, name)| *name == label && other.op != row.op);
        same.count() > 0 || label.is_empty()
    });
    let says_label = labels.iter().any(|label| !label.is_empty());
    if says_label {
        table.label_column("");
    }
    if says_op {
        // Without it the rows of a label look alike.
        table.column("", Align::Left);
    }
    table.spare_column("", Align::Right, 7);
    table.spare_column("", Align::Right, 6);
    if knows(ResultField::Iops) {
        table.column("IOPS", Align::Right);
    }
    let has_deviation = rows.iter().any(|row| row.deviation_percent.is_some());
    if has_deviation {
        table.spare_column("±", Align::Right, 4);
    }
    if knows(ResultField::BytesPerSecond) {
        table.spare_column("MB/s", Align::Right, 5);
    }
    let has_times = rows.iter().any(|row| row.times.is_some());
    if has_times {
        times_columns(&mut table, rows);
    }
    table.column("", Align::Left);
    for ((row, label), mark) in rows.iter().zip(labels).zip(marks) {
        let mut cells = Vec::new();
        if says_label {
            cells.push(label);
        }
        if says_op {
            cells.push(row.op.name().to_owned());
        }
        cells.push(row.shape.size());
        cells.push(row.shape.outstanding());
        if knows(ResultField::Iops) {
            cells.push(iops(row.iops));
        }
        if has_deviation {
            cells.push(row.deviation_percent.map(percent).unwrap_or_default());
        }
        if knows(ResultField::BytesPerSecond) {
            let rate = (row.op != Op::Flush).then(|| megabytes(row.bytes_per_second));
            cells.push(rate.unwrap_or_default());
        }
        if has_times {
            cells.extend(["50", "99", "99.9"].map(|name| percentile(row, name)));
            let max = row
                .times
                .as_ref()
                .filter(|_| knows(ResultField::ServiceNsMax));
            let max = max.map(|times| longest(times.max, row.is_max_a_bound));
            cells.push(max.unwrap_or_default());
        }
        cells.push(mark.clone());
        table.row(cells);
    }
    table
}

/// The columns of times, under what they are times of.
fn times_columns(table: &mut Table, rows: &[BriefRow<'_>]) {
    table.caption(
        match (
            rows.iter().any(|row| row.is_open),
            rows.iter().all(|row| row.is_open),
        ) {
            (_, true) => "response time",
            (true, false) => "response time if the rate is set, otherwise service time",
            _ => "service time",
        },
    );
    table.spare_column("p50", Align::Right, 1);
    table.column("p99", Align::Right);
    table.spare_column("p99.9", Align::Right, 8);
    table.spare_column("max", Align::Right, 1);
}

/// Phase and job as far as they tell rows apart; nothing where there is one of each.
fn labels(rows: &[BriefRow<'_>]) -> Vec<String> {
    let one_phase = rows.iter().all(|row| row.phase == rows[0].phase);
    let label = |row: &BriefRow<'_>| {
        let kin = rows.iter().filter(|other| other.phase == row.phase);
        let several = kin.clone().any(|other| other.jobs != row.jobs);
        let job = match row.jobs.as_slice() {
            [only] => (*only).to_owned(),
            [first, ..] => format!("{first} +{}", row.jobs.len() - 1),
            [] => String::new(),
        };
        match (one_phase, several) {
            (true, false) => String::new(),
            (true, true) => job,
            (false, false) => row.phase.to_owned(),
            (false, true) => format!("{}/{job}", row.phase),
        }
    };
    rows.iter().map(label).collect()
}

/// The value, `--` when the sample is too small for it.
fn percentile(row: &BriefRow<'_>, name: &str) -> String {
    let Some(times) = &row.times else {
        return String::new();
    };
    let share = name.parse().unwrap_or(0.0) / 100.0;
    match times.percentile(name) {
        Some(value) => time(value as f64),
        None if supports(times.count, share) => String::new(),
        None => "--".to_owned(),
    }
}
