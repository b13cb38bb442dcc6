//! `--explain` and `--probe`: short runs beside those that were asked for.

use crate::args::{EngineArgs, ExplainArgs};
use crate::error::Problem;
use crate::exit::Exit;
use fathom_core::Nanos;
use fathom_core::result::RunResult;
use fathom_core::spec::Workload;
use fathom_session::plan::RunPlan;
use fathom_session::probing::{MicroProbes, NotProbed, ProbedCourse, Wishes};
use fathom_session::{Control, Observer, RunError};

/// How long the devices are watched before a run that is probed: methodology 4.8, P70.
const IDLE: Nanos = Nanos::from_secs(3);

/// Runs a plan, with the short runs that are wished for.
pub(super) fn run(
    plan: &RunPlan,
    args: &ExplainArgs,
    control: &Control,
    observer: &mut dyn Observer,
) -> Result<RunResult, RunError> {
    if !args.explain && !args.probe && args.cliff.is_none() {
        return fathom_session::run(plan, control, observer);
    }
    let asks = args.probe || args.cliff.is_some();
    let asked = MicroProbes::of(&plan.workload).ok().filter(|_| asks);
    let extended = asked.as_ref().map(|asked| RunPlan {
        workload: asked.extend(&plan.workload),
        ..plan.clone()
    });
    let wishes = Wishes {
        explain: args.explain,
        is_synchronous: false,
        micro: asked.clone().filter(|_| args.probe),
        ceiling: args.explain || args.probe,
        cliff: asked.zip(args.cliff),
    };
    let wishes = wishes.with_engine(plan.engine.kind);
    let mut course = ProbedCourse::new(&plan.workload, &wishes);
    let with_probes = extended.as_ref().unwrap_or(plan);
    let mut result = fathom_session::run_course(with_probes, &mut course, control, observer)?;
    course.sort(&mut result, &plan.workload);
    Ok(result)
}

/// Refuses probes of what cannot be probed.
pub(super) fn check(args: &ExplainArgs, workload: &Workload) -> Result<(), Problem> {
    let option = if args.probe { "--probe" } else { "--cliff" };
    let refused = (args.probe || args.cliff.is_some())
        .then(|| MicroProbes::of(workload).err())
        .flatten();
    let Some(cause) = refused else {
        return Ok(());
    };
    let thing = format!("{option} cannot ask the storage of {}", workload.name);
    let remedy = match cause {
        NotProbed::Verified => format!("another run without verification, or without {option}"),
        NotProbed::Buffered => format!("--direct, or without {option}"),
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
