//! `fathom dd`.

use crate::args::{ForeignArgs, ForeignCall};
use clap::Args;

/// Write zeros to a file, or read one, with the operands of GNU dd
///
/// dd's own lines go to standard error, and to standard output what dd does not say. As with dd
/// the file stays. Fathom's own options come before the operands.
#[derive(Args, Debug)]
#[command(mut_arg("words", |words| words
    .value_name("OPERAND")
    .help("Operands: if= of= bs= count= conv= iflag= oflag= seek= skip= status=")))]
pub(crate) struct DdArgs {
    #[command(flatten)]
    pub(crate) call: ForeignCall,
}

impl ForeignArgs for DdArgs {
    fn program(&self) -> &'static str {
        "dd"
    }

    fn call(&self) -> Option<&ForeignCall> {
        Some(&self.call)
    }
}
