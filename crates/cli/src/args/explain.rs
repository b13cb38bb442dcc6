//! `fathom explain`.

use super::ReplaceArgs;
use super::answer::{self, AnswerOutput};
use clap::Args;
use fathom_explain::explanation::Explanation;
use fathom_report::EXPLANATION_FORMATS;
use fathom_verdict::{APPLICATIONS, Application};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct PasteArgs {
    /// Files with outputs; - for standard input [default: -]
    #[arg(value_name = "FILE|-")]
    pub(crate) files: Vec<PathBuf>,
    /// Say whether the result is good enough for an application
    #[arg(long = "for", value_name = "APPLICATION", value_parser = application)]
    pub(crate) purpose: Option<&'static Application>,
    /// Explain why the result differs from this one: a file, or a command line in quotes
    #[arg(long, value_name = "FILE|COMMAND", conflicts_with = "purpose")]
    pub(crate) against: Option<PathBuf>,
    /// Run the experiment that decides, as `fathom ab` with both loads
    #[arg(long, requires = "against", requires = "target")]
    pub(crate) run: bool,
    /// File, directory or device for --run
    #[arg(long, value_name = "PATH", requires = "run")]
    pub(crate) target: Option<PathBuf>,
    /// Write the answer in a format, to standard output or to a file; any number of times
    #[arg(
        short = 'o',
        long,
        alias = "out",
        value_name = "FORMAT[:FILE]",
        value_parser = output,
        long_help = answer::help("answer.md", EXPLANATION_FORMATS)
    )]
    pub(crate) output: Vec<AnswerOutput<Explanation>>,
    #[command(flatten)]
    pub(crate) replace: ReplaceArgs,
    /// Print all findings with their commands, as `--output text`
    #[arg(long, conflicts_with = "json")]
    pub(crate) full: bool,
    /// Print the answer for programs, as `--output json`
    #[arg(long)]
    pub(crate) json: bool,
}

impl PasteArgs {
    /// Where the answer goes.
    pub(crate) fn places(&self) -> Vec<AnswerOutput<Explanation>> {
        AnswerOutput::all(&self.output, self.full, self.json, EXPLANATION_FORMATS)
    }
}

/// An application that has requirements.
fn application(name: &str) -> Result<&'static Application, String> {
    Application::named(name).ok_or_else(|| {
        let names: Vec<&str> = APPLICATIONS.iter().map(|one| one.name).collect();
        format!("the applications are {}", names.join(", "))
    })
}

fn output(text: &str) -> Result<AnswerOutput<Explanation>, String> {
    AnswerOutput::read(text, EXPLANATION_FORMATS)
}
