//! `fathom compare` and what `fathom ab` shares with it.

use super::StoreArgs;
use super::answer::AnswerArgs;
use clap::Args;
use fathom_core::Percent;
use fathom_verdict::compare::{CompareOptions, Comparison, FACTORS, Limits, Metric};

#[derive(Args, Debug)]
pub(crate) struct CompareArgs {
    /// Runs, as files or names in the history; the first is the base
    #[arg(required = true, value_name = "RUN")]
    pub(crate) runs: Vec<String>,
    /// For CI: exit with status 1 if a run is worse by more than PERCENT, 5 if undecided
    #[arg(long, value_name = "PERCENT", value_parser = small_percent)]
    pub(crate) gate: Option<Percent>,
    /// Runs of the other side; all runs before it are the base
    #[arg(last = true, value_name = "RUN")]
    pub(crate) others: Vec<String>,
    #[command(flatten)]
    pub(crate) matrix: MatrixArgs,
    #[command(flatten)]
    pub(crate) referee: RefereeArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// Options of a table of many runs.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Matrix")]
pub(crate) struct MatrixArgs {
    /// Print one table by workload and machine
    ///
    /// Without it each run is compared with the first. Rows are joined by workload, phase and block
    /// size. Folders of suites always use this table.
    #[arg(long)]
    pub(crate) matrix: bool,
    /// Columns of the table: name, machine, target of a machine, or declared settings [default:
    /// name if a name has several runs, otherwise machine]
    #[arg(long, value_name = "WHAT", value_enum)]
    pub(crate) by: Option<ColumnBy>,
}

/// Columns of a matrix.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnBy {
    /// The name given by the user: folder, tag or file.
    Name,
    /// One column for each machine.
    Machine,
    /// A target of a machine.
    Target,
    /// The settings of `--declare`.
    Declared,
}

/// Options of a comparison.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Comparison")]
pub(crate) struct RefereeArgs {
    /// Metric to decide on: iops, throughput, mean, p50 … p99.99; other metrics are exploratory
    /// [default: iops; open loads: p99]
    #[arg(long, value_name = "METRIC", value_delimiter = ',')]
    pub(crate) metric: Vec<Metric>,
    /// Smallest relevant difference
    #[arg(long, value_name = "PERCENT", default_value = "2%", value_parser = small_percent)]
    pub(crate) margin: Percent,
    /// Setting under test that may differ, such as engine or device
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = factor)]
    pub(crate) factor: Vec<String>,
    /// Compare runs even if they are not comparable; the report says so
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs<Comparison>,
}

impl RefereeArgs {
    /// The options of a comparison of stored runs.
    pub(crate) fn options(&self) -> CompareOptions {
        CompareOptions {
            metrics: self.metric.clone(),
            limits: Limits {
                margin: self.margin.0 / 100.0,
                ..Limits::default()
            },
            force: self.force,
            expected: self.factor.clone(),
            ..CompareOptions::default()
        }
    }
}

/// A share that a shift can have: above 0, and at most 50 %.
pub(super) fn small_percent(text: &str) -> Result<Percent, String> {
    let percent: Percent = text.parse().map_err(|error| format!("{error}"))?;
    if percent.0 > 0.0 && percent.0 <= 50.0 {
        Ok(percent)
    } else {
        Err("expected a percentage above 0 and at most 50".to_owned())
    }
}

fn factor(text: &str) -> Result<String, String> {
    let names = FACTORS.map(|(name, ..)| name);
    if names.contains(&text) {
        Ok(text.to_owned())
    } else {
        Err(format!("the factors are {}", names.join(", ")))
    }
}
