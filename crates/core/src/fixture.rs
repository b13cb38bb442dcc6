//! Made-up results for tests and examples of the crates above: specification and result agree,
//! every number follows from the series of requests per interval, and nothing in them is
//! questionable.
//!
//! Only with the feature `fixture`: of programs the verdict has it, whose documentation shows what
//! its checks say of such a result.

mod device;
mod job;
mod provenance;

pub use job::{JobPlan, Stream};

use crate::interval::Part;
use crate::op::Op;
use crate::result::{IntervalJob, IntervalOp, IntervalResult, PhaseResult, ProcessUse, RunResult};
use crate::spec::{Phase, Workload};
use crate::units::Nanos;
use crate::{Level, State};

/// Length of an interval of all made-up results, in nanoseconds.
pub const INTERVAL_NS: u64 = 1_000_000_000;

/// Processor time that a made-up request costs, nanoseconds: in user mode and in the kernel.
pub const COST_NS: (u64, u64) = (210, 3_950);

/// `count` intervals around `mean` requests, within about 1.5 % of it, always the same.
pub fn series(mean: u64, count: usize) -> Vec<u64> {
    const WOBBLE: [i64; 8] = [0, 9, -12, 4, 15, -7, -14, 5];
    let wobble = (0..count).map(|index| WOBBLE[index % WOBBLE.len()]);
    wobble
        .map(|wobble| mean.saturating_add_signed(mean as i64 * wobble / 1000))
        .collect()
}

/// A valid run of `phases`, each a name and its jobs.
pub fn run(name: &str, phases: &[(&str, Vec<JobPlan>)]) -> RunResult {
    let workload = Workload {
        name: name.to_owned(),
        seed: Some(42),
        interval: Nanos(INTERVAL_NS),
        phases: phases
            .iter()
            .map(|(name, jobs)| phase_spec(name, jobs))
            .collect(),
        ..Workload::plain()
    };
    let phases = phases
        .iter()
        .map(|(name, jobs)| phase(name, jobs))
        .collect();
    RunResult {
        state: State::Valid,
        ..RunResult::unjudged(
            "20260301T120000Z-7f3a9c44e0b2".to_owned(),
            provenance::of(workload),
            phases,
        )
    }
}

/// A valid run of one phase and one job: 4 KiB random reads at depth 32, 60 s.
pub fn random_read() -> RunResult {
    let job = JobPlan::closed(
        "read",
        32,
        vec![Stream::random(Op::Read, 4096, series(67_512, 60))],
    );
    run("random-read", &[("measure", vec![job])])
}

/// The same phases once more, as a further repeat.
pub fn repeat(run: &mut RunResult, phases: Vec<PhaseResult>) {
    let repeat = run.provenance.workload.repeat + 1;
    run.provenance.workload.repeat = repeat;
    run.phases.extend(
        phases
            .into_iter()
            .map(|phase| PhaseResult { repeat, ..phase }),
    );
}

/// A caveat of a code that no table has, for reports.
pub fn caveat(code: &str, level: Level, message: &str, remedy: &str) -> crate::Caveat {
    crate::Caveat::new(crate::CodeWord::foreign(code), level, message).remedy(remedy)
}

fn phase_spec(name: &str, jobs: &[JobPlan]) -> Phase {
    Phase {
        name: name.to_owned(),
        warm_up: Nanos::from_secs(5),
        duration: Some(Nanos(seconds(jobs) * INTERVAL_NS)),
        cool_down: Nanos::from_secs(1),
        jobs: jobs.iter().map(JobPlan::spec).collect(),
        ..Phase::plain()
    }
}

/// One phase with the results of `jobs`.
pub fn phase(name: &str, jobs: &[JobPlan]) -> PhaseResult {
    let results: Vec<_> = jobs.iter().map(JobPlan::result).collect();
    let ios: u64 = results.iter().map(|job| job.completed).sum();
    PhaseResult {
        start_ns: 5_010_000_000,
        warm_up_ns: 5 * INTERVAL_NS,
        measured_ns: seconds(jobs) * INTERVAL_NS,
        cool_down_ns: INTERVAL_NS,
        intervals: intervals(jobs),
        devices: vec![device::counting(&results)],
        process: ProcessUse {
            user_ns: ios * COST_NS.0,
            system_ns: ios * COST_NS.1,
            voluntary_switches: ios / 8,
            max_resident_bytes: 24 << 20,
            ..ProcessUse::default()
        },
        jobs: results,
        ..PhaseResult::empty(name)
    }
}

fn seconds(jobs: &[JobPlan]) -> u64 {
    let lengths = jobs.iter().flat_map(|job| &job.streams);
    lengths
        .map(|stream| stream.series.len() as u64)
        .max()
        .unwrap_or(0)
}

fn intervals(jobs: &[JobPlan]) -> Vec<IntervalResult> {
    let entry = |position: usize, job: &JobPlan, index: usize| {
        let mut entry = IntervalJob {
            job: position as u32,
            queue_depth_held: job.held(),
            ..IntervalJob::default()
        };
        for stream in &job.streams {
            let Some(&ios) = stream.series.get(index) else {
                continue;
            };
            entry.ops[stream.op] = Some(IntervalOp {
                ios,
                bytes: ios * stream.block_bytes,
                ..IntervalOp::default()
            });
        }
        entry
    };
    (0..seconds(jobs))
        .map(|index| IntervalResult {
            part: Part::Measure,
            start_ns: (5 + index) * INTERVAL_NS,
            length_ns: INTERVAL_NS,
            jobs: jobs
                .iter()
                .enumerate()
                .map(|(position, job)| entry(position, job, index as usize))
                .collect(),
        })
        .collect()
}
