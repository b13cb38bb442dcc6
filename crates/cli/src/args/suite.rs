//! `fathom suite`.

use super::format::{FormatFile, Formats};
use super::seconds::seconds;
use super::{
    ClusterArgs, DriveArgs, EngineArgs, OverrideArgs, SafetyArgs, SaveArgs, TargetArg, TracingArgs,
};
use clap::Args;
use fathom_core::Nanos;
use fathom_verdict::Requirement;
use std::path::PathBuf;

#[expect(
    clippy::struct_excessive_bools,
    reason = "the switches of a command line"
)]
#[derive(Args, Debug)]
pub(crate) struct SuiteArgs {
    /// Built-in suite, TOML file, or DISKSPD script (.txt, .cmd, .bat, .sh)
    #[arg(value_name = "NAME|FILE.toml")]
    pub(crate) suite: Option<String>,
    #[command(flatten)]
    pub(crate) drives: DriveArgs,
    /// Files, directories (for a scratch file) or block devices, also serial:NUMBER; ROLE=PATH sets
    /// one role
    #[arg(long, value_name = "PATH", value_delimiter = ',')]
    pub(crate) target: Vec<TargetArg>,
    /// Results folder; created if missing
    #[arg(long, value_name = "FOLDER")]
    pub(crate) into: Option<PathBuf>,
    /// Run in random order, different in each repetition; the seed is --seed
    #[arg(long)]
    pub(crate) shuffle: bool,
    /// Requirement on each result, as for `fathom run`; repeatable
    #[arg(long, value_name = "STATE|LIMIT")]
    pub(crate) require: Vec<Requirement>,
    /// Start repetitions (--repeat) at this interval, such as 1h; the history tags each with the
    /// suite's name
    #[arg(long, value_name = "DURATION", value_parser = seconds)]
    pub(crate) every: Option<Nanos>,
    /// List the runs of the suite and exit
    #[arg(long)]
    pub(crate) list: bool,
    /// Print the list as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Write the report of all runs to standard output or a file; repeatable
    ///
    /// The formats are text, html, markdown and junit. The results folder receives all of them. If
    /// every report goes to a file, the text is printed too, unless --quiet is given.
    #[arg(short = 'o', long, alias = "out", value_name = "FORMAT[:FILE]")]
    pub(crate) output: Vec<FormatFile<SuiteFormat>>,
    /// Suppress progress and notes
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Show progress as plain lines, even in a terminal
    #[arg(long)]
    pub(crate) no_live: bool,
    #[command(flatten)]
    pub(crate) overrides: OverrideArgs,
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

/// A format of the report of a suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SuiteFormat {
    Text,
    Html,
    Markdown,
    Junit,
}

impl Formats for SuiteFormat {
    const ALL: &'static [(&'static str, Self)] = &[
        ("text", Self::Text),
        ("html", Self::Html),
        ("markdown", Self::Markdown),
        ("junit", Self::Junit),
    ];
}
