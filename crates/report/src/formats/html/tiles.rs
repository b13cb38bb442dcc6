//! The figures that a page begins with: of one phase as tiles, of several as a table of bars.

use crate::charts::Unit;
use crate::charts::clock::{Clock, Reduce};
use crate::charts::course;
use crate::charts::stream::{self, Stream};
use crate::drawing::{bar, log_place, spark, words};
use crate::formats::text::{histograms_together, phase_label};
use fathom_core::Op;
use fathom_core::result::{OpResult, PhaseResult, ResultField, RunResult};
use fathom_core::summary::LatencySummary;

/// Requests of this size and more are shown in bytes a second.
const LARGE_BYTES: f64 = 65_536.0;
/// Points of a sparkline.
const SPARK: usize = 100;

/// One figure with its course.
#[derive(Debug)]
pub(super) struct Tile {
    pub(super) label: String,
    pub(super) parts: Vec<TilePart>,
}

/// The figure of one operation.
#[derive(Debug)]
pub(super) struct TilePart {
    /// The operation, where there are several.
    pub(super) op: String,
    pub(super) value: String,
    pub(super) spark: String,
}

/// Several phases as a table whose figures are bars.
#[derive(Debug)]
pub(super) struct BarTable {
    /// Round times: place in percent and words.
    pub(super) times: Vec<(f64, String)>,
    pub(super) rows: Vec<BarRow>,
}

/// One operation of one phase.
#[derive(Debug)]
pub(super) struct BarRow {
    pub(super) phase: String,
    pub(super) op: &'static str,
    pub(super) rate: String,
    pub(super) rate_bar: String,
    pub(super) p50: String,
    pub(super) p99: String,
    /// From the median to the 99th percentile, in percent of the width; none where too few requests
    /// tell.
    pub(super) span: Option<(f64, f64)>,
}

/// The operation of a phase over all of its jobs.
struct Figures<'a> {
    phase: &'a PhaseResult,
    stream: Stream,
    iops: f64,
    bytes_per_second: f64,
    times: Option<LatencySummary>,
}

impl<'a> Figures<'a> {
    fn of(phase: &'a PhaseResult) -> Vec<Self> {
        let streams = stream::together(phase).into_iter();
        streams
            .filter_map(|stream| Self::one(phase, stream))
            .collect()
    }

    fn one(phase: &'a PhaseResult, stream: Stream) -> Option<Self> {
        let jobs = stream.jobs.iter();
        let jobs = jobs.filter_map(|job| phase.jobs.get(*job as usize)?.ops.get(stream.op));
        let ops: Vec<&OpResult> = jobs.collect();
        let times = match ops.as_slice() {
            [] => return None,
            [only] if stream.open => Some(only.response_ns.clone()),
            [only] => Some(only.service_ns.clone()),
            several => histograms_together(several, stream.open),
        };
        Some(Self {
            phase,
            iops: ops.iter().map(|op| op.iops).sum(),
            bytes_per_second: ops.iter().map(|op| op.bytes_per_second).sum(),
            times: times.filter(|times| times.count > 0),
            stream,
        })
    }

    fn time(&self, name: &str) -> Option<f64> {
        let value = self.times.as_ref()?.percentile(name)?;
        Some(value as f64)
    }

    /// The rate in the unit of its requests.
    fn rate(&self) -> (Unit, f64) {
        if self.bytes_per_second >= self.iops * LARGE_BYTES {
            (Unit::BytesPerSecond, self.bytes_per_second)
        } else {
            (Unit::Iops, self.iops)
        }
    }
}

/// The figure of an operation in words, and its course; none where it has no such figure.
type Part<'a> = dyn Fn(&Figures<'_>) -> Option<(String, Vec<f64>)> + 'a;

/// The tiles of the only phase; none for several, for a ramp, and where nothing was measured.
pub(super) fn tiles(result: &RunResult) -> Vec<Tile> {
    let ([phase], None) = (result.phases.as_slice(), &result.ramp) else {
        return Vec::new();
    };
    let figures = Figures::of(phase);
    let clock = course::clock(phase, SPARK);
    let knows = |field: ResultField| result.provenance.origin.knows(field);
    let several = figures.len() > 1;
    let open = figures.iter().filter(|one| one.stream.open).count();
    // Of open and closed loads together, each operation says which time it has.
    let kind = match open {
        0 => Some("service time"),
        _ if open == figures.len() => Some("response time"),
        _ => None,
    };
    let tile = |label: &str, part: &Part<'_>| {
        let parts = figures.iter().filter_map(|one| {
            let (value, course) = part(one)?;
            let op = one.stream.op.name();
            let time = match one.stream.open {
                _ if kind.is_some() || !label.ends_with("time") => "",
                true => ", response",
                false => ", service",
            };
            Some(TilePart {
                op: if several {
                    format!("{op}{time}")
                } else {
                    String::new()
                },
                value,
                spark: spark(&course, &format!("c-{op}")),
            })
        });
        let parts: Vec<TilePart> = parts.collect();
        (!parts.is_empty()).then(|| Tile {
            label: label.to_owned(),
            parts,
        })
    };
    let iops = |one: &Figures<'_>| {
        let course = rates(one, &clock, false);
        knows(ResultField::Iops).then(|| (words(Unit::Iops, "", one.iops), course))
    };
    let bytes = |one: &Figures<'_>| {
        let says = knows(ResultField::BytesPerSecond) && one.stream.op != Op::Flush;
        let value = crate::figure::megabytes(one.bytes_per_second);
        says.then(|| (value, rates(one, &clock, true)))
    };
    let time = |name: &'static str| {
        let clock = &clock;
        move |one: &Figures<'_>| {
            let value = words(Unit::Ns, "", one.time(name)?);
            Some((value, times(one, clock, name)))
        }
    };
    let kind = kind.unwrap_or("time");
    let all = [
        tile("IOPS", &iops),
        tile("MB/s", &bytes),
        tile(&format!("p50 {kind}"), &time("50")),
        tile(&format!("p99 {kind}"), &time("99")),
    ];
    all.into_iter().flatten().collect()
}

fn rates(one: &Figures<'_>, clock: &Clock, bytes: bool) -> Vec<f64> {
    let intervals = one.phase.intervals.iter();
    let values = intervals.map(|interval| {
        let ops = one.stream.ops(&interval.jobs);
        let sum: u64 = ops.map(|op| if bytes { op.bytes } else { op.ios }).sum();
        sum as f64 / (interval.length_ns.max(1) as f64 / 1e9)
    });
    clock.level(&values.collect::<Vec<_>>(), Reduce::Mean).value
}

fn times(one: &Figures<'_>, clock: &Clock, name: &str) -> Vec<f64> {
    let summaries = course::summaries(one.phase, &one.stream);
    let value = |summary: &LatencySummary| {
        let value = summary.percentile(name);
        value.map_or(f64::NAN, |value| value as f64)
    };
    let values: Vec<f64> = summaries.iter().map(value).collect();
    clock.level(&values, Reduce::Median).value
}

/// A phase as the chart over time has it: with its number there.
fn numbered(result: &RunResult, phase: &PhaseResult) -> String {
    let label = phase_label(result, phase);
    let at = result
        .phases
        .iter()
        .position(|one| std::ptr::eq(one, phase));
    at.map_or_else(|| label.clone(), |at| format!("{} {label}", at + 1))
}

/// The table of several phases; none for one, and for a ramp.
pub(super) fn bar_table(result: &RunResult) -> Option<BarTable> {
    if result.phases.len() < 2 || result.ramp.is_some() {
        return None;
    }
    let figures: Vec<Figures<'_>> = result.phases.iter().flat_map(Figures::of).collect();
    let most = |unit: Unit| {
        let rates = figures.iter().map(Figures::rate);
        let own = rates.filter(|(other, _)| *other == unit);
        own.map(|(_, rate)| rate).fold(0.0, f64::max)
    };
    let times = figures
        .iter()
        .flat_map(|one| [one.time("50"), one.time("99")]);
    let (low, high) = times
        .flatten()
        .fold((f64::INFINITY, 0.0_f64), |(low, high), time| {
            (low.min(time), high.max(time))
        });
    let (low, high) = decades(low, high);
    let knows = |field: ResultField| result.provenance.origin.knows(field);
    let row = |one: &Figures<'_>| {
        let (unit, rate) = one.rate();
        let name = if unit == Unit::Iops { " IOPS" } else { "" };
        let is_known = knows(if unit == Unit::Iops {
            ResultField::Iops
        } else {
            ResultField::BytesPerSecond
        });
        let op = one.stream.op.name();
        let say = |name| {
            one.time(name)
                .map_or_else(|| "--".to_owned(), |ns| words(Unit::Ns, "", ns))
        };
        let place = |ns: f64| 100.0 * log_place(ns, low, high);
        let span = one.time("50").zip(one.time("99"));
        BarRow {
            phase: numbered(result, one.phase),
            op,
            rate: if is_known {
                words(unit, "", rate) + name
            } else {
                String::new()
            },
            rate_bar: bar(rate / most(unit).max(1e-9), &format!("c-{op}")),
            p50: say("50"),
            p99: say("99"),
            span: span.map(|(p50, p99)| (place(p50), place(p99))),
        }
    };
    let rows: Vec<BarRow> = figures.iter().map(row).collect();
    (!rows.is_empty()).then(|| BarTable {
        times: ticks(low, high),
        rows,
    })
}

/// Powers of ten around values, two of them at least.
fn decades(low: f64, high: f64) -> (f64, f64) {
    if high <= 0.0 {
        return (1e3, 1e6);
    }
    let (first, last) = (low.log10().floor(), high.log10().ceil());
    (10_f64.powf(first), 10_f64.powf(last.max(first + 2.0)))
}

/// Every power of ten.
fn ticks(low: f64, high: f64) -> Vec<(f64, String)> {
    let (first, last) = (low.log10().round() as i32, high.log10().round() as i32);
    let tick = |power: i32| {
        let value = 10_f64.powi(power);
        (100.0 * log_place(value, low, high), short_time(power))
    };
    (first..=last).map(tick).collect()
}

/// A power of ten of nanoseconds in words.
fn short_time(power: i32) -> String {
    let (unit, base) = match power {
        ..3 => ("ns", 0),
        3..6 => ("µs", 3),
        6..9 => ("ms", 6),
        _ => ("s", 9),
    };
    format!("{} {unit}", 10_u64.pow((power - base).max(0) as u32))
}
