//! `fathom fit`.

use super::answer::AnswerPlaces;
use super::{CatalogOptions, EngineArgs, SafetyArgs, SaveArgs};
use clap::Args;
use fathom_capture::learn::LoadKind;
use fathom_core::Nanos;
use fathom_volume::fit::Fits;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct FitArgs {
    /// File of `fathom capture`, or a trace of another tool
    #[arg(value_name = "TRACE")]
    pub(crate) trace: PathBuf,
    /// Volume, volumes of an array, or `VOLUMES under INSTANCE`, such as "4x gp3:1TiB under
    /// r6i.2xlarge"; repeatable. Or one file, directory or device, on which the load runs
    #[arg(long, value_name = "TARGET|PATH", required = true)]
    pub(crate) on: Vec<String>,
    /// Required rate divided by the recorded rate, 0.01 to 100
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = factor)]
    pub(crate) scale: f64,
    /// Treat the load as open, with requests at their recorded times, or as closed, where they wait
    /// for earlier ones [default: what the trace shows]
    #[arg(long, value_name = "open|closed", value_parser = load_kind)]
    pub(crate) load: Option<LoadKind>,
    /// Only prices of this region
    #[arg(long, value_name = "REGION")]
    pub(crate) region: Option<String>,
    #[command(flatten)]
    pub(crate) answer: AnswerPlaces<Fits>,
    #[command(flatten)]
    pub(crate) catalog: CatalogOptions,
    #[command(flatten)]
    pub(crate) path: FitPathArgs,
}

/// Options for a path, where the load runs.
#[derive(Args, Debug)]
#[command(next_help_heading = "On a path")]
pub(crate) struct FitPathArgs {
    /// Run the twin for DURATION [default: an open load is replayed; the twin of a closed one runs
    /// as long as the trace, at most 30s]
    #[arg(long, value_name = "DURATION")]
    pub(crate) time: Option<Nanos>,
    /// Run this twin, written by `fathom learn TRACE -o FILE.toml` and perhaps edited
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) twin: Option<PathBuf>,
    /// Replay also at 1.5, 2, 3 and 4 times the rate, and state up to which one the load fits
    #[arg(long, conflicts_with_all = ["time", "twin"])]
    pub(crate) headroom: bool,
    /// Suppress progress and notes
    #[arg(long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) safety: SafetyArgs,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    #[command(flatten)]
    pub(crate) save: SaveArgs,
}

fn load_kind(text: &str) -> Result<LoadKind, String> {
    match text {
        "open" => Ok(LoadKind::Open),
        "closed" => Ok(LoadKind::Closed),
        _ => Err("expected open or closed".to_owned()),
    }
}

fn factor(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok();
    number
        .filter(|factor| (0.01..=100.0).contains(factor))
        .ok_or_else(|| "expected a factor from 0.01 to 100, such as 1.5".to_owned())
}
