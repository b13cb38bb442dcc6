//! Percentile curves side by side.

use super::percentiles::{self, Point};
use super::sides::Range;
use super::stream::{Stream, streams};
use fathom_core::Histogram;
use fathom_core::result::{EncodedHistogram, JobResult, PhaseResult};

/// Curves in one chart; more are put together.
const APART: usize = 8;

/// Curves over one axis of percentiles.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    pub(crate) lines: Vec<CurveLine>,
}

/// One distribution.
#[derive(Clone, Debug)]
pub(crate) struct CurveLine {
    pub(crate) label: String,
    /// Its role, which sets the colour.
    pub(crate) role: String,
    /// Values in the distribution.
    pub(crate) count: u64,
    /// In words, as in `99.9`.
    pub(crate) percent: Vec<String>,
    /// As shares.
    pub(crate) quantile: Vec<f64>,
    /// The latencies.
    pub(crate) latency_ns: Vec<f64>,
    /// Of several runs the lowest; empty of one.
    pub(crate) low_ns: Vec<f64>,
    /// The highest.
    pub(crate) high_ns: Vec<f64>,
}

/// The curves of a phase: of open loads the response and the service time.
pub(crate) fn of(phase: &PhaseResult) -> Curve {
    let mut lines = Vec::new();
    for stream in streams(phase, APART) {
        for time in ["response", "service"] {
            if time == "response" && !stream.open {
                continue;
            }
            let label = format!("{} {time} time", stream.label);
            lines.extend(line(&label, &stream, time, phase));
        }
    }
    Curve { lines }
}

fn line(label: &str, stream: &Stream, time: &str, phase: &PhaseResult) -> Option<CurveLine> {
    let jobs = stream.jobs.iter();
    let jobs: Option<Vec<&JobResult>> = jobs.map(|job| phase.jobs.get(*job as usize)).collect();
    let mut all = Histogram::new();
    for job in jobs? {
        let op = job.ops.get(stream.op)?;
        let stored: &Option<EncodedHistogram> = match time {
            "response" => &op.response_histogram,
            _ => &op.service_histogram,
        };
        all.add(&stored.as_ref()?.decode().ok()?);
    }
    let points = percentiles::curve(&all);
    let role = match time {
        "service" if stream.open => format!("{} service", stream.op.name()),
        _ => stream.op.name().to_owned(),
    };
    (!points.is_empty()).then(|| CurveLine::new(label, &role, all.len(), points))
}

impl CurveLine {
    pub(crate) fn new(label: &str, role: &str, count: u64, points: Vec<Point>) -> Self {
        let mut line = Self {
            label: label.to_owned(),
            role: role.to_owned(),
            count,
            percent: Vec::new(),
            quantile: Vec::new(),
            latency_ns: Vec::new(),
            low_ns: Vec::new(),
            high_ns: Vec::new(),
        };
        for point in points {
            line.percent.push(point.percent);
            line.quantile.push(point.quantile);
            line.latency_ns.push(point.latency_ns as f64);
        }
        line
    }

    /// The curves of several runs as one, to the last percentile that each of them has: all
    /// have the same ones.
    pub(crate) fn together(mut lines: Vec<Self>) -> Self {
        let last = lines.iter().map(|line| line.latency_ns.len()).min();
        let last = last.unwrap_or(0);
        let ranges = (0..last).map(|at| Range::of(lines.iter().map(|line| line.latency_ns[at])));
        let ranges: Vec<Range> = ranges.collect();
        let count = lines.iter().map(|line| line.count).sum();
        let several = lines.len() > 1;
        let mut all = lines.swap_remove(0);
        if several {
            all.count = count;
            all.percent.truncate(last);
            all.quantile.truncate(last);
            all.latency_ns = ranges.iter().map(|one| one.middle).collect();
            all.low_ns = ranges.iter().map(|one| one.low).collect();
            all.high_ns = ranges.iter().map(|one| one.high).collect();
        }
        all
    }
}
