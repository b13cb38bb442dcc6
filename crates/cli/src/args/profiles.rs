//! `fathom profiles`.

use clap::{Args, Subcommand};

/// List the workloads that come with fathom
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub(crate) struct ProfilesArgs {
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(subcommand)]
    pub(crate) command: Option<ProfilesCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ProfilesCommand {
    /// Show one of them as TOML, to be used as it is or as a start
    Show {
        /// Name of the profile
        name: String,
    },
}
