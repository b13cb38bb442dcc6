//! `fathom generate`.

use super::ReplaceArgs;
use clap::{Args, Subcommand};
use clap_complete::Shell;
use std::path::PathBuf;

/// Write manual pages, shell completions, or what Kubernetes needs
#[derive(Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct GenerateArgs {
    #[command(subcommand)]
    pub(crate) kind: GenerateKind,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GenerateKind {
    /// The manual page to standard output, or all manual pages into a directory
    Man {
        /// Directory for fathom.1, fathom-run.1 and the others
        directory: Option<PathBuf>,
        #[command(flatten)]
        replace: ReplaceArgs,
    },
    /// Completions to standard output
    Completions {
        /// Shell
        shell: Shell,
    },
    /// What a Kubernetes cluster needs to measure a storage class from many pods, for kubectl apply
    Kubernetes(KubernetesArgs),
}

/// What Kubernetes is told.
#[derive(Args, Debug)]
pub(crate) struct KubernetesArgs {
    /// Image with fathom as its entry point
    #[arg(long, value_name = "IMAGE")]
    pub(crate) image: String,
    /// Storage class under test; each pod has a volume of it
    #[arg(long, value_name = "CLASS")]
    pub(crate) storage_class: String,
    /// Size of each volume, as Kubernetes writes it
    #[arg(long, value_name = "QUANTITY", default_value = "20Gi")]
    pub(crate) volume: String,
    /// Pods
    #[arg(long, value_name = "N", default_value_t = 4,
        value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub(crate) members: u32,
    /// Name of all objects
    #[arg(long, value_name = "NAME", default_value = "fathom")]
    pub(crate) name: String,
    /// The workload and options of fathom run, after --
    #[arg(last = true, required = true, value_name = "OPTION")]
    pub(crate) run: Vec<String>,
}
