//! `fathom ior`.

use crate::args::{ForeignArgs, ForeignCall};
use clap::Args;
use fathom_tools::Beside;

/// Write and read a file by many tasks, or one each, as IOR does
///
/// Prints IOR's tables; what they are worth is told on standard error. Files that were made are
/// removed after the run, unless -k is given. Fathom's own options come before IOR's.
#[derive(Args, Debug)]
#[command(mut_arg("words", |words| words
    .value_name("ARG")
    .help("IOR's options: -b -C -D -e -E -F -i -k -N -o -Q -r -R -s -t -w -Y -z --posix.odirect")))]
pub(crate) struct IorArgs {
    /// Tasks, which IOR gets from mpirun: threads here, of each host
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) tasks: Option<u32>,
    #[command(flatten)]
    pub(crate) call: ForeignCall,
}

impl ForeignArgs for IorArgs {
    fn program(&self) -> &'static str {
        "ior"
    }

    fn call(&self) -> Option<&ForeignCall> {
        Some(&self.call)
    }

    fn beside(&self) -> Beside {
        Beside {
            tasks: self.tasks,
            ..Beside::default()
        }
    }
}
