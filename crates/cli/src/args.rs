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
mod fit;
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
mod limits;
mod monitoring;
mod need;
mod on_demand;
mod output;
mod overrides;
#[cfg(test)]
mod paths;
mod plan;
mod profiles;
mod programs;
mod quick;
mod ramp;
mod refusal;
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
pub(crate) use answer::{AnswerArgs, AnswerOutput, AnswerPlaces, Answered};
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
pub(crate) use fit::FitArgs;
pub(crate) use foreign::{ForeignArgs, ForeignCall, ForeignOptions};
pub(crate) use format::{FormatFile, Formats};
pub(crate) use generate::{GenerateArgs, GenerateKind};
pub(crate) use groups::{QUESTIONS, questions};
pub(crate) use help::HelpArgs;
pub(crate) use history::{
    ExportArgs, HistoryArgs, HistoryFormat, NoteArgs, PruneArgs, RemoveArgs, TagArgs,
};
pub(crate) use image::ImageArgs;
pub(crate) use import::ImportArgs;
pub(crate) use instance::InstanceOptions;
pub(crate) use kubernetes::{KubernetesArgs, Toleration};
pub(crate) use learn::LearnArgs;
pub(crate) use limits::LimitArgs;
pub(crate) use monitoring::{GrafanaArgs, PrometheusRulesArgs};
pub(crate) use need::{
    ArrayDisks, DiskOptions, NeedArgs, NeedFormat, RecordingOptions, SasOptions, more,
};
pub(crate) use on_demand::OnDemand;
pub(crate) use output::{OutputArgs, OutputSpec, ReplaceArgs};
pub(crate) use overrides::{OverrideArgs, is_of_rw};
pub(crate) use plan::{MachineOptions, NeedOptions, PlanArgs, PlanFormat};
pub(crate) use profiles::{ProfilesArgs, ProfilesCommand};
pub(crate) use programs::{ForeignCommand, RhelIotestArgs};
pub(crate) use quick::QuickArgs;
pub(crate) use ramp::RampArgs;
pub(crate) use report::ReportArgs;
pub(crate) use run::{
    ExplainArgs, ReplayArgs, ReplaySpeed, RunArgs, RunOptions, SafetyArgs, TracingArgs,
};
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
use crate::{appearance, aside, config, printing};
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
    subcommand_required = true,
    disable_help_subcommand = true,
    arg_required_else_help = true,
    args_override_self = true
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Colour standard output
    #[arg(long, global = true, value_name = "WHEN", help_heading = "Output")]
    pub(crate) color: Option<ColorChoice>,
    /// Read no defaults file [env: FATHOM_CONFIG]
    #[arg(long, global = true, hide_short_help = true, help_heading = "Output")]
    pub(crate) no_config: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Measure the disk under a directory in about 45 s
    ///
    /// Runs the profile `quick`: sequential 1 MiB at queue depth 8, random 4 KiB at queue depths 32
    /// and 1, each for reads and writes, and commits (write 4 KiB, then fdatasync, one at a time).
    /// In a directory, a scratch file is created and removed at the end.
    Quick(OnDemand<QuickArgs>),
    /// Run workloads on targets, one after another
    ///
    /// NAME is a profile (`fathom profiles` lists them). Each profile or TOML file has its own
    /// result. Without --target, a scratch file is created in the current directory. With --rw, no
    /// profile is needed, and the arguments are targets: 4 KiB requests, one at a time, in the
    /// first 1 GiB of each target, unless other options change that.
    Run(OnDemand<RunArgs>),
    /// Increase the load step by step and find the saturation point
    ///
    /// Queue depth or threads double until throughput stops rising; more steps follow around the
    /// saturation point. Block sizes of 4, 16, 64 and 256 KiB show where the limit changes from
    /// requests to bytes. With rate, requests arrive at 10 to 100 % of the rate of a closed load.
    /// --slo searches for the highest rate that meets the objectives, verifies it with a longer
    /// run, and repeats the search to show its variation.
    Ramp(OnDemand<RampArgs>),
    /// Run a suite of workloads and write one report
    ///
    /// Without NAME, list the built-in suites. Each result is saved in the results folder as soon
    /// as its run ends. Called again with the same folder, the suite resumes where it stopped. The
    /// final report covers all runs and is saved in the folder too.
    Suite(OnDemand<SuiteArgs>),
    #[command(flatten)]
    Foreign(ForeignCommand),
    /// Convert a workload to another tool's format, or to TOML
    ///
    /// Reads a profile name, a TOML file, a fio job file, a DISKSPD XML profile, an Iometer
    /// configuration file or a vdbench parameter file. With --from, reads a command line of
    /// DISKSPD, fio, iotest.sh or dd after --. Writes TOML, a fio job file, or a DISKSPD command
    /// line or XML profile.
    ///
    /// Settings that the other format does not support are listed on standard error, and in
    /// comments if the format allows them. If their loss changes the load, nothing is written and
    /// the exit status is 2; --lossy writes the result anyway. docs/convert.md has the full table.
    Convert(OnDemand<ConvertArgs>),
    /// Check the blocks stamped by an earlier run
    ///
    /// The earlier run must have used `verify` other than off and kept its file (--keep). If the
    /// run is in the history, each block is compared with the last acknowledged write. Otherwise
    /// each block is checked only against its own stamp, so outdated data is not detected. The exit
    /// status is 3 if a block is wrong.
    Verify(OnDemand<VerifyArgs>),
    /// After a power cut, verify which acknowledged writes survived
    ///
    /// Step 1: write, and log each acknowledgement elsewhere before the next write. Step 2: cut the
    /// power. Step 3: --verify compares the storage with the log. Exit status: 0 all promises kept;
    /// 3 a promise was broken; 5 undecided.
    Durability(OnDemand<DurabilityArgs>),
    /// Show the report of a saved run
    ///
    /// RUN is the first digits of an id, as shown by `fathom history`; @latest, @latest~2 and so
    /// on; tag:NAME for the latest run with that tag; or a result file, - for standard input. A
    /// file of `fathom capture`, or a trace of another tool, is shown by process and operation.
    Show(OnDemand<ShowArgs>),
    /// Compare runs: do they differ, and how certain is that
    ///
    /// The first RUN is the base (A). Each other run is compared with it. Several runs per side
    /// increase the certainty: A1 A2 A3 -- B1 B2 B3, bundles of several runs, or tags (tag:NAME
    /// selects all runs with the tag). Alternating runs are paired. Differences in setup are listed
    /// and prevent the comparison, unless --factor names them. Folders of suites become one table
    /// by workload and machine, like runs with --matrix.
    Compare(OnDemand<CompareArgs>),
    /// Explain a pasted result: is the number right, and is it good?
    ///
    /// Reads pasted outputs of fio, dd, CrystalDiskMark, DISKSPD and others, with prompts, quotes,
    /// Markdown and log prefixes around them. Reports what the output shows, what is wrong with it,
    /// what limits it, and which command to run next to confirm it. Nothing in the text is
    /// executed.
    Explain(OnDemand<PasteArgs>),
    /// Write an HTML report with charts, for one run or several
    ///
    /// The file is self-contained and loads nothing from the network. RUN is the first digits of an
    /// id, @latest, tag:NAME (all runs with the tag), a result file, or the folder of a suite (all
    /// of its runs). The suite plan (suite.json) in a folder is ignored.
    Report(OnDemand<ReportArgs>),
    /// Show how a metric changed over weeks, and what changed with it
    ///
    /// Finds the runs where the level changed. There is no threshold to set. Each change is listed
    /// with the differences in the setup of its run, such as a new kernel. Runs are put together if
    /// workload, targets, host, engine, load and queue depth are equal. SUSPECT, INVALID and
    /// interrupted runs are left out.
    Trend(OnDemand<TrendArgs>),
    /// List saved runs, the latest first
    ///
    /// IOPS and MB/s belong to the phase with the highest value. The p99 belongs to the slowest
    /// operation. A ≤ marks runs with several phases. Runs of one `fathom ab` or suite share a row
    /// with their lowest and highest values. --each and JSON list every run.
    History(OnDemand<HistoryArgs>),
    /// Tag a run, for example to use it as `fathom show tag:baseline`
    ///
    /// Several runs may have the same tag; tag:NAME is the latest of them. `prune` never removes
    /// runs with a tag.
    Tag(OnDemand<TagArgs>),
    /// Set the note of a run, replacing an earlier note
    ///
    /// `prune` never removes runs with a note.
    Note(OnDemand<NoteArgs>),
    /// Delete runs from the history permanently
    ///
    /// tag:NAME selects all runs with that tag: they are only listed, unless --yes is given. Other
    /// runs are deleted at once.
    Remove(OnDemand<RemoveArgs>),
    /// Delete the oldest runs; lists them unless --yes is given
    ///
    /// Runs with a tag or a note, runs in progress and runs queued for delivery are kept.
    Prune(OnDemand<PruneArgs>),
    /// Remove the scratch files of killed runs
    ///
    /// Searches the given directories [default: current directory], and those where the history
    /// lists interrupted runs. A file is removed only if its mark shows a temporary file of an
    /// ended process, and only if it is unchanged. Files kept by --keep remain. Kernel tracing that
    /// a killed `capture`, `watch` or `run --blame` left on is removed too.
    Clean(OnDemand<CleanArgs>),
    /// Export runs to one file, for another history or `show`
    Export(OnDemand<ExportArgs>),
    /// Send saved results to a collector
    ///
    /// Each run is sent as three files: the result as JSON, the HTML report and the summary text. A
    /// result that cannot be delivered stays queued in the history, and --pending sends it again.
    /// Measuring commands accept `--deliver URL`, which sends the result at the end of the run.
    /// FATHOM_DELIVER sets destinations for every run.
    Deliver(OnDemand<DeliverArgs>),
    /// Run two commands in turn and find out which one is faster
    ///
    /// Each side is a fathom command line (run, quick, fio or diskspd) in quotes, without the word
    /// fathom. Pairs of runs are made in random order and evaluated after 8, 12, 16 and 24 pairs.
    /// Whatever differs between the two command lines is the factor under test.
    Ab(OnDemand<AbArgs>),
    /// Import results of fio, DISKSPD, Iometer or another fathom
    ///
    /// Reads bundles of `fathom export`; JSON results of fathom; JSON, json+ and logs of fio (all
    /// logs of a run together); text and XML of DISKSPD; the CSV table of Iometer. The report lists
    /// values that the source does not contain.
    ///
    /// Folders, archives (.tar, .tar.gz), mails and mailboxes (mbox) are searched for results.
    /// Other files in them are skipped and counted.
    Import(OnDemand<ImportArgs>),
    /// List the built-in workloads, or print one
    Profiles(OnDemand<ProfilesArgs>),
    /// List the figures of published studies, or compute them again
    ///
    /// Without STUDY all claims are listed: the figure of the study, the figure that fathom
    /// computes, and the command. With STUDY the commands run now. The exit status is 1 if a figure
    /// is not the listed one. Commands that need a disk only run with --target.
    Studies(OnDemand<StudiesArgs>),
    /// List block devices, their stacking and mounts
    Devices(OnDemand<DevicesArgs>),
    /// Check a path and the devices below it before measuring
    ///
    /// Reads only. Exit status: 0 fit, 7 with warnings or unmet --advice, 8 unfit.
    Check(OnDemand<CheckArgs>),
    /// Test fathom itself on this machine, in about three minutes
    ///
    /// Writes and reads one file of its own and removes it. Each engine writes data that is read
    /// back. Then the counters of the disk, direct I/O, an open load and commits are tested. fio
    /// and DISKSPD run the same load where they are installed. The table has no host name and no
    /// path, so it can be sent to the developers.
    Selftest(OnDemand<SelftestArgs>),
    /// Watch the activity of block devices, like iostat
    ///
    /// In a terminal, shows a live view until q is pressed. Otherwise, prints one table per
    /// interval.
    /// --read shows a recording, or the output of iostat -x or sar -d.
    Watch(OnDemand<WatchArgs>),
    /// Report whether the storage is limited now, and by what
    ///
    /// Also reports since when and until when. Compares the counters of a few seconds with the
    /// limits of control groups, volumes, instances and queues. Nothing is written and no load is
    /// added. Exit status: 0 if nothing limits the storage, 1 if something does.
    Throttled(OnDemand<ThrottledArgs>),
    /// Record every block request of an application, to replay it
    ///
    /// `fathom show` prints a summary of the file, and `fathom run --replay` replays it. The data
    /// is not recorded. For each request, the file has its time, offset, size, operation, service
    /// time and process, from the block events of the kernel. Needs root and tracefs.
    Capture(OnDemand<CaptureArgs>),
    /// Explain why the slowest requests of a capture are slow
    ///
    /// Reads a file of `fathom capture --events blame`. Splits the time of each request into submit
    /// (waiting for a tag), held (waiting for the driver) and device. Reports the main cause of the
    /// wait, if there is one: other processes, flushes, other requests of the same process, tags,
    /// or an I/O limit. `fathom run --blame` does the same for a run, `fathom watch --blame` for a
    /// live system.
    Blame(OnDemand<BlameArgs>),
    /// Turn a trace into a workload that behaves like it
    ///
    /// The workload, called the twin, is one page. It can be read, edited, and run on another
    /// device. It has a job for each role: data, log, backup and so on where the trace shows it.
    /// The report compares the twin with the trace, and parts of the trace with each other.
    Learn(OnDemand<LearnArgs>),
    /// Check whether a recorded load fits on a volume or a path
    ///
    /// The recorded requests are replayed on a simulated volume at their recorded times. If the
    /// requests in the trace wait for each other, their rate depends on the disk. For such a trace,
    /// a workload with the same behaviour (`fathom learn`) runs on the simulated volume. The report
    /// gives the p99 response time with its interval, the limiting resource, and the list price.
    ///
    /// On a path the load runs instead, as with `fathom run`. The report compares its rate and
    /// response times with the recorded ones.
    ///
    /// Exit status: 0 if a target fits, 1 if none does, 5 if that is unknown. It is also 5 if the
    /// load fits only until burst credit is empty, or if the run on a path is SUSPECT.
    Fit(OnDemand<FitArgs>),
    /// Show known limits and prices of volumes and instances
    ///
    /// Limits change: --as-of selects another date. Each value has its source and the date it was
    /// read. Rows marked `memory` are unverified.
    Catalog(OnDemand<CatalogArgs>),
    /// Run a workload on a simulated volume, in virtual time
    ///
    /// Example volumes: 4x gp2:250GiB, io1:200GiB:10000iops, gp3:1TiB:16000iops:1000MiB/s,
    /// raid10(8x local-ssd:480GB:90000iops:500MB/s, chunk=64KiB), gp2:1TiB + gp3:1TiB. Limits come
    /// from the catalogue for the date of --as-of. The result has the format of a run and is marked
    /// as simulated: rates, latencies and burst credit over time.
    Simulate(OnDemand<SimulateArgs>),
    /// Find volumes that sustain a load, and their price
    ///
    /// Describe the load with numbers, a workload, the cores of a SAS server, or a recording.
    /// Layouts are one volume or a stripe, each with the cheapest instance that does not limit the
    /// load. Layouts that sustain the load at all times are ranked first, by price; then those that
    /// sustain it while burst credit lasts. The answer shows a few different layouts; --top shows
    /// the full ranking. --volume compares given layouts. --budget finds the best layout for a
    /// monthly price.
    Plan(OnDemand<PlanArgs>),
    /// Find how much storage performance a recorded load needs
    ///
    /// The recording is a file of `fathom watch --record`, or what iostat, sar, Prometheus, a
    /// cloud, Performance Monitor or another monitor wrote: docs/need.md lists them. IOPS and MB/s
    /// are read from the same interval, because their peaks often occur at different times.
    /// Reports whether the device was saturated; the real demand may then be higher.
    Need(OnDemand<NeedArgs>),
    /// Generate man pages, completions, manifests, dashboards, alerts
    Generate(OnDemand<GenerateArgs>),
    /// Add keys and a job to a live image without rebuilding it
    ///
    /// Writes a new image that contains the files of a folder. The old image is not changed. Site
    /// files that the old image contains are not copied to the new one.
    Image(OnDemand<ImageArgs>),
    /// Run as one member of a measurement; started by the coordinator
    ///
    /// The first line of standard input is the secret shared by all members.
    #[command(hide = true)]
    Member(OnDemand<MemberArgs>),
    /// Run the tasks of a machine started from the live image
    #[command(hide = true)]
    Appliance(OnDemand<ApplianceArgs>),
    /// Explain a command, or a code or word of a report
    ///
    /// Without an argument, list all commands; with `checks`, all codes; with `words`, the words of
    /// the reports, such as SUSPECT, p99 or service time.
    Help(OnDemand<HelpArgs>),
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
        .after_long_help(format!("{}\n{}", config::help(most), Exit::table()))
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
        && let Ok(mut found) = on_demand::among(&words, Cli::command).try_get_matches_from(&words)
        && let Ok(cli) = Cli::from_arg_matches_mut(&mut found)
    {
        return Ok(cli);
    }
    let is_named = |name: &str| words.iter().any(|word| word == name);
    let mut command = on_demand::among(&words, || with_pages(is_named));
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
        let is_program = |end: &OsStr| end.eq_ignore_ascii_case("exe");
        if path.extension().is_some_and(is_program) {
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

fn say(refusal: &clap::Error) {
    let typed: Vec<OsString> = words(std::env::args_os());
    // Where standard error is closed, the status alone has to say it.
    aside::say(&refusal::text(refusal, &typed, &Cli::command()));
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
                vec!["./DiskSpd.EXE", "-b8K"],
                vec!["./DiskSpd", "diskspd", "-b8K"],
            ),
            (vec!["FIO.EXE", "a.fio"], vec!["FIO", "fio", "a.fio"]),
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
