//! `fathom ior`.

use crate::args::{ForeignArgs, ForeignCall};
use clap::Args;
use fathom_tools::Beside;

#[derive(Args, Debug)]
#[command(mut_arg("words", |words| words
    .value_name("ARG")
    .help("IOR options: -b -C -D -e -E -F -i -k -N -o -Q -r -R -s -t -w -Y -z --posix.odirect; \
           or an io500.ini")))]
pub(crate) struct IorArgs {
    /// Tasks per host, as threads; with IOR, mpirun sets this number
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
