//! The page of `-h`: the common options of a command and its examples, on one screen.
//!
//! A long page loses its least important options until it fits, so that a new option needs nothing
//! here. `--help` has them all.

use super::{examples, groups};
use clap::{Arg, ArgAction, Command};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};

/// Lines of the page of a command at most.
const LINES: usize = 40;

/// Options that most people need, the most important one first. Options that few commands have
/// follow as they are declared, then all others.
const COMMON: [&str; 49] = [
    "target",
    "on",
    "scale",
    "headroom",
    "slo",
    "step",
    "over",
    "into",
    "list",
    "iops",
    "throughput",
    "capacity",
    "latency",
    "from",
    "volume",
    "a",
    "b",
    "output",
    "full",
    "time",
    "size",
    "block-size",
    "queue-depth",
    "rw",
    "probe",
    "require",
    "rate",
    "json",
    "threads",
    "destroy",
    "read-only",
    "gate",
    "tag",
    "find-limit",
    "listen",
    "hosts",
    "read",
    "random",
    "cloud",
    "region",
    "budget",
    "vcpus",
    "memory",
    "replace-results",
    "no-save",
    "store",
    "engine",
    "warm-up",
    "quiet",
];

/// Commands that have an option which is their own.
const OWN: usize = 3;

/// Whether this word asks for the page.
pub(super) fn is_asked_for(word: &OsStr) -> bool {
    word == "-h"
}

/// The definition, with the short page of the command that the words lead to.
pub(super) fn page(mut command: Command, words: &[OsString], most: usize) -> Command {
    command.build();
    let all = command.clone();
    let path = path(&all, words);
    match &path[..] {
        [] => {
            let template = groups::brief(&command);
            command.help_template(template)
        }
        path => put(command, path, &|below| {
            let examples = examples::of(&path.join(" "));
            let examples = examples.map(|all| examples::brief(all, most));
            fitted(below, &all, &examples.unwrap_or_default())
        }),
    }
}

/// The words that lead to a command, which are the first.
fn path<'a>(mut command: &Command, words: &'a [OsString]) -> Vec<&'a str> {
    let mut path = Vec::new();
    for word in words {
        let word = word.to_str().unwrap_or_default();
        let Some(below) = command.find_subcommand(word) else {
            break;
        };
        path.push(word);
        command = below;
    }
    path
}

fn put(command: Command, path: &[&str], change: &dyn Fn(Command) -> Command) -> Command {
    match path {
        [] => change(command),
        [next, rest @ ..] => command.mut_subcommand(next, |below| put(below, rest, change)),
    }
}

/// A command whose page has no line too many.
fn fitted(command: Command, all: &Command, examples: &str) -> Command {
    let options = command.get_arguments().filter(|arg| is_option(arg));
    let mut ranked: Vec<(usize, usize, String)> = options
        .enumerate()
        .map(|(index, arg)| (rank(arg, all), index, arg.get_id().to_string()))
        .collect();
    ranked.sort();
    let whole = command.clone().after_help(examples.to_owned());
    if fits(&whole) {
        return whole;
    }
    let count = ranked.len();
    let name = command.get_bin_name().unwrap_or_default().to_owned();
    let rest = format!("`{name} --help` describes all {count} options.");
    let command = flat(command).after_help(format!("{examples}\n\n{rest}"));
    // Positional arguments and the examples stay.
    let first = |most: usize| {
        let shown = ranked[..most].iter().map(|(.., id)| id.as_str()).collect();
        with(command.clone(), &shown)
    };
    let counts: Vec<usize> = (0..=count).collect();
    let most = counts.partition_point(|most| fits(&first(*most)));
    first(most.saturating_sub(1))
}

fn fits(page: &Command) -> bool {
    page.clone().render_help().to_string().lines().count() <= LINES
}

fn is_option(arg: &Arg) -> bool {
    !arg.is_positional() && !arg.is_hide_set()
}

/// The place of an option among those of its command.
fn rank(arg: &Arg, all: &Command) -> usize {
    if matches!(arg.get_action(), ArgAction::Help | ArgAction::HelpShort) {
        return 0;
    }
    let name = arg.get_long().unwrap_or_default();
    if let Some(at) = COMMON.iter().position(|common| *common == name) {
        return at + 1;
    }
    let has_it = |one: &&Command| one.get_arguments().any(|arg| arg.get_long() == Some(name));
    let is_own = all.get_subcommands().filter(has_it).count() <= OWN;
    COMMON.len() + if is_own { 1 } else { 2 }
}

fn with(command: Command, shown: &BTreeSet<&str>) -> Command {
    command.mut_args(|arg| {
        let hides = is_option(&arg) && !shown.contains(arg.get_id().as_str());
        arg.hide_short_help(hides)
    })
}

/// Under one heading, since the groups are incomplete.
fn flat(command: Command) -> Command {
    command.mut_args(|arg| arg.help_heading(None::<&'static str>))
}

#[cfg(test)]
mod tests {
    use super::{COMMON, LINES};
    use crate::args::{Cli, parse};
    use clap::{Command, CommandFactory as _};

    /// Lines of the page of the program at most.
    const PROGRAM_LINES: usize = 60;

    /// The words of this command and of all below it that a person calls.
    fn shown(command: &Command, above: &[&str], words: &mut Vec<Vec<String>>) {
        words.push(above.iter().map(ToString::to_string).collect());
        for below in command.get_subcommands().filter(|one| !one.is_hide_set()) {
            shown(below, &[above, &[below.get_name()]].concat(), words);
        }
    }

    fn page(words: &[String]) -> String {
        let typed = std::iter::once("fathom").chain(words.iter().map(String::as_str));
        let typed: Vec<&str> = typed.chain(["-h"]).collect();
        parse(typed).expect_err("help").render().to_string()
    }

    #[test]
    fn every_short_page_fits_a_screen_and_has_three_examples() {
        let mut commands = Vec::new();
        shown(&Cli::command(), &[], &mut commands);
        // To these `-h` is an option of the other program.
        let foreign = [["diskspd".to_owned()], ["fio".to_owned()]];
        for words in commands {
            if foreign.iter().any(|name| words == name) {
                continue;
            }
            let page = page(&words);
            let (most, count) = match words[..] {
                [] => (PROGRAM_LINES, 0),
                _ => (LINES, 3),
            };
            assert!(page.lines().count() <= most, "{page}");
            let begin = format!("      fathom {}", words.join(" "));
            let examples = page.lines().filter(|line| line.starts_with(&begin));
            assert_eq!(examples.count(), count, "{page}");
        }
    }

    /// A name that no command has would be a common option that nobody sees.
    #[test]
    fn every_common_option_exists() {
        let all = Cli::command();
        let names = all.get_subcommands().flat_map(Command::get_arguments);
        let names: Vec<&str> = names.filter_map(clap::Arg::get_long).collect();
        let unknown: Vec<&&str> = COMMON.iter().filter(|name| !names.contains(name)).collect();
        assert_eq!(unknown, Vec::<&&str>::new());
    }
}
