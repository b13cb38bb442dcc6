//! Reports of runs that are over.

use crate::command::Cli;

const RUN: [&str; 9] = [
    "run",
    "random-read-4k",
    "--engine",
    "sim",
    "--time",
    "1s",
    "--quiet",
    "--output",
    "text:first.txt",
];

#[test]
fn a_file_is_shown_as_it_was_the_first_time() {
    let outputs = ["--output", "json:result.json"];
    let folder = Cli::new(RUN.into_iter().chain(outputs)).check(0, "", "");
    let first = std::fs::read_to_string(folder.path().join("first.txt")).expect("a report");
    Cli::in_folder(folder, ["show", "result.json"]).check(0, &first, "");
}

#[test]
fn what_names_no_run_is_refused() {
    let list = "  try:     `fathom history` lists the runs\n";
    let cases = [
        (
            "baseline",
            "error: `baseline` names no run\n  because: it is not the begin of a run's id; a file \
             needs a slash or a dot (./baseline), a tag is written tag:baseline\n",
        ),
        (
            "@last",
            "error: `@last` names no run\n  because: after @ only `latest` is known, as in @latest \
             or @latest~2\n",
        ),
        (
            "@latest",
            "error: no run of the history is called @latest\n  because: there is no run in it\n",
        ),
        (
            "7f3",
            "error: no run of the history is called 7f3\n  because: there is no run in it\n",
        ),
    ];
    for (name, message) in cases {
        Cli::new(["show", name]).check(2, "", &format!("{message}{list}"));
    }
    let missing = "error: cannot read results from a.json\n  because: no such file or directory\n";
    Cli::new(["show", "a.json"]).check(2, "", missing);
    let twice = "error: standard input is named twice\n  try:     one of the results in a file\n";
    Cli::new(["show", "-", "-"]).check(2, "", twice);
}
