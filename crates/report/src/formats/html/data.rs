//! What the page's script draws: sections with charts, as JSON.

use crate::charts::clock::{Clock, Seconds, Ticks};
use crate::charts::course::{self, Course};
use crate::charts::{Body, Chart, Unit, bars, curve, heat_map, machine, ramp, stream};
use crate::figure::{count, duration, plural};
use fathom_core::result::{PhaseResult, RunResult};
use serde::Serialize;

/// Heat maps of jobs apart; more are put together.
const MAPS_APART: usize = 4;

/// All of the page's data.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Data {
    pub(crate) sections: Vec<Section>,
}

/// Charts that belong together; those over time share their zoom.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Section {
    pub(crate) id: String,
    /// Stands on exported pictures: what, of which run, how far it may be trusted.
    pub(crate) caption: String,
    /// The time that is drawn, if there is any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) time: Option<Time>,
    pub(crate) charts: Vec<Chart>,
}

/// The time axis of a phase, seconds after its begin.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Time {
    pub(crate) end_s: Seconds,
    /// Where the measured time begins and ends; what is outside is warm-up and cool-down.
    pub(crate) measured_s: (Seconds, Seconds),
    pub(crate) load: Vec<Ticks>,
    pub(crate) machine: Vec<Ticks>,
}

/// Charts in the making, numbered within their section.
struct Charts {
    section: String,
    charts: Vec<Chart>,
}

impl Charts {
    fn new(section: &str) -> Self {
        Self {
            section: section.to_owned(),
            charts: Vec::new(),
        }
    }

    fn push(&mut self, title: &str, note: impl Into<String>, body: Body) {
        self.charts.push(Chart {
            id: format!("{}-c{}", self.section, self.charts.len() + 1),
            title: title.to_owned(),
            note: note.into(),
            body,
        });
    }

    fn push_course(&mut self, title: &str, note: impl Into<String>, course: Course) {
        if !course.strips.is_empty() {
            self.push(title, note, Body::Course(course));
        }
    }

    fn push_bars(&mut self, title: &str, note: &str, bars: bars::Bars) {
        let known = bars.series.iter().flat_map(|series| &series.value);
        if known.into_iter().any(|value| value.0.is_finite()) {
            self.push(title, note, Body::Bars(bars));
        }
    }
}

const OF_INTERVALS: &str = "Whiskers: one standard deviation over the intervals; over repeats the \
                            smallest and the largest.";
const OF_REQUESTS: &str = "Whiskers: 95 % interval, if requests were independent; over repeats \
                           the smallest and the largest.";

/// What several runs, or several phases, look like beside each other; none for a single phase.
pub(crate) fn overview(id: &str, runs: &[(&str, &RunResult)], caption: String) -> Option<Section> {
    let mut charts = Charts::new(id);
    let metrics = [
        ("IOPS", OF_INTERVALS, bars::Metric::Iops),
        (
            "Throughput, MB/s",
            OF_INTERVALS,
            bars::Metric::BytesPerSecond,
        ),
        ("Mean latency", OF_REQUESTS, bars::Metric::Mean),
        ("99th percentile of latency", OF_REQUESTS, bars::Metric::P99),
    ];
    for ramp in ramp::of(runs) {
        let title = format!("Latency against throughput, by {}", ramp.knob);
        let note = "Solid: mean; dashed: p99. Steps that fell behind their schedule have no \
                    latency.";
        charts.push(&title, note, Body::Ramp(ramp));
    }
    match runs {
        [(_, run)] if run.phases.len() < 2 || run.ramp.is_some() => {}
        [(_, run)] => {
            for (title, note, metric) in metrics {
                charts.push_bars(title, note, bars::of_phases(run, metric));
            }
        }
        runs => {
            for (title, note, metric) in metrics {
                charts.push_bars(title, note, bars::of_runs(runs, metric));
            }
        }
    }
    (!charts.charts.is_empty()).then(|| Section {
        id: id.to_owned(),
        caption,
        time: None,
        charts: charts.charts,
    })
}

/// The charts of one phase.
pub(crate) fn phase(
    id: &str,
    result: &RunResult,
    phase: &PhaseResult,
    points: usize,
    caption: String,
) -> Section {
    let mut charts = Charts::new(id);
    let load = course::clock(phase, points);
    if !phase.intervals.is_empty() {
        over_time(&mut charts, result, phase, &load);
    }
    let curve = curve::of(phase);
    if !curve.lines.is_empty() {
        let note = "To the last percentile with ten requests beyond it.";
        charts.push("Latency by percentile", note, Body::Curve(curve));
    }
    let machine = machine::clock(phase, points);
    if !phase.machine.is_empty() {
        of_machine(&mut charts, result, phase, &machine);
    }
    Section {
        id: id.to_owned(),
        caption,
        time: (!phase.intervals.is_empty() || !phase.machine.is_empty())
            .then(|| time(phase, &load, &machine)),
        charts: charts.charts,
    }
}

fn over_time(charts: &mut Charts, result: &RunResult, phase: &PhaseResult, clock: &Clock) {
    let knows = |field: &str| result.provenance.origin.knows(field);
    let grain = grain(clock);
    let rates = [
        ("IOPS over time", Unit::Iops, "iops"),
        (
            "Throughput over time",
            Unit::BytesPerSecond,
            "bytes_per_second",
        ),
    ];
    for (title, unit, field) in rates {
        if !knows(field) {
            continue;
        }
        let course = match unit {
            Unit::Iops => course::rates(phase, clock, unit, |op| op.ios),
            _ => course::rates(phase, clock, unit, |op| op.bytes),
        };
        charts.push_course(title, grain.clone(), course);
    }
    let note = format!(
        "Percentiles of each interval, as far as its requests support them.{}",
        if clock.finest() > 1 {
            " In a bin: the middle one of its intervals, between the smallest and the largest."
        } else {
            ""
        }
    );
    charts.push_course("Latency over time", note, course::latencies(phase, clock));
    for stream in stream::streams(phase, MAPS_APART) {
        if let Some(map) = heat_map::of(phase, &stream) {
            let title = format!("Spread of latency over time: {}", map.label);
            let column = match map.column_intervals {
                1 => "one interval".to_owned(),
                several => plural(several as u64, "interval"),
            };
            let note = format!(
                "Requests by time and latency; a column is {column}, a band a twelfth of a power \
                 of ten."
            );
            charts.push(&title, note, Body::HeatMap(map));
        }
    }
    if knows("queue_depth_held") {
        let held = course::outstanding(phase, clock);
        let note = "Mean of each interval: the integral of outstanding requests over its length.";
        charts.push_course("Outstanding requests held", note, held);
    }
}

fn of_machine(charts: &mut Charts, result: &RunResult, phase: &PhaseResult, clock: &Clock) {
    let (names, left) = machine::devices(result, phase);
    let mut note = "What the block devices themselves counted, whoever it was for.".to_owned();
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
    let note = "Shares of the machine's processor time; fathom's own is part of them.";
    charts.push_course("Processors", note, machine::processors(phase, clock));
    let note = "At the end of each interval.";
    charts.push_course("Levels", note, machine::gauges(phase, clock));
}

/// How fine the lines are, in words.
fn grain(clock: &Clock) -> String {
    match clock.finest() {
        1 => String::new(),
        bin => format!(
            "Bins of {} intervals or more: the mean, between the smallest and the largest \
             interval.",
            count(bin as u64)
        ),
    }
}

fn time(phase: &PhaseResult, load: &Clock, machine: &Clock) -> Time {
    let begin = phase.warm_up_ns;
    let end = begin + phase.measured_ns;
    Time {
        end_s: Seconds((end + phase.cool_down_ns).max(load.end_ns())),
        measured_s: (Seconds(begin), Seconds(end)),
        load: load.ticks(),
        machine: machine.ticks(),
    }
}

/// What stands on exported pictures.
pub(crate) fn caption(result: &RunResult, phase: Option<&PhaseResult>) -> String {
    let provenance = &result.provenance;
    let mut parts = vec![provenance.workload.name.clone()];
    if let Some(phase) = phase.filter(|_| result.phases.len() > 1) {
        parts.push(crate::formats::text::phase_label(result, phase));
    }
    if let Some(phase) = phase {
        parts.push(format!("{} measured", duration(phase.measured_ns)));
    }
    parts.push(result.state.word().to_owned());
    if !provenance.origin.is_measured() {
        parts.push(provenance.origin.word().to_owned());
    }
    parts.push(result.run_id.clone());
    parts.join(" · ")
}
