//! `fathom convert`.

use super::{ReplaceArgs, TargetArg};
use clap::Args;
use clap::builder::PossibleValuesParser;
use fathom_core::Bytes;
use std::path::PathBuf;

/// Say a workload in the language of another tool, or that of another tool as TOML
///
/// Reads a profile's name, a TOML file, a job file of fio, an XML profile of DISKSPD or a
/// configuration file of Iometer; with --from and after --, the words of a command line of DISKSPD,
/// fio, iotest.sh or dd. Writes TOML, a job file of fio, or a command line or an XML profile of
/// DISKSPD.
///
/// Everything that the other form cannot say is named on standard error, and in comments where the
/// form has them. If what is lost makes it a different load, nothing is written and the status is
/// 2, unless --lossy is given. docs/convert.md has a table of what becomes of what.
#[derive(Args, Debug)]
pub(crate) struct ConvertArgs {
    /// Profile, or file; - for standard input
    #[arg(value_name = "NAME|FILE", required_unless_present = "words")]
    pub(crate) input: Option<String>,
    /// Form to write
    #[arg(long, value_name = "FORM", value_parser = forms())]
    pub(crate) to: String,
    /// Form that is read, where the file does not show it, and of a command line
    #[arg(long, value_name = "DIALECT", value_parser = dialects())]
    pub(crate) from: Option<String>,
    /// File to write; standard output without it
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
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
    /// Words of a command line
    #[arg(
        last = true,
        requires = "from",
        conflicts_with = "input",
        value_name = "WORD"
    )]
    pub(crate) words: Vec<String>,
}

fn forms() -> PossibleValuesParser {
    let names: Vec<&str> = fathom_tools::writers().map(|writer| writer.name).collect();
    names.into()
}

fn dialects() -> PossibleValuesParser {
    let foreign = fathom_tools::dialects().map(|dialect| dialect.name);
    let names: Vec<&str> = std::iter::once("native").chain(foreign).collect();
    names.into()
}
