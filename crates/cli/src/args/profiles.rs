//! `fathom profiles`.

use clap::{Args, Subcommand};

#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub(crate) struct ProfilesArgs {
    /// Profile to print as TOML, the same as `show NAME`
    #[arg(conflicts_with = "json")]
    pub(crate) name: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(subcommand)]
    pub(crate) command: Option<ProfilesCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ProfilesCommand {
    /// Print a profile as TOML, to use or to edit
    Show {
        /// Name of the profile
        name: String,
    },
}
