//! The command `fathom`.
#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of their own")
)]

mod appearance;
mod args;
mod aside;
mod commands;
mod completion;
mod config;
mod error;
mod exit;
mod live;
mod paragraph;
mod platform;
mod printing;
mod stop;
mod table;
mod terminal;
mod user_folder;
mod version;
mod width;

use fathom_engine::clock;
use std::process::ExitCode;

fn main() -> ExitCode {
    match completion::answered() {
        Ok(true) => return exit::Exit::Ok.into(),
        Ok(false) => {}
        Err(refusal) => return args::refuse(&refusal).into(),
    }
    if !clock::is_sound() {
        let problem = error::Problem::new(exit::Exit::Environment, "CLOCK_MONOTONIC is negative")
            .because(
                "the kernel never returns this: a library such as libfaketime replaces the \
                      clock",
            )
            .remedy("set FAKETIME_DONT_FAKE_MONOTONIC=1, or run without the library");
        return answer(Err(problem.into()), None);
    }
    let origin = commands::Origin::now();
    width::look();
    platform::outlive_file_limits();
    let words = args::words(std::env::args_os());
    if version::is_asked_for(&words) {
        return answer(printing::print(&version::page()), None);
    }
    if words.len() < 2 {
        return answer(printing::print(&args::questions()), None);
    }
    let cli = match args::parse(words) {
        Ok(cli) => cli,
        Err(refusal) => {
            return answer(Ok(args::refuse(&refusal)), commands::namesake_statuses());
        }
    };
    let statuses = commands::statuses(&cli.command);
    // Members follow their coordinator, and the live image its job.
    let is_led = matches!(
        cli.command,
        args::Command::Member(_) | args::Command::Appliance(_)
    );
    if let Err(problem) = config::load(cli.no_config || is_led) {
        return answer(Err(problem.into()), statuses);
    }
    appearance::choose(cli.color.unwrap_or_else(config::color));
    stop::name_what_blocks();
    answer(commands::dispatch(&cli.command, &origin), statuses)
}

/// Ends as the outcome says, in the numbers of another program where the words were its.
fn answer(
    outcome: Result<exit::Exit, error::Error>,
    statuses: Option<fathom_tools::Statuses>,
) -> ExitCode {
    let exit = outcome.unwrap_or_else(|error| {
        error.say();
        error.exit()
    });
    exit.number_of(statuses).into()
}
