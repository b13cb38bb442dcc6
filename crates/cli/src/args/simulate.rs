//! `fathom simulate`.

use super::seconds::seconds;
use super::{
    CatalogOptions, InstanceOptions, OutputArgs, OverrideArgs, ReplaceArgs, SaveArgs, SimulatedArgs,
};
use clap::{Args, ValueEnum};
use fathom_core::{Nanos, Percent};
use fathom_volume::layout::Spread;

#[derive(Args, Debug)]
pub(crate) struct SimulateArgs {
    /// Profile, or file in any supported format
    #[arg(value_name = "NAME|FILE")]
    pub(crate) workload: String,
    /// Volume, or volumes of an array
    #[arg(long, value_name = "VOLUME", required_unless_present = "role")]
    pub(crate) volume: Option<String>,
    /// Volumes of one workload role (target `@data`), such as data=4x gp3:500GiB; repeatable. All
    /// use one instance
    #[arg(long, value_name = "ROLE=VOLUME", conflicts_with = "volume")]
    pub(crate) role: Vec<String>,
    #[command(flatten)]
    pub(crate) instance: InstanceOptions,
    /// Virtual time of each phase, such as 24h; same as --time
    #[arg(long = "for", value_name = "DURATION", conflicts_with = "time", value_parser = seconds)]
    pub(crate) span: Option<Nanos>,
    /// Percentage of reads served by the host cache (Azure)
    #[arg(long, value_name = "PERCENT")]
    pub(crate) cache_hits: Option<Percent>,
    /// Service time of each request after the limits admit it
    #[arg(long, value_name = "DURATION")]
    pub(crate) service_time: Option<Nanos>,
    /// Distribution of service times [default: log-normal by volume type; constant with
    /// --service-time]
    #[arg(long, value_name = "LAW")]
    pub(crate) service_law: Option<ServiceWord>,
    /// Requests that a volume serves in parallel [default: all]. 1 models M/M/1 with exponential,
    /// M/G/1 with log-normal times
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) servers: Option<u32>,
    /// In addition to the true limit, report the limit that the rates alone suggest
    #[arg(long)]
    pub(crate) guess: bool,
    #[command(flatten)]
    pub(crate) many: SimulatedArgs,
    /// Simulate single requests, or closed-form rates
    #[arg(long, value_name = "HOW", default_value = "auto")]
    pub(crate) fidelity: Fidelity,
    #[command(flatten)]
    pub(crate) catalog: CatalogOptions,
    #[command(flatten)]
    pub(crate) overrides: OverrideArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) replace: ReplaceArgs,
    #[command(flatten)]
    pub(crate) save: SaveArgs,
}

/// Distribution of service times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ServiceWord {
    /// The same time for all requests
    Constant,
    /// Exponentially distributed.
    Exponential,
    /// Log-normal, with the known or assumed variance of the volume type
    LogNormal,
}

impl ServiceWord {
    pub(crate) const fn spread(self) -> Spread {
        match self {
            Self::Constant => Spread::None,
            Self::Exponential => Spread::Exponential,
            Self::LogNormal => Spread::OfType,
        }
    }
}

/// Level of detail of the simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Fidelity {
    /// Single requests if that is fast, closed form otherwise
    Auto,
    /// Every request, with latencies
    Discrete,
    /// Closed form: any duration at once, without latencies
    Fluid,
}
