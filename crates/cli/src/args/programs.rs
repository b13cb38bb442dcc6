//! The table of commands in the words of other programs.

mod dd;
mod diskspd;
mod fio;
mod iometer;
mod ior;
mod iotest;
mod mdtest;
mod vdbench;

pub(crate) use iotest::RhelIotestArgs;

use super::{ForeignArgs, OnDemand};
use clap::Subcommand;
use dd::DdArgs;
use diskspd::DiskspdArgs;
use fio::FioArgs;
use iometer::IometerArgs;
use ior::IorArgs;
use iotest::IotestArgs;
use mdtest::MdtestArgs;
use vdbench::VdbenchArgs;

#[derive(Debug, Subcommand)]
pub(crate) enum ForeignCommand {
    /// Run a DISKSPD command line and print a DISKSPD report
    ///
    /// Accepts the options of DISKSPD 2.2 and its XML profiles; `-?` lists them. The report goes to
    /// standard output. Differences from DISKSPD are reported on standard error. Fathom's own
    /// options come before those of DISKSPD. A link named diskspd to fathom works the same way.
    Diskspd(OnDemand<DiskspdArgs>),
    /// Run fio job files and command lines and print a fio report
    ///
    /// Accepts every fio job option as --option=value, before or after the files, and these fio
    /// options: --name, --section, --output, --output-format (normal, json, json+, terse),
    /// --minimal, --aux-path, --client=HOST, --readonly, --parse-only, --showcmd, --cmdhelp,
    /// --enghelp, --version. docs/dialects/fio.md lists the support for each option. --client and
    /// --server use Fathom's own protocol and a secret: a client or server of fio cannot take part.
    ///
    /// Fathom adds: --target=PATH for jobs with no file or one file; --target=NAME=PATH for one of
    /// several files; --destroy=DEVICE[=SIGNATURE] and --overwrite to allow overwriting;
    /// --time=DURATION for the measured time; --one-by-one and --as-written for files without
    /// stonewall; --no-save and --store=FILE for the history; --blame to explain slow requests;
    /// --print, --quiet, --no-live. Notes and warnings go to standard error in a terminal, or with
    /// --notes; fio prints nothing there.
    Fio(OnDemand<FioArgs>),
    /// Write streams and read them back, like SAS's iotest.sh
    ///
    /// Accepts the script's options: -i STREAMS -t DIRECTORY -b BLOCKS -s KILOBYTES. Fathom's own
    /// options come before them.
    Iotest(OnDemand<IotestArgs>),
    /// Test file systems for SAS, like rhel_iotest.sh of SAS
    ///
    /// Accepts the script's option -t DIRECTORY, once per file system, or -t ROLE=DIRECTORY with
    /// the roles SASDATA, WORK and UTILLOC. One stream per physical core writes a file as large as
    /// memory and reads it back. The report shows whether each core reaches 100 MB/s.
    RhelIotest(OnDemand<RhelIotestArgs>),
    /// Write zeros to a file or read a file, with the operands of GNU dd
    ///
    /// Standard error receives the lines of dd. Standard output receives the additional findings.
    /// As with dd, the file is not removed. Fathom's own options come before the operands.
    Dd(OnDemand<DdArgs>),
    /// Run an Iometer configuration file
    ///
    /// Targets that are not paths become roles. A note lists them, and --target ROLE=PATH assigns
    /// them. On a drive assigned by --map-drive, Iometer's file iobw.tst is used.
    Iometer(OnDemand<IometerArgs>),
    /// Create, stat, read and remove many files, like mdtest
    ///
    /// Prints the summary of mdtest. Findings go to standard error. Files are created in a new
    /// directory below -d and removed afterwards. Fathom's own options come before those of mdtest.
    Mdtest(OnDemand<MdtestArgs>),
    /// Write and read one shared file or one file per task, like IOR
    ///
    /// Prints the tables of IOR. Findings go to standard error. Files created by the run are
    /// removed afterwards, unless -k is given. Fathom's own options come before those of IOR.
    Ior(OnDemand<IorArgs>),
    /// Run a vdbench parameter file and print vdbench's summary
    ///
    /// Findings go to standard error. As with vdbench, the files of sd= are not removed. Fathom's
    /// own options come before those of vdbench.
    Vdbench(OnDemand<VdbenchArgs>),
}

impl ForeignCommand {
    /// Programs by whose names this one may be called: a link of such a name takes their options.
    pub(crate) const NAMESAKES: [&'static str; 2] = ["fio", "diskspd"];

    /// Its arguments.
    pub(crate) fn args(&self) -> &dyn ForeignArgs {
        match self {
            Self::Diskspd(args) => &**args,
            Self::Fio(args) => &**args,
            Self::Iotest(args) => &**args,
            Self::RhelIotest(args) => &**args,
            Self::Dd(args) => &**args,
            Self::Iometer(args) => &**args,
            Self::Mdtest(args) => &**args,
            Self::Ior(args) => &**args,
            Self::Vdbench(args) => &**args,
        }
    }
}
