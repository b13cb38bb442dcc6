//! Usage lines of a width that terminals have: clap breaks all other lines of its pages.

use clap::Command;

/// Columns before the second line of a usage, below what follows `Usage: `.
const INDENT: usize = 7;

/// The command with all its usages wrapped to the given number of columns.
pub(super) fn fitted(command: Command, most: usize) -> Command {
    // What is global is only then in the usage of each.
    let mut built = command.clone();
    built.build();
    below(command, &built, most)
}

fn below(command: Command, built: &Command, most: usize) -> Command {
    command.mut_subcommands(|one| match built.find_subcommand(one.get_name()) {
        Some(built) => of_one(below(one, built, most), built, most),
        None => one,
    })
}

fn of_one(command: Command, built: &Command, most: usize) -> Command {
    let usage = built.clone().render_usage().to_string();
    let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage);
    if usage
        .lines()
        .any(|line| line.chars().count() + INDENT > most)
    {
        command.override_usage(broken(usage, most))
    } else {
        command
    }
}

fn broken(usage: &str, most: usize) -> String {
    let mut text = String::new();
    let mut columns = INDENT;
    for word in usage.split(' ').filter(|word| !word.is_empty()) {
        let length = word.chars().count();
        if columns > INDENT && columns + 1 + length > most {
            text.push('\n');
            text.push_str(&" ".repeat(INDENT));
            columns = INDENT;
        } else if columns > INDENT {
            text.push(' ');
            columns += 1;
        }
        text.push_str(word);
        columns += length;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{broken, fitted};
    use crate::args::Cli;
    use clap::CommandFactory as _;

    #[test]
    fn words_stay_whole() {
        let usage = "fathom dd [OPTIONS] <if=FILE|of=FILE>...";
        let expected = "fathom dd [OPTIONS]\n       <if=FILE|of=FILE>...";
        assert_eq!(broken(usage, 30), expected);
    }

    #[test]
    fn no_usage_is_wider_than_its_page() {
        let mut command = fitted(Cli::command(), 60);
        command.build();
        for below in command.get_subcommands_mut() {
            let usage = below.render_usage().to_string();
            let widest = usage.lines().map(|line| line.chars().count()).max();
            assert!(widest <= Some(60), "{usage}");
        }
    }
}
