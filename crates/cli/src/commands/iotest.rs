//! `fathom iotest`: streams as SAS's iotest.sh makes them.

use super::{Origin, foreign, measure};
use crate::args::{IotestArgs, StreamArgs};
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_tools::iotest::{Wishes, translate_argv};
use std::path::Path;

pub(crate) fn run(args: &IotestArgs, origin: &Origin) -> Result<Exit, Error> {
    let translation = translate_argv(&args.words, wishes(args.streams)).map_err(Error::Text)?;
    let jobs = translation
        .workload
        .phases
        .iter()
        .flat_map(|phase| &phase.jobs);
    if let Some(file) = jobs.flat_map(|job| &job.targets).next()
        && let Some(directory) = Path::new(file).parent()
    {
        check_directory(directory)?;
    }
    foreign::tell(&translation, args.options.quiet);
    let form = form(args.streams, "iotest");
    let options = foreign::run_options(&args.options, &translation.wishes, Some(form))?;
    measure::all(&[translation.workload], &[], &options, origin)
}

/// What is printed where no form is asked for: one screen, or what the script prints.
pub(super) const fn form(args: StreamArgs, script: &'static str) -> &'static str {
    if args.full { script } else { "brief" }
}

pub(super) fn wishes(args: StreamArgs) -> Wishes {
    Wishes {
        cold: args.cold,
        incompressible: args.incompressible,
    }
}

/// The scripts ask for it before anything else.
pub(super) fn check_directory(path: &Path) -> Result<(), Problem> {
    if path.is_dir() {
        return Ok(());
    }
    let thing = format!("cannot test {}", path.display());
    Err(Problem::new(Exit::Environment, thing)
        .because("it is not a directory")
        .remedy("a directory that is there, as in -t /saswork"))
}
