//! `--store FILE` and `--no-save`: where the history lies, and what is not kept in it.

use clap::Args;
use std::path::PathBuf;

/// Where the history lies.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct StoreArgs {
    /// History database [env: FATHOM_STORE] [default: in the user's data directory]
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
}

/// A tag: a word.
fn tag(text: &str) -> Result<String, String> {
    if text.is_empty() || text.contains(char::is_whitespace) {
        return Err("a tag is a word without spaces".to_owned());
    }
    Ok(text.to_owned())
}

fn declared(text: &str) -> Result<String, String> {
    let is_pair = text.split_once('=').is_some_and(|(name, value)| {
        !name.is_empty() && !value.is_empty() && !name.contains(char::is_whitespace)
    });
    if text.contains(char::is_control) {
        Err("a setting has no control characters".to_owned())
    } else if is_pair {
        Ok(text.to_owned())
    } else {
        Err("expected a name and a value, such as controller-cache=on".to_owned())
    }
}

/// Options for saving a run in the history.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "History")]
pub(crate) struct SaveArgs {
    /// Do not save the run in the history
    #[arg(long, conflicts_with_all = ["store", "tag"])]
    pub(crate) no_save: bool,
    /// Tag the run in the history; repeatable
    #[arg(long, value_name = "NAME", value_parser = tag)]
    pub(crate) tag: Vec<String>,
    /// Declare a setting that fathom cannot see, such as controller-cache=on; repeatable
    ///
    /// The result records it. `compare` and `ab` report a difference as the factor `declared`, and
    /// `compare --matrix --by declared` has a column for each value.
    #[arg(long, value_name = "NAME=VALUE", value_parser = declared, hide_short_help = true)]
    pub(crate) declare: Vec<String>,
    /// Send the result to URL at the end, such as ssh://host/folder/; repeatable (see `fathom
    /// deliver --help`)
    #[arg(long, value_name = "URL", conflicts_with = "no_save")]
    pub(crate) deliver: Vec<String>,
    /// Only note what is to be sent: whoever makes several runs sends it after the last.
    #[arg(skip)]
    pub(crate) delivers_later: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}
