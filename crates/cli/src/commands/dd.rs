//! `fathom dd`: dd's lines on standard error as dd prints them, ours on standard output.

use super::surroundings::Live;
use super::{Origin, foreign, measure, print};
use crate::args::DdArgs;
use crate::error::Error;
use crate::exit::Exit;
use fathom_core::result::RunResult;
use fathom_tools::dd::{Status, translate_argv};
use std::io::{self, Write as _};

pub(crate) fn run(args: &DdArgs, origin: &Origin) -> Result<Exit, Error> {
    let (translation, status) = translate_argv(&args.words, &Live).map_err(Error::Text)?;
    foreign::tell(&translation, args.options.quiet);
    let mut options = foreign::run_options(&args.options, &translation.wishes, None)?;
    let asked = !options.output.output.is_empty();
    options.output.quiet |= status != Status::Progress;
    let quiet = args.options.quiet;
    let mut told = |result: &RunResult| {
        say(result, status);
        if asked || quiet {
            return Ok(());
        }
        print(&fathom_tools::dd::unsaid(result)).map(|_| ())
    };
    measure::each(&[translation.workload], &[], &options, origin, &mut told)
}

/// What dd says, as far as it was asked to.
fn say(result: &RunResult, status: Status) {
    let lines = fathom_tools::dd::transfer_lines(result);
    let count = match status {
        Status::Nothing => 0,
        Status::NoTransfer => 2,
        Status::All | Status::Progress => lines.len(),
    };
    // As with dd, a closed standard error is no failure of the transfer.
    let _ = io::stderr().write_all(lines[..count].concat().as_bytes());
}
