//! `fathom dd`.

use crate::args::{ForeignArgs, ForeignCall};
use clap::Args;

/// Write zeros to a file or read a file, with the operands of GNU dd
///
/// Standard error receives the lines of dd. Standard output receives the additional findings. As
/// with dd, the file is not removed. Fathom's own options come before the operands.
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
