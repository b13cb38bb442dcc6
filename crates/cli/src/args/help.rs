//! `fathom help`.

use clap::Args;

#[derive(Args, Debug)]
pub(crate) struct HelpArgs {
    /// Command, code, word, `checks`, `words`, `fsync` (which calls make writes durable) or `exit`
    /// (exit status)
    #[arg(value_name = "COMMAND|CODE|TERM")]
    pub(crate) words: Vec<String>,
}
