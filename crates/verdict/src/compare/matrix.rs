//! Many runs of many machines as one table: the same work is in one row, the same machine in one
//! column.
//!
//! Rows are joined by workload, phase, job, operation and size of the requests, so that suites are
//! compared with each other. A number of several runs is their geometric mean with Student's
//! interval over the runs; of one run its own, with the interval of its time series.

use super::factor::{self, FactorRole};
use super::job_op::{JobOp, places};
use super::metric::Metric;
use super::within::PlaceIntervals;
use crate::stats::{Located, Shift, student_factor, welch_shift};
use fathom_core::caveat::State;
use fathom_core::figure;
use fathom_core::result::{Origins, RunResult};
use serde::Serialize;

/// Version of the document.
pub const MATRIX_VERSION: u32 = 1;

/// Confidence of all intervals is 1 less this.
const ALPHA: f64 = 0.05;

/// What differs between machines without a word: that is what the columns are.
const OF_MACHINES: [&str; 4] = ["state", "host", "device", "target"];

/// Runs by work and machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Matrix {
    /// What this document is: `fathom-matrix`.
    pub schema: &'static str,
    /// [`MATRIX_VERSION`].
    pub schema_version: u32,
    /// Confidence of the intervals, 0 to 1.
    pub confidence: f64,
    /// The metrics of each cell, in this order.
    pub metrics: Vec<Metric>,
    /// The columns; each other one stands against the first too.
    pub columns: Vec<MatrixColumn>,
    /// The rows, in the order in which the runs have them.
    pub rows: Vec<MatrixRow>,
    /// What differs between the columns apart from the machine, a sentence each.
    pub remarks: Vec<String>,
}

/// A machine, or whatever distinguishes the runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatrixColumn {
    /// The heading of the column.
    pub name: String,
    /// Number of runs.
    pub runs: usize,
    /// Where their numbers come from.
    pub origins: Origins,
}

impl Matrix {
    /// Where the numbers of all columns come from.
    pub fn origins(&self) -> Origins {
        self.columns.iter().map(|column| column.origins).sum()
    }
}

/// The same work.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatrixRow {
    /// Name of the workload.
    pub workload: String,
    /// Phase, job and operation.
    #[serde(flatten)]
    pub place: JobOp,
    /// Sizes of the requests in words, as in `8 KiB` or `4 KiB … 4 MiB`.
    pub block_size: String,
    /// A cell for each column; none where it has no such run.
    pub cells: Vec<Option<MatrixCell>>,
}

/// What the runs of one machine did of one work.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatrixCell {
    /// How far the worst of the runs may be trusted.
    pub state: State,
    /// Number of runs.
    pub runs: usize,
    /// A number for each metric; none where nothing or not enough completed.
    pub numbers: Vec<Option<MatrixNumber>>,
}

/// One number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatrixNumber {
    /// Its value in the unit of the metric (1/s, B/s, ns).
    pub value: f64,
    /// Lower end of its interval; none where nobody knows how far it may be off.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// This over the number of the first column, with its interval.
    pub ratio: Option<Shift>,
}

impl MatrixNumber {
    /// How far the ends of the interval lie from its middle on a logarithmic scale, percent.
    pub fn margin_percent(&self) -> Option<f64> {
        let (low, high) = (self.low?, self.high?);
        Some(((high / low).sqrt() - 1.0) * 100.0)
    }
}

/// What makes two numbers the same work.
#[derive(Clone, PartialEq)]
struct Work {
    workload: String,
    place: JobOp,
    block_size: String,
}

/// Puts the runs of each column into one table of `metrics`.
pub fn matrix(columns: &[(String, Vec<RunResult>)], metrics: &[Metric]) -> Matrix {
    let mut works: Vec<Work> = Vec::new();
    for run in columns.iter().flat_map(|(_, runs)| runs) {
        for work in works_of(run) {
            if !works.contains(&work) {
                works.push(work);
            }
        }
    }
    Matrix {
        schema: "fathom-matrix",
        schema_version: MATRIX_VERSION,
        confidence: 1.0 - ALPHA,
        metrics: metrics.to_vec(),
        columns: columns
            .iter()
            .map(|(name, runs)| MatrixColumn {
                name: name.clone(),
                runs: runs.len(),
                origins: runs.iter().map(|run| &run.provenance.origin).collect(),
            })
            .collect(),
        rows: works
            .into_iter()
            .map(|work| row(work, columns, metrics))
            .collect(),
        remarks: remarks(columns),
    }
}

fn works_of(run: &RunResult) -> Vec<Work> {
    let of_place = |place: JobOp| Work {
        workload: run.provenance.workload.name.clone(),
        block_size: block_size(run, &place),
        place,
    };
    places(run).into_iter().map(of_place).collect()
}

/// Sizes of the requests of a place, as its job was asked for them; of a result that does not say,
/// the mean.
fn block_size(run: &RunResult, place: &JobOp) -> String {
    let phases = run.provenance.workload.phases.iter();
    let phases = phases.filter(|phase| phase.name == place.phase);
    let jobs = phases.flat_map(|phase| phase.jobs.iter().filter(|job| job.name == place.job));
    let kinds = jobs.flat_map(|job| job.kinds.iter().filter(|kind| kind.op == place.op));
    let sizes: Vec<u64> = kinds.map(|kind| kind.block_size.0).collect();
    match (sizes.iter().min(), sizes.iter().max()) {
        (Some(least), Some(most)) if least == most => figure::size(*least),
        (Some(least), Some(most)) => {
            format!("{} … {}", figure::size(*least), figure::size(*most))
        }
        _ => {
            let (ops, _) = place.ops(run);
            let ios: u64 = ops.iter().map(|op| op.ios).sum();
            let bytes: u64 = ops.iter().map(|op| op.bytes).sum();
            bytes
                .checked_div(ios)
                .map_or_else(String::new, figure::size)
        }
    }
}

fn row(work: Work, columns: &[(String, Vec<RunResult>)], metrics: &[Metric]) -> MatrixRow {
    let mut firsts: Vec<Option<Located>> = vec![None; metrics.len()];
    let mut cells = Vec::new();
    for (index, (_, runs)) in columns.iter().enumerate() {
        let runs: Vec<&RunResult> = runs
            .iter()
            .filter(|run| works_of(run).contains(&work))
            .collect();
        let Some(state) = runs.iter().map(|run| run.state).max() else {
            cells.push(None);
            continue;
        };
        let mut numbers = Vec::new();
        for (metric, first) in metrics.iter().zip(&mut firsts) {
            let found = number(&runs, &work.place, *metric);
            if index == 0 {
                *first = found.and_then(|(_, located)| located);
            }
            numbers.push(found.map(|(value, located)| filled(value, located, *first, index > 0)));
        }
        cells.push(Some(MatrixCell {
            state,
            runs: runs.len(),
            numbers,
        }));
    }
    MatrixRow {
        workload: work.workload,
        place: work.place,
        block_size: work.block_size,
        cells,
    }
}

/// A number with its interval, and its ratio to the first column's.
fn filled(
    value: f64,
    located: Option<Located>,
    first: Option<Located>,
    has_ratio: bool,
) -> MatrixNumber {
    let half = |one: Located| student_factor(one.size, ALPHA) * one.error;
    let ratio = first.zip(located).filter(|_| has_ratio);
    MatrixNumber {
        value,
        low: located.map(|one| (one.value - half(one)).exp()),
        high: located.map(|one| (one.value + half(one)).exp()),
        ratio: ratio.map(|(first, one)| welch_shift(first, one, ALPHA).exp()),
    }
}

/// The value of a metric over runs, and what is known of its logarithm.
fn number(runs: &[&RunResult], place: &JobOp, metric: Metric) -> Option<(f64, Option<Located>)> {
    let value = |run: &RunResult| {
        let (ops, seconds) = place.ops(run);
        metric.of(&ops, seconds)
    };
    if let [run] = runs {
        let with_latencies = matches!(metric, Metric::Percentile(..));
        let known = PlaceIntervals::of(run, place, with_latencies).known(metric);
        return Some((value(run)?, known.ok().map(|known| known.located)));
    }
    let logarithms: Option<Vec<f64>> = runs.iter().map(|run| Some(value(run)?.ln())).collect();
    let logarithms = logarithms?;
    let count = logarithms.len() as f64;
    let mean = logarithms.iter().sum::<f64>() / count;
    let squares: f64 = logarithms.iter().map(|one| (one - mean).powi(2)).sum();
    let located = Located {
        value: mean,
        error: (squares / (count - 1.0) / count).sqrt(),
        size: count,
    };
    Some((mean.exp(), Some(located)))
}

/// What differs between runs of the same workload in different columns, apart from the machine.
fn remarks(columns: &[(String, Vec<RunResult>)]) -> Vec<String> {
    let Some(((base_name, base), others)) = columns.split_first() else {
        return Vec::new();
    };
    let mut remarks = Vec::new();
    for (name, runs) in others {
        let mut found: Vec<(&'static str, String)> = Vec::new();
        for run in runs {
            let workload = &run.provenance.workload.name;
            let twin = base
                .iter()
                .find(|one| one.provenance.workload.name == *workload);
            let Some(twin) = twin else { continue };
            for one in factor::differences(twin, run) {
                let is_new = !found.iter().any(|(factor, _)| *factor == one.name);
                let is_said = one.role == FactorRole::Blocks && !OF_MACHINES.contains(&one.name);
                if is_said && is_new {
                    found.push((
                        one.name,
                        format!("{workload}: {}, not {}", one.other, one.base),
                    ));
                }
            }
        }
        for (factor, words) in found {
            remarks.push(format!(
                "{name} differs from {base_name} in more than the machine: {factor} ({words})"
            ));
        }
    }
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::fixture::{self, JobPlan, Stream};
    use fathom_core::op::Op;

    const METRICS: [Metric; 1] = [Metric::Iops];

    fn run(name: &str, block_bytes: u64, iops: u64) -> RunResult {
        let stream = Stream::random(Op::Read, block_bytes, fixture::series(iops, 16));
        let jobs = vec![JobPlan::closed("main", 8, vec![stream])];
        fixture::run(name, &[("main", jobs)])
    }

    fn of(columns: &[(&str, Vec<RunResult>)]) -> Matrix {
        let named: Vec<(String, Vec<RunResult>)> = columns
            .iter()
            .map(|(name, runs)| ((*name).to_owned(), runs.clone()))
            .collect();
        matrix(&named, &METRICS)
    }

    /// Workload, block size, and of each cell its value and its ratio to the first column in
    /// thousandths.
    type RowFigures = (String, String, Vec<Option<(u64, Option<u64>)>>);

    fn told(matrix: &Matrix) -> Vec<RowFigures> {
        let cell = |cell: &Option<MatrixCell>| {
            let number = cell.as_ref()?.numbers[0]?;
            let ratio = number.ratio.map(|one| (one.estimate * 1e3).round() as u64);
            Some((number.value.round() as u64, ratio))
        };
        let rows = matrix.rows.iter();
        rows.map(|row| {
            let cells = row.cells.iter().map(cell).collect();
            (row.workload.clone(), row.block_size.clone(), cells)
        })
        .collect()
    }

    #[test]
    fn rows_are_the_same_work_however_the_runs_are_ordered() {
        let found = of(&[
            ("one", vec![run("oltp", 8192, 1000), run("web", 4096, 500)]),
            (
                "two",
                vec![
                    run("web", 4096, 600),
                    run("oltp", 16384, 700),
                    run("oltp", 8192, 3000),
                ],
            ),
        ]);
        let mean = |series: Vec<u64>| series.iter().sum::<u64>() / 16;
        let rates = [1000, 500, 600, 700, 3000].map(|rate| mean(fixture::series(rate, 16)));
        let expected = [
            (
                "oltp",
                "8 KiB",
                vec![Some((rates[0], None)), Some((rates[4], Some(3000)))],
            ),
            (
                "web",
                "4 KiB",
                vec![Some((rates[1], None)), Some((rates[2], Some(1200)))],
            ),
            ("oltp", "16 KiB", vec![None, Some((rates[3], None))]),
        ];
        let expected: Vec<_> = expected
            .into_iter()
            .map(|(name, size, cells)| (name.to_owned(), size.to_owned(), cells))
            .collect();
        let found = told(&found);
        let rounded = |rows: Vec<RowFigures>| {
            let cell = |(value, ratio): (u64, Option<u64>)| {
                ((value + 5) / 10, ratio.map(|r| (r + 5) / 10))
            };
            let row = |(name, size, cells): RowFigures| {
                let cells: Vec<_> = cells.into_iter().map(|one| one.map(cell)).collect();
                (name, size, cells)
            };
            rows.into_iter().map(row).collect::<Vec<_>>()
        };
        assert_eq!(rounded(found), rounded(expected));
    }

    /// Three runs of 90, 100 and 111.1: their logarithms are 0.1054 apart, and Student's factor for
    /// two degrees of freedom is 4.303.
    #[test]
    fn the_interval_of_several_runs_is_students() {
        let flat = |iops: u64| {
            let stream = Stream::random(Op::Read, 4096, vec![iops; 16]);
            let jobs = vec![JobPlan::closed("main", 8, vec![stream])];
            fixture::run("x", &[("main", jobs)])
        };
        let three = vec![flat(90_000), flat(100_000), flat(111_111)];
        let found = of(&[("one", three), ("two", vec![flat(200_000)])]);
        let cells: Vec<MatrixNumber> = found.rows[0]
            .cells
            .iter()
            .map(|cell| cell.as_ref().expect("a cell").numbers[0].expect("a number"))
            .collect();
        let half = 4.302_652_7 * (10.0_f64 / 9.0).ln() / 3.0_f64.sqrt();
        let close = |one: Option<f64>, two: f64| (one.expect("an end") / two - 1.0).abs() < 1e-5;
        assert!(close(Some(cells[0].value), 1e5));
        assert!(close(cells[0].low, 1e5 * (-half).exp()));
        assert!(close(cells[0].high, 1e5 * half.exp()));
        assert!(close(cells[0].margin_percent(), half.exp_m1() * 100.0));
        // A run that never varied is known to the last digit; the ratio has the other's error.
        assert_eq!(cells[1].low, cells[1].high);
        let ratio = cells[1].ratio.expect("a ratio");
        assert!(
            close(Some(ratio.low), 2.0 * (-half).exp())
                && close(Some(ratio.high), 2.0 * half.exp())
        );
    }

    #[test]
    fn what_differs_beside_the_machine_is_said_once() {
        let mut other = run("oltp", 8192, 900);
        other.provenance.host.hostname = "second".into();
        let with_job = |depth: u32| {
            let mut one = other.clone();
            for job in &mut one.provenance.workload.phases[0].jobs {
                job.queue_depth = depth;
            }
            one
        };
        let same = of(&[
            ("one", vec![run("oltp", 8192, 1000)]),
            ("two", vec![other.clone()]),
        ]);
        assert_eq!(same.remarks, Vec::<String>::new());
        let deeper = of(&[
            ("one", vec![run("oltp", 8192, 1000)]),
            ("two", vec![with_job(32), with_job(32)]),
        ]);
        let expected =
            ["two differs from one in more than the machine: queue-depth (oltp: 32, not 8)"];
        assert_eq!(deeper.remarks, expected);
    }
}
