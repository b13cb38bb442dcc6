//! `fathom iotest` and `fathom rhel-iotest`.

use crate::args::{ForeignArgs, ForeignCall};
use crate::exit::Exit;
use clap::{Args, ValueEnum};
use fathom_core::Bytes;
use fathom_core::result::RunResult;
use fathom_iotest::{SasAnswer, sas_answer};
use fathom_tools::Beside;

/// Write streams and read them back, as SAS's iotest.sh does
///
/// Takes the script's options: -i STREAMS -t DIRECTORY -b BLOCKS -s KILOBYTES. Fathom's own come
/// before them.
#[derive(Args, Debug)]
#[command(mut_arg("words", |words| words
    .value_name("-i N -t DIR -b BLOCKS -s KB")
    .help("The script's options")))]
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

/// Test file systems for SAS, as its rhel_iotest.sh does
///
/// Takes the script's option -t DIRECTORY, once for each file system; with a role as
/// -t WORK=DIRECTORY, where the roles are SASDATA, WORK and UTILLOC. A stream for each physical
/// core writes a file as large as the memory and reads it back. The answer says whether that is
/// 100 MB/s for each core.
#[derive(Args, Debug)]
#[command(mut_arg("words", |words| words
    .value_name("-t [ROLE=]DIR")
    .help("The script's options")))]
pub(crate) struct RhelIotestArgs {
    /// Size of each file instead of that of the memory; no full test
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

/// What the scripts cannot do.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct StreamArgs {
    /// Drop what the page cache holds of the files before they are read
    #[arg(long)]
    pub(crate) cold: bool,
    /// Write random bytes instead of zeros
    #[arg(long)]
    pub(crate) incompressible: bool,
    /// What the file systems have to show: `sas` is 100 MB/s for each physical core
    ///
    /// Without it the status is 0 for every test that was made, as the script's is. With it the
    /// status is 1 where the rule is missed, 5 where it cannot be told, 8 where the result is
    /// INVALID.
    #[arg(long, value_name = "RULE")]
    pub(crate) require: Option<Rule>,
    /// Print what the script prints, and what it does not say, instead of one screen
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

/// What a test may be held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rule {
    /// 100 MB/s for each physical core, written and read
    Sas,
}
