//! The command line.

use std::path::PathBuf;

use clap::Parser;
use clap::value_parser;

/// Compare Fathom with fio: the same I/O, in turn, many times, with an honest interval.
///
/// Prints the ratio of their IOPS, what fio against itself gives, and the CPU each took per I/O.
/// Makes and removes the files and the zram device it needs; touches no other device.
#[derive(Debug, Parser)]
#[command(name = "fathom-benches", version)]
pub(crate) struct Args {
    /// Only these cases, separated by commas
    #[arg(long, value_name = "CASE", value_delimiter = ',')]
    pub(crate) cases: Vec<String>,

    /// Rounds of each case; nothing should be claimed from fewer than 15
    #[arg(long, value_name = "N", default_value_t = 15)]
    #[arg(value_parser = value_parser!(u32).range(1..))]
    pub(crate) pairs: u32,

    /// Length of each run in seconds
    #[arg(long, value_name = "S", default_value_t = 3)]
    #[arg(value_parser = value_parser!(u32).range(1..=3600))]
    pub(crate) seconds: u32,

    /// Seed of the order of the runs and of the intervals
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Write everything, each run included, to this file as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,

    /// The fathom program to measure [default: the one in the folder of this program]
    #[arg(long, value_name = "PATH")]
    pub(crate) fathom: Option<PathBuf>,

    /// Where to make the files, and so which disk to measure; needs up to 5 GiB
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) dir: PathBuf,

    /// Print the commands of the cases and run nothing
    #[arg(long)]
    pub(crate) print: bool,
}
