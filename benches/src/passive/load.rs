//! The loads, and one run of them.

use anyhow::{Result, bail};
use fathom_core::{EngineKind, Op};
use fathom_session::{Plan, Session, Silent};
use rustix::time::{ClockId, clock_gettime};
use std::path::Path;

/// One load.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) name: &'static str,
    engine: EngineKind,
    queue_depth: u32,
}

/// All of them: the least and the most that one thread has to do with the kernel for a request.
pub(crate) const CASES: [Case; 2] = [
    Case {
        name: "psync depth 1",
        engine: EngineKind::Psync,
        queue_depth: 1,
    },
    Case {
        name: "io_uring depth 32",
        engine: EngineKind::IoUring,
        queue_depth: 32,
    },
];

/// What a run came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Run {
    /// Requests a second.
    pub(crate) iops: f64,
    /// Processor time of all threads but the worker, in percent of the time that the run took,
    /// preparation and evaluation included.
    pub(crate) aside_percent: f64,
}

/// The plan of a case: reads at random on `target` for `ms`, watched.
pub(crate) fn plan(case: &Case, target: &Path, ms: u64) -> Result<Plan> {
    let text = format!(
        "name = \"passive\"\nwarm_up = 0\nduration = \"{ms}ms\"\nblock_size = \"4KiB\"\n\
         read = 100\nrandom = 100\nthreads = 1\nqueue_depth = {}\n",
        case.queue_depth
    );
    let workload = match fathom_tools::native::parse(&text, "the load") {
        Ok(workload) => workload,
        Err(wrong) => bail!(
            "{}",
            wrong.iter().map(ToString::to_string).collect::<String>()
        ),
    };
    let mut plan = Plan::new(workload).on(target).by(case.engine);
    plan.stop_on_error = true;
    Ok(plan)
}

/// Runs it once.
pub(crate) fn run(plan: &Plan) -> Result<Run> {
    let before = [ClockId::ProcessCPUTime, ClockId::Monotonic].map(now_ns);
    let result = Session::new(plan.clone()).run(&mut Silent)?;
    let after = [ClockId::ProcessCPUTime, ClockId::Monotonic].map(now_ns);
    let Some(read) = result
        .phases
        .first()
        .and_then(|phase| phase.jobs[0].ops.get(Op::Read))
    else {
        bail!("nothing was read");
    };
    let workers = result.phases.iter().flat_map(|phase| &phase.jobs);
    let workers_ns: u64 = workers
        .flat_map(|job| &job.workers)
        .map(|worker| worker.cpu_ns)
        .sum();
    let [processor_ns, wall_ns] = [0, 1].map(|at| after[at] - before[at]);
    Ok(Run {
        iops: read.iops,
        aside_percent: processor_ns.saturating_sub(workers_ns) as f64 / wall_ns as f64 * 100.0,
    })
}

fn now_ns(clock: ClockId) -> u64 {
    let time = clock_gettime(clock);
    time.tv_sec.unsigned_abs() * 1_000_000_000 + time.tv_nsec.unsigned_abs()
}
