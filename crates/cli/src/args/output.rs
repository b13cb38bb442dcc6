//! `--output FORMAT[:FILE]` and how much is told meanwhile.

use super::format::{self, NamedFormat};
use clap::Args;
use fathom_report::Format;
use std::path::PathBuf;
use std::str::FromStr;

/// What is told, where.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Output")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent switches of the command line"
)]
pub(crate) struct OutputArgs {
    /// Write the result in a format, to standard output or to a file; any number of times
    ///
    /// Where all go to files, the brief format is printed all the same, unless --quiet. With
    /// several workloads each has a result of its own: `{name}` in FILE stands for the name of
    /// the workload.
    #[arg(
        short = 'o',
        long,
        alias = "out",
        value_name = "FORMAT[:FILE]",
        long_help = output_help("-o", "the brief format")
    )]
    pub(crate) output: Vec<OutputSpec>,
    /// Print all there is instead of one screen, as `--output text`
    #[arg(long)]
    pub(crate) full: bool,
    /// Print the result for programs, as `--output json`
    #[arg(long, conflicts_with = "full")]
    pub(crate) json: bool,
    /// Show the workload with all changes as TOML, and do nothing
    #[arg(long)]
    pub(crate) print: bool,
    /// Show no progress and no notes
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Show progress as plain lines also in a terminal
    #[arg(long)]
    pub(crate) no_live: bool,
    /// Whether nothing is printed but what `output` lists: the command has a layout of its own.
    #[arg(skip)]
    pub(crate) as_listed: bool,
}

impl OutputArgs {
    /// Where the result goes in the end.
    pub(crate) fn places(&self) -> Vec<OutputSpec> {
        let mut places = self.output.clone();
        if self.as_listed {
            return places;
        }
        if self.full {
            places.push(OutputSpec::named("text"));
        }
        if self.json {
            places.push(OutputSpec::named("json"));
        }
        let is_printed = places.iter().any(|place| place.file.is_none());
        if !is_printed && (places.is_empty() || !self.quiet) {
            places.push(OutputSpec::named("brief"));
        }
        places
    }
}

/// What `--output`, or `-o`, takes, with all formats; and what is printed where all go to files.
pub(crate) fn output_help(option: &str, printed: &str) -> String {
    let rows: Vec<_> = fathom_report::formats()
        .map(|format| (format.name, format.description))
        .collect();
    format!(
        "Write the result in a format, to standard output or to a file; any number of times\n\n\
         A FILE alone has the format that its ending says, as in `{option} run.html`. Where all \
         go to files, {printed} is printed all the same, unless --quiet. With several workloads \
         each has a result of its own: `{{name}}` in FILE stands for the name of the workload. The \
         formats:\n\n{}",
        format::listed(&rows)
    )
}

/// What becomes of files that are there, where there is no run to give them up for.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct ReplaceArgs {
    /// Replace a file that is there
    #[arg(long = "replace-results", visible_alias = "overwrite")]
    pub(crate) overwrite: bool,
}

/// One `--output`.
#[derive(Clone, Debug)]
pub(crate) struct OutputSpec {
    pub(crate) format: Format,
    /// None for standard output.
    pub(crate) file: Option<PathBuf>,
}

impl OutputSpec {
    /// A format on standard output.
    pub(crate) fn named(name: &str) -> Self {
        let format = fathom_report::find(name).expect("it is in the table");
        Self { format, file: None }
    }

    /// What was asked for, and the brief format besides where all of it goes to files.
    pub(crate) fn with_brief(mut asked: Vec<Self>, is_quiet: bool) -> Vec<Self> {
        if !is_quiet && asked.iter().all(|one| one.file.is_some()) {
            asked.push(Self::named("brief"));
        }
        asked
    }

    /// Text on standard output.
    pub(crate) fn text() -> Self {
        Self::named("text")
    }
}

impl FromStr for OutputSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let formats = fathom_report::formats().map(|format| NamedFormat {
            name: format.name,
            extension: format.extension,
            value: format,
        });
        let (format, file) = format::read(text, &formats.collect::<Vec<_>>())?;
        Ok(Self { format, file })
    }
}
