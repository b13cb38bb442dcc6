//! `fathom ramp`: one workload at rising load, as one result.

use super::{Origin, measure, selection};
use crate::args::RampArgs;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::Nanos;
use fathom_core::result::{RampAxis, RunResult};
use fathom_core::spec::{Phase, Workload};
use fathom_session::plan::RunPlan;
use fathom_session::ramp::{
    ClosedWalk, ObjectiveSearch, SIZES, SearchTimes, SizeWalk, WalkLimits, report,
};
use fathom_session::{Control, Observer};
use fathom_session::{RunError, run_course};

/// Where a walk ends at the latest when no end is given.
const LAST: u32 = 1024;
/// Intervals of a step, within the lengths that follow.
const BATCHES: u64 = 20;
const SHORTEST: Nanos = Nanos::from_millis(100);
const LONGEST: Nanos = Nanos::from_secs(1);
/// Load before each step when the workload has less: rates and caches have to settle.
const SETTLE: Nanos = Nanos::from_secs(1);

pub(crate) fn run(args: &RampArgs, origin: &Origin) -> Result<Exit, Error> {
    let axis = axis(args)?;
    check(args, axis)?;
    let mut workload = selection::workload(&args.workload)?;
    let phase = choose(args, axis, &workload)?;
    workload.name = format!("ramp-{}", workload.name);
    workload.repeat = 1;
    // The confidence in a step comes from its intervals: enough of them, none too short.
    workload.interval = Nanos(args.step.0 / BATCHES).clamp(SHORTEST, LONGEST);
    workload.phases = vec![phase];
    let mut options = args.options.clone();
    options.overrides = options.overrides.with("time", Some(args.step));
    let mut measured = None;
    let exit = measure::along(
        &workload,
        &args.target,
        &options,
        origin,
        &mut |plan, control, observer| walk(args, axis, plan, control, observer),
        &mut |result| {
            measured = Some(result.clone());
            Ok(())
        },
    )?;
    let unanswered = measured
        .and_then(|result| result.ramp)
        .is_some_and(|ramp| ramp.answer.is_some_and(|answer| answer.rate.is_none()));
    Ok(if unanswered {
        exit.max(Exit::LimitMissed)
    } else {
        exit
    })
}

fn axis(args: &RampArgs) -> Result<RampAxis, Problem> {
    match args.over.map(RampAxis::from) {
        Some(axis) if axis != RampAxis::Rate && !args.slo.is_empty() => {
            let thing = format!("--slo cannot be searched over {}", axis.word());
            Err(Problem::new(Exit::Usage, thing)
                .because("an objective is kept or broken at a rate of arrivals")
                .remedy("--over rate, or no --slo"))
        }
        Some(axis) => Ok(axis),
        None if args.slo.is_empty() => Ok(RampAxis::QueueDepth),
        None => Ok(RampAxis::Rate),
    }
}

/// An option that has nothing to say is an error: ignored, it would be believed.
fn check(args: &RampArgs, axis: RampAxis) -> Result<(), Problem> {
    let overrides = &args.options.overrides;
    let clash = |option: &str, because: &str, remedy: &str| {
        Err(
            Problem::new(Exit::Usage, format!("{option} does not suit a ramp"))
                .because(because)
                .remedy(remedy),
        )
    };
    if overrides.has("time") {
        return clash(
            "--time",
            "each step has its own time",
            "--step, the time of one step",
        );
    }
    if overrides.has("rate") {
        let (because, remedy) = if axis == RampAxis::Rate {
            ("the ramp sets the rates", "without it")
        } else {
            let remedy = "--over rate, which searches the rates by itself";
            ("over this axis the load is closed", remedy)
        };
        return clash("--rate", because, remedy);
    }
    if overrides.has("repeat") {
        return clash(
            "--repeat",
            "a ramp runs once",
            "--searches, for the search of a rate",
        );
    }
    let explain = &args.options.explain;
    if explain.explain || explain.probe || explain.cliff.is_some() || !explain.cap.is_empty() {
        return clash(
            "--explain, --probe, --cliff or --cap",
            "the curve itself shows what more load does",
            "without it, or with `fathom run`",
        );
    }
    if axis == RampAxis::QueueDepth && overrides.has("queue-depth") {
        return clash("--queue-depth", "it is what rises", "--from and --to");
    }
    if axis == RampAxis::Threads && overrides.has("threads") {
        return clash("--threads", "it is what rises", "--from and --to");
    }
    let has_ends = args.to.is_some() || args.from != 1;
    if axis == RampAxis::BlockSize && has_ends {
        return clash(
            "--from or --to",
            "the sizes are 4, 16, 64 and 256 KiB",
            "without them",
        );
    }
    if axis == RampAxis::BlockSize && overrides.has("block-size") {
        return clash("--block-size", "it is what rises", "without it");
    }
    if axis == RampAxis::Rate && has_ends {
        return clash(
            "--from or --to",
            "a ramp over rate goes to what a closed load reaches",
            "without them",
        );
    }
    if args.to.is_some_and(|to| to < args.from) {
        return clash("--to", "it lies below --from", "a larger number");
    }
    if !(0.1..=50.0).contains(&args.precision) {
        return clash("--precision", "it is out of range", "0.1 to 50 percent");
    }
    Ok(())
}

fn choose(args: &RampArgs, axis: RampAxis, workload: &Workload) -> Result<Phase, Problem> {
    let names = || {
        let names = workload.phases.iter().map(|phase| phase.name.as_str());
        names.collect::<Vec<_>>().join(", ")
    };
    let mut phase = match (&args.phase, &workload.phases[..]) {
        (None, [only]) => only.clone(),
        (None, _) => {
            let thing = format!("`{}` has several phases", workload.name);
            return Err(Problem::new(Exit::Usage, thing)
                .because("a ramp walks along one")
                .remedy(format!("--phase with one of {}", names())));
        }
        (Some(name), phases) => {
            let found = phases.iter().find(|phase| phase.name == *name);
            found.cloned().ok_or_else(|| {
                let thing = format!("`{}` has no phase `{name}`", workload.name);
                Problem::new(Exit::Usage, thing).remedy(format!("one of {}", names()))
            })?
        }
    };
    if phase.jobs.iter().any(|job| job.pacing.is_bursty()) {
        let thing = format!("the phase `{}` works in bursts", phase.name);
        return Err(Problem::new(Exit::Usage, thing)
            .because("a burst has its own load, which cannot rise")
            .remedy("a workload without bursts"));
    }
    if axis == RampAxis::BlockSize {
        check_sizes(workload, &phase)?;
    }
    phase.steady = None;
    phase.cool_down = Nanos::ZERO;
    phase.warm_up = phase.warm_up.max(SETTLE);
    Ok(phase)
}

/// Refuses a phase that requests of another size do not suit, as one with strides of its own.
fn check_sizes(workload: &Workload, phase: &Phase) -> Result<(), Problem> {
    for bytes in SIZES {
        let mut tried = workload.clone();
        tried.phases = vec![phase.clone()];
        for kind in tried.phases[0]
            .jobs
            .iter_mut()
            .flat_map(|job| &mut job.kinds)
        {
            kind.block_size.0 = bytes;
            kind.align.0 = bytes;
        }
        if let Some(found) = fathom_core::spec::validate::validate(&tried).first() {
            let size = fathom_core::figure::size(bytes);
            let thing = format!("the phase `{}` cannot have requests of {size}", phase.name);
            return Err(Problem::new(Exit::Usage, thing)
                .because(found.to_string())
                .remedy("a workload whose places do not depend on the size"));
        }
    }
    Ok(())
}

/// Runs the steps and puts what they show into the result.
fn walk(
    args: &RampArgs,
    axis: RampAxis,
    plan: &RunPlan,
    control: &Control,
    observer: &mut dyn Observer,
) -> Result<RunResult, RunError> {
    let template = plan.workload.phases[0].clone();
    if axis == RampAxis::Rate {
        let times = SearchTimes {
            step: args.step,
            precision: args.precision / 100.0,
            repetitions: args.searches,
        };
        let mut course = ObjectiveSearch::new(template, args.slo.clone(), times);
        let mut result = run_course(plan, &mut course, control, observer)?;
        let answer = course.answer(&result.phases);
        result.ramp = Some(report(
            axis,
            course.steps(),
            &result.phases,
            &args.slo,
            answer,
        ));
        return Ok(result);
    }
    if axis == RampAxis::BlockSize {
        let mut course = SizeWalk::new(template);
        let mut result = run_course(plan, &mut course, control, observer)?;
        result.ramp = Some(report(axis, course.steps(), &result.phases, &[], None));
        return Ok(result);
    }
    let limits = WalkLimits {
        from: args.from,
        to: args.to.unwrap_or(LAST.max(args.from)),
        to_the_end: args.to.is_some(),
    };
    let mut course = ClosedWalk::new(template, axis, limits);
    let mut result = run_course(plan, &mut course, control, observer)?;
    result.ramp = Some(report(axis, course.steps(), &result.phases, &[], None));
    Ok(result)
}
