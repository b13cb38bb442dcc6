//! `fathom dd`.

use crate::args::{ForeignArgs, ForeignCall};
use clap::Args;

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
