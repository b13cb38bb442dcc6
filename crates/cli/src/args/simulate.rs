//! `fathom simulate`.

use super::seconds::seconds;
use super::{CatalogOptions, InstanceOptions, OutputArgs, OverrideArgs, ReplaceArgs, SaveArgs};
use clap::{Args, ValueEnum};
use fathom_core::{Nanos, Percent};

/// Run a workload on a modelled volume, in virtual time
///
/// The volume is written as 4x gp2:250GiB, io1:200GiB:10000iops, gp3:1TiB:16000iops:1000MiB/s,
/// raid10(8x local-ssd:480GB:90000iops:500MB/s, chunk=64KiB) or gp2:1TiB + gp3:1TiB. Limits are
/// those of the catalogue on the day of --as-of. The result is that of a run, marked as simulated:
/// rates, latencies, and the credit of bursts over time.
#[derive(Args, Debug)]
pub(crate) struct SimulateArgs {
    /// A profile, or a file in any form that fathom reads
    #[arg(value_name = "NAME|FILE")]
    pub(crate) workload: String,
    /// The volume, or the volumes of an array
    #[arg(long, value_name = "VOLUME")]
    pub(crate) volume: String,
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
    /// Say beside what held the load back what its rates alone would have told
    #[arg(long)]
    pub(crate) guess: bool,
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
