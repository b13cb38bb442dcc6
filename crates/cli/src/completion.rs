//! Completions from the current state: workloads, formats, runs of the history, codes.
//!
//! The shell asks the program itself, so that what was measured a minute ago is offered too.

use crate::args::{self, COMPLETE_VARIABLE};
use crate::commands;
use crate::config;
use clap::builder::StyledStr;
use clap::{Arg, Command, ValueHint};
use clap_complete::CompleteEnv;
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use fathom_report::COMPARISON_FORMATS;
use fathom_tools::profiles::PROFILES;
use fathom_tools::suite::SUITES;
use fathom_verdict::topics;
use std::ffi::{OsStr, OsString};

/// Runs of the history that are offered, the latest.
const RUNS: usize = 20;

/// Answers a shell that asks for completions; whether one did.
///
/// # Errors
///
/// The variable names no shell, or the shell's request is invalid.
pub(crate) fn answered() -> Result<bool, clap::Error> {
    if std::env::var_os(COMPLETE_VARIABLE).is_some() {
        // A file that cannot be used is named when a command runs.
        let _ = config::load(false);
    }
    let here = std::env::current_dir().ok();
    let asked = CompleteEnv::with_factory(command)
        .var(COMPLETE_VARIABLE)
        .bin("fathom");
    asked.try_complete(std::env::args_os(), here.as_deref())
}

/// The definition of the command line, each value with what can stand there.
fn command() -> Command {
    let mut command = args::command();
    let names: Vec<String> = command
        .get_subcommands()
        .map(|below| below.get_name().to_owned())
        .collect();
    for name in names {
        command =
            command.mut_subcommand(&name, |below| below.mut_args(|arg| completed(&name, arg)));
    }
    command
}

fn completed(command: &str, arg: Arg) -> Arg {
    if !arg.get_action().takes_values() {
        return arg;
    }
    let name = arg.get_value_names().and_then(<[_]>::first);
    let Some(name) = name.map(ToString::to_string) else {
        return arg;
    };
    let kind = match (command, name.as_str()) {
        ("suite", "NAME|FILE.toml") => Kind::Suites,
        (_, "NAME|FILE.toml" | "NAME|FILE") => Kind::Workloads,
        ("compare" | "ab", "FORMAT[:FILE]") => Kind::ComparisonFormats,
        ("plan", "FORMAT[:FILE]") => Kind::Words(&["text", "json", "csv", "html"]),
        ("need", "FORMAT[:FILE]") => Kind::Words(&["text", "json"]),
        ("history", "FORMAT[:FILE]") => Kind::Words(&["text", "json", "csv"]),
        (_, "FORMAT[:FILE]") => Kind::Formats,
        (_, "RUN") => Kind::Runs,
        (_, "COMMAND|CODE|TERM") => Kind::Topics,
        (_, "DIR" | "FOLDER") => return arg.value_hint(ValueHint::DirPath),
        (_, path)
            if ["FILE", "PATH", "RESULT", "DEV"]
                .iter()
                .any(|word| path.contains(word)) =>
        {
            return arg.value_hint(ValueHint::AnyPath);
        }
        _ => return arg,
    };
    arg.add(ArgValueCompleter::new(kind))
}

/// What can stand in a place.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Workloads,
    Suites,
    Formats,
    ComparisonFormats,
    Words(&'static [&'static str]),
    Runs,
    Topics,
}

impl Kind {
    /// All words with what they mean.
    fn words(self) -> Vec<(String, String)> {
        let said = |name: &str, meaning: &str| (name.to_owned(), meaning.to_owned());
        match self {
            Self::Workloads => {
                let workloads = PROFILES.iter().filter_map(|one| one.workload().ok());
                workloads
                    .map(|one| said(&one.name, first_sentence(&one.description)))
                    .collect()
            }
            Self::Suites => SUITES.iter().map(|one| said(one.name, "")).collect(),
            Self::Formats => fathom_report::formats()
                .map(|format| said(format.name, format.description))
                .collect(),
            Self::ComparisonFormats => COMPARISON_FORMATS
                .iter()
                .map(|format| said(format.name, format.description))
                .collect(),
            Self::Words(words) => words.iter().map(|word| said(word, "")).collect(),
            Self::Runs => commands::latest_runs(RUNS),
            Self::Topics => {
                let all = args::command();
                let commands = all.get_subcommands().filter(|one| !one.is_hide_set());
                let commands = commands.map(|one| said(one.get_name(), ""));
                let codes = topics().map(|topic| {
                    let purpose = topic.check.map_or("", |check| check.purpose);
                    said(topic.entry.code.name(), purpose)
                });
                // A shell would end a word at its blank.
                let words = commands::help_words().filter(|word| !word.contains(' '));
                let words = words.map(|word| (word, String::new()));
                commands.chain(words).chain(codes).collect()
            }
        }
    }

    const fn may_be_path(self) -> bool {
        matches!(self, Self::Workloads | Self::Suites | Self::Runs)
    }

    const fn is_form(self) -> bool {
        matches!(
            self,
            Self::Formats | Self::ComparisonFormats | Self::Words(_)
        )
    }
}

impl ValueCompleter for Kind {
    fn complete(&self, current: &OsStr) -> Vec<CompletionCandidate> {
        let typed = current.to_string_lossy();
        if self.is_form()
            && let Some((format, file)) = typed.split_once(':')
        {
            let files = PathCompleter::any().complete(OsStr::new(file));
            let prefix = OsString::from(format!("{format}:"));
            return files
                .into_iter()
                .map(|file| file.add_prefix(prefix.clone()))
                .collect();
        }
        let words = self.words().into_iter();
        let mut found: Vec<CompletionCandidate> = words
            .filter(|(word, _)| word.starts_with(typed.as_ref()))
            .map(|(word, meaning)| {
                let meaning = (!meaning.is_empty()).then(|| StyledStr::from(meaning));
                CompletionCandidate::new(word).help(meaning)
            })
            .collect();
        if self.may_be_path() {
            found.extend(PathCompleter::any().complete(current));
        }
        found
    }
}

/// As much as fits next to a word.
fn first_sentence(text: &str) -> &str {
    text.split_once(". ").map_or(text, |(first, _)| first)
}
