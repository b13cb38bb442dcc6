//! `fathom ramp`.

use super::seconds::seconds;
use super::{RunOptions, TargetArg};
use clap::{Args, ValueEnum};
use fathom_core::Nanos;
use fathom_core::result::RampAxis;
use fathom_verdict::slo::Objective;

/// Walk one workload from little to much load, and find its bend
///
/// Over queue depth or threads the load doubles until it brings nothing more, and is looked at
/// more closely around the knee. Over block size, requests of 4, 16, 64 and 256 KiB show the limits
/// of requests and of bytes, and where they meet. Over rate, requests arrive by the clock at 10 to
/// 100 % of what a closed load reaches. With --slo the highest rate that keeps the objectives is
/// searched, verified by a longer run, and searched again to see how far it moves.
#[derive(Args, Debug)]
pub(crate) struct RampArgs {
    /// A profile or a TOML file; of several phases, name one with --phase
    #[arg(value_name = "NAME|FILE.toml")]
    pub(crate) workload: String,
    /// Files, directories (a scratch file is made there) or devices, also as serial:NUMBER;
    /// ROLE=PATH for one role
    #[arg(long, value_name = "PATH", value_delimiter = ',')]
    pub(crate) target: Vec<TargetArg>,
    /// What rises; rate when --slo is given, else queue-depth
    #[arg(long, value_name = "WHAT")]
    pub(crate) over: Option<OverChoice>,
    /// Phase of the workload
    #[arg(long, value_name = "NAME")]
    pub(crate) phase: Option<String>,
    /// First queue depth or number of threads
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) from: u32,
    /// Last queue depth or number of threads; without it the walk ends where more load brings
    /// nothing, at 1024 at the latest
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) to: Option<u32>,
    /// Objective to keep, as p99<=5ms, p99.9<=20ms, mean<=1ms or max<=1s; any number
    #[arg(long, value_name = "OBJECTIVE")]
    pub(crate) slo: Vec<Objective>,
    /// Measured time of a step; --warm-up comes before each
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = seconds)]
    pub(crate) step: Nanos,
    /// How closely the rate is searched, percent
    #[arg(long, value_name = "PERCENT", default_value_t = 3.0)]
    pub(crate) precision: f64,
    /// Searches in all; more than one shows how far the answer moves
    #[arg(long, value_name = "N", default_value_t = 3)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=20))]
    pub(crate) searches: u32,
    #[command(flatten)]
    pub(crate) options: RunOptions,
}

/// What rises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OverChoice {
    /// Outstanding requests of each thread
    QueueDepth,
    /// Threads of each job
    Threads,
    /// Bytes of each request: 4, 16, 64 and 256 KiB
    BlockSize,
    /// Arrivals a second, in an open load
    Rate,
}

impl From<OverChoice> for RampAxis {
    fn from(choice: OverChoice) -> Self {
        match choice {
            OverChoice::QueueDepth => Self::QueueDepth,
            OverChoice::Threads => Self::Threads,
            OverChoice::BlockSize => Self::BlockSize,
            OverChoice::Rate => Self::Rate,
        }
    }
}
