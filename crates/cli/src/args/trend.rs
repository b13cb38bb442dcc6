//! `fathom trend`.

use super::StoreArgs;
use super::answer::AnswerArgs;
use clap::Args;
use fathom_verdict::compare::Metric;
use fathom_verdict::trend::Trends;

#[derive(Args, Debug)]
pub(crate) struct TrendArgs {
    /// Tag, workload, or part of a target path or disk name [default: the series with the most
    /// runs]
    #[arg(value_name = "WHAT")]
    pub(crate) what: Option<String>,
    /// Metric: iops, throughput, mean, p50, p90, p99, p99.9 or p99.99 [default: iops; open loads:
    /// p99]
    #[arg(long, value_name = "METRIC")]
    pub(crate) metric: Option<Metric>,
    /// Only runs on this host
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Option<String>,
    /// Only runs since a UTC date, such as 2026-03-01, or within an age, such as 30d
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,
    /// For CI: exit with status 1 if the latest change of a metric is for the worse, 5 if undecided
    #[arg(long)]
    pub(crate) gate: bool,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs<Trends>,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}
