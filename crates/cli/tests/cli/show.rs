//! Reports of runs that are over.

use crate::command::Cli;

const RUN: &str = "run random-read-4k --engine sim --time 1s --quiet --output text:first.txt";

#[test]
fn a_file_is_shown_as_it_was_the_first_time() {
    let outputs = ["--output", "json:result.json"];
    let folder = Cli::new(RUN.split(' ').chain(outputs)).check(0, "", "");
    let first = std::fs::read_to_string(folder.path().join("first.txt")).expect("a report");
    Cli::in_folder(folder, ["show", "result.json", "--full"]).check(0, &first, "");
}

#[test]
fn the_page_of_one_run_is_the_same_from_the_run_and_from_its_file() {
    let outputs = [
        "--output",
        "json:result.json",
        "--output",
        "html:first.html",
    ];
    let folder = Cli::new(RUN.split(' ').chain(outputs)).check(0, "", "");
    let words = ["report", "./result.json", "--out", "again.html"];
    let said = "written: again.html (html)\n";
    let folder = Cli::in_folder(folder, words).check(0, "", said);
    let page = |name| std::fs::read_to_string(folder.path().join(name)).expect("a page");
    assert!(page("first.html") == page("again.html"), "the pages differ");
}

#[test]
fn a_page_needs_a_place() {
    let message = "error: the following required arguments were not provided:
  --output <FILE.html>
  try:     `fathom report --help`

Usage: fathom report --output <FILE.html> <RUN>...
";
    Cli::new(["report", "./a.json"]).check(2, "", message);
}

#[test]
fn what_names_no_run_is_refused() {
    let list = "  try:     `fathom history` lists the runs\n";
    let cases = [
        (
            "baseline",
            "error: `baseline` names no run\n  because: it is not the start of a run's id; a file \
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
    let twice = "error: standard input is named twice\n  try:     use a file in place of one `-`\n";
    let calls = [
        "show - -",
        "report - - -o a.html",
        "compare - -",
        "compare - a -- - b",
    ];
    for call in calls {
        Cli::line(call).check(2, "", twice);
    }
}

/// As `fathom compare` takes them.
#[test]
fn a_page_of_a_tag_has_all_runs_of_it() {
    let run = ["--tag", "x", "--store", "h.db", "--overwrite"];
    let mut folder = tempfile::tempdir().expect("a folder");
    for _ in 0..3 {
        let words = RUN.split(' ').chain(run);
        folder = Cli::in_folder(folder, words).check(0, "", "");
    }
    let list = ["history", "--json", "--store", "h.db"];
    let (listed, folder) = Cli::in_folder(folder, list).end();
    let runs = crate::document::listed(&listed.stdout, "runs");
    let words = ["report", "tag:x", "--store", "h.db", "-o", "x.html"];
    let said = "written: x.html (html)\n";
    let folder = Cli::in_folder(folder, words).check(0, "", said);
    let page = std::fs::read_to_string(folder.path().join("x.html")).expect("a page");
    let found = runs.iter().filter(|run| {
        let id = run["run_id"].as_str().expect("a text");
        page.contains(id)
    });
    assert_eq!((runs.len(), found.count()), (3, 3));
}
