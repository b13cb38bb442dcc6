//! `fathom mdtest`.

use crate::args::{ForeignArgs, ForeignCall};
use clap::Args;
use fathom_tools::Beside;

/// Make, look at, read and remove many files, as mdtest does
///
/// Prints mdtest's summary; what it is worth is told on standard error. Files are made in a
/// directory of the run's own below -d, and removed after it. Fathom's own options come before
/// mdtest's.
#[derive(Args, Debug)]
#[command(mut_arg("words", |words| words
    .value_name("ARG")
    .help("mdtest's options: -n -d -u -F -D -C -T -E -r -w -e -z -b -I -L -N -R -i -W -y")))]
pub(crate) struct MdtestArgs {
    /// Tasks, which mdtest gets from mpirun: threads here, of each host
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) tasks: u32,
    #[command(flatten)]
    pub(crate) call: ForeignCall,
}

impl ForeignArgs for MdtestArgs {
    fn program(&self) -> &'static str {
        "mdtest"
    }

    fn call(&self) -> Option<&ForeignCall> {
        Some(&self.call)
    }

    fn beside(&self) -> Beside {
        Beside {
            tasks: Some(self.tasks),
            ..Beside::default()
        }
    }
}
