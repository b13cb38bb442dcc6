//! What is wrong with a command line, in the form of all errors of fathom: what, and what to try.

use super::namesake;
use clap::Command;
use clap::error::{ContextKind, ContextValue};
use fathom_core::nearest::nearest;
use fathom_core::units::plain_message;
use std::ffi::OsString;

/// The page that has what is missing, for a command line that is no command.
const COMMANDS: &str = "`fathom -h` lists the commands";

/// The message, what to try, and the usage where it was lost.
pub(super) fn text(refusal: &clap::Error, typed: &[OsString], program: &Command) -> String {
    let whole = plain_message(&refusal.render().to_string());
    let (message, rest) = whole.split_once("\n\n").unwrap_or((whole.trim_end(), ""));
    let usage = rest.split("\n\n").find(|part| part.starts_with("Usage: "));
    let words = suggestions(refusal);
    let page = page(typed, program);
    let remedy = match words.as_slice() {
        [] if refusal.get(ContextKind::InvalidSubcommand).is_some() => COMMANDS.to_owned(),
        [] => page,
        words => format!("{}, or {page}", words.join(", ")),
    };
    let usage = usage.map(|usage| format!("\n{}\n", usage.trim_end()));
    let message = message.trim_end();
    format!(
        "{message}\n  try:     {remedy}\n{}",
        usage.unwrap_or_default()
    )
}

/// Words that were probably meant. That an option may be a value behind `--` is no help: it is
/// then the name of a workload or a file.
fn suggestions(refusal: &clap::Error) -> Vec<String> {
    let found = |kind| match refusal.get(kind) {
        Some(ContextValue::String(one)) => vec![one.clone()],
        Some(ContextValue::Strings(several)) => several.clone(),
        _ => Vec::new(),
    };
    let typed = found(ContextKind::InvalidSubcommand);
    // Commands that have but letters in common with what was typed were not meant.
    let is_near = |name: &String| {
        typed
            .iter()
            .any(|typed| nearest(typed, [name.as_str()]).is_some())
    };
    let commands = found(ContextKind::SuggestedSubcommand).into_iter();
    let others = [ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    let others = others.into_iter().flat_map(found);
    commands
        .filter(is_near)
        .chain(others)
        .map(|word| format!("`{word}`"))
        .collect()
}

/// The command that prints all options, as it is typed.
fn page(typed: &[OsString], program: &Command) -> String {
    let called = typed.first().and_then(|word| namesake(word));
    let mut words = vec![called.unwrap_or("fathom")];
    let mut command = program;
    let given = typed.iter().skip(1 + usize::from(called.is_some()));
    for word in given.filter(|word| !word.to_string_lossy().starts_with('-')) {
        let Some(below) = command.find_subcommand(word) else {
            break;
        };
        command = below;
        words.push(command.get_name());
    }
    format!("`{} --help`", words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::super::Cli;
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn a_refusal_names_its_remedy() {
        let cases = [
            (
                "fathom run quick --tiem 4",
                "error: unexpected argument '--tiem' found\n  try:     `--time`, or `fathom run \
                 --help`\n\nUsage: fathom run --time <DURATION> <NAME|FILE.toml>...\n",
            ),
            (
                "fathom generate grafana --ramp_time 4",
                "error: unexpected argument '--ramp_time' found\n  try:     `fathom generate \
                 grafana --help`\n\nUsage: fathom generate grafana [OPTIONS]\n",
            ),
            (
                "fathom benchmark",
                "error: unrecognized subcommand 'benchmark'\n  try:     `fathom -h` lists the \
                 commands\n\nUsage: fathom [OPTIONS] <COMMAND>\n",
            ),
            (
                "fathom qick",
                "error: unrecognized subcommand 'qick'\n  try:     `quick`, or `fathom \
                 --help`\n\nUsage: fathom [OPTIONS] <COMMAND>\n",
            ),
            (
                "fathom ramp ms-oltp --over rat",
                "error: invalid value 'rat' for '--over <WHAT>'\n  [possible values: queue-depth, \
                 threads, block-size, rate]\n  try:     `rate`, or `fathom ramp --help`\n",
            ),
        ];
        for (line, expected) in cases {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let refusal = super::super::parse(&words).expect_err(line);
            assert_eq!(text(&refusal, &words, &Cli::command()), expected);
        }
    }
}
