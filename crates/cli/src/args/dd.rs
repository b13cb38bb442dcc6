//! `fathom dd`.

use super::{ForeignArgs, ForeignOptions};
use clap::Args;

/// Write zeros to a file, or read one, with the operands of GNU dd
///
/// dd's own lines go to standard error, and to standard output what dd does not say. As with dd
/// the file stays. Fathom's own options come before the operands.
#[derive(Args, Debug)]
pub(crate) struct DdArgs {
    #[command(flatten)]
    pub(crate) options: ForeignOptions,
    /// Operands: if= of= bs= count= conv= iflag= oflag= seek= skip= status=
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "OPERAND"
    )]
    pub(crate) words: Vec<String>,
}

impl ForeignArgs for DdArgs {
    fn program(&self) -> &'static str {
        "dd"
    }

    fn words(&self) -> Vec<String> {
        self.words.clone()
    }

    fn options(&self) -> Option<&ForeignOptions> {
        Some(&self.options)
    }
}
