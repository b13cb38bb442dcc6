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

use super::ForeignArgs;
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
    Diskspd(Box<DiskspdArgs>),
    Fio(FioArgs),
    Iotest(Box<IotestArgs>),
    RhelIotest(Box<RhelIotestArgs>),
    Dd(Box<DdArgs>),
    Iometer(Box<IometerArgs>),
    Mdtest(Box<MdtestArgs>),
    Ior(Box<IorArgs>),
    Vdbench(Box<VdbenchArgs>),
}

impl ForeignCommand {
    /// Programs by whose names this one may be called: a link of such a name takes their options.
    pub(crate) const NAMESAKES: [&'static str; 2] = ["fio", "diskspd"];

    /// Its arguments.
    pub(crate) fn args(&self) -> &dyn ForeignArgs {
        match self {
            Self::Diskspd(args) => args.as_ref(),
            Self::Fio(args) => args,
            Self::Iotest(args) => args.as_ref(),
            Self::RhelIotest(args) => args.as_ref(),
            Self::Dd(args) => args.as_ref(),
            Self::Iometer(args) => args.as_ref(),
            Self::Mdtest(args) => args.as_ref(),
            Self::Ior(args) => args.as_ref(),
            Self::Vdbench(args) => args.as_ref(),
        }
    }
}
