//! Grouped bars: one group for each phase and operation, one bar for each side.

use super::Unit;
use super::sides::{self, Range, Runs};
use fathom_core::result::{
    EncodedHistogram, LoadModel, OpResult, PhaseResult, ResultField, RunResult,
};
use fathom_core::summary::{LatencySummary, Spread, supports};
use fathom_core::{Histogram, Op};

/// Standard normal deviate of a two-sided 95 % interval.
const DEVIATE_95: f64 = 1.96;

/// Bars in groups.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bars {
    pub(crate) unit: Unit,
    /// Names of the groups.
    pub(crate) groups: Vec<String>,
    pub(crate) series: Vec<Series>,
}

/// One bar in each group.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Series {
    pub(crate) label: String,
    /// Its role, which sets the colour.
    pub(crate) role: String,
    pub(crate) value: Vec<f64>,
    /// Ends of the whisker.
    pub(crate) low: Vec<f64>,
    pub(crate) high: Vec<f64>,
}

/// What bars show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Metric {
    Iops,
    BytesPerSecond,
    /// Mean latency.
    Mean,
    /// 99th percentile of latency.
    P99,
}

/// A value with its whisker.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bar {
    value: f64,
    low: f64,
    high: f64,
}

/// A group: the same phase and operation in every run that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Key {
    workload: String,
    phase: String,
    job: String,
    op: Op,
}

/// The bars of several runs; a bar for each side.
pub(crate) fn of_runs(sides: &[Runs<'_>], metric: Metric) -> Bars {
    let keys = keys(sides::all(sides));
    let series = sides.iter().enumerate().map(|(index, side)| {
        let bars = keys.iter().map(|key| together(side, key, metric));
        Series::new(side.label, &format!("run {index}"), bars)
    });
    Bars {
        unit: metric.unit(),
        groups: names(&keys),
        series: series.collect(),
    }
}

/// The bar of a run, or the median of several from the lowest to the highest.
fn together(side: &Runs<'_>, key: &Key, metric: Metric) -> Option<Bar> {
    let bars = side.runs.iter().filter_map(|run| bar(run, key, metric));
    let bars: Vec<Bar> = bars.collect();
    if let [only] = bars.as_slice() {
        return Some(*only);
    }
    let range = Range::of(bars.iter().map(|bar| bar.value));
    range.middle.is_finite().then_some(Bar {
        value: range.middle,
        low: range.low,
        high: range.high,
    })
}

/// The bars of one run of several phases: a bar for each operation.
pub(crate) fn of_phases(run: &RunResult, metric: Metric) -> Bars {
    let keys = keys(std::iter::once(run));
    let mut groups: Vec<Key> = Vec::new();
    for key in &keys {
        let place = Key {
            op: Op::Read,
            ..key.clone()
        };
        if !groups.contains(&place) {
            groups.push(place);
        }
    }
    let series = |op: Op| {
        let bars = groups.iter().map(|group| {
            let key = Key {
                op,
                ..group.clone()
            };
            bar(run, &key, metric)
        });
        Series::new(op.name(), op.name(), bars)
    };
    let ops = Op::ALL.into_iter();
    let ops = ops.filter(|op| keys.iter().any(|key| key.op == *op));
    let several_jobs = run.phases.iter().any(|phase| phase.jobs.len() > 1);
    let name = |key: &Key| {
        if several_jobs {
            format!("{}: {}", key.phase, key.job)
        } else {
            key.phase.clone()
        }
    };
    Bars {
        unit: metric.unit(),
        groups: groups.iter().map(name).collect(),
        series: ops.map(series).collect(),
    }
}

impl Series {
    fn new(label: &str, role: &str, bars: impl Iterator<Item = Option<Bar>>) -> Self {
        let mut series = Self {
            label: label.to_owned(),
            role: role.to_owned(),
            value: Vec::new(),
            low: Vec::new(),
            high: Vec::new(),
        };
        for bar in bars {
            series.value.push(bar.map_or(f64::NAN, |bar| bar.value));
            series.low.push(bar.map_or(f64::NAN, |bar| bar.low));
            series.high.push(bar.map_or(f64::NAN, |bar| bar.high));
        }
        series
    }
}

impl Metric {
    const fn unit(self) -> Unit {
        match self {
            Self::Iops => Unit::Iops,
            Self::BytesPerSecond => Unit::BytesPerSecond,
            Self::Mean | Self::P99 => Unit::Ns,
        }
    }
}

/// All groups in the order in which they first come.
fn keys<'a>(runs: impl Iterator<Item = &'a RunResult>) -> Vec<Key> {
    let mut keys = Vec::new();
    for run in runs {
        for phase in &run.phases {
            for job in &phase.jobs {
                for (op, _) in job.ops.present().filter(|(op, _)| *op != Op::Flush) {
                    let key = Key {
                        workload: run.provenance.workload.name.clone(),
                        phase: phase.name.clone(),
                        job: job.name.clone(),
                        op,
                    };
                    if !keys.contains(&key) {
                        keys.push(key);
                    }
                }
            }
        }
    }
    keys
}

/// As short as they can be and still differ.
fn names(keys: &[Key]) -> Vec<String> {
    let differ = |part: fn(&Key) -> &str| {
        let first = keys.first().map(part);
        keys.iter().any(|key| Some(part(key)) != first)
    };
    let (workloads, phases, jobs) = (
        differ(|key| &key.workload),
        differ(|key| &key.phase),
        differ(|key| &key.job),
    );
    let name = |key: &Key| {
        let mut parts = Vec::new();
        if workloads {
            parts.push(key.workload.as_str());
        }
        if phases {
            parts.push(&key.phase);
        }
        if jobs && !(workloads || phases) {
            parts.push(&key.job);
        }
        parts.push(key.op.name());
        parts.join(" ")
    };
    keys.iter().map(name).collect()
}

fn bar(run: &RunResult, key: &Key, metric: Metric) -> Option<Bar> {
    if run.provenance.workload.name != key.workload || !is_known(run, metric) {
        return None;
    }
    let phases = run.phases.iter().filter(|phase| phase.name == key.phase);
    let entries = phases.filter_map(|phase| entry(phase, key));
    let entries: Vec<(bool, &OpResult)> = entries.collect();
    let bars: Vec<Bar> = entries
        .iter()
        .filter_map(|(open, op)| one(op, *open, metric))
        .collect();
    match bars.as_slice() {
        [] => None,
        [only] => Some(*only),
        several => {
            let values: Vec<f64> = several.iter().map(|bar| bar.value).collect();
            let spread = Spread::of(&values);
            Some(Bar {
                value: spread.mean,
                low: spread.min,
                high: spread.max,
            })
        }
    }
}

/// Whether the source of an import says anything of it.
fn is_known(run: &RunResult, metric: Metric) -> bool {
    let origin = &run.provenance.origin;
    match metric {
        Metric::Iops => origin.knows(ResultField::Iops),
        Metric::BytesPerSecond => origin.knows(ResultField::BytesPerSecond),
        Metric::Mean | Metric::P99 => true,
    }
}

fn entry<'a>(phase: &'a PhaseResult, key: &Key) -> Option<(bool, &'a OpResult)> {
    let job = phase.jobs.iter().find(|job| job.name == key.job)?;
    Some((job.load_model == LoadModel::Open, job.ops.get(key.op)?))
}

/// One operation of one repeat.
fn one(op: &OpResult, open: bool, metric: Metric) -> Option<Bar> {
    let spread = |value: f64, spread: &Spread| Bar {
        value,
        low: (value - spread.stddev).max(0.0),
        high: value + spread.stddev,
    };
    let (summary, histogram) = if open {
        (&op.response_ns, &op.response_histogram)
    } else {
        (&op.service_ns, &op.service_histogram)
    };
    match metric {
        Metric::Iops => Some(spread(op.iops, &op.iops_by_interval)),
        Metric::BytesPerSecond => Some(spread(
            op.bytes_per_second,
            &op.bytes_per_second_by_interval,
        )),
        Metric::Mean => mean(summary),
        Metric::P99 => p99(summary, histogram.as_ref()),
    }
}

/// The mean and its 95 % interval, if the requests were independent.
fn mean(summary: &LatencySummary) -> Option<Bar> {
    let error = DEVIATE_95 * summary.stddev / (summary.count as f64).sqrt();
    (summary.count > 0).then(|| Bar {
        value: summary.mean,
        low: (summary.mean - error).max(0.0),
        high: summary.mean + error,
    })
}

/// The percentile between its order statistics of ranks n q ± 1.96 √(n q (1 - q)).
fn p99(summary: &LatencySummary, histogram: Option<&EncodedHistogram>) -> Option<Bar> {
    let value = summary.percentile("99")? as f64;
    let known: Option<Histogram> = histogram.and_then(|stored| stored.decode().ok());
    let (low, high) = known.map_or((value, value), |known| interval(&known, 0.99));
    Some(Bar { value, low, high })
}

fn interval(histogram: &Histogram, quantile: f64) -> (f64, f64) {
    let count = histogram.len() as f64;
    debug_assert!(supports(histogram.len(), quantile));
    let half = DEVIATE_95 * (count * quantile * (1.0 - quantile)).sqrt();
    let at = |rank: f64| histogram.quantile_ns((rank / count).clamp(0.0, 1.0)) as f64;
    (at(count * quantile - half), at(count * quantile + half))
}
