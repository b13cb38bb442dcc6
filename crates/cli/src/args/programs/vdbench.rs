//! `fathom vdbench`.

use crate::args::{ForeignArgs, ForeignCall};
use clap::Args;

#[derive(Args, Debug)]
#[command(mut_arg("words", |words| words
    .value_name("ARG")
    .help("vdbench options: -f FILE -o DIR -e S -i S -w S -l N -s -v -vr NAME=VALUE")))]
pub(crate) struct VdbenchArgs {
    #[command(flatten)]
    pub(crate) call: ForeignCall,
}

impl ForeignArgs for VdbenchArgs {
    fn program(&self) -> &'static str {
        "vdbench"
    }

    fn call(&self) -> Option<&ForeignCall> {
        Some(&self.call)
    }
}
