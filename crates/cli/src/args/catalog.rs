//! `fathom catalog`, and the options of all commands that ask the catalogue.

use clap::{Args, Subcommand};
use fathom_volume::catalog::Date;
use std::path::PathBuf;

/// Show what is known of volumes, instances and their prices
///
/// Limits change: --as-of asks for those of another day. Every figure has its source and the day
/// on which it was read; a row marked `memory` is not verified.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub(crate) struct CatalogArgs {
    #[command(subcommand)]
    pub(crate) action: Option<CatalogAction>,
    /// A cloud (aws, azure, gcp, local), a volume type or an instance, or a cloud and one of them
    #[arg(value_name = "CLOUD|NAME", num_args = 0..=2)]
    pub(crate) words: Vec<String>,
    /// List the instances of the cloud
    #[arg(long)]
    pub(crate) instances: bool,
    /// Count the rows by who says so, when, and how it is known
    #[arg(long, conflicts_with_all = ["instances", "region"])]
    pub(crate) sources: bool,
    /// Prices of this region only
    #[arg(long, value_name = "REGION")]
    pub(crate) region: Option<String>,
    #[command(flatten)]
    pub(crate) catalog: CatalogOptions,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// What else is done with the catalogue.
#[derive(Debug, Subcommand)]
pub(crate) enum CatalogAction {
    /// Take prices and limits of today from the vendors' own feeds
    ///
    /// The feeds are files that one downloads: an offer file of the AWS Price List (AmazonEC2),
    /// the answer of EC2's DescribeInstanceTypes, of Azure's Retail Prices or Resource SKUs, or of
    /// Google's Cloud Billing Catalog, as JSON. What they say is compared with the catalogue, and
    /// added to it in the user's data folder, each row with its source and its day.
    Refresh(RefreshArgs),
}

/// `fathom catalog refresh`.
#[derive(Args, Debug)]
pub(crate) struct RefreshArgs {
    /// The feeds; pages of one answer may be in several files
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    pub(crate) from: Vec<PathBuf>,
    /// Day of feeds that state none [default: that on which the file was written]
    #[arg(long, value_name = "DATE", value_parser = date)]
    pub(crate) read_on: Option<Date>,
    /// Show what is different, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Show every change
    #[arg(long)]
    pub(crate) all: bool,
    /// Folder of the rows [default: catalog in the user's data folder, which all commands read]
    #[arg(long, value_name = "DIR")]
    pub(crate) into: Option<PathBuf>,
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
    /// Only what is built in, without what `fathom catalog refresh` added
    #[arg(long)]
    pub(crate) built_in: bool,
}

/// A day as it is typed.
pub(crate) fn date(text: &str) -> Result<Date, String> {
    text.parse()
        .map_err(|_| "expected a day, as in 2018-11-01".to_owned())
}
