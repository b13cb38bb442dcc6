//! `fathom suite`.

use super::format::{self, NamedFormat};
use super::seconds::seconds;
use super::{ClusterArgs, DriveArgs, EngineArgs, OverrideArgs, SafetyArgs, SaveArgs, TargetArg};
use clap::Args;
use fathom_core::Nanos;
use fathom_verdict::Requirement;
use std::path::PathBuf;
use std::str::FromStr;

/// Run many workloads that answer one question, as one suite
///
/// Without a name the suites that come with fathom are listed. Each run's result is kept in a
/// folder as it ends; called again with the same folder, the suite goes on where it was left. At
/// the end there is one report of all runs, which is also kept there.
#[expect(
    clippy::struct_excessive_bools,
    reason = "the switches of a command line"
)]
#[derive(Args, Debug)]
pub(crate) struct SuiteArgs {
    /// A suite that comes with fathom, a TOML file, or a script of DISKSPD (.txt, .cmd, .bat, .sh)
    #[arg(value_name = "NAME|FILE.toml")]
    pub(crate) suite: Option<String>,
    #[command(flatten)]
    pub(crate) drives: DriveArgs,
    /// Files, directories (a scratch file is made there) or devices, also as serial:NUMBER;
    /// ROLE=PATH for one role
    #[arg(long, value_name = "PATH", value_delimiter = ',')]
    pub(crate) target: Vec<TargetArg>,
    /// Folder of the results; made if it is not there
    #[arg(long, value_name = "FOLDER")]
    pub(crate) into: Option<PathBuf>,
    /// Run in random order, another in each pass; the seed is --seed
    #[arg(long)]
    pub(crate) shuffle: bool,
    /// What each result has to show, as for `fathom run`; any number
    #[arg(long, value_name = "STATE|LIMIT")]
    pub(crate) require: Vec<Requirement>,
    /// Begin a pass (--repeat) so long after the one before began, as 1h; each stays in the history
    /// under the suite's tag
    #[arg(long, value_name = "DURATION", value_parser = seconds)]
    pub(crate) every: Option<Nanos>,
    /// Show the runs of the suite, and do nothing
    #[arg(long)]
    pub(crate) list: bool,
    /// Write the report of all runs in a format, to standard output or a file; any number of times
    ///
    /// The formats are text, html, markdown and junit; in the folder of the results all of them are
    /// kept. Where all go to files, the text is printed all the same, unless --quiet.
    #[arg(short = 'o', long, alias = "out", value_name = "FORMAT[:FILE]")]
    pub(crate) output: Vec<SuiteOutput>,
    /// Show no progress and no notes
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Show progress as plain lines also in a terminal
    #[arg(long)]
    pub(crate) no_live: bool,
    #[command(flatten)]
    pub(crate) overrides: OverrideArgs,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    #[command(flatten)]
    pub(crate) safety: SafetyArgs,
    #[command(flatten)]
    pub(crate) save: SaveArgs,
    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,
}

/// A format of the report of a suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SuiteFormat {
    Text,
    Html,
    Markdown,
    Junit,
}

impl SuiteFormat {
    /// All of them.
    pub(crate) const ALL: [Self; 4] = [Self::Text, Self::Html, Self::Markdown, Self::Junit];

    /// Its name, which a result's format has too.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Html => "html",
            Self::Markdown => "markdown",
            Self::Junit => "junit",
        }
    }
}

/// One `--output` of a suite.
#[derive(Clone, Debug)]
pub(crate) struct SuiteOutput {
    pub(crate) format: SuiteFormat,
    /// None for standard output.
    pub(crate) file: Option<PathBuf>,
}

impl FromStr for SuiteOutput {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let formats = SuiteFormat::ALL.map(|format| NamedFormat {
            name: format.name(),
            // The formats have the endings that they have for a result.
            extension: fathom_report::find(format.name()).map_or("", |same| same.extension),
            value: format,
        });
        let (format, file) = format::read(text, &formats)?;
        Ok(Self { format, file })
    }
}
