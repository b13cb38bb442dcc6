//! The command line as typed. Nothing here looks at the system; `commands` does.

mod ab;
mod answer;
mod appliance;
mod blame;
mod brief;
mod capture;
mod catalog;
mod check;
mod clean;
mod cluster;
mod compare;
mod convert;
mod deliver;
mod devices;
mod drives;
mod durability;
mod engine;
mod examples;
mod explain;
mod foreign;
mod format;
mod generate;
mod groups;
mod help;
mod history;
mod image;
mod import;
mod instance;
mod kubernetes;
mod learn;
mod need;
mod output;
mod overrides;
#[cfg(test)]
mod paths;
mod plan;
mod profiles;
mod programs;
mod quick;
mod ramp;
mod report;
mod run;
mod seconds;
mod selftest;
mod show;
mod simulate;
mod simulated_hosts;
mod store;
mod studies;
mod suite;
mod target;
mod throttled;
mod trend;
mod usage;
mod verify;
mod watch;

pub(crate) use ab::AbArgs;
pub(crate) use answer::AnswerOutput;
pub(crate) use appliance::{ApplianceArgs, AppliancePart};
pub(crate) use blame::BlameArgs;
pub(crate) use capture::{CaptureArgs, EventSet};
pub(crate) use catalog::{CatalogAction, CatalogArgs, CatalogOptions, RefreshArgs};
pub(crate) use check::{Advice, CheckArgs};
pub(crate) use clean::CleanArgs;
pub(crate) use cluster::{ClusterArgs, MemberArgs, ReachArgs, Rendezvous, Server, SharedArg};
pub(crate) use compare::{ColumnBy, CompareArgs, MatrixArgs, RefereeArgs};
pub(crate) use convert::ConvertArgs;
pub(crate) use deliver::DeliverArgs;
pub(crate) use devices::DevicesArgs;
pub(crate) use drives::DriveArgs;
pub(crate) use durability::DurabilityArgs;
pub(crate) use engine::{CpuList, EngineArgs, EngineChoice};
pub(crate) use examples::of as examples_of;
pub(crate) use explain::PasteArgs;
pub(crate) use foreign::{ForeignArgs, ForeignCall, ForeignOptions};
pub(crate) use generate::{GenerateArgs, GenerateKind};
pub(crate) use groups::{QUESTIONS, questions};
pub(crate) use help::HelpArgs;
pub(crate) use history::{ExportArgs, HistoryArgs, NoteArgs, PruneArgs, RemoveArgs, TagArgs};
pub(crate) use image::ImageArgs;
pub(crate) use import::ImportArgs;
pub(crate) use instance::InstanceOptions;
pub(crate) use kubernetes::{KubernetesArgs, Toleration};
pub(crate) use learn::LearnArgs;
pub(crate) use need::{
    ArrayDisks, DiskOptions, NeedArgs, NeedFormat, RecordingOptions, SasOptions, more,
};
pub(crate) use output::{OutputArgs, OutputSpec, ReplaceArgs};
pub(crate) use overrides::OverrideArgs;
pub(crate) use plan::{MachineOptions, NeedOptions, PlanArgs, PlanFormat, PlanOutput};
pub(crate) use profiles::{ProfilesArgs, ProfilesCommand};
pub(crate) use programs::{ForeignCommand, RhelIotestArgs};
pub(crate) use quick::QuickArgs;
pub(crate) use ramp::RampArgs;
pub(crate) use report::ReportArgs;
pub(crate) use run::{ExplainArgs, ReplayArgs, ReplaySpeed, RunArgs, RunOptions, SafetyArgs};
pub(crate) use selftest::SelftestArgs;
pub(crate) use show::ShowArgs;
pub(crate) use simulate::{Fidelity, ServiceWord, SimulateArgs};
pub(crate) use simulated_hosts::SimulatedArgs;
pub(crate) use store::{SaveArgs, StoreArgs};
pub(crate) use studies::StudiesArgs;
pub(crate) use suite::{SuiteArgs, SuiteFormat};
pub(crate) use target::TargetArg;
pub(crate) use throttled::ThrottledArgs;
pub(crate) use trend::TrendArgs;
pub(crate) use verify::VerifyArgs;
pub(crate) use watch::WatchArgs;

use crate::appearance::ColorChoice;
use crate::{appearance, aside, printing};
use fathom_core::units::plain_message;

use crate::exit::Exit;
use crate::terminal;
use crate::width;
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use std::ffi::{OsStr, OsString};
use std::io::IsTerminal as _;
use std::path::Path;

/// Run real workloads on real storage and report how far the numbers can be trusted.
#[derive(Debug, Parser)]
#[command(
    name = "fathom",
    version,
    after_long_help = Exit::table(),
    subcommand_required = true,
    disable_help_subcommand = true,
    arg_required_else_help = true,
    args_override_self = true
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Colour standard output
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true,
        help_heading = "Output"
    )]
    pub(crate) color: ColorChoice,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Quick(Box<QuickArgs>),
    Run(Box<RunArgs>),
    Ramp(Box<RampArgs>),
    Suite(Box<SuiteArgs>),
    #[command(flatten)]
    Foreign(ForeignCommand),
    Convert(ConvertArgs),
    Verify(VerifyArgs),
    Durability(Box<DurabilityArgs>),
    Show(ShowArgs),
    Compare(CompareArgs),
    Explain(PasteArgs),
    Report(ReportArgs),
    Trend(TrendArgs),
    History(HistoryArgs),
    Tag(TagArgs),
    Note(NoteArgs),
    Remove(RemoveArgs),
    Prune(PruneArgs),
    Clean(CleanArgs),
    Export(ExportArgs),
    Deliver(DeliverArgs),
    Ab(AbArgs),
    Import(ImportArgs),
    Profiles(ProfilesArgs),
    Studies(StudiesArgs),
    Devices(DevicesArgs),
    Check(CheckArgs),
    Selftest(SelftestArgs),
    Watch(WatchArgs),
    Throttled(ThrottledArgs),
    Capture(CaptureArgs),
    Blame(BlameArgs),
    Learn(LearnArgs),
    Catalog(CatalogArgs),
    Simulate(Box<SimulateArgs>),
    Plan(Box<PlanArgs>),
    Need(Box<NeedArgs>),
    Generate(GenerateArgs),
    Image(ImageArgs),
    #[command(hide = true)]
    Member(MemberArgs),
    #[command(hide = true)]
    Appliance(ApplianceArgs),
    Help(HelpArgs),
}

/// The variable by which a shell asks for completions.
pub(crate) const COMPLETE_VARIABLE: &str = "FATHOM_COMPLETE";

/// Columns of help at most.
const WIDEST_HELP: usize = 100;

/// Columns of help here.
fn widest_help() -> usize {
    width::of_pages().min(WIDEST_HELP)
}

/// The definition of the command line: its commands in groups, each with its examples.
pub(crate) fn command() -> clap::Command {
    with_pages(|_| true)
}

/// The same, where only the pages of the wanted commands are laid out.
fn with_pages(is_wanted: impl Fn(&str) -> bool) -> clap::Command {
    let most = widest_help();
    let command = examples::add(Cli::command(), most, &is_wanted);
    let template = groups::template(&command);
    usage::fitted(command, most, is_wanted)
        .help_template(template)
        .term_width(most)
}

/// Reads a command line, the name of the program first.
///
/// # Errors
///
/// What is wrong with it; also where help or the version is asked for.
pub(crate) fn parse(
    words: impl IntoIterator<Item = impl Into<OsString>>,
) -> Result<Cli, clap::Error> {
    let words: Vec<OsString> = words.into_iter().map(Into::into).collect();
    // Only who asks for help or is refused sees a page, and laying out takes longer than reading.
    let asks_for_help = |word: &OsString| word == "-h" || word == "--help";
    if !words.iter().any(asks_for_help)
        && let Ok(mut found) = Cli::command().try_get_matches_from(&words)
        && let Ok(cli) = Cli::from_arg_matches_mut(&mut found)
    {
        return Ok(cli);
    }
    let mut command = with_pages(|name| words.iter().any(|word| word == name));
    if words.iter().any(|word| brief::is_asked_for(word)) {
        command = brief::page(command, words.get(1..).unwrap_or_default(), widest_help());
    }
    let mut matches = command.try_get_matches_from_mut(words)?;
    Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

/// Reads a command line that is within another one, without the name of the program.
///
/// # Errors
///
/// What is wrong with it, in one line.
pub(crate) fn parse_within(words: &[String]) -> Result<Command, String> {
    let all = std::iter::once("fathom").chain(words.iter().map(String::as_str));
    let cli = parse(all).map_err(|refusal| {
        let message = plain_message(&refusal.to_string());
        let first = message.lines().next().unwrap_or_default();
        first.trim_start_matches("error: ").to_owned()
    })?;
    Ok(cli.command)
}

/// The words of the command line. Called by the name of another program, they are that command's.
pub(crate) fn words(typed: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = typed.collect();
    if let Some(called) = words.first_mut() {
        let path = Path::new(called);
        if path.extension() == Some(OsStr::new("exe")) {
            // What is printed is the same on every system.
            *called = path.with_extension("").into();
        }
    }
    let program = words.first().map(OsString::as_os_str).and_then(namesake);
    if let Some(name) = program {
        words.insert(1, name.into());
    }
    words
}

/// The program whose name this is called by, if it is another one's.
pub(crate) fn namesake(called: &OsStr) -> Option<&'static str> {
    let program = Path::new(called).file_stem()?;
    ForeignCommand::NAMESAKES
        .into_iter()
        .find(|name| program.eq_ignore_ascii_case(name))
}

/// Help, version, or what is wrong with the command line.
pub(crate) fn refuse(refusal: &clap::Error) -> Exit {
    if refusal.use_stderr() {
        say(refusal);
        return Exit::Usage;
    }
    let colors = appearance::looks(terminal::raw_stdout().is_terminal()).color;
    match printing::print(&rendered(refusal, colors)) {
        Ok(exit) => exit,
        Err(error) => {
            // Whoever closed the pipe has read enough of the help; all else has to be said.
            error.say();
            error.exit()
        }
    }
}

/// In its colours where there is room for its lines.
fn say(refusal: &clap::Error) {
    let plain = plain_message(&refusal.render().to_string());
    let most = width::of_asides().unwrap_or(usize::MAX);
    if plain.lines().any(|line| line.chars().count() > most) {
        aside::say(&plain);
    } else {
        // Where standard error is closed, the status alone has to say it.
        let colors = appearance::looks(terminal::raw_stderr().is_terminal()).color;
        aside::print(&rendered(refusal, colors));
    }
}

fn rendered(refusal: &clap::Error, colors: bool) -> String {
    let text = refusal.render();
    plain_message(&if colors {
        text.ansi().to_string()
    } else {
        text.to_string()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_another_program_is_its_command() {
        let cases = [
            (vec!["fathom", "run"], vec!["fathom", "run"]),
            (
                vec!["/usr/bin/diskspd", "-b8K"],
                vec!["/usr/bin/diskspd", "diskspd", "-b8K"],
            ),
            (vec!["diskspd.exe"], vec!["diskspd", "diskspd"]),
            (
                vec!["/opt/bin/fio", "a.fio"],
                vec!["/opt/bin/fio", "fio", "a.fio"],
            ),
            (vec![], vec![]),
        ];
        for (typed, expected) in cases {
            let found = words(typed.into_iter().map(OsString::from));
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn the_definition_holds_together() {
        command().debug_assert();
    }
}
