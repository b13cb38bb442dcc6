//! `fathom simulate`.

use super::seconds::seconds;
use super::{
    CatalogOptions, InstanceOptions, OutputArgs, OverrideArgs, ReplaceArgs, SaveArgs, SimulatedArgs,
};
use clap::{Args, ValueEnum};
use fathom_core::{Nanos, Percent};
use fathom_volume::layout::Spread;

/// Run a workload on a modelled volume, in virtual time
///
/// The volume is written as 4x gp2:250GiB, io1:200GiB:10000iops, gp3:1TiB:16000iops:1000MiB/s,
/// raid10(8x local-ssd:480GB:90000iops:500MB/s, chunk=64KiB) or gp2:1TiB + gp3:1TiB. Limits are
/// those of the catalogue on the day of --as-of. The result is that of a run, marked as simulated:
/// rates, latencies, and the credit of bursts over time.
#[derive(Args, Debug)]
pub(crate) struct SimulateArgs {
    /// A profile, or a file in any format that fathom reads
    #[arg(value_name = "NAME|FILE")]
    pub(crate) workload: String,
    /// The volume, or the volumes of an array
    #[arg(long, value_name = "VOLUME", required_unless_present = "role")]
    pub(crate) volume: Option<String>,
    /// The volumes of one role of the workload (a target `@data`), as data=4x gp3:500GiB; any
    /// number of times, all behind one instance
    #[arg(long, value_name = "ROLE=VOLUME", conflicts_with = "volume")]
    pub(crate) role: Vec<String>,
    #[command(flatten)]
    pub(crate) instance: InstanceOptions,
    /// Virtual time of each phase, as 24h; as --time
    #[arg(long = "for", value_name = "DURATION", conflicts_with = "time", value_parser = seconds)]
    pub(crate) span: Option<Nanos>,
    /// Share of reads that the host's cache answers (Azure)
    #[arg(long, value_name = "PERCENT")]
    pub(crate) cache_hits: Option<Percent>,
    /// What each request takes once the limits let it through
    #[arg(long, value_name = "DURATION")]
    pub(crate) service_time: Option<Nanos>,
    /// How the times of requests are spread [default: log-normal by type of volume; constant with
    /// --service-time]
    #[arg(long, value_name = "LAW")]
    pub(crate) service_law: Option<ServiceWord>,
    /// Requests that a volume serves at once; with 1 and exponential times a queue M/M/1, with
    /// log-normal ones M/G/1 [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) servers: Option<u32>,
    /// Say beside what held the load back what its rates alone would have told
    #[arg(long)]
    pub(crate) guess: bool,
    #[command(flatten)]
    pub(crate) many: SimulatedArgs,
    /// One request at a time, or all at once
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

/// How the times of requests are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ServiceWord {
    /// All the same
    Constant,
    /// Exponential
    Exponential,
    /// Log-normal, as wide as is known or assumed of the type
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

/// How closely a volume is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Fidelity {
    /// The first where it costs little, the second otherwise
    Auto,
    /// Every request by itself: with latencies
    Discrete,
    /// In closed form: any length at once, without latencies
    Fluid,
}
