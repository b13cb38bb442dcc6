//! The command line as typed. Nothing here looks at the system; `commands` does.

mod dd;
mod devices;
mod engine;
mod foreign;
mod generate;
mod iometer;
mod iotest;
mod output;
mod overrides;
mod profiles;
mod quick;
mod run;
mod target;
mod verify;

pub(crate) use dd::DdArgs;
pub(crate) use devices::DevicesArgs;
pub(crate) use engine::{CpuList, EngineArgs};
pub(crate) use foreign::ForeignOptions;
pub(crate) use generate::{GenerateArgs, GenerateKind};
pub(crate) use iometer::IometerArgs;
pub(crate) use iotest::{IotestArgs, RhelIotestArgs, StreamArgs};
pub(crate) use output::{OutputArgs, OutputSpec};
pub(crate) use overrides::OverrideArgs;
pub(crate) use profiles::{ProfilesArgs, ProfilesCommand};
pub(crate) use quick::QuickArgs;
pub(crate) use run::{RunArgs, RunOptions};
pub(crate) use target::TargetArg;
pub(crate) use verify::VerifyArgs;

use crate::exit::Exit;
use clap::{Parser, Subcommand};

/// Puts a real workload on real storage and tells the truth about it.
#[derive(Debug, Parser)]
#[command(
    name = "fathom",
    version,
    after_long_help = Exit::table(),
    disable_help_subcommand = true,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Quick(Box<QuickArgs>),
    Run(Box<RunArgs>),
    Iotest(Box<IotestArgs>),
    RhelIotest(Box<RhelIotestArgs>),
    Dd(Box<DdArgs>),
    Iometer(Box<IometerArgs>),
    Verify(VerifyArgs),
    Profiles(ProfilesArgs),
    Devices(DevicesArgs),
    Generate(GenerateArgs),
}

/// Help, version, or what is wrong with the command line.
pub(crate) fn refuse(refusal: &clap::Error) -> Exit {
    // Whoever closed the pipe has read enough of the help.
    let _ = refusal.print();
    if refusal.use_stderr() {
        Exit::Usage
    } else {
        Exit::Ok
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_definition_holds_together() {
        Cli::command().debug_assert();
    }
}
