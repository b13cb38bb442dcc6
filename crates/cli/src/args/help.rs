//! `fathom help`.

use clap::Args;

/// Explain a command, or a code or word of a report
///
/// Without an argument, list all commands; with `checks`, all codes; with `words`, the words of the
/// reports, such as SUSPECT, p99 or service time. A number of the methodology, such as P01, shows
/// the codes for it.
#[derive(Args, Debug)]
pub(crate) struct HelpArgs {
    /// Command, code, word, `checks`, `words`, `fsync` (which calls make writes durable) or `exit`
    /// (exit status)
    #[arg(value_name = "COMMAND|CODE|TERM")]
    pub(crate) words: Vec<String>,
}
