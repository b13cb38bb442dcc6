//! What went on over the time of a phase: rates, latencies, outstanding requests.

use super::Unit;
use super::clock::{Clock, Level, Reduce, Slice, Tick};
use super::stream::{self, Stream};
use fathom_core::Histogram;
use fathom_core::result::{EncodedHistogram, IntervalOp, IntervalResult, PhaseResult};
use fathom_core::summary::LatencySummary;

/// Streams that have strips or lines of their own; more are put together.
const APART: usize = 6;

/// Percentiles that have a line.
const SHOWN: [&str; 3] = ["50", "99", "99.9"];

/// Strips below each other over one time axis.
#[derive(Clone, Debug)]
pub(crate) struct TimeStrips {
    pub(crate) axis: TimeAxis,
    pub(crate) strips: Vec<Strip>,
}

/// The time that is drawn, and what is marked in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct TimeAxis {
    /// The points of the lines.
    pub(crate) ticks: Vec<Tick>,
    /// Intervals in a full point.
    pub(crate) bin: usize,
    /// The right edge, seconds.
    pub(crate) end_s: f64,
    pub(crate) shades: Vec<Shade>,
    pub(crate) marks: Vec<Mark>,
}

/// A time that is not measured.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shade {
    pub(crate) from_s: f64,
    pub(crate) to_s: f64,
    pub(crate) label: &'static str,
}

/// An instant with a name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mark {
    pub(crate) at_s: f64,
    pub(crate) label: String,
    /// Whether it is where a phase begins, and not something that happened.
    pub(crate) is_phase: bool,
}

/// A value that the load was to keep.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Guide {
    pub(crate) label: String,
    pub(crate) value: f64,
}

/// Lines with one axis of values.
#[derive(Clone, Debug)]
pub(crate) struct Strip {
    pub(crate) label: String,
    pub(crate) unit: Unit,
    /// The unit in words, for [`Unit::Other`].
    pub(crate) unit_words: String,
    /// Whether the axis of values is logarithmic.
    pub(crate) log: bool,
    /// Whether the lines add up.
    pub(crate) stacked: bool,
    /// Bytes of a request, where all have the same: then bytes a second stand at the right.
    pub(crate) request_bytes: Option<f64>,
    pub(crate) guides: Vec<Guide>,
    pub(crate) lines: Vec<StripLine>,
}

/// One series.
#[derive(Clone, Debug)]
pub(crate) struct StripLine {
    pub(crate) label: String,
    /// Its role, which sets the colour: an operation, a percentile, a share, a run.
    pub(crate) role: String,
    pub(crate) level: Level,
}

/// The axis of a phase's intervals, with at most about `points`.
pub(crate) fn clock(phase: &PhaseResult, points: usize) -> Clock {
    let slice = |interval: &IntervalResult| Slice {
        start_ns: interval.start_ns,
        length_ns: interval.length_ns,
        part: interval.part,
        phase: 0,
    };
    Clock::new(phase.intervals.iter().map(slice).collect(), points)
}

impl TimeAxis {
    /// The time of a phase over a clock of it: warm-up and cool-down are shaded.
    pub(crate) fn of(phase: &PhaseResult, clock: &Clock) -> Self {
        let end_ns = length_ns(phase);
        Self {
            ticks: clock.ticks(),
            bin: clock.bin(),
            end_s: end_ns as f64 / 1e9,
            shades: shades(phase, 0, end_ns),
            marks: Vec::new(),
        }
    }
}

/// From the start of a phase's warm-up to the end of its load.
pub(crate) fn length_ns(phase: &PhaseResult) -> u64 {
    let measured = phase.warm_up_ns + phase.measured_ns;
    let load = phase.intervals.last();
    let load = load.map_or(0, |last| last.start_ns + last.length_ns);
    (measured + phase.cool_down_ns).max(load).max(1)
}

/// What of a phase that begins at `begin_ns` is not measured.
pub(crate) fn shades(phase: &PhaseResult, begin_ns: u64, end_ns: u64) -> Vec<Shade> {
    /// Less than this is a moment of the last interval.
    const LEAST_NS: u64 = 1_000_000;
    let from = begin_ns + phase.warm_up_ns;
    let to = from + phase.measured_ns;
    let parts = [(begin_ns, from, "warm-up"), (to, end_ns, "cool-down")];
    let parts = parts.into_iter();
    let parts = parts.filter(|(from, to, _)| *to > from + LEAST_NS);
    let shade = |(from, to, label)| Shade {
        from_s: from as f64 / 1e9,
        to_s: to as f64 / 1e9,
        label,
    };
    parts.map(shade).collect()
}

/// A number of requests or bytes a second: one strip for each operation.
pub(crate) fn rates(
    phase: &PhaseResult,
    clock: &Clock,
    unit: Unit,
    amount: fn(&IntervalOp) -> u64,
) -> TimeStrips {
    let streams = stream::streams(phase, APART);
    let mut strips: Vec<(fathom_core::Op, Strip)> = Vec::new();
    for stream in &streams {
        let values = phase.intervals.iter().map(|interval| {
            let amount: u64 = stream.ops(&interval.jobs).map(amount).sum();
            amount as f64 / (interval.length_ns.max(1) as f64 / 1e9)
        });
        let line = StripLine {
            label: stream.label.clone(),
            role: stream.op.name().to_owned(),
            level: clock.level(&values.collect::<Vec<_>>(), Reduce::Mean),
        };
        match strips.iter_mut().find(|(op, _)| *op == stream.op) {
            Some((_, strip)) => strip.lines.push(line),
            None => strips.push((stream.op, Strip::new(stream.op.name(), unit, vec![line]))),
        }
    }
    TimeStrips {
        axis: TimeAxis::of(phase, clock),
        strips: strips.into_iter().map(|(_, strip)| strip).collect(),
    }
}

/// Latency percentiles: one strip for each stream.
pub(crate) fn latencies(phase: &PhaseResult, clock: &Clock) -> TimeStrips {
    let streams = stream::streams(phase, APART);
    let strip = |stream: &Stream| {
        let summaries = summaries(phase, stream);
        let lines = lines(clock, &summaries);
        let label = format!("{} {} time", stream.label, stream.time());
        (!lines.is_empty()).then(|| Strip {
            log: true,
            ..Strip::new(&label, Unit::Ns, lines)
        })
    };
    TimeStrips {
        axis: TimeAxis::of(phase, clock),
        strips: streams.iter().filter_map(strip).collect(),
    }
}

fn lines(clock: &Clock, summaries: &[LatencySummary]) -> Vec<StripLine> {
    let mut lines = Vec::new();
    let mut push = |label: &str, role: &str, values: Vec<f64>, reduce: Reduce| {
        if values.iter().any(|value| value.is_finite()) {
            lines.push(StripLine {
                label: label.to_owned(),
                role: role.to_owned(),
                level: clock.level(&values, reduce),
            });
        }
    };
    for name in SHOWN {
        let value = |summary: &LatencySummary| {
            summary
                .percentile(name)
                .map_or(f64::NAN, |value| value as f64)
        };
        let values = summaries.iter().map(value).collect();
        let label = format!("p{name}");
        push(&label, &label, values, Reduce::Median);
    }
    let max = |summary: &LatencySummary| {
        if summary.count > 0 {
            summary.max as f64
        } else {
            f64::NAN
        }
    };
    push(
        "max",
        "max",
        summaries.iter().map(max).collect(),
        Reduce::Largest,
    );
    lines
}

/// The distribution of each interval in a few numbers. Those of several jobs come from their
/// histograms: percentiles are never averaged.
pub(crate) fn summaries(phase: &PhaseResult, stream: &Stream) -> Vec<LatencySummary> {
    let summary = |interval: &IntervalResult| {
        let mut ops = stream.ops(&interval.jobs);
        match (ops.next(), ops.next()) {
            (None, _) => LatencySummary::default(),
            (Some(only), None) => stream.summary(only).clone(),
            _ => merged(stream, interval, phase.histogram_intervals),
        }
    };
    phase.intervals.iter().map(summary).collect()
}

fn merged(stream: &Stream, interval: &IntervalResult, histogram_intervals: u32) -> LatencySummary {
    let mut all = Histogram::new();
    let mut max = 0;
    let mut whole = histogram_intervals == 1;
    for op in stream.ops(&interval.jobs) {
        let summary = stream.summary(op);
        max = max.max(summary.max);
        match histogram(stream, op).map(EncodedHistogram::decode) {
            Some(Ok(one)) => all.add(&one),
            _ => whole &= summary.count == 0,
        }
    }
    let mut merged = all.summary();
    merged.max = max;
    merged.count = merged.count.max(u64::from(max > 0));
    if !whole {
        merged.percentiles.clear();
    }
    merged
}

/// The stored values of the time that the stream tells.
pub(crate) fn histogram<'a>(stream: &Stream, op: &'a IntervalOp) -> Option<&'a EncodedHistogram> {
    if stream.open && op.response_histogram.is_some() {
        op.response_histogram.as_ref()
    } else {
        op.service_histogram.as_ref()
    }
}

/// The outstanding requests that each job held.
pub(crate) fn outstanding(phase: &PhaseResult, clock: &Clock) -> TimeStrips {
    let of_job = |position: Option<u32>| -> Vec<f64> {
        let held = |interval: &IntervalResult| {
            let jobs = interval.jobs.iter();
            let mut own = jobs
                .filter(|job| position.is_none_or(|one| one == job.job))
                .peekable();
            if own.peek().is_none() {
                return f64::NAN;
            }
            own.map(|job| job.queue_depth_held).sum()
        };
        phase.intervals.iter().map(held).collect()
    };
    let lines = if phase.jobs.len() <= APART {
        let jobs = phase.jobs.iter().enumerate();
        let line = |(index, job): (usize, &fathom_core::result::JobResult)| StripLine {
            label: job.name.clone(),
            role: "queue".to_owned(),
            level: clock.level(&of_job(Some(index as u32)), Reduce::Mean),
        };
        jobs.map(line).collect()
    } else {
        vec![StripLine {
            label: format!("{} jobs together", phase.jobs.len()),
            role: "queue".to_owned(),
            level: clock.level(&of_job(None), Reduce::Mean),
        }]
    };
    TimeStrips {
        axis: TimeAxis::of(phase, clock),
        strips: vec![Strip::new("outstanding", Unit::Requests, lines)],
    }
}

impl Strip {
    pub(crate) fn new(label: &str, unit: Unit, lines: Vec<StripLine>) -> Self {
        Self {
            label: label.to_owned(),
            unit,
            unit_words: String::new(),
            log: false,
            stacked: false,
            request_bytes: None,
            guides: Vec::new(),
            lines,
        }
    }
}
