//! `fathom catalog`, and the options of all commands that ask the catalogue.

use clap::{Args, Subcommand};
use fathom_volume::catalog::Date;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub(crate) struct CatalogArgs {
    #[command(subcommand)]
    pub(crate) action: Option<CatalogAction>,
    /// Cloud (aws, azure, gcp, rds, oci, alibaba, own, local), volume type or instance, or a cloud
    /// and one of them
    #[arg(value_name = "CLOUD|NAME", num_args = 0..=2)]
    pub(crate) words: Vec<String>,
    /// List the instances of the cloud
    #[arg(long)]
    pub(crate) instances: bool,
    /// Count the rows by source, date and quality of evidence
    #[arg(long, conflicts_with_all = ["instances", "region"])]
    pub(crate) sources: bool,
    /// Only prices of this region
    #[arg(long, value_name = "REGION")]
    pub(crate) region: Option<String>,
    #[command(flatten)]
    pub(crate) catalog: CatalogOptions,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// What else is done with the catalogue.
#[derive(Debug, Subcommand)]
pub(crate) enum CatalogAction {
    /// Update prices and limits from downloaded vendor feeds
    ///
    /// Accepted feeds, as JSON: AWS Price List (AmazonEC2 offer file), EC2 DescribeInstanceTypes,
    /// Azure Retail Prices or Resource SKUs, Google Cloud Billing Catalog. They are compared with
    /// the catalogue and added to it in the user's data directory, each row with its source and
    /// date.
    Refresh(RefreshArgs),
}

/// `fathom catalog refresh`.
#[derive(Args, Debug)]
pub(crate) struct RefreshArgs {
    /// Feed files; pages of one answer may be in several files
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    pub(crate) from: Vec<PathBuf>,
    /// Date of feeds without a date [default: modification date of the file]
    #[arg(long, value_name = "DATE", value_parser = date)]
    pub(crate) read_on: Option<Date>,
    /// Show the differences and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Show every change
    #[arg(long)]
    pub(crate) all: bool,
    /// Folder for the rows [default: catalog in the user's data directory, read by all commands]
    #[arg(long, value_name = "DIR")]
    pub(crate) into: Option<PathBuf>,
}

/// Which catalogue, and of which day.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Catalogue")]
pub(crate) struct CatalogOptions {
    /// Date of the limits and prices, such as 2018-11-01 [default: today]
    #[arg(long, value_name = "DATE", value_parser = date)]
    pub(crate) as_of: Option<Date>,
    /// Folder with additional volumes, instances and prices; they override the built-in rows
    #[arg(long = "catalog", value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
    /// Use only built-in rows, not those of `fathom catalog refresh`
    #[arg(long)]
    pub(crate) built_in: bool,
}

/// A day as it is typed.
pub(crate) fn date(text: &str) -> Result<Date, String> {
    text.parse()
        .map_err(|_| "expected a date, such as 2018-11-01".to_owned())
}
