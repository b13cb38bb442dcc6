//! `fathom help`.

use clap::Args;

/// Explain a command, or a code in a report
///
/// Without an argument, list all commands; with `checks`, all codes. A number of the methodology,
/// such as P01, shows the codes for it.
#[derive(Args, Debug)]
pub(crate) struct HelpArgs {
    /// Command, code, `checks`, `fsync` (which calls make writes durable) or `exit` (exit status)
    #[arg(value_name = "COMMAND|CODE|checks|fsync|exit")]
    pub(crate) words: Vec<String>,
}
