//! `fathom compare` and what `fathom ab` shares with it.

use super::format::{self, NamedFormat};
use super::{ReplaceArgs, StoreArgs};
use clap::Args;
use fathom_core::Percent;
use fathom_report::{COMPARISON_FORMATS, ComparisonFormat};
use fathom_verdict::compare::{CompareOptions, FACTORS, Limits, Metric};
use std::path::PathBuf;
use std::str::FromStr;

/// Say whether runs differ, and how sure that is
///
/// The first RUN is A, the base; each other one stands against it. Several runs a side tell more
/// than one: A1 A2 A3 -- B1 B2 B3, bundles of several runs, or tags (tag:NAME is all runs that have
/// it). Runs made in turn are paired. What differs beside the result is listed, and forbids the
/// comparison unless --factor names it. Folders of suites become one table by work and machine, as
/// runs with --matrix do.
#[derive(Args, Debug)]
pub(crate) struct CompareArgs {
    /// Runs, by file or by name in the history; the first is the base
    #[arg(required = true, value_name = "RUN")]
    pub(crate) runs: Vec<String>,
    /// For CI: end with status 1 where a run is shown to be worse by more than this, and 5 where
    /// that is neither shown nor excluded
    #[arg(long, value_name = "PERCENT", value_parser = small_percent)]
    pub(crate) gate: Option<Percent>,
    /// Runs of the other side; all before it are then the base
    #[arg(last = true, value_name = "RUN")]
    pub(crate) others: Vec<String>,
    #[command(flatten)]
    pub(crate) matrix: MatrixArgs,
    #[command(flatten)]
    pub(crate) referee: RefereeArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// Many runs as one table.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Matrix")]
pub(crate) struct MatrixArgs {
    /// One table by work and machine instead of each run against the first; rows are joined by
    /// workload, phase and block size. Folders of suites are always shown so
    #[arg(long)]
    pub(crate) matrix: bool,
    /// What a column is: a name as it was given, a machine, or a target of a machine
    /// [default: name where a name holds several runs, else machine]
    #[arg(long, value_name = "WHAT", value_enum)]
    pub(crate) by: Option<ColumnBy>,
}

/// What a column of a matrix is.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnBy {
    /// What the user named: a folder, a tag, a file.
    Name,
    /// The machine.
    Machine,
    /// A target of a machine.
    Target,
}

/// How to compare.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Comparison")]
pub(crate) struct RefereeArgs {
    /// What is asked: iops, throughput, mean, p50, p90, p95, p99, p99.9, p99.99; everything else
    /// is exploratory [default: iops, or p99 of open loads]
    #[arg(long, value_name = "METRIC", value_delimiter = ',')]
    pub(crate) metric: Vec<Metric>,
    /// Shift below which a difference does not matter
    #[arg(long, value_name = "PERCENT", default_value = "2%", value_parser = small_percent)]
    pub(crate) margin: Percent,
    /// What is under test and may differ, as engine or device
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = factor)]
    pub(crate) factor: Vec<String>,
    /// Compare what should not be compared, and say so
    #[arg(long)]
    pub(crate) force: bool,
    /// Write the answer in a format, to standard output or to a file; any number of times
    #[arg(
        short = 'o',
        long,
        alias = "out",
        value_name = "FORMAT[:FILE]",
        long_help = forms_help()
    )]
    pub(crate) output: Vec<CompareOutput>,
    #[command(flatten)]
    pub(crate) replace: ReplaceArgs,
    /// All there is instead of one screen, as `--output text`
    #[arg(long, conflicts_with = "json")]
    pub(crate) full: bool,
    /// The answer for programs, as `--output json`
    #[arg(long)]
    pub(crate) json: bool,
}

impl RefereeArgs {
    /// Where the answer goes in the end; one screen of it always to standard output, unless
    /// something else does.
    pub(crate) fn places(&self) -> Vec<CompareOutput> {
        let mut places = self.output.clone();
        if self.full {
            places.push(CompareOutput::named("text"));
        }
        if self.json {
            places.push(CompareOutput::named("json"));
        }
        if places.iter().all(|place| place.file.is_some()) {
            places.push(CompareOutput::named("brief"));
        }
        places
    }

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
        Err("expected a share above 0 % and at most 50 %".to_owned())
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

/// One `--output` of a comparison.
#[derive(Clone, Debug)]
pub(crate) struct CompareOutput {
    pub(crate) format: &'static ComparisonFormat,
    /// None for standard output.
    pub(crate) file: Option<PathBuf>,
}

impl CompareOutput {
    /// A format on standard output.
    fn named(name: &str) -> Self {
        let mut formats = COMPARISON_FORMATS.iter();
        let format = formats.find(|format| format.name == name);
        Self {
            format: format.expect("it is in the table"),
            file: None,
        }
    }
}

impl FromStr for CompareOutput {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let formats = COMPARISON_FORMATS.iter().map(|format| NamedFormat {
            name: format.name,
            // The formats have the names, and the endings, that they have for a result.
            extension: fathom_report::find(format.name).map_or("", |same| same.extension),
            value: format,
        });
        let (format, file) = format::read(text, &formats.collect::<Vec<_>>())?;
        Ok(Self { format, file })
    }
}

/// What `--output` takes, with all formats.
fn forms_help() -> String {
    let rows: Vec<_> = COMPARISON_FORMATS
        .iter()
        .map(|format| (format.name, format.description))
        .collect();
    format!(
        "Write the answer in a format, to standard output or to a file; any number of times\n\n\
         A FILE alone has the format that its ending says, as in `-o answer.md`. Where all go to \
         files, the brief format is printed all the same. The formats:\n\n{}",
        format::listed(&rows)
    )
}
