//! The command `fathom`.
#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of their own")
)]

mod args;
mod commands;
mod error;
mod exit;
mod live;
mod paragraph;
mod stop;
mod table;

use clap::Parser as _;
use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    let origin = commands::Origin::now();
    let cli = match args::Cli::try_parse_from(args::words(std::env::args_os())) {
        Ok(cli) => cli,
        Err(refusal) => return args::refuse(&refusal).into(),
    };
    match commands::dispatch(&cli.command, &origin) {
        Ok(exit) => exit.into(),
        Err(error) => {
            // Where standard error is closed, the status alone has to say it.
            let _ = error.print(&mut io::stderr().lock());
            error.exit().into()
        }
    }
}
