//! `fathom generate`.

use super::ReplaceArgs;
use clap::{Args, Subcommand};
use clap_complete::Shell;
use std::path::PathBuf;

/// Generate manual pages, shell completions or Kubernetes manifests
#[derive(Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct GenerateArgs {
    #[command(subcommand)]
    pub(crate) kind: GenerateKind,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GenerateKind {
    /// Print the manual page, or write all manual pages to a directory
    Man {
        /// Directory for fathom.1, fathom-run.1 and the other pages
        directory: Option<PathBuf>,
        #[command(flatten)]
        replace: ReplaceArgs,
    },
    /// Print shell completions
    Completions {
        /// Shell
        shell: Shell,
    },
    /// Print Kubernetes manifests that measure a storage class from many pods, for kubectl apply
    Kubernetes(KubernetesArgs),
}

/// Values of the Kubernetes manifests.
#[derive(Args, Debug)]
pub(crate) struct KubernetesArgs {
    /// Container image with fathom as its entry point
    #[arg(long, value_name = "IMAGE")]
    pub(crate) image: String,
    /// Storage class to measure; each pod gets one volume
    #[arg(long, value_name = "CLASS")]
    pub(crate) storage_class: String,
    /// Size of each volume, as a Kubernetes quantity
    #[arg(long, value_name = "QUANTITY", default_value = "20Gi")]
    pub(crate) volume: String,
    /// Pods
    #[arg(long, value_name = "N", default_value_t = 4,
        value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub(crate) members: u32,
    /// Name of all objects
    #[arg(long, value_name = "NAME", default_value = "fathom")]
    pub(crate) name: String,
    /// Workload and options of fathom run, after --
    #[arg(last = true, required = true, value_name = "OPTION")]
    pub(crate) run: Vec<String>,
}
