//! `fathom convert`.

use super::format::{self, NamedFormat};
use super::{DriveArgs, ReplaceArgs, TargetArg};
use clap::Args;
use clap::builder::PossibleValuesParser;
use fathom_core::Bytes;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Say a workload in the language of another tool, or as TOML
///
/// Reads a profile's name, a TOML file, a job file of fio, an XML profile of DISKSPD or a
/// configuration file of Iometer; with --from and after --, the words of a command line of DISKSPD,
/// fio, iotest.sh or dd. Writes TOML, a job file of fio, or a command line or an XML profile of
/// DISKSPD.
///
/// Everything that the other format cannot say is named on standard error, and in comments where
/// the format has them. If what is lost makes it a different load, nothing is written and the
/// status is 2, unless --lossy is given. docs/convert.md has a table of what becomes of what.
#[derive(Args, Debug)]
pub(crate) struct ConvertArgs {
    /// Profile, or file; - for standard input
    #[arg(value_name = "NAME|FILE", required_unless_present = "words")]
    pub(crate) input: Option<String>,
    /// Format to write
    #[arg(
        long,
        value_name = "FORM",
        value_parser = formats(),
        required_unless_present = "output"
    )]
    pub(crate) to: Option<String>,
    /// Format that is read, where the file does not show it, and of a command line
    #[arg(long, value_name = "DIALECT", value_parser = dialects())]
    pub(crate) from: Option<String>,
    /// Format to write and its file, or a file alone for that of --to; standard output without it
    #[arg(short, long, visible_alias = "out", value_name = "FORMAT[:FILE]")]
    pub(crate) output: Option<ConvertOutput>,
    #[command(flatten)]
    pub(crate) replace: ReplaceArgs,
    /// Write it also if what is lost makes it a different load
    #[arg(long)]
    pub(crate) lossy: bool,
    /// Path for jobs without a target of their own; ROLE=PATH for one role
    #[arg(long, value_name = "PATH", value_delimiter = ',')]
    pub(crate) target: Vec<TargetArg>,
    /// Size of targets that are not here, for inputs whose meaning depends on it
    #[arg(long, value_name = "SIZE")]
    pub(crate) assume_size: Option<Bytes>,
    #[command(flatten)]
    pub(crate) drives: DriveArgs,
    /// Words of a command line
    #[arg(
        last = true,
        requires = "from",
        conflicts_with = "input",
        value_name = "WORD"
    )]
    pub(crate) words: Vec<String>,
}

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
                Err(format!("--output says {named} and --to says {to}"))
            }
            (Some(named), _) => Ok((named, file)),
            (None, Some(to)) => Ok((to, file)),
            (None, None) => Err("a file alone does not say it".to_owned()),
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
