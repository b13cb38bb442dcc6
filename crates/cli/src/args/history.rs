//! `fathom history` and the commands on what is in it.

use super::format::{FormatFile, Formats, only};
use super::{ReplaceArgs, StoreArgs};
use clap::Args;
use fathom_core::{Bytes, State};
use fathom_verdict::compare::Metric;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct HistoryArgs {
    /// Only runs with this tag
    #[arg(long, value_name = "NAME")]
    pub(crate) tag: Option<String>,
    /// Only runs on this host
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Option<String>,
    /// Only runs of this workload
    #[arg(long, value_name = "NAME")]
    pub(crate) profile: Option<String>,
    /// Only runs since a UTC date, such as 2026-03-01, or within an age, such as 30d or 12h
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,
    /// Only runs with this state: valid, qualified, suspect or invalid
    #[arg(long, value_name = "STATE", value_parser = state)]
    pub(crate) state: Option<State>,
    /// Only runs whose target paths or disk contain this text
    #[arg(long, value_name = "TEXT")]
    pub(crate) target: Option<String>,
    /// List every run, also those of one `fathom ab` or suite
    #[arg(long)]
    pub(crate) each: bool,
    /// Maximum number of rows [default: 20 in a table, all in JSON and CSV]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: Option<u32>,
    /// Same as `fathom trend`, for all metrics of the selected runs
    #[arg(long, hide = true, conflicts_with = "limit")]
    pub(crate) changes: bool,
    /// Metric for --changes
    #[arg(long, hide = true, value_name = "NAME", requires = "changes")]
    pub(crate) metric: Option<Metric>,
    /// Write text, json or csv to standard output or a file
    #[arg(
        short = 'o',
        long,
        alias = "out",
        value_name = "FORMAT[:FILE]",
        default_value = "text",
        hide_default_value = true,
        conflicts_with = "changes"
    )]
    pub(crate) output: FormatFile<HistoryFormat>,
    /// Print JSON; same as `--output json`
    #[arg(long, conflicts_with = "output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) replace: ReplaceArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// How a history is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HistoryFormat {
    Text,
    Json,
    Csv,
}

impl Formats for HistoryFormat {
    const ALL: &'static [(&'static str, Self)] = &[
        ("text", Self::Text),
        ("json", Self::Json),
        ("csv", Self::Csv),
    ];
}

impl HistoryArgs {
    /// The format that is asked for.
    pub(crate) const fn format(&self) -> HistoryFormat {
        if self.json {
            HistoryFormat::Json
        } else {
            self.output.format
        }
    }
}

fn state(word: &str) -> Result<State, String> {
    let states = [
        State::Valid,
        State::Qualified,
        State::Suspect,
        State::Invalid,
    ];
    let mut states = states.into_iter();
    let found = states.find(|state| state.word().eq_ignore_ascii_case(word));
    found.ok_or_else(|| "the states are valid, qualified, suspect and invalid".to_owned())
}

#[derive(Args, Debug)]
pub(crate) struct TagArgs {
    /// Run, as for `fathom show`
    pub(crate) run: String,
    /// Tags: words without spaces
    #[arg(required = true)]
    pub(crate) name: Vec<String>,
    /// Remove the tags
    #[arg(long)]
    pub(crate) remove: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

#[derive(Args, Debug)]
pub(crate) struct NoteArgs {
    /// Run, as for `fathom show`
    pub(crate) run: String,
    /// Write a note
    #[arg(required_unless_present = "remove", conflicts_with = "remove")]
    pub(crate) text: Option<String>,
    /// Remove the note
    #[arg(long)]
    pub(crate) remove: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

#[derive(Args, Debug)]
pub(crate) struct RemoveArgs {
    /// Runs, as for `fathom show`
    #[arg(required = true, value_name = "RUN")]
    pub(crate) runs: Vec<String>,
    /// Delete all runs with a tag
    #[arg(long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("limit").required(true).multiple(true))]
pub(crate) struct PruneArgs {
    /// Keep at most N runs
    #[arg(long, value_name = "N", group = "limit")]
    pub(crate) keep: Option<u64>,
    /// Keep at most this total size, such as 2GB
    #[arg(long, value_name = "SIZE", group = "limit")]
    pub(crate) max_size: Option<Bytes>,
    /// Delete runs older than a UTC date, such as 2026-03-01, or an age, such as 90d
    #[arg(long, value_name = "WHEN", group = "limit")]
    pub(crate) before: Option<String>,
    /// Delete the runs instead of listing them
    #[arg(long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

#[derive(Args, Debug)]
pub(crate) struct ExportArgs {
    /// Runs, as for `fathom show`
    #[arg(
        required_unless_present = "all",
        conflicts_with = "all",
        value_name = "RUN"
    )]
    pub(crate) runs: Vec<String>,
    /// All finished runs
    #[arg(long)]
    pub(crate) all: bool,
    /// Output file, as FILE or json:FILE; - for standard output
    #[arg(
        short = 'o',
        long = "output",
        visible_alias = "out",
        value_name = "FILE",
        value_parser = bundle_file
    )]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) replace: ReplaceArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

fn bundle_file(text: &str) -> Result<PathBuf, String> {
    only("json", text)
}
