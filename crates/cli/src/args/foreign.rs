//! What the commands with other programs' options have of Fathom's own.

use super::engine::EngineArgs;
use super::output::{OutputSpec, output_help};
use super::run::{SafetyArgs, TracingArgs};
use super::store::SaveArgs;
use super::{ClusterArgs, RunOptions, TargetArg};
use crate::exit::Exit;
use clap::Args;
use fathom_core::result::RunResult;
use fathom_tools::Beside;

/// The arguments of a command in another program's words.
pub(crate) trait ForeignArgs {
    /// Its name in the table of programs.
    fn program(&self) -> &'static str;

    /// Fathom's options and its words, where it has both.
    fn call(&self) -> Option<&ForeignCall> {
        None
    }

    /// Its words, the name left out.
    fn words(&self) -> Vec<String> {
        self.call()
            .map(|call| call.words.clone())
            .unwrap_or_default()
    }

    /// What Fathom adds to them.
    fn beside(&self) -> Beside {
        Beside::default()
    }

    /// The status by what a result was to show.
    fn kept(&self, result: &RunResult) -> Exit {
        let _ = result;
        Exit::Ok
    }

    /// Fathom's own options before them.
    fn options(&self) -> Option<&ForeignOptions> {
        self.call().map(|call| &call.options)
    }

    /// All options of a run, where the command has these.
    fn run_options(&self) -> Option<&RunOptions> {
        None
    }

    /// What roles are bound to.
    fn targets(&self) -> &[TargetArg] {
        &[]
    }

    /// Whether nobody wants more than the result.
    fn is_quiet(&self) -> bool {
        let quiet = self.run_options().map(|options| options.output.quiet);
        quiet
            .or(self.options().map(|options| options.quiet))
            .unwrap_or(false)
    }

    /// Whether another format was asked for than what the program prints.
    fn asks_for_form(&self) -> bool {
        self.options()
            .is_some_and(|options| !options.output.is_empty())
    }
}

/// Fathom's own options, and after them all that is the other program's.
#[derive(Args, Debug)]
pub(crate) struct ForeignCall {
    #[command(flatten)]
    pub(crate) options: ForeignOptions,
    /// Arguments of the other program
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) words: Vec<String>,
}

/// Fathom's own options; they come before those of the other program.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Fathom's own")]
pub(crate) struct ForeignOptions {
    /// Write the result in this format instead of the other program's; repeatable
    #[arg(
        long,
        alias = "out",
        value_name = "FORMAT[:FILE]",
        long_help = output_help("--output", "the other program's own layout")
    )]
    pub(crate) output: Vec<OutputSpec>,
    /// Path that replaces the path in the command line; a folder for several paths, or NAME=PATH
    /// for one; repeatable
    #[arg(long, value_name = "[NAME=]PATH")]
    pub(crate) target: Vec<String>,
    /// Print the workload as TOML and exit
    #[arg(long)]
    pub(crate) print: bool,
    /// Suppress progress and notes
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Show progress as plain lines, even in a terminal
    #[arg(long)]
    pub(crate) no_live: bool,
    #[command(flatten)]
    pub(crate) tracing: TracingArgs,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    #[command(flatten)]
    pub(crate) safety: SafetyArgs,
    #[command(flatten)]
    pub(crate) save: SaveArgs,
    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,
}
