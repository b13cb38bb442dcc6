//! `fathom fit`: a recorded load on simulated volumes with their price, or on a path where it runs.

mod load;
mod on_path;
mod target;

use super::answers::Answers;
use super::catalog::known;
use super::plan::check_region;
use super::{Origin, learn};
use crate::args::FitArgs;
use crate::error::Error;
use crate::exit::Exit;
use fathom_device::Existing;
use fathom_volume::fit::{Answer, Fits};
use load::Load;
use target::SEEDS;

pub(crate) fn run(args: &FitArgs, origin: &Origin) -> Result<Exit, Error> {
    for place in args.answer.all() {
        learn::refuse(&args.trace, place.file.as_deref())?;
    }
    let path = on_path::of(args);
    on_path::check(args, path)?;
    let safety = &args.path.safety;
    // With a path, --overwrite is about what lies there.
    let overwrite = safety.overwrite && path.is_none();
    let existing = Existing::replaced_if(overwrite || safety.replace_results);
    let mut answers = Answers::at(&args.answer, existing)?;
    if let Some(path) = path {
        return on_path::run(args, path, &mut answers, origin);
    }
    let known = known(&args.catalog)?;
    if let Some(region) = &args.region {
        check_region(&known, region, None)?;
    }
    let (targets, unread) = target::read_all(args, &known)?;
    let load = Load::read(args, false)?;
    let fits = targets.iter().map(|target| target.fit(&load, args, &known));
    let fits = Fits {
        targets: fits.collect::<Result<_, Error>>()?,
        unread,
        seeds: SEEDS,
        ..fits_of(args, load)
    };
    let fits = fits.answered();
    answers.tell(&fits)?;
    Ok(status(&fits))
}

/// The load of a trace, without an answer yet.
fn fits_of(args: &FitArgs, load: Load) -> Fits {
    Fits {
        fit_version: 0,
        headline: String::new(),
        trace: args.trace.display().to_string(),
        method: load.method(),
        method_words: load.method_words(),
        original: load.original,
        scale: args.scale,
        seeds: 0,
        targets: Vec::new(),
        unread: Vec::new(),
        on_path: None,
        notes: load.notes,
    }
}

fn status(fits: &Fits) -> Exit {
    let unread = || fits.unread.iter().map(|one| one.answer);
    let answers = || fits.targets.iter().map(|fit| fit.answer).chain(unread());
    if answers().any(|answer| matches!(answer, Answer::Fits | Answer::FitsSlower)) {
        Exit::Ok
    } else if answers().all(|answer| answer == Answer::DoesNotFit) {
        Exit::LimitMissed
    } else {
        Exit::Undecided
    }
}
