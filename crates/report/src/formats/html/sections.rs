//! Which charts a page has, and in which order.

use crate::charts::clock::Clock;
use crate::charts::course::{self, TimeStrips};
use crate::charts::sides::{self, Runs};
use crate::charts::{
    Body, Chart, Unit, bars, curve, heat_map, hero, host_map, machine, ramp, stream,
};
use crate::figure::plural;
use fathom_core::Op;
use fathom_core::result::{PhaseResult, ResultField, RunResult};

/// Heat maps of jobs apart; more are put together.
const MAPS_APART: usize = 4;

/// Charts in the making.
#[derive(Default)]
struct Charts(Vec<Chart>);

impl Charts {
    fn push(&mut self, title: &str, note: impl Into<String>, body: Body) {
        self.0.push(Chart {
            title: title.to_owned(),
            note: note.into(),
            body,
        });
    }

    fn push_course(&mut self, title: &str, note: impl Into<String>, course: TimeStrips) {
        if !course.strips.is_empty() {
            self.push(title, note, Body::Course(course));
        }
    }

    fn push_bars(&mut self, title: &str, note: &str, bars: bars::Bars) {
        let mut known = bars.series.iter().flat_map(|series| &series.value);
        if known.any(|value| value.is_finite()) {
            self.push(title, note, Body::Bars(bars));
        }
    }
}

const OF_INTERVALS: &str = "Whiskers: one standard deviation over the intervals; over repetitions, \
                            minimum and maximum.";
const OF_REQUESTS: &str = "Whiskers: 95 % interval, if requests were independent; over \
                           repetitions, minimum and maximum.";

/// Charts that compare several sides, or the phases of one run; none for a single phase.
pub(super) fn overview(sides: &[Runs<'_>]) -> Vec<Chart> {
    let mut charts = Charts(hero::of_runs(if sides.len() > 1 { sides } else { &[] }));
    let metrics = [
        ("IOPS", OF_INTERVALS, bars::Metric::Iops),
        ("Throughput", OF_INTERVALS, bars::Metric::BytesPerSecond),
        ("Mean latency", OF_REQUESTS, bars::Metric::Mean),
        ("99th percentile of latency", OF_REQUESTS, bars::Metric::P99),
    ];
    // The curve of one ramp is what its page begins with.
    if sides.len() > 1 || sides::all(sides).all(|run| run.ramp.is_none()) {
        charts
            .0
            .extend(ramp::of(sides).into_iter().map(hero::ramp_chart));
    }
    let range = sides::range_note(sides, "whiskers");
    for (title, note, metric) in metrics {
        match sides {
            [alone] => {
                let run = alone.runs[0];
                if run.phases.len() > 1 && run.ramp.is_none() {
                    charts.push_bars(title, note, bars::of_phases(run, metric));
                }
            }
            sides if range.is_empty() => {
                charts.push_bars(title, note, bars::of_runs(sides, metric));
            }
            sides => charts.push_bars(title, &range, bars::of_runs(sides, metric)),
        }
    }
    charts.0
}

/// The charts of one phase: of the load, and of the machine under it.
pub(super) fn phase(result: &RunResult, phase: &PhaseResult, points: usize) -> [Vec<Chart>; 2] {
    let mut load = Charts::default();
    if !phase.intervals.is_empty() {
        over_time(&mut load, result, phase, &course::clock(phase, points));
    }
    let curve = curve::of(phase);
    if !curve.lines.is_empty() {
        let note = "Up to the last percentile with ten requests beyond it.";
        load.push("Latency by percentile", note, Body::Curve(curve));
    }
    let mut beside = Charts::default();
    if !phase.machine.is_empty() {
        let clock = machine::clock(phase, points);
        of_machine(&mut beside, result, phase, &clock);
    }
    [load.0, beside.0]
}

fn over_time(charts: &mut Charts, result: &RunResult, phase: &PhaseResult, clock: &Clock) {
    let knows = |field: ResultField| result.provenance.origin.knows(field);
    let grain = hero::grain(clock.bin());
    rates(charts, result, phase, clock);
    let note = format!(
        "Percentiles of each interval, as far as its number of requests supports them. \
                 {grain}"
    );
    charts.push_course(
        "Latency over time",
        note.trim(),
        course::latencies(phase, clock),
    );
    of_hosts(charts, result, phase, clock);
    for stream in stream::streams(phase, MAPS_APART) {
        if let Some(map) = heat_map::of(phase, &stream) {
            let title = format!("Spread of latency over time: {}", map.label);
            let column = match map.column_intervals {
                1 => "one interval".to_owned(),
                several => plural(several as u64, "interval"),
            };
            let note = format!(
                "Requests by time and latency; a column is {column}, a band is a twelfth of a \
                 power of ten."
            );
            let axis = course::TimeAxis::of(phase, clock);
            charts.push(&title, note, Body::HeatMap(axis, map));
        }
    }
    if knows(ResultField::QueueDepthHeld) {
        let held = course::outstanding(phase, clock);
        let note = "Mean of each interval: integral of the outstanding requests divided by the \
                    interval length.";
        charts.push_course("Achieved queue depth", note, held);
    }
}

/// What each of many hosts did over time.
fn of_hosts(charts: &mut Charts, result: &RunResult, phase: &PhaseResult, clock: &Clock) {
    let number = result
        .phases
        .iter()
        .position(|one| std::ptr::eq(one, phase));
    let together = result.cluster.as_ref().zip(number);
    let together = together.and_then(|(report, number)| report.phases.get(number));
    let Some(map) = together.and_then(|together| host_map::of(phase, together)) else {
        return;
    };
    let column = match map.column_intervals {
        1 => "one interval".to_owned(),
        several => plural(several as u64, "interval"),
    };
    let mut note = format!("IOPS of each host; a column is {column}.");
    if map.left_out > 0 {
        note += &format!(
            " These are the {} with the fewest; {} more left out.",
            map.hosts.len(),
            plural(map.left_out as u64, "host")
        );
    }
    let axis = course::TimeAxis::of(phase, clock);
    charts.push("Hosts over time", note, Body::HostMap(axis, map));
}

/// Requests and bytes a second: one chart with two scales where all requests have one size.
fn rates(charts: &mut Charts, result: &RunResult, phase: &PhaseResult, clock: &Clock) {
    let knows = |field: ResultField| result.provenance.origin.knows(field);
    let note = hero::grain(clock.bin());
    let size = if knows(ResultField::Iops) && knows(ResultField::BytesPerSecond) {
        request_bytes(phase)
    } else {
        None
    };
    if let Some(bytes) = size {
        let mut course = course::rates(phase, clock, Unit::Iops, |op| op.ios);
        for strip in &mut course.strips {
            let moves = strip.lines.iter().any(|line| line.role != Op::Flush.name());
            strip.request_bytes = moves.then_some(bytes);
        }
        return charts.push_course("IOPS and MB/s over time", note, course);
    }
    if knows(ResultField::Iops) {
        let course = course::rates(phase, clock, Unit::Iops, |op| op.ios);
        charts.push_course("IOPS over time", note.clone(), course);
    }
    if knows(ResultField::BytesPerSecond) {
        let course = course::rates(phase, clock, Unit::BytesPerSecond, |op| op.bytes);
        charts.push_course("Throughput over time", note, course);
    }
}

/// The size of a request, where all have the same.
fn request_bytes(phase: &PhaseResult) -> Option<f64> {
    let ops = phase.jobs.iter().flat_map(|job| job.ops.present());
    let moved = ops.filter(|(op, one)| *op != Op::Flush && one.ios > 0);
    let mut sizes = moved.map(|(_, one)| one.bytes as f64 / one.ios as f64);
    let first = sizes.next()?;
    (first > 0.0 && sizes.all(|size| (size - first).abs() < 0.5)).then_some(first)
}

fn of_machine(charts: &mut Charts, result: &RunResult, phase: &PhaseResult, clock: &Clock) {
    let (names, left) = machine::devices(result, phase);
    let mut note = "Counters of the block devices, including other programs.".to_owned();
    if left > 0 {
        note += &format!(" {} more left out.", plural(left as u64, "device"));
    }
    let titles = [
        "Device: requests over time",
        "Device: throughput over time",
        "Device: requests in flight",
    ];
    let courses = machine::device_courses(phase, clock, &names);
    for (title, course) in titles.into_iter().zip(courses) {
        charts.push_course(title, note.clone(), course);
    }
    let note = "Shares of the machine's CPU time, including fathom's own.";
    charts.push_course("Processors", note, machine::processors(phase, clock));
    let note = "At the end of each interval.";
    charts.push_course("Levels", note, machine::gauges(phase, clock));
}
