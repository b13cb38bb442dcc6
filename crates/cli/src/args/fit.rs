//! `fathom fit`.

use super::CatalogOptions;
use super::answer::AnswerArgs;
use clap::Args;
use fathom_capture::learn::LoadKind;
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
    pub(crate) answer: AnswerArgs<Fits>,
    #[command(flatten)]
    pub(crate) catalog: CatalogOptions,
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
