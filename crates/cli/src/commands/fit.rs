//! `fathom fit`: a recorded load on simulated volumes, and their price.

mod load;
mod target;

use super::answers::Answers;
use super::catalog::known;
use super::learn;
use super::plan::check_region;
use crate::args::FitArgs;
use crate::error::Error;
use crate::exit::Exit;
use fathom_volume::fit::{Answer, Fits};
use load::Load;
use target::SEEDS;

pub(crate) fn run(args: &FitArgs) -> Result<Exit, Error> {
    for place in args.answer.places() {
        learn::refuse(&args.trace, place.file.as_deref())?;
    }
    let mut answers = Answers::open(&args.answer)?;
    let known = known(&args.catalog)?;
    if let Some(region) = &args.region {
        check_region(&known, region, None)?;
    }
    let (targets, unread) = target::read_all(args, &known)?;
    let load = Load::read(args)?;
    let fits = targets.iter().map(|target| target.fit(&load, args, &known));
    let fits = Fits {
        fit_version: 0,
        headline: String::new(),
        trace: args.trace.display().to_string(),
        method: load.method(),
        method_words: load.method_words(),
        targets: fits.collect::<Result<_, Error>>()?,
        unread,
        original: load.original,
        scale: args.scale,
        seeds: SEEDS,
        notes: load.notes,
    };
    let fits = fits.answered();
    answers.tell(&fits)?;
    Ok(status(&fits))
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
