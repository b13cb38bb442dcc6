//! `fathom deliver`.

use super::StoreArgs;
use clap::Args;
use fathom_deliver::forms;
use std::fmt::Write as _;

/// Send results of the history to where they are collected
///
/// Three files of each run: the result as JSON, its page, and the brief text. What cannot be
/// delivered waits in the history, and --pending tries it again. In measuring commands
/// `--deliver URL` does the same when the run has ended, and FATHOM_DELIVER names places for every
/// run.
#[derive(Args, Debug)]
pub(crate) struct DeliverArgs {
    /// A run, as for `fathom show`
    #[arg(value_name = "RUN", required_unless_present_any = ["pending", "list"])]
    pub(crate) run: Option<String>,
    /// Where it goes
    #[arg(
        value_name = "URL",
        required_unless_present_any = ["pending", "list", "forget"],
        long_help = places()
    )]
    pub(crate) to: Vec<String>,
    /// Try again all that waits
    #[arg(long, conflicts_with_all = ["run", "list", "forget"])]
    pub(crate) pending: bool,
    /// Show what waits, and why
    #[arg(long, conflicts_with_all = ["run", "forget"])]
    pub(crate) list: bool,
    /// Let a run wait no longer, for these places or for all
    #[arg(long)]
    pub(crate) forget: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// The forms of URLs, from the table of the ways there.
fn places() -> String {
    let mut text = String::from("Where it goes\n\n");
    for form in forms() {
        let _ = writeln!(text, "{}\n  {}", form.example, form.about);
    }
    text + "\nPasswords are read from $NETRC or ~/.netrc, which nobody else may read: machine HOST \
            login USER password WORD. Nothing else of a run leaves this machine."
}
