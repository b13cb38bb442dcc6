//! `fathom iometer`: configuration files of Iometer.

use super::surroundings::Live;
use super::{Origin, foreign, measure};
use crate::args::{IometerArgs, OutputSpec};
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use fathom_tools::iometer;

pub(crate) fn run(args: &IometerArgs, origin: &Origin) -> Result<Exit, Error> {
    let bytes = std::fs::read(&args.file).map_err(|error| {
        Problem::new(Exit::Usage, format!("cannot read {}", args.file))
            .because(system_words(&error))
            .remedy("a configuration file of Iometer (.icf)")
    })?;
    // Names in older files are in code pages of Windows; what cannot be read is only a name.
    let text = String::from_utf8_lossy(&bytes);
    let translation = iometer::translate(&text, &args.file, &Live).map_err(Error::Text)?;
    foreign::tell(&translation, args.options.output.quiet);
    let mut options = args.options.clone();
    if let Some(results) = &args.results {
        options.output.output.push(OutputSpec {
            file: Some(results.clone()),
            ..foreign::output("iometer-csv")?
        });
    }
    measure::all(&[translation.workload], &args.target, &options, origin)
}
