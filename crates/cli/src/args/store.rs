//! `--store FILE` and `--no-save`: where the history lies, and what is not kept in it.

use clap::Args;
use std::path::PathBuf;

/// Where the history lies.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct StoreArgs {
    /// File of the history, instead of that in FATHOM_STORE or in the user's data directory
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
}

/// A tag: a word.
fn tag(text: &str) -> Result<String, String> {
    if text.is_empty() || text.contains(char::is_whitespace) {
        return Err("a tag is a word without blanks".to_owned());
    }
    Ok(text.to_owned())
}

/// Whether a run is kept, where, and what it is called there.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "History")]
pub(crate) struct SaveArgs {
    /// Do not keep the run in the history
    #[arg(long, conflicts_with_all = ["store", "tag"])]
    pub(crate) no_save: bool,
    /// Give the run this tag in the history; any number of times
    #[arg(long, value_name = "NAME", value_parser = tag)]
    pub(crate) tag: Vec<String>,
    /// Send the result there when it has ended, as ssh://host/folder/; any number of times
    /// (`fathom deliver --help`)
    #[arg(long, value_name = "URL", conflicts_with = "no_save")]
    pub(crate) deliver: Vec<String>,
    /// Only note what is to be sent: whoever makes several runs sends it after the last.
    #[arg(skip)]
    pub(crate) delivers_later: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}
