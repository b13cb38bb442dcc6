//! The recorded load on a path: it runs there as every other load does.

use super::fits_of;
use super::load::{Load, Source};
use crate::args::{EngineArgs, FitArgs, OutputArgs, OverrideArgs, RunOptions, TargetArg};
use crate::commands::answers::Answers;
use crate::commands::learn::is_same_file;
use crate::commands::run::replaying;
use crate::commands::{Origin, measure};
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::Percent;
use fathom_core::spec::{Phase, Replay, Workload};
use fathom_device::serial;
use fathom_verdict::fit::{Load as Asked, on_path};
use fathom_volume::fit::{Answer, Fits, OnPath};
use std::path::Path;

/// The load and its multiples with `--headroom`.
const MULTIPLES: [f64; 5] = [1.0, 1.5, 2.0, 3.0, 4.0];

/// The path, if the load is to run on one.
pub(super) fn of(args: &FitArgs) -> Option<&str> {
    args.on
        .iter()
        .map(String::as_str)
        .find(|text| is_path(text))
}

/// No volume is written like this.
fn is_path(text: &str) -> bool {
    text.starts_with(['/', '.', '~'])
        || serial::of_path(Path::new(text)).is_some()
        || fathom_platform::is_device_name(Path::new(text))
}

/// Refuses options that have nothing to change.
pub(super) fn check(args: &FitArgs, path: Option<&str>) -> Result<(), Problem> {
    let (safety, save) = (&args.path.safety, &args.path.save);
    let engine = &args.path.engine;
    let of_paths = [
        ("--time", args.path.time.is_some()),
        ("--twin", args.path.twin.is_some()),
        ("--headroom", args.path.headroom),
        ("--destroy", !safety.destroy.is_empty()),
        ("--read-only", safety.read_only),
        ("--keep", safety.keep),
        ("--engine", engine.engine.0.is_some()),
        ("--affinity", engine.affinity.is_some()),
        ("--tag", !save.tag.is_empty()),
        ("--deliver", !save.deliver.is_empty()),
    ];
    let given = |options: &[(&'static str, bool)]| {
        let mut given = options.iter().filter(|(_, given)| *given);
        given.next().map(|(option, _)| *option)
    };
    let Some(path) = path else {
        return match given(&of_paths) {
            Some(option) => {
                let thing = format!("{option} has nothing to change");
                Err(Problem::new(Exit::Usage, thing)
                    .because("volumes are simulated, and nothing runs")
                    .remedy("--on with a path, or without it"))
            }
            None => Ok(()),
        };
    };
    if args.on.len() > 1 {
        let thing = format!("{path} cannot be compared with other targets");
        return Err(Problem::new(Exit::Usage, thing)
            .because("the load runs on a path, and volumes are simulated")
            .remedy(format!(
                "one command with --on {path}, and one with the others"
            )));
    }
    let places = args.answer.all();
    let outputs = places.iter().filter_map(|place| place.file.as_deref());
    let read = [Some(args.trace.as_path()), args.path.twin.as_deref()];
    let mut files = read.into_iter().flatten().chain(outputs);
    if let Some(file) = files.find(|file| is_same_file(file, Path::new(path))) {
        let thing = format!("{} is no target", file.display());
        return Err(Problem::new(Exit::Usage, thing)
            .because("the load would overwrite a file of this command")
            .remedy("--on with another path"));
    }
    let of_volumes = [
        ("--region", args.region.is_some()),
        ("--as-of", args.catalog.as_of.is_some()),
        ("--catalog", args.catalog.folder.is_some()),
        ("--built-in", args.catalog.built_in),
    ];
    match given(&of_volumes) {
        Some(option) => Err(
            Problem::new(Exit::Usage, format!("{option} has nothing to change"))
                .because("a path has no bill")
                .remedy("without it"),
        ),
        None => Ok(()),
    }
}

/// Runs the load there, and answers.
pub(super) fn run(
    args: &FitArgs,
    path: &str,
    answers: &mut Answers<Fits>,
    origin: &Origin,
) -> Result<Exit, Error> {
    let load = Load::read(args, true)?;
    let scales: Vec<f64> = if args.path.headroom {
        MULTIPLES.iter().map(|one| one * args.scale).collect()
    } else {
        vec![args.scale]
    };
    let workload = workload(args, &load, &scales)?;
    let target = TargetArg {
        role: None,
        path: path.into(),
    };
    let mut measured = None;
    let exit = measure::each(
        &[workload],
        &[target],
        &options(args),
        origin,
        &mut |result| {
            measured = Some(result.clone());
            Ok(())
        },
    )?;
    if exit == Exit::Interrupted {
        return Ok(exit);
    }
    let asked = Asked {
        original: &load.original,
        method: load.method(),
        scales: &scales,
    };
    let found = measured.and_then(|result| on_path(path.to_owned(), &result, asked));
    let mut found = found.ok_or_else(|| {
        Problem::new(
            Exit::Environment,
            format!("the load made no request on {path}"),
        )
        .because("the run ended before")
        .remedy("a longer --time")
    })?;
    if args.path.save.no_save {
        found.run_id = None;
    }
    let fits = Fits {
        on_path: Some(found),
        ..fits_of(args, load)
    };
    let fits = fits.answered();
    answers.tell(&fits)?;
    let of_answer = fits.on_path.as_ref().map_or(Exit::Undecided, status);
    // A limit that the load itself was for is in the answer.
    Ok(if exit > Exit::LimitMissed {
        exit.max(of_answer)
    } else {
        of_answer
    })
}

/// A measurement that cannot be trusted decides nothing.
const fn status(found: &OnPath) -> Exit {
    match found.answer {
        _ if found.doubt.is_some() => Exit::Undecided,
        Answer::Fits | Answer::FitsSlower => Exit::Ok,
        Answer::DoesNotFit => Exit::LimitMissed,
        Answer::FitsForATime | Answer::CannotTell => Exit::Undecided,
    }
}

fn workload(args: &FitArgs, load: &Load, scales: &[f64]) -> Result<Workload, Error> {
    let mut workload = match &load.source {
        Source::Twin(workload, _) if !args.path.headroom => workload.as_ref().clone(),
        Source::Twin(..) => {
            let problem = Problem::new(Exit::Usage, "--headroom cannot be used with this trace");
            return Err(problem
                .because("its requests wait for earlier ones, so that their rate is not given")
                .remedy(
                    "treat the load as open with --load open. Or write the twin with `fathom \
                     learn TRACE -o twin.toml`, add threads there, and use --twin twin.toml",
                )
                .into());
        }
        Source::Trace(..) => Workload {
            name: "replay".to_owned(),
            phases: scales.iter().map(|scale| replay(args, *scale)).collect(),
            ..Workload::plain()
        },
    };
    workload.seed = match workload.seed {
        None if args.path.engine.engine.is_real() => Some(measure::drawn_seed()?),
        seed => seed,
    };
    Ok(workload)
}

/// The recorded requests at a multiple of their rate, without unused space.
fn replay(args: &FitArgs, scale: f64) -> Phase {
    let replay = Replay {
        speed: Some(Percent(scale * 100.0)),
        packed: true,
        ..Replay::all(args.trace.display().to_string())
    };
    Phase {
        name: format!("{scale} times the rate"),
        ..replaying(replay, 1)
    }
}

fn options(args: &FitArgs) -> RunOptions {
    RunOptions {
        overrides: OverrideArgs::default(),
        engine: EngineArgs {
            // The kinds of a twin are requests to the driver, which are not to be split again.
            huge_pages: true,
            ..args.path.engine.clone()
        },
        safety: args.path.safety.clone(),
        save: args.path.save.clone(),
        output: OutputArgs {
            quiet: args.path.quiet,
            as_listed: true,
            ..OutputArgs::default()
        },
        ..RunOptions::default()
    }
}
