//! `fathom help`: what a command does, and what a code in a report means.

mod fsync;

use super::show_text;
use crate::args::{self, Cli, HelpArgs};
use crate::error::{Error, Problem};
use crate::exit::Exit;
use crate::paragraph::{hanging, wrapped};
use clap::CommandFactory as _;
use fathom_core::nearest::nearest;
use fathom_verdict::{BOUND, Code, Entry, Group, Threshold, Topic, topics};

/// The word for all codes.
const CHECKS: &str = "checks";
/// The word for what the numbers mean with which the program ends.
const EXIT: &str = "exit";
/// The words that are neither command nor code.
pub(crate) const WORDS: [&str; 3] = [CHECKS, fsync::WORDS[0], EXIT];
/// The word for the explanation why a load stopped where it did.
const WHY: &str = "bound";

/// Columns of the words before what is said.
const LABELS: usize = 13;
/// Columns of the numbers of an exit status.
const STATUSES: usize = 7;
/// Columns of the codes in the list of all.
const CODES: usize = 26;

pub(crate) fn run(help: &HelpArgs) -> Result<Exit, Error> {
    let Some(first) = help.words.first() else {
        return Ok(of_command(&[]));
    };
    let command = Cli::command();
    let mut below = command.find_subcommand(first);
    let is_command = below.is_some();
    for more in &help.words[1..] {
        below = below.and_then(|command| command.find_subcommand(more));
        if below.is_none() {
            let problem = Problem::new(Exit::Usage, format!("`{first}` has no `{more}`"));
            return Err(problem.remedy(format!("`fathom help {first}`")).into());
        }
    }
    if is_command {
        return Ok(of_command(&help.words));
    }
    if fsync::WORDS.contains(&first.as_str()) {
        return show_text(&fsync::text());
    }
    if first == EXIT {
        return show_text(&statuses());
    }
    if first == CHECKS {
        return show_text(&all());
    }
    let word = first.trim_matches(['[', ']', '`']).to_lowercase();
    let word = word.replace('-', "_");
    if word == WHY {
        return show_text(&bound());
    }
    let is_meant = |entry: &Entry| {
        let is_code = Code::named(&word) == Some(entry.code);
        is_code || entry.point.to_lowercase() == word
    };
    let all = Group::ALL.into_iter().flat_map(Group::topics);
    let found = all.filter(|topic| is_meant(topic.entry));
    let found: Vec<String> = found.map(|topic| one(&topic)).collect();
    if !found.is_empty() {
        return show_text(&found.join("\n"));
    }
    let text = option(first).ok_or_else(|| unknown(first, &command))?;
    show_text(&text)
}

/// As `--help` after the command says it.
fn of_command(words: &[String]) -> Exit {
    let fathom = std::iter::once("fathom");
    let words = words.iter().map(String::as_str);
    let typed = fathom.chain(words).chain(std::iter::once("--help"));
    match args::parse(typed) {
        Ok(_) => Exit::Ok,
        Err(help) => args::refuse(&help),
    }
}

/// An option by its name without dashes, as the first command describes it, and all commands that
/// have it with these words.
fn option(name: &str) -> Option<String> {
    let mut command = Cli::command();
    // Before that options do not know how many values they take.
    command.build();
    let of = |command: &clap::Command| {
        let mut options = command.get_arguments();
        options
            .find(|one| one.get_long() == Some(name) && !one.is_hide_set())
            .cloned()
    };
    let commands: Vec<(&str, clap::Arg)> = command
        .get_subcommands()
        .filter(|one| !one.is_hide_set())
        .filter_map(|one| Some((one.get_name(), of(one)?)))
        .collect();
    let (_, first) = commands.first()?;
    let help = first.get_long_help().or(first.get_help())?;
    let is_same = |one: &clap::Arg| one.get_help() == first.get_help();
    let names = commands.iter().filter(|(_, one)| is_same(one));
    let names: Vec<&str> = names.map(|(name, _)| *name).collect();
    let mut text = format!("{first}\n\n");
    text += &wrapped(&help.to_string());
    text.push('\n');
    text += &hanging("commands", LABELS, &names.join(", "));
    Some(text)
}

fn unknown(word: &str, command: &clap::Command) -> Problem {
    let commands = command.get_subcommands().map(clap::Command::get_name);
    let codes = topics().map(|topic| topic.entry.code.name());
    let thing = format!("`{word}` is neither a command nor a code");
    let remedy = match nearest(word, commands.chain(codes).chain(WORDS)) {
        Some(near) => format!("`fathom help {near}`"),
        None => "`fathom help checks` lists the codes, `fathom help` the commands".to_owned(),
    };
    Problem::new(Exit::Usage, thing).remedy(remedy)
}

/// The numbers with which the program ends.
fn statuses() -> String {
    let mut text = wrapped(
        "Exit status of fathom, for scripts. For several runs the most important one is returned.",
    );
    text.push('\n');
    for exit in Exit::ALL {
        text += &hanging(&exit.number().to_string(), STATUSES, exit.meaning());
    }
    text
}

/// The codes, group by group.
fn all() -> String {
    let mut text = wrapped(
        "Findings in a result: warnings and useful facts. `fathom help CODE` explains one, with \
         thresholds, an example and a remedy.",
    );
    text.push('\n');
    for (level, meaning) in LEVELS {
        text += &hanging(level, LABELS, meaning);
    }
    for group in Group::ALL {
        text.extend(["\n", group.title(), "\n"]);
        for topic in group.topics() {
            let entry = topic.entry;
            let said = format!("{}: {}", entry.level(), entry.when());
            text += &hanging(entry.code.name(), CODES, &said);
        }
    }
    text
}

/// What the levels are.
const LEVELS: [(&str, &str); 4] = [
    ("note", "useful to know; the result stays VALID"),
    (
        "qualified",
        "correct, but for a narrower question than the headline",
    ),
    ("suspect", "could change the number by more than 5 %"),
    ("invalid", "do not use this number"),
];

/// All that is known of a code.
fn one(topic: &Topic) -> String {
    let entry = topic.entry;
    let place = if topic.is_before() {
        " (`fathom check`)"
    } else {
        ""
    };
    let mut text = format!("{}{place}\n", entry.code.name());
    let mut line = |label: &str, said: &str| text += &hanging(label, LABELS, said);
    if let Some(check) = topic.check {
        line("asks", check.purpose);
    }
    if !entry.point.is_empty() {
        line("number", &format!("{} of the methodology", entry.point));
    }
    line("level", &entry.level());
    line("when", &entry.when());
    for threshold in entry.thresholds {
        line("threshold", &number(threshold));
    }
    if let Some(evidence) = topic.evidence() {
        line("evidence", &evidence);
    }
    if let Some(example) = entry.example() {
        line("example", &example.message);
        let remedy = match example.remedy.as_str() {
            "" => "none; it is information",
            remedy => remedy,
        };
        line("remedy", remedy);
    }
    text
}

/// A threshold, and who set it.
fn number(threshold: &Threshold) -> String {
    let what = threshold.what.trim();
    format!("{}: {what} ({})", threshold.printed(), threshold.origin())
}

/// The numbers behind the answer why a load stopped where it did.
fn bound() -> String {
    let mut text =
        wrapped("Why not faster: the answer of --find-limit and --cap, with its thresholds.");
    for threshold in BOUND {
        text += &hanging("threshold", LABELS, &number(threshold));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One word means one thing.
    #[test]
    fn no_code_is_a_command() {
        let command = Cli::command();
        let mut codes = Code::ALL.iter();
        assert_eq!(
            codes.find(|code| command.find_subcommand(code.name()).is_some()),
            None
        );
    }
}
