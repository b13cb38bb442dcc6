//! `fathom explain`.

use super::ReplaceArgs;
use super::format::{self, NamedFormat};
use clap::Args;
use fathom_report::{EXPLANATION_FORMATS, ExplanationFormat};
use fathom_verdict::{APPLICATIONS, Application};
use std::path::PathBuf;
use std::str::FromStr;

/// Explain a pasted result: is the number right, and is it good?
///
/// Reads what people paste: outputs of fio, dd, CrystalDiskMark, DISKSPD and others, with prompts,
/// quotes, Markdown and log prefixes around them. Says what the output shows, what is wrong with
/// it, what limits it, and which command decides. Nothing in the text is executed.
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
        long_help = forms_help()
    )]
    pub(crate) output: Vec<ExplanationOutput>,
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
    /// Where the answer goes; one screen of it always to standard output, unless something else
    /// does.
    pub(crate) fn places(&self) -> Vec<ExplanationOutput> {
        let mut places = self.output.clone();
        if self.full {
            places.push(ExplanationOutput::named("text"));
        }
        if self.json {
            places.push(ExplanationOutput::named("json"));
        }
        if places.iter().all(|place| place.file.is_some()) {
            places.push(ExplanationOutput::named("brief"));
        }
        places
    }
}

/// An application that has requirements.
fn application(name: &str) -> Result<&'static Application, String> {
    Application::named(name).ok_or_else(|| {
        let names: Vec<&str> = APPLICATIONS.iter().map(|one| one.name).collect();
        format!("the applications are {}", names.join(", "))
    })
}

/// One `--output` of an explanation.
#[derive(Clone, Debug)]
pub(crate) struct ExplanationOutput {
    pub(crate) format: &'static ExplanationFormat,
    /// None for standard output.
    pub(crate) file: Option<PathBuf>,
}

impl ExplanationOutput {
    /// A format on standard output.
    fn named(name: &str) -> Self {
        let mut formats = EXPLANATION_FORMATS.iter();
        let format = formats.find(|format| format.name == name);
        Self {
            format: format.expect("it is in the table"),
            file: None,
        }
    }
}

impl FromStr for ExplanationOutput {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let formats = EXPLANATION_FORMATS.iter().map(|format| NamedFormat {
            name: format.name,
            // The formats have the names, and the endings, that they have for a result.
            extension: fathom_report::find(format.name).map_or("", |same| same.extension),
            value: format,
        });
        let (format, file) = format::read(text, &formats.collect::<Vec<_>>())?;
        Ok(Self { format, file })
    }
}

/// What `--output` takes, with all formats.
fn forms_help() -> String {
    let rows: Vec<_> = EXPLANATION_FORMATS
        .iter()
        .map(|format| (format.name, format.description))
        .collect();
    format!(
        "Write the answer in a format, to standard output or to a file; any number of times\n\n\
         A FILE alone has the format that its ending says, as in `-o answer.md`. Where all go to \
         files, the brief format is printed as well. The formats:\n\n{}",
        format::listed(&rows)
    )
}
