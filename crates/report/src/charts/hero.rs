//! The chart that a page begins with: throughput above latency over the time of the whole run,
//! with what the load was to keep and where it fell; of several runs, a line for each side.

use super::clock::{Clock, MOST, Reduce, Slice};
use super::course::{self, Guide, Mark, Strip, StripLine, TimeAxis, TimeStrips};
use super::sides::{self, Runs};
use super::stream::{self, Stream};
use super::{Body, Chart, Unit, curve, ramp};
use crate::figure::{iops, percent};
use fathom_core::Op;
use fathom_core::result::{IntervalOp, LoadModel, PhaseResult, ResultField, RunResult};
use fathom_core::summary::LatencySummary;
use fathom_verdict::slo::{Objective, Quantity};

/// Requests of this size and more are shown in bytes a second.
const LARGE_BYTES: f64 = 65_536.0;
/// Values further apart than this have a logarithmic axis.
const FAR_APART: f64 = 20.0;
/// Lines that are drawn over each other, at most: as many as look different.
const OVERLAID: usize = 8;
/// Percentiles that the lower strip may show, the best first.
const PERCENTILES: [&str; 2] = ["99", "50"];

/// The chart of a run; none without anything over time.
pub(crate) fn of_run(result: &RunResult) -> Option<Chart> {
    if result.ramp.is_some() {
        let name = result.provenance.workload.name.as_str();
        let ramp = ramp::of(&[Runs::of_one(name, result)]).into_iter().next()?;
        return Some(ramp_chart(ramp));
    }
    let span = Span::of(result)?;
    let (unit, request_bytes) = span.unit();
    let known = known_unit(result, unit);
    let unit = known.unwrap_or(unit);
    let ops = span.ops();
    let mut rates: Vec<StripLine> = Vec::new();
    for op in ops.iter().filter(|_| known.is_some()) {
        let values = span.rates(Some(*op), unit);
        rates.push(span.line(op.name(), op.name(), &values, Reduce::Mean));
    }
    let mut guides = Vec::new();
    if let Some(offered) = offered(result, unit, request_bytes) {
        if ops.len() > 1 {
            let values = span.rates(None, unit);
            rates.push(span.line("together", "own", &values, Reduce::Mean));
        }
        guides.push(offered);
    }
    let (name, times) = span.times(&ops);
    let rates = Strip {
        log: result.phases.len() > 1 && far_apart(&rates),
        request_bytes: request_bytes.filter(|_| unit == Unit::Iops),
        guides,
        ..Strip::new("throughput", unit, rates)
    };
    let times = Strip {
        log: far_apart(&times),
        guides: objectives(result, name),
        ..Strip::new(&format!("p{name} latency"), Unit::Ns, times)
    };
    let course = TimeStrips {
        axis: span.axis(),
        strips: drawn(rates, times),
    };
    Some(Chart {
        title: title(&course, name)?,
        note: grain(course.axis.bin),
        body: Body::Course(course),
    })
}

/// The unit of rates: an import may know one of the two, or none.
fn known_unit(result: &RunResult, wanted: Unit) -> Option<Unit> {
    let knows = |field| result.provenance.origin.knows(field);
    match (knows(ResultField::Iops), knows(ResultField::BytesPerSecond)) {
        (true, true) => Some(wanted),
        (true, false) => Some(Unit::Iops),
        (false, true) => Some(Unit::BytesPerSecond),
        (false, false) => None,
    }
}

/// The strips in which there is something to see: rates in closed form have no latencies.
fn drawn(rates: Strip, times: Strip) -> Vec<Strip> {
    let is_known = |line: &StripLine| line.level.value.iter().any(|value| value.is_finite());
    let strips = [rates, times].into_iter();
    strips
        .filter(|strip| strip.lines.iter().any(is_known))
        .collect()
}

/// What is above what; none where nothing is to be seen.
fn title(course: &TimeStrips, percentile: &str) -> Option<String> {
    match course.strips.as_slice() {
        [] => None,
        [one] if one.unit == Unit::Ns => Some(format!("p{percentile} latency over time")),
        [_] => Some("Throughput over time".to_owned()),
        _ => Some(format!("Throughput and p{percentile} latency over time")),
    }
}

pub(crate) fn ramp_chart(ramp: ramp::Ramp) -> Chart {
    Chart {
        title: format!("Latency against throughput, by {}", ramp.knob),
        note: "Solid: mean; dashed: p99. Steps that fell behind their schedule have no latency."
            .to_owned(),
        body: Body::Ramp(ramp),
    }
}

/// Several runs over each other: throughput and latency over time, then their percentiles.
pub(crate) fn of_runs(sides: &[Runs<'_>]) -> Vec<Chart> {
    if sides.len() > OVERLAID || sides::all(sides).any(|run| run.ramp.is_some()) {
        return Vec::new();
    }
    let runs: Vec<&RunResult> = sides::all(sides).collect();
    let mut shared = shared_phases(&runs).into_iter();
    let phases = |side: &Runs<'_>| shared.by_ref().take(side.runs.len()).collect();
    let shared: Vec<Vec<Vec<&PhaseResult>>> = sides.iter().map(phases).collect();
    let charts = over_time(sides, &shared).into_iter();
    charts.chain(curves(sides, &shared)).collect()
}

/// Why `series` runs or tags are not drawn over each other; empty where they are.
pub(crate) fn why_not_overlaid(series: usize) -> String {
    if series <= OVERLAID {
        return String::new();
    }
    format!("The time series of more than {OVERLAID} runs or tags are not overlaid.")
}

/// Of each run the phases that all have, in the same order: by their names, or the only one of
/// each.
fn shared_phases<'a>(runs: &[&'a RunResult]) -> Vec<Vec<&'a PhaseResult>> {
    let names = |run: &'a RunResult| -> Vec<&'a str> {
        run.phases.iter().map(|phase| phase.name.as_str()).collect()
    };
    let Some(first) = runs.first() else {
        return Vec::new();
    };
    let is_single = runs.iter().all(|run| run.phases.len() == 1);
    if is_single || runs.iter().all(|run| names(run) == names(first)) {
        let all = runs.iter().map(|run| run.phases.iter().collect());
        return all.collect();
    }
    let mut wanted: Vec<&str> = Vec::new();
    for name in names(first) {
        let is_everywhere = runs.iter().all(|run| names(run).contains(&name));
        if is_everywhere && !wanted.contains(&name) {
            wanted.push(name);
        }
    }
    let of_run = |run: &&'a RunResult| {
        let phases = wanted.iter();
        let find = |name: &&str| run.phases.iter().find(|phase| phase.name == **name);
        phases.filter_map(find).collect()
    };
    runs.iter().map(of_run).collect()
}

/// The phases of each run of each side.
type Shared<'a> = [Vec<Vec<&'a PhaseResult>>];

fn over_time(sides: &[Runs<'_>], shared: &Shared<'_>) -> Option<Chart> {
    /// Warm-ups that differ by less end at one place.
    const SAME_NS: u64 = 100_000_000;
    // All lines lie over the points of the longest; each phase begins at one place.
    let phases = 0..shared.first()?.first()?.len();
    let longest = phases.filter_map(|index| {
        let same = shared.iter().flatten().map(|phases| phases[index]);
        same.max_by_key(|phase| course::length_ns(phase))
    });
    let longest: Vec<&PhaseResult> = longest.collect();
    let mut begin = 0;
    let mut begins = Vec::new();
    for phase in &longest {
        begins.push(begin);
        begin += course::length_ns(phase);
    }
    let longest = Span::over(&begins, &longest)?;
    let (unit, _) = longest.unit();
    let name = longest.times(&longest.ops()).0;
    let mut rates = Vec::new();
    let mut times = Vec::new();
    for (index, (runs, side)) in shared.iter().zip(sides).enumerate() {
        let spans = runs.iter().map(|phases| Span::over(&begins, phases));
        let spans: Vec<Span<'_>> = spans.collect::<Option<_>>()?;
        let line = |values: &dyn Fn(&Span<'_>) -> Vec<f64>, reduce| {
            let placed = |span| Span::placed(span, &values(span), &longest);
            let levels = spans.iter().map(placed);
            let levels = levels.map(|values| longest.clock.level(&values, reduce));
            StripLine {
                label: side.label.to_owned(),
                role: format!("run {index}"),
                level: sides::level(levels.collect()),
            }
        };
        rates.push(line(&|span| span.rates(None, unit), Reduce::Mean));
        times.push(line(&|span| span.slowest(name), Reduce::Median));
    }
    let rates = Strip {
        log: begins.len() > 1 && far_apart(&rates),
        ..Strip::new("throughput", unit, rates)
    };
    let times = Strip {
        log: far_apart(&times),
        ..Strip::new(&format!("p{name} latency"), Unit::Ns, times)
    };
    let mut axis = longest.axis();
    // Where one run falls is no mark of the others, and its warm-up no time of theirs.
    axis.marks.retain(|mark| mark.is_phase);
    let phases = || shared.iter().flatten();
    let same = |(one, other): (&&PhaseResult, &&PhaseResult)| {
        one.warm_up_ns.abs_diff(other.warm_up_ns) < SAME_NS
    };
    let first = phases().next()?;
    if !phases().all(|other| first.iter().zip(other).all(same)) {
        axis.shades.retain(|shade| shade.label != "warm-up");
    }
    let course = TimeStrips {
        axis,
        strips: drawn(rates, times),
    };
    let notes = [
        "All operations together; latencies of the slowest operation.".to_owned(),
        sides::range_note(sides, "the band"),
        grain(course.axis.bin),
    ];
    Some(Chart {
        title: format!("{}, by {}", title(&course, name)?, sides::word(sides)),
        note: notes.join(" ").replace("  ", " ").trim().to_owned(),
        body: Body::Course(course),
    })
}

/// The percentile curves of all sides, a chart for each operation of each phase: of open loads the
/// response time.
fn curves(sides: &[Runs<'_>], shared: &Shared<'_>) -> Vec<Chart> {
    let mut charts: Vec<(String, Vec<curve::CurveLine>)> = Vec::new();
    for (index, (side, runs)) in sides.iter().zip(shared).enumerate() {
        for (what, lines) in curves_of(runs) {
            let mut line = curve::CurveLine::together(lines);
            side.label.clone_into(&mut line.label);
            line.role = format!("run {index}");
            match charts.iter_mut().find(|(other, _)| *other == what) {
                Some((_, lines)) => lines.push(line),
                None => charts.push((what, vec![line])),
            }
        }
    }
    let note = "Up to the last percentile with ten requests beyond it.";
    let note = format!("{note} {}", sides::range_note(sides, "the band"));
    let chart = |(what, lines)| Chart {
        title: format!("Percentiles of {what}, by {}", sides::word(sides)),
        note: note.trim().to_owned(),
        body: Body::Curve(curve::Curve { lines }),
    };
    charts.into_iter().map(chart).collect()
}

/// The curves of a side: of what, and those of its runs.
fn curves_of(runs: &[Vec<&PhaseResult>]) -> Vec<(String, Vec<curve::CurveLine>)> {
    let mut curves: Vec<(String, Vec<curve::CurveLine>)> = Vec::new();
    for phases in runs {
        for phase in phases {
            let lines = curve::of(phase).lines.into_iter();
            for line in lines.filter(|line| !line.role.ends_with(" service")) {
                let same = phases.iter().filter(|other| other.name == phase.name);
                let what = match (phases.len(), same.count()) {
                    (1, _) => line.label.clone(),
                    (_, 1) => format!("{}: {}", phase.name, line.label),
                    _ => format!("{}, repeat {}: {}", phase.name, phase.repeat, line.label),
                };
                match curves.iter_mut().find(|(other, _)| *other == what) {
                    Some((_, lines)) => lines.push(line),
                    None => curves.push((what, vec![line])),
                }
            }
        }
    }
    curves
}

/// How fine the lines are, in words.
pub(crate) fn grain(bin: usize) -> String {
    match bin {
        1 => String::new(),
        bin => format!(
            "Points of {bin} intervals: the mean, or for percentiles the median; the band from the \
             smallest to the largest interval."
        ),
    }
}

fn far_apart(lines: &[StripLine]) -> bool {
    let values = lines.iter().flat_map(|line| &line.level.value);
    let known = values.copied().filter(|value| *value > 0.0);
    let (low, high) = known.fold((f64::INFINITY, 0.0_f64), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    high > low * FAR_APART
}

/// The rate that open loads were to make.
fn offered(result: &RunResult, unit: Unit, request_bytes: Option<f64>) -> Option<Guide> {
    let [phase] = result.phases.as_slice() else {
        return None;
    };
    let jobs = phase.jobs.iter();
    let rates = jobs.filter(|job| job.load_model == LoadModel::Open);
    let rate: f64 = rates.filter_map(|job| job.offered_iops).sum();
    let value = match unit {
        Unit::BytesPerSecond => rate * request_bytes?,
        _ => rate,
    };
    (value > 0.0).then(|| Guide {
        label: format!("offered {} IOPS", iops(rate)),
        value,
    })
}

/// The limits that were set on a percentile.
fn objectives(result: &RunResult, name: &str) -> Vec<Guide> {
    let asked = result.requirements.iter().map(|one| one.text.as_str());
    guides(asked, name)
}

/// Those of objectives that limit a percentile.
pub(crate) fn guides<'a>(texts: impl Iterator<Item = &'a str>, name: &str) -> Vec<Guide> {
    let wanted = name.parse().unwrap_or(0.0) / 100.0;
    let guide = |text: &str| {
        let objective: Objective = text.parse().ok()?;
        let is_meant = matches!(objective.quantity, Quantity::Quantile(share)
            if (share - wanted).abs() < 1e-9);
        is_meant.then(|| Guide {
            label: format!("objective {objective}"),
            value: objective.limit.0 as f64,
        })
    };
    texts.filter_map(guide).collect()
}

/// All intervals of a run on one axis.
struct Span<'a> {
    /// Each phase with the start of its warm-up on the axis.
    phases: Vec<(u64, &'a PhaseResult)>,
    clock: Clock,
}

impl<'a> Span<'a> {
    fn of(result: &'a RunResult) -> Option<Self> {
        let begin = |phase: &PhaseResult| phase.start_ns.saturating_sub(phase.warm_up_ns);
        let first = result.phases.iter().map(begin).min()?;
        let begins = result.phases.iter().map(|phase| begin(phase) - first);
        let phases: Vec<&PhaseResult> = result.phases.iter().collect();
        Self::over(&begins.collect::<Vec<_>>(), &phases)
    }

    /// Phases that begin at these places; none where they have no course, as of some imports.
    fn over(begins: &[u64], phases: &[&'a PhaseResult]) -> Option<Self> {
        let phases: Vec<_> = begins.iter().copied().zip(phases.iter().copied()).collect();
        let slices = phases
            .iter()
            .enumerate()
            .flat_map(|(index, (begin, phase))| {
                phase.intervals.iter().map(move |interval| Slice {
                    start_ns: begin + interval.start_ns,
                    length_ns: interval.length_ns,
                    part: interval.part,
                    phase: index,
                })
            });
        let slices: Vec<Slice> = slices.collect();
        (!slices.is_empty()).then(|| Self {
            phases,
            clock: Clock::new(slices, MOST),
        })
    }

    fn ops(&self) -> Vec<Op> {
        let has = |op: &Op| {
            let mut jobs = self.phases.iter().flat_map(|(_, phase)| &phase.jobs);
            jobs.any(|job| job.ops.get(*op).is_some())
        };
        let all = Op::ALL.into_iter().filter(has);
        all.filter(|op| *op != Op::Flush).collect()
    }

    /// Bytes a second where any phase moves large blocks, and the bytes of a request where all
    /// have the same.
    fn unit(&self) -> (Unit, Option<f64>) {
        let mut sizes: Vec<f64> = Vec::new();
        for (_, phase) in &self.phases {
            for job in &phase.jobs {
                let moved = job
                    .ops
                    .present()
                    .filter(|(op, one)| *op != Op::Flush && one.ios > 0);
                sizes.extend(moved.map(|(_, one)| one.bytes as f64 / one.ios as f64));
            }
        }
        let largest = sizes.iter().copied().fold(0.0, f64::max);
        let least = sizes.iter().copied().fold(f64::INFINITY, f64::min);
        let unit = if largest >= LARGE_BYTES {
            Unit::BytesPerSecond
        } else {
            Unit::Iops
        };
        let is_one = largest > 0.0 && (largest - least).abs() < 0.5;
        (unit, is_one.then_some(largest))
    }

    fn line(&self, label: &str, role: &str, values: &[f64], reduce: Reduce) -> StripLine {
        StripLine {
            label: label.to_owned(),
            role: role.to_owned(),
            level: self.clock.level(values, reduce),
        }
    }

    /// Requests or bytes a second of an operation, or of all, in each interval.
    fn rates(&self, op: Option<Op>, unit: Unit) -> Vec<f64> {
        let amount = |one: &IntervalOp| match unit {
            Unit::BytesPerSecond => one.bytes,
            _ => one.ios,
        };
        let mut values = Vec::new();
        for (_, phase) in &self.phases {
            let streams = stream::together(phase).into_iter();
            let own = streams.filter(|one| one.op != Op::Flush);
            let own: Vec<Stream> = own.filter(|one| op.is_none_or(|op| op == one.op)).collect();
            values.extend(phase.intervals.iter().map(|interval| {
                if own.is_empty() {
                    return f64::NAN;
                }
                let ops = own.iter().flat_map(|stream| stream.ops(&interval.jobs));
                let sum: u64 = ops.map(amount).sum();
                sum as f64 / (interval.length_ns.max(1) as f64 / 1e9)
            }));
        }
        values
    }

    /// The percentile that most intervals support, and its lines.
    fn times(&self, ops: &[Op]) -> (&'static str, Vec<StripLine>) {
        let of = |name: &'static str| -> Vec<(Op, Vec<f64>)> {
            ops.iter()
                .map(|op| (*op, self.percentiles(*op, name)))
                .collect()
        };
        let share = |found: &[(Op, Vec<f64>)]| {
            let all = found.iter().flat_map(|(_, values)| values);
            all.filter(|value| value.is_finite()).count()
        };
        let tried = PERCENTILES.map(|name| (name, of(name)));
        // Where p99 is known for half as many intervals as p50 it is the better line.
        let [best, rest] = &tried;
        let (name, found) = if 2 * share(&best.1) >= share(&rest.1) {
            best
        } else {
            rest
        };
        let known = found.iter();
        let known = known.filter(|(_, values)| values.iter().any(|value| value.is_finite()));
        let line =
            |(op, values): &(Op, Vec<f64>)| self.line(op.name(), op.name(), values, Reduce::Median);
        (name, known.map(line).collect())
    }

    fn percentiles(&self, op: Op, name: &str) -> Vec<f64> {
        let mut values = Vec::new();
        for (_, phase) in &self.phases {
            let streams = stream::together(phase);
            let Some(own) = streams.iter().find(|one| one.op == op) else {
                values.extend(phase.intervals.iter().map(|_| f64::NAN));
                continue;
            };
            let value = |summary: &LatencySummary| {
                let value = summary.percentile(name);
                value.map_or(f64::NAN, |value| value as f64)
            };
            values.extend(course::summaries(phase, own).iter().map(value));
        }
        values
    }

    /// The percentile of the operation that has the highest, in each interval.
    fn slowest(&self, name: &str) -> Vec<f64> {
        let all: Vec<Vec<f64>> = self
            .ops()
            .iter()
            .map(|op| self.percentiles(*op, name))
            .collect();
        let count = all.iter().map(Vec::len).max().unwrap_or(0);
        let at = |index| {
            let values = all.iter().filter_map(|values: &Vec<f64>| values.get(index));
            values.copied().fold(f64::NAN, f64::max)
        };
        (0..count).map(at).collect()
    }

    /// Values of this run's intervals at those of another that begin at the same time.
    fn placed(&self, values: &[f64], other: &Self) -> Vec<f64> {
        let starts = |span: &Self| -> Vec<(u64, u64)> {
            let intervals = span.phases.iter().flat_map(|(begin, phase)| {
                let intervals = phase.intervals.iter();
                intervals
                    .map(move |one| (begin + one.start_ns, begin + one.start_ns + one.length_ns))
            });
            intervals.collect()
        };
        let own = starts(self);
        let mut at = 0;
        let mut placed = Vec::new();
        for (from, to) in starts(other) {
            let middle = u64::midpoint(from, to);
            while at < own.len() && own[at].1 <= middle {
                at += 1;
            }
            let here = own.get(at).filter(|(begin, _)| *begin <= middle);
            let value = here.and_then(|_| values.get(at)).copied();
            placed.push(value.unwrap_or(f64::NAN));
        }
        placed
    }

    fn axis(&self) -> TimeAxis {
        let mut axis = TimeAxis {
            ticks: self.clock.ticks(),
            bin: self.clock.bin(),
            ..TimeAxis::default()
        };
        for (index, (begin, phase)) in self.phases.iter().enumerate() {
            let end = begin + course::length_ns(phase);
            axis.end_s = axis.end_s.max(end as f64 / 1e9);
            axis.shades.extend(course::shades(phase, *begin, end));
            if self.phases.len() > 1 {
                axis.marks.push(Mark {
                    at_s: *begin as f64 / 1e9,
                    label: format!("{} {}", index + 1, phase.name),
                    is_phase: true,
                });
            }
            axis.marks.extend(falls(phase, *begin));
        }
        axis
    }
}

/// Where a phase fell, and what made it: as a model knows, or most likely.
fn falls(phase: &PhaseResult, begin_ns: u64) -> Vec<Mark> {
    let known = phase.bound.iter().flat_map(|bound| &bound.falls);
    let measured_s = (begin_ns + phase.warm_up_ns) as f64 / 1e9;
    let known = known.map(|fall| Mark {
        at_s: measured_s + fall.at_s,
        label: format!(
            "{}: {}",
            fell(fall.before_iops, fall.after_iops),
            fall.cause
        ),
        is_phase: false,
    });
    let known: Vec<Mark> = known.collect();
    if known.is_empty() {
        found(phase, measured_s).into_iter().collect()
    } else {
        known
    }
}

fn fell(before: f64, after: f64) -> String {
    let lost = percent(100.0 * (before - after) / before.max(1.0));
    format!("falls by {lost}")
}

/// Where a phase fell by its rates, and what most likely made it.
fn found(phase: &PhaseResult, measured_s: f64) -> Option<Mark> {
    let bound = phase.bound.as_ref()?;
    let cause = bound.culprits.first();
    let cause = cause.map(|one| format!(", most like {}", one.mechanism.words()));
    let words = |before: f64, after: f64, cause: &str| format!("{}{cause}", fell(before, after));
    let (at_s, label) = match (&bound.bucket, &bound.fall) {
        (Some(bucket), _) => {
            let cause = cause.unwrap_or_else(|| ": a burst bucket is empty".to_owned());
            let label = words(bucket.burst_iops, bucket.baseline_iops, &cause);
            (bucket.cliff_s, label)
        }
        (None, Some(fall)) => {
            let label = words(
                fall.before_iops,
                fall.after_iops,
                &cause.unwrap_or_default(),
            );
            (fall.at_s, label)
        }
        (None, None) => return None,
    };
    Some(Mark {
        at_s: measured_s + at_s,
        label,
        is_phase: false,
    })
}
