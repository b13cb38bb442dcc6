//! `fathom generate`.

use super::ReplaceArgs;
use clap::{Args, Subcommand};
use clap_complete::Shell;
use std::path::PathBuf;

/// Write manual pages or shell completions
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
}
