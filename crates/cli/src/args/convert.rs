//! `fathom convert`.

use super::format::{self, NamedFormat};
use super::{DriveArgs, ReplaceArgs, TargetArg};
use clap::Args;
use clap::builder::PossibleValuesParser;
use fathom_core::Bytes;
use std::path::{Path, PathBuf};
use std::str::FromStr;

#[derive(Args, Debug)]
pub(crate) struct ConvertArgs {
    /// Profile or file; - for standard input
    #[arg(value_name = "NAME|FILE", required_unless_present = "words")]
    pub(crate) input: Option<String>,
    /// Output format [default: native]
    #[arg(long, value_name = "FORM", value_parser = formats())]
    pub(crate) to: Option<String>,
    /// Input format, if the file does not show it, or of a command line
    #[arg(long, value_name = "DIALECT", value_parser = dialects())]
    pub(crate) from: Option<String>,
    /// Output format and file, or only a file for the format of --to [default: standard output]
    #[arg(short, long, visible_alias = "out", value_name = "FORMAT[:FILE]")]
    pub(crate) output: Option<ConvertOutput>,
    #[command(flatten)]
    pub(crate) replace: ReplaceArgs,
    /// Write the output even if the load changes
    #[arg(long)]
    pub(crate) lossy: bool,
    /// Path for jobs without a target; ROLE=PATH for one role
    #[arg(long, value_name = "PATH", value_delimiter = ',')]
    pub(crate) target: Vec<TargetArg>,
    /// Size of targets that do not exist here, for inputs that depend on it
    #[arg(long, value_name = "SIZE")]
    pub(crate) assume_size: Option<Bytes>,
    #[command(flatten)]
    pub(crate) drives: DriveArgs,
    /// Command line to convert
    #[arg(
        last = true,
        requires = "from",
        conflicts_with = "input",
        value_name = "WORD"
    )]
    pub(crate) words: Vec<String>,
}

/// The format where none is named.
const NATIVE: &str = "native";

impl ConvertArgs {
    /// The format and the file; none for standard output.
    ///
    /// # Errors
    ///
    /// In words, where no format is named, or two.
    pub(crate) fn place(&self) -> Result<(&str, Option<&Path>), String> {
        let (named, file) = match &self.output {
            Some(output) => (output.format, output.file.as_deref()),
            None => (None, None),
        };
        match (named, self.to.as_deref()) {
            (Some(named), Some(to)) if named != to => {
                Err(format!("--output requests {named} and --to requests {to}"))
            }
            (Some(named), _) => Ok((named, file)),
            (None, Some(to)) => Ok((to, file)),
            (None, None) if file.is_none() => Ok((NATIVE, None)),
            (None, None) => Err("a file name alone does not show it".to_owned()),
        }
    }
}

/// `--output` of a conversion.
#[derive(Clone, Debug)]
pub(crate) struct ConvertOutput {
    format: Option<&'static str>,
    file: Option<PathBuf>,
}

impl FromStr for ConvertOutput {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let formats = fathom_programs::writers().map(|writer| NamedFormat {
            name: writer.name,
            // Files of no format have an ending that is its own.
            extension: "",
            value: writer.name,
        });
        let formats: Vec<_> = formats.collect();
        let name = text.split_once(':').map_or(text, |(name, _)| name);
        if formats.iter().any(|format| format.name == name) {
            let (format, file) = format::read(text, &formats)?;
            return Ok(Self {
                format: Some(format),
                file,
            });
        }
        Ok(Self {
            format: None,
            file: Some(PathBuf::from(text)).filter(|_| text != "-"),
        })
    }
}

fn formats() -> PossibleValuesParser {
    let names: Vec<&str> = fathom_programs::writers()
        .map(|writer| writer.name)
        .collect();
    names.into()
}

fn dialects() -> PossibleValuesParser {
    let foreign = fathom_programs::dialects().map(|dialect| dialect.name);
    let names: Vec<&str> = std::iter::once("native").chain(foreign).collect();
    names.into()
}
