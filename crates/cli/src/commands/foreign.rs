//! What the commands with other programs' options have in common: from a translation to a run.

use super::measure;
use crate::args::{
    CpuList, EngineArgs, ExplainArgs, ForeignOptions, OutputArgs, OutputSpec, OverrideArgs,
    RunOptions,
};
use crate::error::Problem;
use crate::exit::Exit;
use fathom_core::result::RunResult;
use fathom_tools::{Affinity, Note, RunWishes, Translation};
use std::io::{self, Write as _};

/// The options of a run for a translation; without `--output` the result has `format`, or none.
pub(super) fn run_options(
    own: &ForeignOptions,
    wishes: &RunWishes,
    format: Option<&str>,
) -> Result<RunOptions, Problem> {
    let mut options = RunOptions {
        overrides: OverrideArgs::default(),
        engine: engine(&own.engine, wishes),
        safety: own.safety.clone(),
        explain: ExplainArgs::default(),
        output: OutputArgs {
            output: own.output.clone(),
            print: own.print,
            quiet: own.quiet,
            no_live: own.no_live,
            as_listed: true,
            ..OutputArgs::default()
        },
        save: own.save.clone(),
    };
    let to_files = options.output.output.iter().all(|one| one.file.is_some());
    let is_silent = own.quiet && !options.output.output.is_empty();
    if to_files
        && !is_silent
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

/// How requests are made: as the command line says, else as the input wishes.
fn engine(own: &EngineArgs, wishes: &RunWishes) -> EngineArgs {
    let mut engine = own.clone();
    engine.huge_pages |= wishes.huge_pages;
    let simulated = engine.engine.is_virtual();
    if engine.affinity.is_none() && !simulated {
        engine.affinity = match &wishes.affinity {
            Affinity::Free => None,
            Affinity::RoundRobin => measure::processors(),
            Affinity::List(list) => Some(CpuList(list.clone())),
        };
    }
    engine
}

/// A format of ours by its name.
pub(super) fn output(name: &str) -> Result<OutputSpec, Problem> {
    name.parse().map_err(|cause: String| {
        Problem::new(Exit::Defect, format!("the format {name} is missing")).because(cause)
    })
}

/// Tells beside a layout without a place for it what the result is worth.
pub(super) fn judge(result: &RunResult, quiet: bool) {
    if quiet {
        return;
    }
    // As with notes: where it cannot be written, the run can do without.
    let _ = io::stderr().write_all(fathom_report::verdict(result).as_bytes());
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
