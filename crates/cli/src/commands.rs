//! What each command does: resolve what was typed, then act.

mod ab;
mod answers;
mod appliance;
mod archive;
mod blame;
mod capture;
mod catalog;
mod check;
mod child;
mod clean;
pub(crate) mod cluster;
mod compare;
mod convert;
mod deliver;
mod devices;
mod durability;
mod explain;
mod export;
mod fit;
mod foreign;
mod generate;
mod help;
mod here;
mod history;
mod image;
mod import;
mod keeping;
mod learn;
mod limits;
mod listed;
mod matrix;
mod measure;
mod member;
mod need;
mod note;
mod outbox;
mod overrides;
mod plan;
mod profiles;
mod programs;
mod prune;
mod quick;
mod ramp;
mod recorded;
mod remove;
mod report;
mod results;
mod run;
#[cfg(test)]
mod schemas;
mod selection;
mod selftest;
pub(crate) mod server;
mod show;
mod simulate;
mod sinks;
mod standard_input;
mod studies;
mod suite;
mod surroundings;
mod tag;
mod throttled;
mod trend;
mod unavailable;
mod verdict;
mod verify;
mod volume_model;
mod watch;

use crate::args::{Command, namesake};
use crate::error::{Error, Problem, fragment};
use crate::exit::Exit;
use crate::printing::{for_people, print, show_text};
use fathom_core::Nanos;
use fathom_device::{AllowList, serial};
use fathom_engine::Clock;
use fathom_session::{ErrorKind, RunError};
use fathom_tools::Statuses;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The environment variable by which `fathom ab` tells its runs where to leave their result.
const RESULT_FILE: &str = "FATHOM_RESULT_FILE";

/// The variable by which `fathom ab` gives its runs a tag.
const RUN_TAG: &str = "FATHOM_RUN_TAG";

/// The seed that both runs of a pair have, where they name none.
const PAIR_SEED: &str = "FATHOM_PAIR_SEED";

/// The variable with the places that every result goes to, with blanks between them.
const DELIVER: &str = "FATHOM_DELIVER";

/// The variable by which `fathom ab` tells its runs to leave the sending to it.
const DELIVER_LATER: &str = "FATHOM_DELIVER_LATER";

/// Where a command came from.
pub(crate) struct Origin {
    pub(crate) process_start: Nanos,
    pub(crate) command_line: Vec<String>,
}

impl Origin {
    /// Called first thing in the process.
    pub(crate) fn now() -> Self {
        let process_start = Clock::monotonic().now();
        let words = std::env::args_os();
        let command_line = words.map(|word| word.to_string_lossy().into_owned());
        Self {
            process_start,
            command_line: command_line.collect(),
        }
    }
}

/// Does what the command says.
pub(crate) fn dispatch(command: &Command, origin: &Origin) -> Result<Exit, Error> {
    child::end_with_parent();
    unavailable::refuse(command)?;
    match command {
        Command::Quick(args) => quick::run(args, origin),
        Command::Run(args) => run::run(args, origin),
        Command::Ramp(args) => ramp::run(args, origin),
        Command::Suite(args) => suite::run(args, origin),
        Command::Foreign(command) => programs::run(command, origin),
        Command::Convert(args) => convert::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Durability(args) => durability::run(args),
        Command::Show(args) => show::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Report(args) => report::run(args),
        Command::Trend(args) => trend::run(args),
        Command::History(args) => history::run(args),
        Command::Tag(args) => tag::run(args),
        Command::Note(args) => note::run(args),
        Command::Remove(args) => remove::run(args),
        Command::Prune(args) => prune::run(args),
        Command::Clean(args) => clean::run(args),
        Command::Export(args) => export::run(args),
        Command::Deliver(args) => deliver::run(args),
        Command::Ab(args) => ab::run(args),
        Command::Import(args) => import::run(args),
        Command::Profiles(args) => profiles::run(args),
        Command::Studies(args) => studies::run(args),
        Command::Devices(args) => devices::run(args),
        Command::Check(args) => check::run(args),
        Command::Selftest(args) => selftest::run(args),
        Command::Watch(args) => watch::run(args),
        Command::Throttled(args) => throttled::run(args),
        Command::Capture(args) => capture::run(args),
        Command::Blame(args) => blame::run(args),
        Command::Learn(args) => learn::run(args),
        Command::Fit(args) => fit::run(args, origin),
        Command::Catalog(args) => catalog::run(args),
        Command::Simulate(args) => simulate::run(args, origin),
        Command::Plan(args) => plan::run(args),
        Command::Need(args) => need::run(args),
        Command::Generate(args) => generate::run(args),
        Command::Image(args) => image::run(args),
        Command::Appliance(args) => appliance::run(args),
        Command::Member(args) => member::run(args),
        Command::Help(args) => help::run(args),
    }
}

/// The exit statuses of the program in whose words a command is given, where it has its own.
pub(crate) fn statuses(command: &Command) -> Option<Statuses> {
    let Command::Foreign(command) = command else {
        return None;
    };
    // `fathom ab`, whose run this is, knows Fathom's.
    if std::env::var_os(RESULT_FILE).is_some() {
        return None;
    }
    let mut programs = fathom_programs::PROGRAMS.iter();
    let program = programs.find(|program| program.dialect.name == command.args().program())?;
    namesake_statuses().or(program.statuses)
}

/// Those of the program by whose name this is called, if it is called by another one's.
pub(crate) fn namesake_statuses() -> Option<Statuses> {
    let name = namesake(&std::env::args_os().next()?)?;
    let mut programs = fathom_programs::PROGRAMS.iter();
    let program = programs.find(|program| program.dialect.name == name)?;
    program.namesake_statuses.or(program.statuses)
}

pub(crate) use help::known_words as help_words;

/// The names of at most `most` runs of the user's history, the latest first, each with a
/// description; none where there is no history. Nothing is written.
pub(crate) fn latest_runs(most: usize) -> Vec<(String, String)> {
    archive::latest(most)
}

/// The exit status for whoever can mend it.
const fn exit_of_kind(kind: ErrorKind) -> Exit {
    match kind {
        ErrorKind::Specification => Exit::Usage,
        ErrorKind::Environment => Exit::Environment,
        ErrorKind::Aborted => Exit::Interrupted,
        ErrorKind::Internal => Exit::Defect,
    }
}

/// The path typed, or the node of the disk that it names by its serial number.
fn place(typed: &Path) -> Result<PathBuf, Problem> {
    let mut path = typed.to_owned();
    serial::resolve([&mut path]).map_err(|error| run_problem(&error.into()))?;
    Ok(path)
}

/// The list of what may be written on this host, if it has one.
fn allow_list() -> Result<Option<Arc<AllowList>>, Problem> {
    AllowList::of_environment().map_err(|error| {
        Problem::new(Exit::Usage, error.thing())
            .because(error.cause)
            .remedy(error.remedy)
    })
}

/// A run that could not be made, in our form of a message.
fn run_problem(error: &RunError) -> Problem {
    Problem {
        exit: exit_of_kind(error.kind()),
        thing: error.to_string(),
        because: error.because().map(|cause| fragment(&cause)),
        remedy: error.remedy(),
    }
}
