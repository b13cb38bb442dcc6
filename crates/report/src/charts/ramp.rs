//! Latency against throughput, where phases differ in nothing but the number of outstanding
//! requests, of threads, or the rate.

use super::Unit;
use super::number::{GAP, Number};
use fathom_core::result::{EndReason, LoadModel, OpResult, PhaseResult, RunResult};
use fathom_core::spec::{Job, Pacing, Phase};
use fathom_core::units::{Nanos, Rate};
use serde::Serialize;

/// Steps that make a ramp.
const LEAST_STEPS: usize = 3;

/// Requests of this size and more are told in bytes a second.
const LARGE_BYTES: u64 = 64 << 10;

/// Curves of latency over throughput.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Ramp {
    /// What differs from step to step.
    pub(crate) knob: &'static str,
    /// The unit of the throughput.
    pub(crate) unit: Unit,
    pub(crate) lines: Vec<RampLine>,
}

/// The steps of one ramp.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct RampLine {
    pub(crate) label: String,
    /// The knob in words, rising.
    pub(crate) step: Vec<String>,
    pub(crate) throughput: Vec<Number>,
    pub(crate) mean_ns: Vec<Number>,
    pub(crate) p99_ns: Vec<Number>,
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

/// The ramps among the phases of runs, each with its label.
pub(crate) fn of(runs: &[(&str, &RunResult)]) -> Vec<Ramp> {
    // Phases that are the same but for the knobs.
    let mut alike: Vec<(Phase, Vec<Step<'_>>)> = Vec::new();
    for (label, run) in runs {
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
    alike
        .into_iter()
        .filter_map(|(_, steps)| ramp(steps))
        .collect()
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
    steps.sort_by(|a, b| value(&a.knobs).total_cmp(&value(&b.knobs)));
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

fn line(label: &str, steps: &[&Step<'_>], value: fn(&Knobs) -> f64, unit: Unit) -> RampLine {
    let mut line = RampLine {
        label: label.to_owned(),
        step: Vec::new(),
        throughput: Vec::new(),
        mean_ns: Vec::new(),
        p99_ns: Vec::new(),
    };
    for step in steps {
        let rate = |op: &OpResult| match unit {
            Unit::BytesPerSecond => op.bytes_per_second,
            _ => op.iops,
        };
        line.step.push(value(&step.knobs).to_string());
        let throughput = ops(step.phase).map(|(_, op)| rate(op)).sum();
        line.throughput.push(Number(throughput));
        let (mean, p99) = latency(step.phase);
        line.mean_ns.push(mean.into());
        line.p99_ns.push(p99.map_or(GAP, Number));
    }
    line
}

fn ops(phase: &PhaseResult) -> impl Iterator<Item = (bool, &OpResult)> {
    phase.jobs.iter().flat_map(|job| {
        let open = job.load_model == LoadModel::Open;
        job.ops().map(move |(_, op)| (open, op))
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
    let mut all = fathom_core::Histogram::<u64>::new();
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
