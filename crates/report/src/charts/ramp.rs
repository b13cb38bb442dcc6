//! Latency against throughput, where phases differ in nothing but the number of outstanding
//! requests, of threads, or the rate.

use super::course::Guide;
use super::sides::{Range, Runs};
use super::{Unit, hero};
use crate::figure;
use fathom_core::SmallSort as _;
use fathom_core::result::{
    EndReason, LoadModel, OpResult, PhaseResult, RampAxis, RampReport, RampStep, RunResult,
    StepPurpose,
};
use fathom_core::spec::{Job, Pacing, Phase};
use fathom_core::units::{Nanos, Rate};

/// Steps that make a ramp.
const LEAST_STEPS: usize = 3;

/// Requests of this size and more are shown in bytes a second.
const LARGE_BYTES: u64 = 64 << 10;

/// Curves of latency over throughput.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ramp {
    /// What differs from step to step.
    pub(crate) knob: &'static str,
    /// The unit of the throughput.
    pub(crate) unit: Unit,
    pub(crate) lines: Vec<RampLine>,
    /// What p99 was to keep.
    pub(crate) guides: Vec<Guide>,
}

/// The steps of one ramp.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RampLine {
    pub(crate) label: String,
    /// The knob in words, rising.
    pub(crate) step: Vec<String>,
    pub(crate) throughput: Vec<f64>,
    pub(crate) mean_ns: Vec<f64>,
    pub(crate) p99_ns: Vec<f64>,
}

/// What steps differ in.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Knobs {
    depth: f64,
    threads: f64,
    rate: f64,
}

/// One phase with its knobs.
struct Step<'a> {
    label: &'a str,
    knobs: Knobs,
    phase: &'a PhaseResult,
}

/// The ramps among the phases of runs, each with the label of its side.
pub(crate) fn of(sides: &[Runs<'_>]) -> Vec<Ramp> {
    let all = sides.iter();
    let all = all.flat_map(|side| side.runs.iter().map(|run| (side.label, *run)));
    let runs: Vec<(&str, &RunResult)> = all.collect();
    let mut ramps = walked(&runs);
    // Phases that are the same but for the knobs.
    let mut alike: Vec<(Phase, Vec<Step<'_>>)> = Vec::new();
    let unwalked = runs.iter().filter(|(_, run)| run.ramp.is_none());
    for (label, run) in unwalked {
        for phase in &run.phases {
            let specs = &run.provenance.workload.phases;
            let Some(spec) = specs.iter().find(|spec| spec.name == phase.name) else {
                continue;
            };
            let step = Step {
                label,
                knobs: Knobs::of(spec),
                phase,
            };
            let plain = without_knobs(spec);
            match alike.iter_mut().find(|(other, _)| *other == plain) {
                Some((_, steps)) => steps.push(step),
                None => alike.push((plain, vec![step])),
            }
        }
    }
    ramps.extend(alike.into_iter().filter_map(|(_, steps)| ramp(steps)));
    ramps
}

/// What `fathom ramp` walked: a chart for each axis, a line for each side.
fn walked(runs: &[(&str, &RunResult)]) -> Vec<Ramp> {
    let axes = [RampAxis::QueueDepth, RampAxis::Threads, RampAxis::Rate];
    let of_axis = |axis: RampAxis| {
        let reports = runs.iter().filter_map(|(label, run)| {
            let report = run.ramp.as_ref().filter(|report| report.axis == axis)?;
            Some((*label, report))
        });
        let reports: Vec<(&str, &RampReport)> = reports.collect();
        let steps = || reports.iter().flat_map(|(_, report)| &report.steps);
        let ios: f64 = steps().map(|step| step.iops).sum();
        let bytes: f64 = steps().map(|step| step.bytes_per_second).sum();
        let unit = if bytes >= ios * LARGE_BYTES as f64 {
            Unit::BytesPerSecond
        } else {
            Unit::Iops
        };
        let lines = reports
            .iter()
            .map(|(label, report)| walked_line(label, report, unit));
        let lines = together(lines.collect());
        let answers = reports
            .iter()
            .filter_map(|(_, report)| report.answer.as_ref());
        let asked = answers.take(1).flat_map(|answer| &answer.objectives);
        (ios > 0.0).then_some(Ramp {
            knob: axis.word(),
            unit,
            lines,
            guides: hero::guides(asked.map(String::as_str), "99"),
        })
    };
    axes.into_iter().filter_map(of_axis).collect()
}

/// The lines of one label with the same steps as one, of their medians. Runs that searched a rate
/// made steps of their own, and stay apart with numbers.
fn together(lines: Vec<RampLine>) -> Vec<RampLine> {
    let mut groups: Vec<Vec<RampLine>> = Vec::new();
    for line in lines {
        let same =
            |group: &&mut Vec<RampLine>| group[0].label == line.label && group[0].step == line.step;
        match groups.iter_mut().find(same) {
            Some(group) => group.push(line),
            None => groups.push(vec![line]),
        }
    }
    let labels: Vec<String> = groups.iter().map(|group| group[0].label.clone()).collect();
    let groups = groups.into_iter().enumerate();
    groups
        .map(|(index, group)| {
            let of = |values: fn(&RampLine) -> &Vec<f64>| -> Vec<f64> {
                let at = |at: usize| group.iter().map(move |line| values(line)[at]);
                let steps = 0..group[0].step.len();
                steps.map(|step| Range::of(at(step)).middle).collect()
            };
            let same = |other: &&String| **other == labels[index];
            let is_alone = labels.iter().filter(same).count() == 1;
            let number = labels[..=index].iter().filter(same).count();
            let label = if is_alone {
                labels[index].clone()
            } else {
                format!("{} {number}", labels[index])
            };
            RampLine {
                label,
                throughput: of(|line| &line.throughput),
                mean_ns: of(|line| &line.mean_ns),
                p99_ns: of(|line| &line.p99_ns),
                step: group[0].step.clone(),
            }
        })
        .collect()
}

/// The curve, without the steps of the search and the closed load before it.
fn walked_line(label: &str, report: &RampReport, unit: Unit) -> RampLine {
    let drawn = [StepPurpose::Curve, StepPurpose::Verify];
    let mut steps: Vec<_> = report.steps.iter().collect();
    steps.retain(|step| drawn.contains(&step.purpose));
    steps.small_sort_by(|a, b| a.value.total_cmp(&b.value));
    let latency = |step: &RampStep, value: Option<f64>| {
        value.filter(|_| !step.overloaded).unwrap_or(f64::NAN)
    };
    RampLine {
        label: label.to_owned(),
        step: steps
            .iter()
            .map(|step| knob(report.axis, step.value))
            .collect(),
        throughput: steps
            .iter()
            .map(|step| match unit {
                Unit::BytesPerSecond => step.bytes_per_second,
                _ => step.iops,
            })
            .collect(),
        mean_ns: steps
            .iter()
            .map(|step| latency(step, step.mean_ns))
            .collect(),
        p99_ns: steps
            .iter()
            .map(|step| latency(step, step.p99_ns.map(|value| value as f64)))
            .collect(),
    }
}

/// A place on the axis, in words.
fn knob(axis: RampAxis, value: f64) -> String {
    match axis {
        RampAxis::Rate => figure::iops(value),
        RampAxis::BlockSize => figure::size(value as u64),
        RampAxis::QueueDepth | RampAxis::Threads => value.to_string(),
    }
}

impl Knobs {
    fn of(phase: &Phase) -> Self {
        let jobs = || phase.jobs.iter();
        Self {
            depth: jobs().map(|job| f64::from(job.queue_depth)).sum(),
            threads: jobs().map(|job| f64::from(job.threads)).sum(),
            rate: jobs().filter_map(rate).sum(),
        }
    }
}

fn rate(job: &Job) -> Option<f64> {
    match job.pacing {
        Pacing::Open { rate, .. } => Some(rate.per_second()),
        _ => None,
    }
}

fn without_knobs(phase: &Phase) -> Phase {
    let mut plain = phase.clone();
    plain.name.clear();
    plain.warm_up = Nanos::ZERO;
    plain.duration = None;
    for job in &mut plain.jobs {
        job.name.clear();
        job.queue_depth = 1;
        job.threads = 1;
        if let Pacing::Open { rate, .. } = &mut job.pacing {
            *rate = Rate::Iops(1.0);
        }
    }
    plain
}

fn ramp(mut steps: Vec<Step<'_>>) -> Option<Ramp> {
    type Knob = (&'static str, fn(&Knobs) -> f64);
    let knobs: [Knob; 3] = [
        ("rate", |knobs| knobs.rate),
        ("queue depth", |knobs| knobs.depth),
        ("threads", |knobs| knobs.threads),
    ];
    let differs = |(_, value): &&Knob| {
        let mut values: Vec<f64> = steps.iter().map(|step| value(&step.knobs)).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        values.len() >= LEAST_STEPS
    };
    let (knob, value) = *knobs.iter().find(differs)?;
    steps.small_sort_by(|a, b| value(&a.knobs).total_cmp(&value(&b.knobs)));
    let (ios, bytes) = steps
        .iter()
        .flat_map(|step| ops(step.phase))
        .fold((0, 0), |(ios, bytes), (_, op)| {
            (ios + op.ios, bytes + op.bytes)
        });
    let unit = if bytes / ios.max(1) >= LARGE_BYTES {
        Unit::BytesPerSecond
    } else {
        Unit::Iops
    };
    Some(Ramp {
        knob,
        unit,
        lines: lines(&steps, value, unit),
        guides: Vec::new(),
    })
}

/// A line for each run that has enough steps itself, else one over all runs.
fn lines(steps: &[Step<'_>], value: fn(&Knobs) -> f64, unit: Unit) -> Vec<RampLine> {
    let mut labels: Vec<&str> = Vec::new();
    for step in steps {
        if !labels.contains(&step.label) {
            labels.push(step.label);
        }
    }
    let of = |label: &str| {
        steps
            .iter()
            .filter(|step| step.label == label)
            .collect::<Vec<_>>()
    };
    if labels.iter().all(|label| of(label).len() >= LEAST_STEPS) {
        return labels
            .iter()
            .map(|label| line(label, &of(label), value, unit))
            .collect();
    }
    let all: Vec<_> = steps.iter().collect();
    vec![line("all runs", &all, value, unit)]
}

/// The steps, rising; those that are the same in several runs or repetitions are one, their median.
fn line(label: &str, steps: &[&Step<'_>], value: fn(&Knobs) -> f64, unit: Unit) -> RampLine {
    let mut line = RampLine {
        label: label.to_owned(),
        step: Vec::new(),
        throughput: Vec::new(),
        mean_ns: Vec::new(),
        p99_ns: Vec::new(),
    };
    let rate = |op: &OpResult| match unit {
        Unit::BytesPerSecond => op.bytes_per_second,
        _ => op.iops,
    };
    let is_same = |one: &&Step<'_>, other: &&Step<'_>| {
        value(&one.knobs).to_bits() == value(&other.knobs).to_bits()
    };
    for same in steps.chunk_by(is_same) {
        let middle = |of: &dyn Fn(&PhaseResult) -> f64| {
            Range::of(same.iter().map(|step| of(step.phase))).middle
        };
        let or_nan = |time: Option<f64>| time.unwrap_or(f64::NAN);
        line.step.push(words(value(&same[0].knobs)));
        line.throughput
            .push(middle(&|phase| ops(phase).map(|(_, op)| rate(op)).sum()));
        line.mean_ns.push(middle(&|phase| or_nan(latency(phase).0)));
        line.p99_ns.push(middle(&|phase| or_nan(latency(phase).1)));
    }
    line
}

/// A number of requests or threads as it is; a rate that was computed, rounded.
fn words(value: f64) -> String {
    if value.fract() == 0.0 {
        value.to_string()
    } else {
        figure::iops(value)
    }
}

fn ops(phase: &PhaseResult) -> impl Iterator<Item = (bool, &OpResult)> {
    phase.jobs.iter().flat_map(|job| {
        let open = job.load_model == LoadModel::Open;
        job.ops.present().map(move |(_, op)| (open, op))
    })
}

/// Mean and 99th percentile over all operations. A step that fell behind its schedule has none:
/// its times grow with its length.
fn latency(phase: &PhaseResult) -> (Option<f64>, Option<f64>) {
    if phase.ended_by == EndReason::Overloaded {
        return (None, None);
    }
    let summaries = ops(phase).map(|(open, op)| {
        if open {
            &op.response_ns
        } else {
            &op.service_ns
        }
    });
    let (count, sum) = summaries.fold((0, 0.0), |(count, sum), one| {
        (count + one.count, sum + one.mean * one.count as f64)
    });
    let mean = (count > 0).then(|| sum / count as f64);
    let mut all = fathom_core::Histogram::new();
    for (open, op) in ops(phase) {
        let stored = if open {
            &op.response_histogram
        } else {
            &op.service_histogram
        };
        match stored.as_ref().and_then(|stored| stored.decode().ok()) {
            Some(one) => all.add(&one),
            None => return (mean, None),
        }
    }
    let p99 = all.summary().percentile("99").map(|value| value as f64);
    (mean, p99)
}
