//! The table of options as a document.

use super::option::FioOption;
use super::options::{GROUPS, all};
use super::tool::TOOL_OPTIONS;
use crate::translation::Standing;
use std::fmt::Write as _;

const HEAD: &str = "# fio

<!-- Generated from crates/tools/src/fio/options.rs; a test compares both. -->

`fathom fio FILE.fio… [--OPTION=VALUE…]` runs fio's job files and command lines as they are. This is
what becomes of each option: *kept* means as fio 3.33 does it, *approximated* nearly, *ignored* that
it changes nothing that is measured here, *refused* that the input is not run with it. A value with
which an option asks for nothing (`verify=0`, `lockmem=0`) is always accepted.

";

/// How many options have each standing.
pub fn counts() -> [(Standing, usize); 4] {
    Standing::ALL.map(|standing| {
        let count = all().filter(|option| option.standing == standing).count();
        (standing, count)
    })
}

/// The document `docs/dialects/fio.md`.
pub fn coverage() -> String {
    let mut text = HEAD.to_owned();
    text += "| options | kept | approximated | ignored | refused |\n";
    text += "| ---: | ---: | ---: | ---: | ---: |\n";
    let counts = counts().map(|(_, count)| count);
    let sum: usize = counts.iter().sum();
    let counts = counts.map(|count| count.to_string()).join(" | ");
    // Writing to a string cannot fail.
    let _ = writeln!(text, "| {sum} | {counts} |");
    for group in &GROUPS {
        let _ = writeln!(text, "\n## {}\n", group.title);
        text += "| option | standing | remark |\n| --- | --- | --- |\n";
        for option in group.options {
            text += &row(option);
        }
    }
    text += "\n## Options of the command\n\n| option | remark |\n| --- | --- |\n";
    for option in TOOL_OPTIONS {
        let standing = if option.set.is_some() {
            ""
        } else {
            "refused: "
        };
        let letter = option.letter.map(|letter| format!(", `-{letter}`"));
        let letter = letter.unwrap_or_default();
        let _ = writeln!(
            text,
            "| `--{}`{letter} | {standing}{} |",
            option.name, option.remark
        );
    }
    text +=
        "| `--overwrite` | without a value: files that Fathom did not make may be overwritten |\n";
    text
}

fn row(option: &FioOption) -> String {
    let names: Vec<String> = option.names().map(|name| format!("`{name}`")).collect();
    format!(
        "| {} | {} | {} |\n",
        names.join(", "),
        option.standing.name(),
        option.remark
    )
}
