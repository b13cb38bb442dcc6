//! `fathom iotest` and `fathom rhel-iotest`.

use crate::args::{ForeignArgs, ForeignCall};
use crate::exit::Exit;
use clap::{Args, ValueEnum};
use fathom_core::Bytes;
use fathom_core::result::RunResult;
use fathom_iotest::{SasAnswer, sas_answer};
use fathom_tools::Beside;

#[derive(Args, Debug)]
#[command(mut_arg("words", |words| words
    .value_name("-i N -t DIR -b BLOCKS -s KB")
    .help("Options of the script")))]
pub(crate) struct IotestArgs {
    #[command(flatten)]
    pub(crate) streams: StreamArgs,
    #[command(flatten)]
    pub(crate) call: ForeignCall,
}

impl ForeignArgs for IotestArgs {
    fn program(&self) -> &'static str {
        "iotest"
    }

    fn call(&self) -> Option<&ForeignCall> {
        Some(&self.call)
    }

    fn beside(&self) -> Beside {
        Beside {
            cold: self.streams.cold,
            incompressible: self.streams.incompressible,
            full: self.streams.full,
            ..Beside::default()
        }
    }

    fn kept(&self, result: &RunResult) -> Exit {
        self.streams.kept(result)
    }
}

#[derive(Args, Debug)]
#[command(mut_arg("words", |words| words
    .value_name("-t [ROLE=]DIR")
    .help("Options of the script")))]
pub(crate) struct RhelIotestArgs {
    /// Size of each file instead of the memory size; this is not the full test
    #[arg(long, value_name = "SIZE")]
    pub(crate) file_size: Option<Bytes>,
    #[command(flatten)]
    pub(crate) streams: StreamArgs,
    #[command(flatten)]
    pub(crate) call: ForeignCall,
}

impl ForeignArgs for RhelIotestArgs {
    fn program(&self) -> &'static str {
        "iotest"
    }

    fn call(&self) -> Option<&ForeignCall> {
        Some(&self.call)
    }
}

/// Additions to the scripts.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct StreamArgs {
    /// Drop cached pages of the files before reading them
    #[arg(long)]
    pub(crate) cold: bool,
    /// Write random bytes instead of zeros
    #[arg(long)]
    pub(crate) incompressible: bool,
    /// Requirement on the file systems: `sas` is 100 MB/s per physical core
    ///
    /// Without it the exit status is 0 for every completed test, like the script's. With it the
    /// exit status is 1 if the requirement is missed, 5 if undecided, 8 if the result is INVALID.
    #[arg(long, value_name = "RULE")]
    pub(crate) require: Option<Rule>,
    /// Print the script's output and all findings, instead of one screen
    #[arg(long)]
    pub(crate) full: bool,
}

impl StreamArgs {
    /// The status by the rule that a result was to keep.
    pub(crate) fn kept(self, result: &RunResult) -> Exit {
        let Some(Rule::Sas) = self.require else {
            return Exit::Ok;
        };
        match sas_answer(result) {
            SasAnswer::Kept => Exit::Ok,
            SasAnswer::Untold => Exit::Undecided,
            SasAnswer::Missed => Exit::LimitMissed,
            SasAnswer::Invalid => Exit::Unfit,
        }
    }
}

/// Requirements for a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rule {
    /// 100 MB/s per physical core, written and read
    Sas,
}
