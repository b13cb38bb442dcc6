//! Usage lines of a width that terminals have: clap breaks all other lines of its pages.

use clap::{Arg, Command};

/// Columns before the second line of a usage, below what follows `Usage: `.
const INDENT: usize = 7;

/// The command with the usages of all wanted commands wrapped to the given number of columns.
pub(super) fn fitted(command: Command, most: usize, is_wanted: impl Fn(&str) -> bool) -> Command {
    // What is global belongs to the usage of each.
    let arguments = command.get_arguments();
    let global: Vec<Arg> = arguments
        .filter(|arg| arg.is_global_set())
        .cloned()
        .collect();
    let name = command.get_name().to_owned();
    command.mut_subcommands(|one| {
        if is_wanted(one.get_name()) {
            of_one(one, &name, &global, most)
        } else {
            one
        }
    })
}

fn of_one(command: Command, above: &str, global: &[Arg], most: usize) -> Command {
    let name = format!("{above} {}", command.get_name());
    let command = command.mut_subcommands(|one| of_one(one, &name, global, most));
    let mut whole = command.clone().args(global).bin_name(name);
    let usage = whole.render_usage().to_string();
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
        let mut command = fitted(Cli::command(), 60, |_| true);
        command.build();
        for below in command.get_subcommands_mut() {
            let usage = below.render_usage().to_string();
            let widest = usage.lines().map(|line| line.chars().count()).max();
            assert!(widest <= Some(60), "{usage}");
        }
    }
}
