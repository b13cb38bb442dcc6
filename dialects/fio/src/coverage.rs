//! The table of options as a document.

use super::option::FioOption;
use super::options::{all, groups};
use super::tool::TOOL_OPTIONS;
use fathom_tools::translation::Standing;
use std::fmt::Write as _;

const HEAD: &str = "# fio

<!-- Generated from dialects/fio/src/options.rs; a test compares both. -->

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
    for (title, options) in groups() {
        let _ = writeln!(text, "\n## {title}\n");
        text += "| option | standing | remark |\n| --- | --- | --- |\n";
        for option in options {
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
    text += "\n## Reports\n\nKeys, fields and lines are those of fio 3.33, but for these:\n\n";
    text += "| what | here |\n| --- | --- |\n";
    for (what, here) in REPORTS {
        let _ = writeln!(text, "| {what} | {here} |");
    }
    text
}

/// In what reports differ.
const REPORTS: [(&str, &str); 11] = [
    (
        "the version",
        "followed by Fathom's, as in `fio-3.33-fathom-0.1.0`",
    ),
    (
        "the key `fathom` of JSON",
        "what is doubted of the run, and which engine made the requests of each row",
    ),
    (
        "`pid`",
        "that of Fathom for all jobs, which are threads of one process; 0 of other hosts",
    ),
    (
        "`lat` without its percentiles or a latency log",
        "`slat` and `clat` are counted by themselves: smallest and largest are the sums of theirs, \
         which no request need have had, and the deviation takes them to be independent",
    ),
    (
        "samples of bandwidth and IOPS",
        "of a second each, where fio has them of half a second; a second without a request is one, \
         which fio leaves out",
    ),
    (
        "`kb_base=1000`",
        "the bandwidth of samples is in kB where it says so; fio has KiB by that name",
    ),
    (
        "notes about jobs",
        "only in the form for people; fio has them before JSON and terse lines, too",
    ),
    (
        "a job that is over before its `ramp_time` is",
        "nothing was measured; fio tells what it did",
    ),
    (
        "zone resets",
        "reported after the writes, as in fio; JSON and terse count them as trims",
    ),
    (
        "lines about files that are laid out",
        "left out, with all that fio says while it runs",
    ),
    (
        "a job that checks what is not there",
        "refused with status 4; fio makes a file, and finds it wrong",
    ),
];

fn row(option: &FioOption) -> String {
    let names: Vec<String> = option.names().map(|name| format!("`{name}`")).collect();
    format!(
        "| {} | {} | {} |\n",
        names.join(", "),
        option.standing.name(),
        option.remark
    )
}
