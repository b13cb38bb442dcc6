//! Fathom compared with fio: the same I/O in turn, many times, and what may be claimed from it.
//!
//! Not a test: nothing here fails because of a time. The exit status is 0 when everything ran, 1
//! when something did not, 2 for bad usage, 130 after Ctrl-C.

#![allow(
    clippy::disallowed_methods,
    reason = "it writes its own files, and devices that it makes"
)]
#![forbid(unsafe_code)]

mod args;
mod cases;
mod child;
mod claim;
mod comparison;
mod fixtures;
mod host;
mod interrupt;
mod invocation;
mod outcome;
mod reading;
mod rounds;
mod runner;
mod scratch;
mod stats;
mod table;
mod zram;

use std::fs::File;
use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{CommandFactory, Parser};
use serde_json::json;

use crate::args::Args;
use crate::cases::Case;
use crate::comparison::Comparison;
use crate::fixtures::Fixtures;
use crate::host::Host;
use crate::interrupt::Interrupt;
use crate::invocation::{Invocation, Setting};
use crate::outcome::{End, PairOutcome};
use crate::runner::{Runner, Tools};
use crate::scratch::Scratch;

const FAILED: u8 = 1;
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    let args = Args::parse();
    let cases = match cases::select(&args.cases) {
        Ok(cases) => cases,
        Err(unknown) => {
            let names: Vec<_> = cases::CASES.iter().map(|case| case.name).collect();
            let message = format!(
                "there is no case {unknown}; the cases are {}",
                names.join(", ")
            );
            Args::command()
                .error(clap::error::ErrorKind::InvalidValue, message)
                .exit();
        }
    };
    match compare(&args, &cases) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            say(&format!("error: {error:#}"));
            ExitCode::from(FAILED)
        }
    }
}

/// Everything between the command line and the exit status.
fn compare(args: &Args, cases: &[&'static Case]) -> Result<u8> {
    if args.print {
        print(&comparison::print_commands(cases, args))?;
        return Ok(0);
    }
    let tools = Tools::find(args.fathom.as_deref())?;
    // Before anything is measured, so that a bad path does not cost half an hour.
    let json_file = match &args.json {
        Some(path) => Some(File::create(path).with_context(|| path.display().to_string())?),
        None => None,
    };
    let interrupt = Interrupt::listen().context("cannot receive signals")?;
    let scratch = Scratch::new_in(&args.dir)?;
    let runner = Runner {
        tools: &tools,
        folder: scratch.path(),
        seconds: args.seconds,
        interrupt: &interrupt,
    };
    let host = Host::read(&tools, date(&runner))?;
    print(&format!("{host}\n\n"))?;

    let fixtures = Fixtures::new(&scratch, &interrupt);
    let mut comparison = Comparison {
        runner,
        fixtures,
        rounds: args.pairs,
        seed: args.seed,
    };
    let mut outcomes = Vec::new();
    let mut stopped = false;
    for case in cases {
        say(&format!(
            "{}: {} rounds of 3 runs ...",
            case.name, args.pairs
        ));
        match comparison.run(case) {
            Ok(outcome) => outcomes.push(outcome),
            Err(interrupted) => {
                say(&format!(
                    "{}: {interrupted}; the cases before it follow",
                    case.name
                ));
                stopped = true;
                break;
            }
        }
    }
    print(&table::render(&outcomes, args.seconds, args.seed))?;
    if let Some(mut file) = json_file {
        write_json(&mut file, args, &host, &outcomes)?;
    }
    Ok(exit_code(&outcomes, stopped))
}

fn exit_code(outcomes: &[PairOutcome], stopped: bool) -> u8 {
    let failed = outcomes
        .iter()
        .any(|outcome| matches!(outcome.end, End::Failed(_)));
    match (stopped, failed) {
        (true, _) => INTERRUPTED,
        (false, true) => FAILED,
        (false, false) => 0,
    }
}

/// The date as a tool's own result has it: of a single I/O of Fathom, else of fio. A tool that
/// cannot do that says so in the cases.
fn date(runner: &Runner<'_>) -> Option<String> {
    let case = cases::CASES
        .iter()
        .find(|case| case.metric == cases::Metric::WallTime)?;
    let setting = Setting {
        target: String::new(),
        seconds: 1,
        can_pin: false,
    };
    [
        Invocation::of_fathom(case, &setting),
        Invocation::of_baseline(case, &setting),
    ]
    .iter()
    .find_map(|invocation| runner.run(invocation).ok()?.date)
}

fn write_json(file: &mut File, args: &Args, host: &Host, outcomes: &[PairOutcome]) -> Result<()> {
    let document = json!({
        "schema_version": 1,
        "host": host,
        "rounds": args.pairs,
        "seconds": args.seconds,
        "seed": args.seed,
        "cases": outcomes.iter().map(PairOutcome::to_json).collect::<Vec<_>>(),
    });
    serde_json::to_writer_pretty(&mut *file, &document).context("cannot write the JSON file")?;
    writeln!(file).context("cannot write the JSON file")
}

/// The result goes to standard output ...
fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .context("cannot print")
}

/// ... and what happens meanwhile to standard error, where a failure to print is no reason to stop.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}
