//! What the source of an import does not say is not said in any format: no zero stands for it.
//!
//! Whole outputs, of the report of a DISKSPD 2.1 and of logs of fio that hold means of times and
//! of bandwidth, but neither how many requests there were nor how the load was.

#![allow(
    clippy::disallowed_methods,
    reason = "tests read files and start programs of their own"
)]

use fathom_core::result::RunResult;
use fathom_programs::read_results;
use fathom_report::{TextOptions, find, write};
use fathom_tools::results::ResultFile;
use std::path::Path;

fn imported(names: &[&str]) -> RunResult {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../programs/tests/results");
    let texts: Vec<String> = names
        .iter()
        .map(|name| std::fs::read_to_string(folder.join(name)).expect(name))
        .collect();
    let files = names.iter().zip(&texts);
    let files: Vec<ResultFile<'_>> = files
        .map(|(name, text)| ResultFile { name, text })
        .collect();
    let mut imports = read_results(&files).expect("the files of the corpus can be read");
    assert_eq!(imports.len(), 1, "{names:?} are one result");
    let mut result = imports.remove(0).result;
    // The version changes with every release.
    "0".clone_into(&mut result.provenance.version);
    result
}

fn rendered(result: &RunResult, format: &str) -> String {
    let mut bytes = Vec::new();
    let format = find(format).expect("it is a format");
    write(result, format, TextOptions::default(), &mut bytes).expect("memory takes everything");
    String::from_utf8(bytes).expect("text is UTF-8")
}

/// What a page says and draws, without what is inlined in every page.
fn of_page(page: &str) -> String {
    let body = page.split_once("<body").expect("a page has a body").1;
    let (said, _) = body.split_once("<script").expect("a page has its script");
    let said: Vec<&str> = said
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    said.join("\n")
}

fn logs() -> RunResult {
    imported(&["mean_clat.1.log", "mean_bw.1.log"])
}

fn report() -> RunResult {
    imported(&["diskspd-2.1.txt"])
}

#[test]
fn tables_are_empty_there() {
    for (name, result) in [("logs", logs()), ("report", report())] {
        for format in ["csv", "csv-intervals", "iometer-csv"] {
            insta::assert_snapshot!(format!("{format}-{name}"), rendered(&result, format));
        }
    }
}

#[test]
fn collectors_get_no_sample() {
    for (name, result) in [("logs", logs()), ("report", report())] {
        insta::assert_snapshot!(
            format!("openmetrics-{name}"),
            rendered(&result, "openmetrics")
        );
    }
}

#[test]
fn people_are_told_what_is_known() {
    for (name, result) in [("logs", logs()), ("report", report())] {
        insta::assert_snapshot!(format!("markdown-{name}"), rendered(&result, "markdown"));
        let page = of_page(&rendered(&result, "html"));
        insta::assert_snapshot!(format!("html-{name}"), page);
    }
}

#[test]
fn other_layouts_say_so_in_their_own_way() {
    for (name, result) in [("logs", logs()), ("report", report())] {
        for format in [
            "fio-json",
            "diskspd-text",
            "diskspd-xml",
            "dd",
            "iotest",
            "rhel-iotest",
        ] {
            insta::assert_snapshot!(format!("{format}-{name}"), rendered(&result, format));
        }
    }
}
