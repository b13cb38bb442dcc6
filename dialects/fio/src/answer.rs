//! What is answered in place of a run: versions, options, engines, and jobs as a command line.

use super::command_line::CommandLine;
use super::layout::VERSION;
use super::lexer::{self, Entry};
use super::option::FioOption;
use super::options::{all, find, probably};
use super::settings::ENGINES;
use super::source::{Findings, Source};
use super::tool::Question;
use fathom_tools::Refusal;
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::dialects::Surroundings;
use std::fmt::Write as _;

/// The answer to a question, a text for standard output. `files` are the job files with their
/// names.
///
/// # Errors
///
/// What is wrong with the lines of a job file, or an engine that is not there.
pub fn answer(
    question: &Question,
    line: &CommandLine,
    files: &[(String, String)],
    surroundings: &dyn Surroundings,
) -> Result<String, Refusal> {
    match question {
        // Scripts compare the version with all that is printed.
        Question::Version => Ok(format!("{VERSION}\n")),
        Question::Engines(asked) => {
            let names = ENGINES.iter().map(|(name, _)| name);
            let names = names.filter(|name| asked.is_empty() || *name == asked);
            let names: Vec<String> = names.map(|name| format!("\t{name}\n")).collect();
            let names = names.concat();
            if names.is_empty() {
                return Err(Refusal::Absent(format!("IO engine {asked} not found\n")));
            }
            Ok(format!("Available IO engines:\n{names}"))
        }
        Question::Option(name) => Ok(options(name)),
        Question::Command => Ok(command(line, files, surroundings)?),
    }
}

fn options(name: &str) -> String {
    if matches!(name, "" | "all") {
        return all().map(row).collect();
    }
    match (find(name), probably(name)) {
        (Some(option), _) => row(option),
        (None, Some(near)) => format!("No such option: {name}\nMaybe you meant: {near}\n"),
        (None, None) => format!("No such option: {name}\n"),
    }
}

fn row(option: &FioOption) -> String {
    let names: Vec<&str> = option.names().collect();
    let mut row = format!("{:<24}: {}", names.join(", "), option.standing.name());
    if !option.remark.is_empty() {
        row.push_str(": ");
        row.push_str(option.remark);
    }
    row + "\n"
}

/// All sections as words, `[global]` ones without a name before the jobs that follow.
fn command(
    line: &CommandLine,
    files: &[(String, String)],
    surroundings: &dyn Surroundings,
) -> Result<String, Vec<Diagnostic>> {
    let mut text = "fio".to_owned();
    words(&mut text, &line.defaults);
    let mut findings = Findings::default();
    let mut sections = line.jobs.clone();
    for (file, content) in files {
        let source = Source::new(file, content);
        sections.extend(lexer::sections(&source, surroundings, &mut findings));
    }
    if !findings.is_clean() {
        return Err(findings.into_errors());
    }
    for section in &sections {
        if !section.is_global() {
            word(&mut text, "name", Some(&section.name));
        }
        words(&mut text, &section.entries);
    }
    text.push('\n');
    Ok(text)
}

fn words(text: &mut String, entries: &[Entry]) {
    for entry in entries {
        word(text, &entry.key, entry.value.as_deref());
    }
}

/// `--key=value`, in quotes where a shell would tear it.
fn word(text: &mut String, key: &str, value: Option<&str>) {
    let odd = |c: char| c.is_whitespace() || "\"'$&;|<>()*?#\\`!".contains(c);
    // Writing to a string cannot fail.
    let _ = match value {
        None => write!(text, " --{key}"),
        Some(value) if value.contains(odd) => {
            write!(text, " --{key}='{}'", value.replace('\'', "'\\''"))
        }
        Some(value) => write!(text, " --{key}={value}"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_tools::dialects::Nowhere;

    fn asked(words: &[&str], files: &[(String, String)]) -> String {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let line = CommandLine::parse(&words).expect("a command line");
        let question = line.tool.question.clone().expect("a question");
        answer(&question, &line, files, &Nowhere).expect("an answer")
    }

    #[test]
    fn the_version_is_one_line() {
        for word in ["--version", "-v"] {
            assert_eq!(asked(&[word], &[]), "fio-3.33\n");
        }
    }

    #[test]
    fn an_engine_that_is_asked_for_is_there() {
        let one = "Available IO engines:\n\tlibaio\n";
        assert_eq!(asked(&["--enghelp=libaio"], &[]), one);
        assert_eq!(
            asked(&["--enghelp"], &[]).lines().count(),
            ENGINES.len() + 1
        );
    }

    #[test]
    fn jobs_are_said_as_a_command_line() {
        let text = "[global]\nioengine=null\nsize=1m\n[a]\nrw=read\ngroup_reporting\n\
                    [b c]\nstonewall\n";
        let files = [("a.fio".to_owned(), text.to_owned())];
        let expected = "fio --bs=8k --ioengine=null --size=1m --name=a --rw=read \
                        --group_reporting --name='b c' --stonewall\n";
        assert_eq!(asked(&["--showcmd", "--bs=8k"], &files), expected);
    }

    #[test]
    fn options_are_told_one_by_one_or_all() {
        assert_eq!(
            asked(&["--cmdhelp=iodepth"], &[]),
            "iodepth                 : kept\n"
        );
        assert_eq!(
            asked(&["--cmdhelp=iodept"], &[]),
            "No such option: iodept\nMaybe you meant: iodepth\n"
        );
        assert_eq!(asked(&["--cmdhelp"], &[]).lines().count(), all().count());
    }
}
