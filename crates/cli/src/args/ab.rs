//! `fathom ab`.

use super::RefereeArgs;
use super::compare::small_percent;
use super::seconds::seconds;
use clap::Args;
use fathom_core::{Nanos, Percent};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct AbArgs {
    /// Base command, such as "run ms-oltp --target /data --engine psync"
    #[arg(long, value_name = "COMMAND")]
    pub(crate) a: String,
    /// The other
    #[arg(long, value_name = "COMMAND")]
    pub(crate) b: String,
    /// Maximum number of pairs; with --gate, pairs in each of the two batches [default: 24, with
    /// --gate 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(6..=1000))]
    pub(crate) pairs_max: Option<u32>,
    /// Start no new pair after this time
    #[arg(long, value_name = "DURATION", value_parser = seconds)]
    pub(crate) time_limit: Option<Nanos>,
    /// For CI: fail if B is worse by more than this, confirmed by a second batch
    #[arg(long, value_name = "PERCENT", value_parser = small_percent)]
    pub(crate) gate: Option<Percent>,
    /// Seed of the pair order, and of the requests if a side sets no seed [default: random, and
    /// printed]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Save the result of each run as JSON in this directory
    #[arg(long, visible_alias = "results", value_name = "DIR")]
    pub(crate) into: Option<PathBuf>,
    /// Send the results of both sides to URL after the last pair, such as ssh://host/folder/;
    /// repeatable
    #[arg(long, value_name = "URL")]
    pub(crate) deliver: Vec<String>,
    /// Suppress progress
    #[arg(long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) referee: RefereeArgs,
}
