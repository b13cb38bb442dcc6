//! A result from the journal of a run whose process is gone.

use crate::journal::Entry;
use fathom_core::Op;
use fathom_core::histogram::Histogram;
use fathom_core::interval::Part;
use fathom_core::result::{
    EncodedHistogram, EndReason, IntervalJob, IntervalOp, IntervalResult, JobResult, LoadModel,
    OpResult, PhaseResult, Provenance, RunResult,
};
use fathom_core::spec::{Job, Pacing, Phase, QueueScope};
use fathom_core::summary::{LatencySummary, Spread};

/// The result, not judged; none if not even the start was recorded.
pub(crate) fn rebuild(run_id: String, entries: Vec<Entry>) -> Option<RunResult> {
    let mut entries = entries.into_iter();
    let Some(Entry::Begin { provenance }) = entries.next() else {
        return None;
    };
    let mut result = RunResult::unjudged(run_id, *provenance, Vec::new());
    result.provenance.rebuilt = true;
    let mut specs: Vec<Phase> = Vec::new();
    let mut open: Option<OpenPhase> = None;
    for entry in entries {
        match entry {
            // There is one, and it was first.
            Entry::Begin { .. } => {}
            Entry::Prepared { targets, caveats } => {
                result.provenance.targets = targets;
                result.caveats = caveats;
            }
            Entry::Phase {
                spec,
                repeat,
                targets,
                begin_ns,
            } => {
                specs.push((*spec).clone());
                open = Some(OpenPhase {
                    spec: *spec,
                    repeat,
                    targets,
                    begin_ns,
                    intervals: Vec::new(),
                });
            }
            Entry::Interval { interval } => {
                if let Some(open) = &mut open {
                    open.intervals.push(*interval);
                }
            }
            Entry::Done { result: done } => {
                open = None;
                result.phases.push(*done);
            }
        }
    }
    if let Some(open) = open {
        let phase = open.close(&result.provenance);
        result.phases.push(phase);
    }
    // Phases that were decided on the way are not in the workload as it was asked for.
    let phases = &mut result.provenance.workload.phases;
    if specs.iter().any(|spec| !phases.contains(spec)) {
        *phases = specs;
    }
    Some(result)
}

/// A phase that had begun and not ended.
struct OpenPhase {
    spec: Phase,
    repeat: u32,
    targets: Vec<Vec<String>>,
    begin_ns: u64,
    intervals: Vec<IntervalResult>,
}

impl OpenPhase {
    fn close(self, provenance: &Provenance) -> PhaseResult {
        let length_of = |part: Part| -> u64 {
            let intervals = self.intervals.iter().filter(|one| one.part == part);
            intervals.map(|one| one.length_ns).sum()
        };
        let (warm_up_ns, measured_ns) = (length_of(Part::WarmUp), length_of(Part::Measure));
        let jobs = self.spec.jobs.iter().enumerate().map(|(index, job)| {
            let targets = self.targets.get(index).cloned().unwrap_or_default();
            self.job(index as u32, job, targets, measured_ns, provenance)
        });
        PhaseResult {
            repeat: self.repeat,
            start_ns: self.begin_ns + warm_up_ns,
            warm_up_ns,
            measured_ns,
            cool_down_ns: length_of(Part::CoolDown),
            ended_by: EndReason::Interrupted,
            jobs: jobs.collect(),
            intervals: self.intervals,
            ..PhaseResult::empty(&self.spec.name)
        }
    }

    fn job(
        &self,
        index: u32,
        job: &Job,
        targets: Vec<String>,
        measured_ns: u64,
        provenance: &Provenance,
    ) -> JobResult {
        let measured = || {
            let intervals = self
                .intervals
                .iter()
                .filter(|one| one.part == Part::Measure);
            intervals.filter_map(move |one| {
                let job = one.jobs.iter().find(|job| job.job == index)?;
                Some((one.length_ns, job))
            })
        };
        let threads = u64::from(job.threads);
        let lanes = match job.queue_scope {
            QueueScope::PerTarget => targets.len().max(1) as u64,
            QueueScope::Shared => 1,
        };
        let queue_depth = threads * u64::from(job.queue_depth) * lanes;
        let mut result = JobResult {
            name: job.name.clone(),
            load_model: match job.pacing {
                Pacing::Closed { .. } => LoadModel::Closed,
                Pacing::Open { .. } => LoadModel::Open,
                Pacing::Cyclic { .. } | Pacing::Triggered { .. } => LoadModel::Bursts,
            },
            targets,
            threads: job.threads,
            active_ns: measured_ns,
            queue_depth,
            queue_depth_possible: match provenance.engine.kind() {
                Some(kind) if !kind.capabilities().batches => threads,
                _ => queue_depth,
            },
            queue_depth_held: held(measured()),
            ..JobResult::default()
        };
        let whole_ns = provenance.workload.interval.0;
        for op in Op::ALL {
            let entries = measured().filter_map(|(length, job)| Some((length, job.ops.get(op)?)));
            result.ops[op] = sum(entries, measured_ns, whole_ns);
        }
        let ops = || result.ops.present().map(|(_, one)| one);
        (result.completed, result.failed) = (
            ops().map(|one| one.ios).sum(),
            ops().map(|one| one.errors).sum(),
        );
        result.submitted = result.completed + result.failed;
        result
    }
}

/// Mean number of outstanding requests over intervals of unlike lengths.
fn held<'a>(intervals: impl Iterator<Item = (u64, &'a IntervalJob)>) -> f64 {
    let (mut integral, mut time) = (0.0, 0.0);
    for (length_ns, job) in intervals {
        integral += job.queue_depth_held * length_ns as f64;
        time += length_ns as f64;
    }
    if time > 0.0 { integral / time } else { 0.0 }
}

/// One operation over all intervals, each with its length.
fn sum<'a>(
    intervals: impl Iterator<Item = (u64, &'a IntervalOp)>,
    measured_ns: u64,
    whole_ns: u64,
) -> Option<OpResult> {
    let mut result = OpResult::default();
    let (mut service, mut response) = (Histogram::new(), Histogram::new());
    let (mut iops, mut bytes_per_second) = (Vec::new(), Vec::new());
    let (mut seen, mut open) = (false, false);
    for (length_ns, one) in intervals {
        seen = true;
        result.ios += one.ios;
        result.bytes += one.bytes;
        result.errors += one.errors;
        add(&mut service, one.service_histogram.as_ref());
        add(&mut response, one.response_histogram.as_ref());
        open |= one.response_ns.is_some();
        if length_ns == whole_ns {
            let seconds = length_ns as f64 / 1e9;
            iops.push(one.ios as f64 / seconds);
            bytes_per_second.push(one.bytes as f64 / seconds);
        }
    }
    if measured_ns > 0 {
        let seconds = measured_ns as f64 / 1e9;
        result.iops = result.ios as f64 / seconds;
        result.bytes_per_second = result.bytes as f64 / seconds;
    }
    result.iops_by_interval = Spread::of(&iops);
    result.bytes_per_second_by_interval = Spread::of(&bytes_per_second);
    result.service_ns = LatencySummary::of(&service);
    result.response_ns = result.service_ns.clone();
    result.service_histogram = Some(EncodedHistogram::of(&service));
    if open {
        result.response_ns = LatencySummary::of(&response);
        result.response_histogram = Some(EncodedHistogram::of(&response));
    }
    seen.then_some(result)
}

/// A damaged histogram takes its values with it, and no more.
fn add(sum: &mut Histogram, encoded: Option<&EncodedHistogram>) {
    if let Some(histogram) = encoded.and_then(|encoded| encoded.decode().ok()) {
        sum.add(&histogram);
    }
}
