//! `fathom mdtest`.

use crate::args::{ForeignArgs, ForeignCall};
use clap::Args;
use fathom_tools::Beside;

#[derive(Args, Debug)]
#[command(mut_arg("words", |words| words
    .value_name("ARG")
    .help("mdtest's options: -n -d -u -F -D -C -T -E -r -w -e -z -b -I -L -N -R -i -W -y")))]
pub(crate) struct MdtestArgs {
    /// Tasks per host, as threads; with mdtest, mpirun sets this number
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
