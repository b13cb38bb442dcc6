//! `--explain` and `--probe`: short runs beside those that were asked for.

use crate::args::{EngineArgs, ExplainArgs};
use crate::error::Problem;
use crate::exit::Exit;
use fathom_core::Nanos;
use fathom_core::result::RunResult;
use fathom_core::spec::Workload;
use fathom_load::RunError;
use fathom_load::control::Control;
use fathom_load::observer::Observer;
use fathom_load::plan::RunPlan;
use fathom_load::probing::{MicroProbes, NotProbed, ProbedCourse, Wishes};

/// How long the devices are watched before a run that is probed: methodology 4.8, P70.
const IDLE: Nanos = Nanos::from_secs(3);

/// Runs a plan, with the short runs that are wished for.
pub(super) fn run(
    plan: &RunPlan,
    args: &ExplainArgs,
    control: &Control,
    observer: &mut dyn Observer,
) -> Result<RunResult, RunError> {
    if !args.explain && !args.probe {
        return fathom_load::run(plan, control, observer);
    }
    let micro = MicroProbes::of(&plan.workload).ok();
    let micro = micro.filter(|_| args.probe);
    let extended = micro.as_ref().map(|micro| RunPlan {
        workload: micro.extend(&plan.workload),
        ..plan.clone()
    });
    let wishes = Wishes {
        explain: args.explain,
        micro,
        ceiling: true,
        is_synchronous: false,
    };
    let wishes = wishes.with_engine(plan.engine.kind);
    let mut course = ProbedCourse::new(&plan.workload, &wishes);
    let with_probes = extended.as_ref().unwrap_or(plan);
    let mut result = fathom_load::run_course(with_probes, &mut course, control, observer)?;
    course.sort(&mut result, &plan.workload);
    Ok(result)
}

/// Refuses probes of what cannot be probed.
pub(super) fn check(args: &ExplainArgs, workload: &Workload) -> Result<(), Problem> {
    let refused = args
        .probe
        .then(|| MicroProbes::of(workload).err())
        .flatten();
    let Some(cause) = refused else {
        return Ok(());
    };
    let thing = format!("--probe cannot ask the storage of {}", workload.name);
    let remedy = match cause {
        NotProbed::Verified => "another run without verification, or without --probe",
        NotProbed::Buffered => "--direct, or without --probe",
    };
    Err(Problem::new(Exit::Usage, thing)
        .because(cause.to_string())
        .remedy(remedy))
}

/// How long the devices are watched before the run.
pub(super) fn watch_idle(args: &ExplainArgs, engine: &EngineArgs) -> Nanos {
    if args.probe && engine.engine.is_real() {
        IDLE
    } else {
        Nanos::ZERO
    }
}
