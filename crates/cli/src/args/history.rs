//! `fathom history` and the commands on what is in it.

use super::{ReplaceArgs, StoreArgs, format};
use clap::Args;
use fathom_core::{Bytes, State};
use fathom_verdict::compare::Metric;
use std::path::PathBuf;

/// List the runs that were kept, the latest first
///
/// IOPS and MB/s are those of the phase with the most, p99 is that of the slowest operation; with a
/// ≤ before them where there are several phases. Runs of one `fathom ab` or suite are one row, with
/// the least and the most of them; --each shows each, and so does JSON.
#[derive(Args, Debug)]
pub(crate) struct HistoryArgs {
    /// Only runs with this tag
    #[arg(long, value_name = "NAME")]
    pub(crate) tag: Option<String>,
    /// Only runs of this host
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Option<String>,
    /// Only runs of this workload
    #[arg(long, value_name = "NAME")]
    pub(crate) profile: Option<String>,
    /// Only runs since then: a date in UTC, as 2026-03-01, or how long ago, as 30d or 12h
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,
    /// Only runs of this state: valid, qualified, suspect or invalid
    #[arg(long, value_name = "STATE", value_parser = state)]
    pub(crate) state: Option<State>,
    /// Only runs on targets with this in their paths
    #[arg(long, value_name = "TEXT")]
    pub(crate) target: Option<String>,
    /// A row for each run, also for those of one `fathom ab` or suite
    #[arg(long)]
    pub(crate) each: bool,
    /// At most so many rows; without it, 20 in a table and all in JSON
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: Option<u32>,
    /// Runs at which a number shifted for good, instead of the runs themselves
    #[arg(long, conflicts_with = "limit")]
    pub(crate) changes: bool,
    /// Number for --changes: iops, throughput, mean, p50, p90, p99, p99.9 or p99.99
    #[arg(long, value_name = "NAME", requires = "changes")]
    pub(crate) metric: Option<Metric>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
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

/// Give a run a name for later, as in `fathom show tag:baseline`
///
/// Several runs may have the same tag; tag:NAME is the latest of them. Runs with a tag are never
/// pruned.
#[derive(Args, Debug)]
pub(crate) struct TagArgs {
    /// Run, as for `fathom show`
    pub(crate) run: String,
    /// Tags: words without blanks
    #[arg(required = true)]
    pub(crate) name: Vec<String>,
    /// Take the tags away instead
    #[arg(long)]
    pub(crate) remove: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// Write a note on a run, in place of the one it has
///
/// Runs with a note are never pruned.
#[derive(Args, Debug)]
pub(crate) struct NoteArgs {
    /// Run, as for `fathom show`
    pub(crate) run: String,
    /// What to remember
    #[arg(required_unless_present = "remove", conflicts_with = "remove")]
    pub(crate) text: Option<String>,
    /// Take the note away
    #[arg(long)]
    pub(crate) remove: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// Remove runs from the history for good
///
/// tag:NAME is all runs with that tag: which they are is shown, and --yes removes them.
#[derive(Args, Debug)]
pub(crate) struct RemoveArgs {
    /// Runs, as for `fathom show`
    #[arg(required = true, value_name = "RUN")]
    pub(crate) runs: Vec<String>,
    /// Remove all runs of a tag
    #[arg(long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// Remove the oldest runs: show which, and with --yes do it
///
/// Runs with a tag or a note stay, and so do runs in progress and those that wait to be delivered.
#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("limit").required(true).multiple(true))]
pub(crate) struct PruneArgs {
    /// Keep so many runs at most
    #[arg(long, value_name = "N", group = "limit")]
    pub(crate) keep: Option<u64>,
    /// Keep runs of so many bytes together at most, as 2GB
    #[arg(long, value_name = "SIZE", group = "limit")]
    pub(crate) max_size: Option<Bytes>,
    /// Remove runs from before then: a date in UTC, as 2026-03-01, or how long ago, as 90d
    #[arg(long, value_name = "WHEN", group = "limit")]
    pub(crate) before: Option<String>,
    /// Remove them
    #[arg(long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// Write runs into one file, for another history or `show`
#[derive(Args, Debug)]
pub(crate) struct ExportArgs {
    /// Runs, as for `fathom show`
    #[arg(
        required_unless_present = "all",
        conflicts_with = "all",
        value_name = "RUN"
    )]
    pub(crate) runs: Vec<String>,
    /// All runs that have ended
    #[arg(long)]
    pub(crate) all: bool,
    /// File to write, as FILE or json:FILE; - for standard output
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
    format::only("json", text)
}
