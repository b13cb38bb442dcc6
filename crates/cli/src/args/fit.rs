//! `fathom fit`.

use super::answer::{self, AnswerOutput};
use super::{CatalogOptions, ReplaceArgs};
use clap::Args;
use fathom_report::FIT_FORMATS;
use fathom_volume::fit::Fits;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct FitArgs {
    /// File of `fathom capture`, or a trace of another tool
    #[arg(value_name = "TRACE")]
    pub(crate) trace: PathBuf,
    /// Volume, volumes of an array, or `VOLUMES under INSTANCE`, such as "4x gp3:1TiB under
    /// r6i.2xlarge"; repeatable
    #[arg(long, value_name = "TARGET", required = true)]
    pub(crate) on: Vec<String>,
    /// Required rate divided by the recorded rate, such as 1.5
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = factor)]
    pub(crate) scale: f64,
    /// Only prices of this region
    #[arg(long, value_name = "REGION")]
    pub(crate) region: Option<String>,
    /// Write the answer to standard output or a file; repeatable
    #[arg(
        short = 'o',
        long,
        alias = "out",
        value_name = "FORMAT[:FILE]",
        value_parser = output,
        long_help = answer::help("fit.html", FIT_FORMATS)
    )]
    pub(crate) output: Vec<AnswerOutput<Fits>>,
    #[command(flatten)]
    pub(crate) replace: ReplaceArgs,
    /// Also print all assumptions; same as `--output text`
    #[arg(long, conflicts_with = "json")]
    pub(crate) full: bool,
    /// Print JSON; same as `--output json`
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) catalog: CatalogOptions,
}

impl FitArgs {
    /// Where the answer goes in the end.
    pub(crate) fn places(&self) -> Vec<AnswerOutput<Fits>> {
        AnswerOutput::all(&self.output, self.full, self.json, FIT_FORMATS)
    }
}

fn output(text: &str) -> Result<AnswerOutput<Fits>, String> {
    AnswerOutput::read(text, FIT_FORMATS)
}

fn factor(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok();
    number
        .filter(|factor| (0.01..=100.0).contains(factor))
        .ok_or_else(|| "expected a factor from 0.01 to 100, such as 1.5".to_owned())
}
