//! `fathom ramp`: one workload at rising load, as one result.

use super::{Origin, measure, member, selection};
use crate::args::RampArgs;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::result::RampAxis;
use fathom_session::ramp::{NotRamped, Ramp};

pub(crate) fn run(args: &RampArgs, origin: &Origin) -> Result<Exit, Error> {
    if let Some(exit) = member::be_launched(&args.options.cluster)? {
        return Ok(exit);
    }
    let axis = axis(args)?;
    check(args, axis)?;
    let ramp = Ramp {
        axis,
        from: args.from,
        to: args.to,
        objectives: args.slo.clone(),
        step: args.step,
        precision: args.precision / 100.0,
        searches: args.searches,
    };
    let workload = ramp
        .prepared(selection::workload(&args.workload)?, args.phase.as_deref())
        .map_err(|refused| not_ramped(&refused))?;
    let mut options = args.options.clone();
    options.overrides = options.overrides.with("time", Some(args.step));
    let mut measured = None;
    let exit = measure::along(
        &workload,
        &args.target,
        &options,
        origin,
        &mut |mut session, observer| {
            session.plan.ramp = Some(ramp.clone());
            session.measure(observer)
        },
        &mut |result| {
            measured = Some(result.clone());
            Ok(())
        },
    )?;
    let answer = measured.and_then(|result| result.ramp?.answer);
    Ok(match answer.filter(|answer| answer.rate.is_none()) {
        // A step that was overloaded while it was sought does not show what is still undecided.
        Some(answer) if answer.decides_s.is_some() => match exit {
            Exit::LimitMissed => Exit::Undecided,
            other => other.max(Exit::Undecided),
        },
        Some(_) => exit.max(Exit::LimitMissed),
        None => exit,
    })
}

fn axis(args: &RampArgs) -> Result<RampAxis, Problem> {
    match args.over.map(RampAxis::from) {
        Some(axis) if axis != RampAxis::Rate && !args.slo.is_empty() => {
            let thing = format!("--slo cannot be used with --over {}", axis.word());
            Err(Problem::new(Exit::Usage, thing)
                .because("an objective needs a request rate")
                .remedy("use --over rate, or omit --slo"))
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
            Problem::new(Exit::Usage, format!("{option} cannot be used with a ramp"))
                .because(because)
                .remedy(remedy),
        )
    };
    if overrides.has("time") {
        return clash(
            "--time",
            "each step has its own time",
            "use --step, the time of one step",
        );
    }
    if overrides.has("rate") {
        let (because, remedy) = if axis == RampAxis::Rate {
            ("the ramp sets the rates", "without it")
        } else {
            let remedy = "use --over rate, which searches the rates itself";
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
    if explain.probes() || explain.tracing.blame || !explain.cap.is_empty() {
        return clash(
            "--find-limit, --probe, --cliff, --blame or --cap",
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

/// A workload that has no ramp, in our form of a message.
fn not_ramped(refused: &NotRamped) -> Problem {
    let problem = Problem::new(Exit::Usage, refused.to_string());
    match refused {
        NotRamped::Several { phases, .. } => problem
            .because("a ramp walks along one")
            .remedy(format!("--phase with one of {}", phases.join(", "))),
        NotRamped::NoPhase { phases, .. } => {
            problem.remedy(format!("one of {}", phases.join(", ")))
        }
        NotRamped::Bursts { .. } => problem
            .because("a burst has its own load, which cannot rise")
            .remedy("a workload without bursts"),
        NotRamped::Size { cause, .. } => problem
            .because(cause.clone())
            .remedy("a workload whose places do not depend on the size"),
    }
}
