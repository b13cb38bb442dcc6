//! `fathom help`: what a command does, and what a code or a word of a report means.

mod fsync;
mod words;

use super::show_text;
use crate::args::{self, Cli, HelpArgs};
use crate::error::{Error, Problem};
use crate::exit::Exit;
use crate::paragraph::{hanging, indented, wrapped};
use clap::CommandFactory as _;
use fathom_core::engine::ENGINES;
use fathom_core::nearest::nearest;
use fathom_core::result::metric::METRICS;
use fathom_tools::profiles::{self, ProfileError};
use fathom_verdict::{BOUND, Code, Entry, Group, Threshold, Topic, topics};

/// The word for all codes.
const CHECKS: &str = "checks";
/// The word for all words of the reports.
const ALL_WORDS: &str = "words";
/// The word for what the numbers mean with which the program ends.
const EXIT: &str = "exit";
/// The words that are neither a command nor a code, nor in a report.
const LISTS: [&str; 4] = [CHECKS, ALL_WORDS, fsync::WORDS[0], EXIT];
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
    if let Some(mut below) = command.find_subcommand(first) {
        for more in &help.words[1..] {
            below = below.find_subcommand(more).ok_or_else(|| {
                let problem = Problem::new(Exit::Usage, format!("`{first}` has no `{more}`"));
                problem.remedy(format!("`fathom help {first}`"))
            })?;
        }
        let exit = of_command(&help.words);
        return match &help.words[..] {
            // Whoever read the code in a report wants to know that.
            [word] if Code::named(word).is_some() => {
                show_text(&format!("\n{}", explanations(word).join("\n")))
            }
            _ => Ok(exit),
        };
    }
    let asked = help.words.join(" ");
    let texts = explanations(&asked);
    if texts.is_empty() {
        return Err(unknown(&asked, &command).into());
    }
    show_text(&texts.join("\n"))
}

/// Every explanation of a word, which may be a column of a report and an option.
fn explanations(asked: &str) -> Vec<String> {
    let word = words::plain(asked);
    let mut texts: Vec<String> = words::named(asked)
        .map(|word| word.text())
        .into_iter()
        .collect();
    texts.extend(match word.as_str() {
        CHECKS => Some(all()),
        ALL_WORDS => Some(words::list()),
        EXIT => Some(statuses()),
        WHY => Some(bound()),
        word if fsync::WORDS.contains(&word) => Some(fsync::text()),
        _ => None,
    });
    let code = Code::named(&word.replace(' ', "_"));
    let is_meant = |entry: &Entry| code == Some(entry.code);
    let topics = Group::ALL.into_iter().flat_map(Group::topics);
    let topics = topics.filter(|topic| is_meant(topic.entry));
    let codes: Vec<String> = topics.map(|topic| one(&topic)).collect();
    if !codes.is_empty() {
        texts.extend(codes);
        return texts;
    }
    let engine = ENGINES.iter().find(|row| words::plain(row.name) == word);
    texts.extend(engine.map(|row| format!("{}\n{}", row.name, indented(row.description))));
    if texts.is_empty() {
        let metric = METRICS.iter().find(|one| words::plain(&one.key) == word);
        texts.extend(metric.map(|one| format!("{}\n{}", one.key, indented(&one.meaning))));
    }
    texts.extend(option(asked));
    if texts.is_empty() {
        texts.extend(profile(asked));
    }
    texts
}

/// The load of a profile, and how it is measured.
fn profile(name: &str) -> Option<String> {
    let workload = profiles::choose(name).ok()?.workload().ok()?;
    let name = &workload.name;
    let mut text = format!("{name}, a profile\n{}\n", indented(&workload.description));
    text += &hanging(
        "measure",
        LABELS,
        &format!("`fathom run {name} --target DIR`"),
    );
    text += &hanging("print", LABELS, &format!("`fathom profiles {name}`"));
    Some(text)
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
    let known: Vec<String> = commands
        .chain(codes)
        .map(str::to_owned)
        .chain(known_words())
        .collect();
    let thing = format!("`{word}` is not a command, a code or a word of a report");
    let typed = word.to_lowercase();
    let near = nearest(&typed, known.iter().map(String::as_str));
    let near = near.map(|near| format!("`fathom help {near}`"));
    let remedy = near.or_else(|| profiles_of(&typed));
    let lists = "`fathom help words`, `fathom help checks` (codes) or `fathom help` (commands)";
    Problem::new(Exit::Usage, thing).remedy(remedy.unwrap_or_else(|| lists.to_owned()))
}

/// How the load of an application is measured, if a word is one.
fn profiles_of(word: &str) -> Option<String> {
    let of = |names: &str| format!("`fathom run NAME --target DIR` measures its load: {names}");
    match profiles::choose(word) {
        Err(ProfileError::Word { choices, .. }) => Some(of(&choices)),
        Err(ProfileError::Ambiguous { choices, .. }) => Some(of(choices)),
        _ => None,
    }
}

/// What is explained in addition to commands and codes.
pub(crate) fn known_words() -> impl Iterator<Item = String> {
    let lists = LISTS.map(str::to_owned).into_iter();
    let names = words::all().flat_map(|word| word.names().collect::<Vec<_>>());
    let engines = ENGINES.iter().map(|row| row.name.to_owned());
    lists.chain(names.map(str::to_lowercase)).chain(engines)
}

/// The numbers with which the program ends.
fn statuses() -> String {
    let order = Exit::precedence();
    let mut text = wrapped(&format!("Exit status of fathom, for scripts. {order}"));
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
    for level in LEVELS {
        let meaning = words::named(level).map_or("", |word| word.meaning);
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

/// What the findings are, by what they make of the result.
const LEVELS: [&str; 4] = ["note", "qualified", "suspect", "invalid"];

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

    /// One word means one thing, but for these: the code is explained below the command's page.
    #[test]
    fn one_code_is_a_command() {
        let command = Cli::command();
        let codes = Code::ALL.iter().map(|code| code.name());
        let both: Vec<&str> = codes
            .filter(|name| command.find_subcommand(name).is_some())
            .collect();
        assert_eq!(both, ["trend"]);
    }
}
