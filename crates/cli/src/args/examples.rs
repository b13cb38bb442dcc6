//! Three examples for each command, for its help and its manual page. A test reads them all.

mod programs;
mod table;

use clap::Command;

/// What somebody wants, and the line that does it.
pub(crate) type Example = (&'static str, &'static str);

/// All of them, by the words of each command.
fn all() -> impl Iterator<Item = &'static (&'static str, [Example; 3])> {
    table::EXAMPLES.iter().chain(programs::EXAMPLES)
}

/// The examples of a command, if there are some: of its words after `fathom`.
pub(crate) fn of(command: &str) -> Option<&'static [Example; 3]> {
    let found = all().find(|(name, _)| *name == command);
    found.map(|(_, examples)| examples)
}

/// The examples as the end of a help page.
pub(super) fn section(examples: &[Example], most: usize) -> String {
    format!("Examples:\n{}", entries(examples, most).join("\n\n"))
}

/// The same without empty lines, for the short page.
pub(super) fn brief(examples: &[Example], most: usize) -> String {
    format!("Examples:\n{}", entries(examples, most).join("\n"))
}

fn entries(examples: &[Example], most: usize) -> Vec<String> {
    let entry = |(wish, line): &Example| format!("  {wish}:\n{}", typed(line, most, 6));
    examples.iter().map(entry).collect()
}

/// A command line as it may be typed: where it is too long it goes on after a backslash, which
/// between quotes it could not.
pub(super) fn typed(line: &str, most: usize, indent: usize) -> String {
    let mut text = " ".repeat(indent);
    let mut columns = text.len();
    let mut quote = None;
    let mut begin = 0;
    let blanks = line.char_indices().filter(|(_, sign)| {
        match (quote, sign) {
            (None, '\'' | '"') => quote = Some(*sign),
            (Some(open), sign) if open == *sign => quote = None,
            _ => {}
        }
        *sign == ' ' && quote.is_none()
    });
    let mut ends: Vec<usize> = blanks.map(|(at, _)| at).collect();
    ends.push(line.len());
    for end in ends {
        let word = &line[begin..end];
        let length = word.chars().count();
        let mark = if end == line.len() { 0 } else { 2 };
        if begin > 0 && columns + 1 + length + mark > most {
            text.push_str(" \\\n");
            columns = indent + 4;
            text.push_str(&" ".repeat(columns));
        } else if begin > 0 {
            text.push(' ');
            columns += 1;
        }
        text.push_str(word);
        columns += length;
        begin = end + 1;
    }
    text
}

/// Puts them at the end of the page of each wanted command.
pub(super) fn add(command: Command, most: usize, is_wanted: impl Fn(&str) -> bool) -> Command {
    all().fold(command, |command, (words, examples)| {
        let words: Vec<&str> = words.split(' ').collect();
        if words.first().is_some_and(|name| is_wanted(name)) {
            put(command, &words, &section(examples, most))
        } else {
            command
        }
    })
}

/// Puts a text at the end of the page of the command that the words lead to from here.
fn put(command: Command, words: &[&str], text: &str) -> Command {
    match words {
        [] => command.after_long_help(text.to_owned()),
        [next, rest @ ..] if command.find_subcommand(next).is_some() => {
            command.mut_subcommand(*next, |below| put(below, rest, text))
        }
        _ => command,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command as Given, GenerateKind, QUESTIONS};
    use clap::CommandFactory as _;

    /// The words of all commands below this one that a person calls.
    fn shown(command: &Command, above: &str, words: &mut Vec<String>) {
        for below in command.get_subcommands().filter(|one| !one.is_hide_set()) {
            let name = format!("{above} {}", below.get_name());
            shown(below, &name, words);
            words.push(name.trim_start().to_owned());
        }
    }

    #[test]
    fn every_command_has_examples_of_itself() {
        let mut commands = Vec::new();
        shown(&Cli::command(), "", &mut commands);
        for words in commands {
            let begin = format!("fathom {words}");
            let all = of(&words)
                .is_some_and(|lines| lines.iter().all(|(_, line)| line.starts_with(&begin)));
            assert!(all, "{begin}");
        }
        for (words, _) in all() {
            let mut there = Cli::command();
            for word in words.split(' ') {
                let below = there.find_subcommand(word).cloned();
                there = below.unwrap_or_else(|| panic!("no command {words}"));
            }
        }
    }

    fn side(line: &str) -> Vec<String> {
        fathom_tools::shell_words(line).expect("a line")
    }

    /// Also the command lines within one: the two of `ab`, and that of the pods of a manifest.
    #[test]
    fn every_example_can_be_meant() {
        let examples = all().flat_map(|(_, examples)| examples);
        let mut within = 0;
        let mut lines: Vec<Vec<String>> = examples
            .chain(&QUESTIONS)
            .map(|(_, line)| side(line))
            .collect();
        while let Some(words) = lines.pop() {
            let cli = crate::args::parse(&words);
            let refused = cli.as_ref().err().map(ToString::to_string);
            assert_eq!(refused, None, "{words:?}");
            let inner = match cli.expect("it was accepted").command {
                Given::Ab(ab) => vec![side(&ab.a), side(&ab.b)],
                Given::Generate(generate) => match &generate.kind {
                    GenerateKind::Kubernetes(args) => {
                        vec![[vec!["run".to_owned()], args.run.clone()].concat()]
                    }
                    _ => Vec::new(),
                },
                _ => Vec::new(),
            };
            within += inner.len();
            for line in inner {
                lines.push([vec!["fathom".to_owned()], line].concat());
            }
        }
        assert_eq!(within, 11);
    }

    #[test]
    fn a_section_has_a_wish_above_each_line() {
        let expected = "Examples:\n  One:\n      fathom a\n\n  Two:\n      fathom b";
        assert_eq!(
            section(&[("One", "fathom a"), ("Two", "fathom b")], 80),
            expected
        );
    }

    #[test]
    fn long_lines_go_on_after_a_backslash() {
        let line = "fathom ab --a 'run one --engine psync' --b 'run two'";
        let expected = "      fathom ab --a \\\n          'run one --engine psync' \\\n          \
                        --b 'run two'";
        assert_eq!(typed(line, 36, 6), expected);
    }
}
