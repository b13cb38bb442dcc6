//! `fathom generate`.

use super::{GrafanaArgs, KubernetesArgs, PrometheusRulesArgs, ReplaceArgs};
use clap::{Args, Subcommand};
use clap_complete::Shell;
use std::path::PathBuf;

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
    Kubernetes(Box<KubernetesArgs>),
    /// Print a Grafana dashboard for the metrics of watch --listen
    Grafana(GrafanaArgs),
    /// Print alerting rules of Prometheus for the metrics of watch --listen
    PrometheusRules(PrometheusRulesArgs),
}
