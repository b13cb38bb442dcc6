//! `fathom catalog`, and the options of all commands that ask the catalogue.

use clap::Args;
use fathom_volume::catalog::Date;
use std::path::PathBuf;

/// Show what is known of volumes, instances and their prices, and who says so
///
/// Limits change: --as-of asks for those of another day. Every figure has its source and the day
/// on which it was read; a row marked `memory` is not verified.
#[derive(Args, Debug)]
pub(crate) struct CatalogArgs {
    /// A cloud (aws, azure, gcp, local), a volume type or an instance, or a cloud and one of them
    #[arg(value_name = "CLOUD|NAME", num_args = 0..=2)]
    pub(crate) words: Vec<String>,
    /// List the instances of the cloud
    #[arg(long)]
    pub(crate) instances: bool,
    /// Prices of this region only
    #[arg(long, value_name = "REGION")]
    pub(crate) region: Option<String>,
    #[command(flatten)]
    pub(crate) catalog: CatalogOptions,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Which catalogue, and of which day.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Catalogue")]
pub(crate) struct CatalogOptions {
    /// The day whose limits and prices hold, as 2018-11-01; today unless given
    #[arg(long, value_name = "DATE", value_parser = date)]
    pub(crate) as_of: Option<Date>,
    /// Folder with volumes, instances and prices that add to those built in, and beat them
    #[arg(long = "catalog", value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
}

fn date(text: &str) -> Result<Date, String> {
    text.parse()
        .map_err(|_| "expected a day, as in 2018-11-01".to_owned())
}
