//! `fathom ab`.

use super::RefereeArgs;
use super::compare::small_percent;
use super::seconds::seconds;
use clap::Args;
use fathom_core::{Nanos, Percent};
use std::path::PathBuf;

/// Run two commands in turn until it can be said which is faster
///
/// Each side is a command line of fathom (run, quick, fio or diskspd) without the word fathom, in
/// quotes. Pairs are made in random order, one run after the other, and looked at after 8, 12, 16
/// and 24 of them; what differs between the two is what is under test.
#[derive(Args, Debug)]
pub(crate) struct AbArgs {
    /// The base, as "run ms-oltp --target /data --engine psync"
    #[arg(long, value_name = "COMMAND")]
    pub(crate) a: String,
    /// The other
    #[arg(long, value_name = "COMMAND")]
    pub(crate) b: String,
    /// Most pairs; with --gate those of each of its two batches [default: 24, with --gate 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(6..=1000))]
    pub(crate) pairs_max: Option<u32>,
    /// Begin no further pair after this time
    #[arg(long, value_name = "DURATION", value_parser = seconds)]
    pub(crate) time_limit: Option<Nanos>,
    /// For CI: fail if B is worse by more than this, confirmed by a second batch
    #[arg(long, value_name = "PERCENT", value_parser = small_percent)]
    pub(crate) gate: Option<Percent>,
    /// Seed of the order within the pairs, and of the requests of each pair where a side names no
    /// seed [default: drawn, and printed]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Keep the result of each run as JSON in this directory
    #[arg(long, visible_alias = "results", value_name = "DIR")]
    pub(crate) into: Option<PathBuf>,
    /// Send the results of both sides there after the last pair, as ssh://host/folder/; any number
    /// of times
    #[arg(long, value_name = "URL")]
    pub(crate) deliver: Vec<String>,
    /// Show no progress
    #[arg(long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) referee: RefereeArgs,
}
