//! `fathom explain`.

use super::answer::AnswerArgs;
use clap::Args;
use fathom_explain::explanation::Explanation;
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
    /// Measure both loads in turn, as `fathom ab` does, to test the cause of the difference
    #[arg(long, requires = "against", requires = "target")]
    pub(crate) run: bool,
    /// File, directory or device for --run
    #[arg(long, value_name = "PATH", requires = "run")]
    pub(crate) target: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs<Explanation>,
}

/// An application that has requirements.
fn application(name: &str) -> Result<&'static Application, String> {
    Application::named(name).ok_or_else(|| {
        let names: Vec<&str> = APPLICATIONS.iter().map(|one| one.name).collect();
        format!("the applications are {}", names.join(", "))
    })
}
