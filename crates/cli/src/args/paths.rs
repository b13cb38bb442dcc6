//! Every option that takes a path is in the table that the process tests go through, so that a new
//! one is tried on a device before anybody else does.

use super::history::HistoryFormat;
use super::need::NeedFormat;
use super::{AnswerOutput, Cli, FormatFile, OutputSpec, PlanFormat, SuiteFormat, TargetArg};
use clap::builder::ValueParser;
use clap::{Arg, Command, CommandFactory as _};
use fathom_device::Destroy;
use std::any::TypeId;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// One line each: command, option or name of the value, kind, and the words that use it.
const TABLE: &str = include_str!("../../tests/cli/paths.txt");

/// Names of values that are words and may be paths.
const PATH_WORDS: [&str; 9] = [
    "FILE", "PATH", "DIR", "FOLDER", "RUN", "RESULT", "WORD", "OPERAND", "URL",
];

fn takes_path(arg: &Arg) -> bool {
    if !arg.get_action().takes_values() {
        return false;
    }
    let of = arg.get_value_parser().type_id();
    let is = |parser: ValueParser| of == parser.type_id();
    let typed = of == TypeId::of::<PathBuf>()
        || of == TypeId::of::<TargetArg>()
        || of == TypeId::of::<OutputSpec>()
        || of == TypeId::of::<FormatFile<PlanFormat>>()
        || of == TypeId::of::<FormatFile<NeedFormat>>()
        || of == TypeId::of::<FormatFile<HistoryFormat>>()
        || of == TypeId::of::<FormatFile<SuiteFormat>>()
        || of == TypeId::of::<AnswerOutput<fathom_verdict::compare::Comparison>>()
        || of == TypeId::of::<AnswerOutput<fathom_verdict::trend::Trends>>()
        || of == TypeId::of::<AnswerOutput<fathom_volume::fit::Fits>>()
        || of == TypeId::of::<AnswerOutput<fathom_explain::explanation::Explanation>>()
        || of == TypeId::of::<Destroy>()
        || is(ValueParser::path_buf());
    let names = arg.get_value_names().unwrap_or_default();
    let called = |word: &&str| names.iter().any(|name| name.as_str().contains(word));
    typed || PATH_WORDS.iter().any(called)
}

fn collect(command: &Command, name: &str, found: &mut BTreeSet<String>) {
    for arg in command.get_arguments().filter(|arg| takes_path(arg)) {
        let option = match (arg.get_long(), arg.get_value_names()) {
            (Some(long), _) => format!("--{long}"),
            (None, Some([value, ..])) => value.to_string(),
            (None, _) => arg.get_id().to_string(),
        };
        found.insert(format!("{name} {option}"));
    }
    for below in command.get_subcommands() {
        collect(below, format!("{name} {}", below.get_name()).trim(), found);
    }
}

#[test]
fn every_option_that_takes_a_path_is_in_the_table() {
    let mut command = Cli::command();
    command.build();
    let mut found = BTreeSet::new();
    collect(&command, "", &mut found);
    let lines = TABLE
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty());
    let listed: BTreeSet<String> = lines
        .map(|line| {
            let mut cells = line.split(" | ").map(str::trim);
            let (command, option) = (cells.next().unwrap(), cells.next().unwrap());
            format!("{command} {option}")
        })
        .filter(|line| !line.starts_with("fio --"))
        .collect();
    assert_eq!(listed, found);
}
