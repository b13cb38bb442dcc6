//! Checks of this repository that no other tool makes: `tidy`, `layers`, `instr`, `page`.
#![allow(
    clippy::disallowed_methods,
    reason = "it writes to this repository, and to devices that it makes"
)]
#![forbid(unsafe_code)]
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program talks on these"
)]

mod finding;
mod instr;
mod layers;
mod metadata;
mod page;
mod rust_text;
mod sources;
mod tidy;
mod zram;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  tidy             layers, file lengths, banned words, licences and the other house rules
  layers           print the layer table of layers.toml as it stands in ARCHITECTURE.md
  layers --write   write it there
  instr            user instructions per I/O, against xtask/budgets.toml (needs valgrind)
  page             open pages of reports in headless Chromium (skipped where there is none)
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args.as_slice() {
        ["tidy"] => tidy::run(),
        ["layers"] => layers::print(),
        ["layers", "--write"] => layers::write(),
        ["instr"] => instr::run(),
        ["page"] => page::run(),
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
