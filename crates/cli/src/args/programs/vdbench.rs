//! `fathom vdbench`.

use crate::args::{ForeignArgs, ForeignCall};
use clap::Args;

/// Run a vdbench parameter file and print vdbench's summary
///
/// Findings go to standard error. As with vdbench, the files of sd= are not removed. Fathom's own
/// options come before those of vdbench.
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
