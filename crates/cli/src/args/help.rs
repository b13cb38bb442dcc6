//! `fathom help`.

use clap::Args;

/// Say what a command does, or what a code in a report means
///
/// Without a word the commands are listed, with `checks` all codes. A number of the methodology, as
/// P01, is taken for the codes that it has here.
#[derive(Args, Debug)]
pub(crate) struct HelpArgs {
    /// A command, a code, `checks`, `fsync` for what makes writes durable, or `exit` for the exit
    /// status
    #[arg(value_name = "COMMAND|CODE|checks|fsync|exit")]
    pub(crate) words: Vec<String>,
}
