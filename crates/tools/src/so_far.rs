//! The result of a run so far, put together from its events while it goes on.

use fathom_core::Op;
use fathom_core::histogram::Histogram;
use fathom_core::interval::Part;
use fathom_core::result::{
    EncodedHistogram, IntervalJob, IntervalResult, JobResult, OpResult, PhaseResult, Provenance,
    RunResult,
};
use fathom_core::summary::LatencySummary;

/// A run that goes on: phases that have ended, and what is known of the one that has not.
#[derive(Clone, Debug, Default)]
pub struct SoFar {
    begun: Option<(String, Provenance)>,
    ended: Vec<PhaseResult>,
    running: Option<PhaseResult>,
}

impl SoFar {
    /// The run begins.
    pub fn begin(&mut self, run_id: &str, provenance: &Provenance) {
        self.begun = Some((run_id.to_owned(), provenance.clone()));
    }

    /// A phase begins.
    pub fn phase(&mut self, name: &str, jobs: &[&str], warm_up_ns: u64) {
        let job = |name: &&str| JobResult {
            name: (*name).to_owned(),
            ..JobResult::default()
        };
        self.running = Some(PhaseResult {
            start_ns: self.ended.last().map_or(0, end_of) + warm_up_ns,
            warm_up_ns,
            jobs: jobs.iter().map(job).collect(),
            ..PhaseResult::empty(name)
        });
    }

    /// An interval of it is complete.
    pub fn interval(&mut self, interval: &IntervalResult) {
        let Some(phase) = &mut self.running else {
            return;
        };
        if interval.part != Part::Measure {
            return;
        }
        phase.measured_ns += interval.length_ns;
        phase.intervals.push(interval.clone());
    }

    /// A phase has ended.
    pub fn end(&mut self, result: &PhaseResult) {
        self.running = None;
        self.ended.push(result.clone());
    }

    /// The result that it would be, if it ended now; none before it has begun.
    pub fn result(&self) -> Option<RunResult> {
        let (run_id, provenance) = self.begun.clone()?;
        let running = self.running.clone().map(summed);
        let phases = self.ended.iter().cloned().chain(running).collect();
        Some(RunResult::unjudged(run_id, provenance, phases))
    }
}

/// The end of a phase in the time of its run.
fn end_of(phase: &PhaseResult) -> u64 {
    phase.start_ns + phase.measured_ns + phase.cool_down_ns
}

/// A phase whose jobs have what its intervals come to.
fn summed(mut phase: PhaseResult) -> PhaseResult {
    for (index, job) in phase.jobs.iter_mut().enumerate() {
        let of_job = |interval: &IntervalResult| {
            let entry = interval
                .jobs
                .iter()
                .find(|entry| entry.job as usize == index);
            entry.map(|entry| (interval.length_ns, entry.clone()))
        };
        let entries: Vec<(u64, IntervalJob)> = phase.intervals.iter().filter_map(of_job).collect();
        let measured_ns = phase.measured_ns.max(1) as f64;
        job.active_ns = entries.iter().map(|(length, _)| length).sum();
        let held = entries
            .iter()
            .map(|(length, entry)| entry.queue_depth_held * *length as f64);
        job.queue_depth_held = held.sum::<f64>() / measured_ns;
        for op in Op::ALL {
            let entries: Vec<&IntervalJob> = entries.iter().map(|(_, entry)| entry).collect();
            let result = operation(&entries, op, job.active_ns);
            job.completed += result.as_ref().map_or(0, |result| result.ios);
            job.failed += result.as_ref().map_or(0, |result| result.errors);
            job.ops[op] = result;
        }
    }
    phase
}

/// What an operation of a job has come to; none where it has not been asked for.
fn operation(entries: &[&IntervalJob], op: Op, active_ns: u64) -> Option<OpResult> {
    let mut result = OpResult::default();
    let mut all = Histogram::new();
    let mut is_there = false;
    for entry in entries.iter().filter_map(|entry| entry.ops.get(op)) {
        is_there = true;
        result.ios += entry.ios;
        result.bytes += entry.bytes;
        result.errors += entry.errors;
        let decoded = entry.service_histogram.as_ref();
        if let Some(more) = decoded.and_then(|histogram| histogram.decode().ok()) {
            all.add(&more);
        }
    }
    if active_ns > 0 {
        let seconds = active_ns as f64 / 1e9;
        result.iops = result.ios as f64 / seconds;
        result.bytes_per_second = result.bytes as f64 / seconds;
    }
    result.service_ns = LatencySummary::of(&all);
    result.response_ns = result.service_ns.clone();
    result.service_histogram = Some(EncodedHistogram::of(&all));
    is_there.then_some(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::fixture;
    use fathom_core::result::IntervalOp;

    fn interval(part: Part, ios: u64, service_ns: u64) -> IntervalResult {
        let mut times = Histogram::new();
        times.record_n(service_ns, ios);
        let mut entry = IntervalJob {
            job: 1,
            queue_depth_held: 2.0,
            ..IntervalJob::default()
        };
        entry.ops[Op::Read] = Some(IntervalOp {
            ios,
            bytes: ios * 4096,
            service_histogram: Some(EncodedHistogram::of(&times)),
            ..IntervalOp::default()
        });
        IntervalResult {
            part,
            start_ns: 0,
            length_ns: 500_000_000,
            jobs: vec![entry],
        }
    }

    #[test]
    fn what_there_is_so_far_is_the_sum_of_the_measured_intervals() {
        let mut so_far = SoFar::default();
        assert_eq!(so_far.result(), None);
        so_far.begin("a", &fixture::random_read().provenance);
        so_far.phase("main", &["x", "y"], 0);
        so_far.interval(&interval(Part::WarmUp, 1000, 10));
        so_far.interval(&interval(Part::Measure, 100, 1000));
        so_far.interval(&interval(Part::Measure, 300, 2000));
        let result = so_far.result().expect("it has begun");
        let phase = &result.phases[0];
        let read = phase.jobs[1].ops[Op::Read].as_ref().expect("reads");
        assert_eq!(
            (phase.measured_ns, phase.jobs[1].active_ns),
            (1_000_000_000, 1_000_000_000)
        );
        assert_eq!(
            (read.ios, read.bytes, read.service_ns.count),
            (400, 400 * 4096, 400)
        );
        assert!((read.iops - 400.0).abs() < 1e-9 && read.service_ns.max >= 2000);
        assert_eq!(phase.jobs[0].ops[Op::Read], None);
        so_far.end(phase);
        assert_eq!(so_far.result().expect("so").phases.len(), 1);
    }
}
