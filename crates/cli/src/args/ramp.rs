//! `fathom ramp`.

use super::seconds::seconds;
use super::{RunOptions, TargetArg};
use clap::{Args, ValueEnum};
use fathom_core::Nanos;
use fathom_core::result::RampAxis;
use fathom_verdict::slo::Objective;

#[derive(Args, Debug)]
pub(crate) struct RampArgs {
    /// Profile or TOML file; if it has several phases, select one with --phase
    #[arg(value_name = "NAME|FILE.toml")]
    pub(crate) workload: String,
    /// Files, directories (for a scratch file) or block devices, also serial:NUMBER; ROLE=PATH sets
    /// one role
    #[arg(long, value_name = "PATH", value_delimiter = ',')]
    pub(crate) target: Vec<TargetArg>,
    /// Quantity to increase [default: rate with --slo, otherwise queue-depth]
    #[arg(long, value_name = "WHAT")]
    pub(crate) over: Option<OverChoice>,
    /// Phase of the workload
    #[arg(long, value_name = "NAME")]
    pub(crate) phase: Option<String>,
    /// First queue depth or number of threads
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) from: u32,
    /// Last queue depth or number of threads [default: where more load adds no throughput, at most
    /// 1024]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) to: Option<u32>,
    /// Objective, such as p99<=5ms, p99.9<=20ms, mean<=1ms or max<=1s; repeatable
    #[arg(long, value_name = "OBJECTIVE")]
    pub(crate) slo: Vec<Objective>,
    /// Measured time of each step, after its --warm-up
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = seconds)]
    pub(crate) step: Nanos,
    /// Precision of the rate search, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 3.0)]
    pub(crate) precision: f64,
    /// Number of searches; more than one shows the variation of the answer
    #[arg(long, value_name = "N", default_value_t = 3)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=20))]
    pub(crate) searches: u32,
    #[command(flatten)]
    pub(crate) options: RunOptions,
}

/// What rises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OverChoice {
    /// Queue depth per thread
    QueueDepth,
    /// Threads per job
    Threads,
    /// Request size: 4, 16, 64 and 256 KiB
    BlockSize,
    /// Request rate of an open load
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
