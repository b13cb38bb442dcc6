//! `--output FORMAT[:FILE]` and how much is told meanwhile.

use clap::Args;
use fathom_report::Format;
use std::path::PathBuf;
use std::str::FromStr;

/// What is told, where.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Write the result as text, json or another form, to standard output or to a file; any
    /// number of times
    ///
    /// With several workloads each has a result of its own: `{name}` in FILE stands for the name
    /// of the workload.
    #[arg(
        long,
        value_name = "FORMAT[:FILE]",
        default_value = "text",
        hide_default_value = true
    )]
    pub(crate) output: Vec<OutputSpec>,
    /// Show the workload with all changes as TOML, and do nothing
    #[arg(long)]
    pub(crate) print: bool,
    /// Show no progress and no notes
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Show progress as plain lines also in a terminal
    #[arg(long)]
    pub(crate) no_live: bool,
}

/// What becomes of files that are there, where there is no run to give them up for.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct ReplaceArgs {
    /// Replace a file that is there
    #[arg(long)]
    pub(crate) overwrite: bool,
}

/// One `--output`.
#[derive(Clone, Debug)]
pub(crate) struct OutputSpec {
    pub(crate) format: &'static Format,
    /// None for standard output.
    pub(crate) file: Option<PathBuf>,
}

impl OutputSpec {
    /// Text on standard output.
    pub(crate) fn text() -> Self {
        let format = fathom_report::find("text").expect("it is in the table");
        Self { format, file: None }
    }
}

impl FromStr for OutputSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (format, file) = match text.split_once(':') {
            Some((format, file)) => (format, Some(file)),
            None => (text, None),
        };
        if file == Some("") {
            return Err("no file is named after the colon".to_owned());
        }
        let format = fathom_report::find(format).ok_or_else(|| {
            let names = fathom_report::FORMATS.iter().map(|format| format.name);
            format!("the formats are {}", names.collect::<Vec<_>>().join(", "))
        })?;
        Ok(Self {
            format,
            file: file.filter(|file| *file != "-").map(PathBuf::from),
        })
    }
}
