//! `fathom deliver`.

use super::StoreArgs;
use clap::Args;
use fathom_deliver::forms;
use std::fmt::Write as _;

#[derive(Args, Debug)]
pub(crate) struct DeliverArgs {
    /// Run, as for `fathom show`
    #[arg(value_name = "RUN", required_unless_present_any = ["pending", "list"])]
    pub(crate) run: Option<String>,
    /// Destination
    #[arg(
        value_name = "URL",
        required_unless_present_any = ["pending", "list", "forget"],
        long_help = places()
    )]
    pub(crate) to: Vec<String>,
    /// Send all queued results again
    #[arg(long, conflicts_with_all = ["run", "list", "forget"])]
    pub(crate) pending: bool,
    /// List queued results and the reason for each
    #[arg(long, conflicts_with_all = ["run", "forget"])]
    pub(crate) list: bool,
    /// Remove a run from the queue, for these destinations or for all
    #[arg(long)]
    pub(crate) forget: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// The forms of URLs, from the table of the ways there.
fn places() -> String {
    let mut text = String::from("Destination\n\n");
    for form in forms() {
        let _ = writeln!(text, "{}\n  {}", form.example, form.about);
    }
    text + "\nPasswords are read from $NETRC or ~/.netrc (machine HOST login USER password WORD). \
            Other users must not be able to read this file. No other data of a run leaves this \
            machine."
}
