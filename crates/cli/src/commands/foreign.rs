//! What the commands with other programs' options have in common: from a translation to a run.

use crate::args::{EngineArgs, ForeignOptions, OutputArgs, OutputSpec, OverrideArgs, RunOptions};
use crate::error::Problem;
use crate::exit::Exit;
use fathom_dialect::{Note, RunWishes, Translation};
use std::io::{self, Write as _};

/// The options of a run for a translation; without `--output` the result has `format`, or none.
pub(super) fn run_options(
    own: &ForeignOptions,
    wishes: &RunWishes,
    format: Option<&str>,
) -> Result<RunOptions, Problem> {
    let mut options = RunOptions {
        overrides: OverrideArgs::default(),
        engine: EngineArgs {
            engine: own.engine.engine,
            ..own.engine.clone()
        },
        safety: own.safety.clone(),
        output: OutputArgs {
            output: own.output.clone(),
            print: own.print,
            quiet: own.quiet,
            no_live: own.no_live,
        },
    };
    if options.output.output.is_empty()
        && let Some(name) = format
    {
        options.output.output.push(output(name)?);
    }
    if let (None, Some(name)) = (options.engine.engine.0, wishes.engine) {
        options.engine.engine.0 = name.parse().ok();
    }
    options.safety.keep |= wishes.keep_files;
    options.safety.stop_on_error |= wishes.stop_on_error;
    Ok(options)
}

/// A format of ours by its name.
pub(super) fn output(name: &str) -> Result<OutputSpec, Problem> {
    name.parse().map_err(|cause: String| {
        Problem::new(Exit::Defect, format!("the format {name} is missing")).because(cause)
    })
}

/// Tells what is not as the other program would do it.
pub(super) fn tell(translation: &Translation, quiet: bool) {
    for note in translation.notes.iter().filter(|_| !quiet) {
        tell_note(note);
    }
}

fn tell_note(note: &Note) {
    // Only a note: where it cannot be written, the run can do without.
    let _ = writeln!(io::stderr(), "note: {note}");
}
