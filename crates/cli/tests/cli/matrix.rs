//! Suites against suites, and runs of many machines in one table.

use crate::command::Cli;
use serde_json::Value;
use tempfile::TempDir;

const SUITE: &str = r#"
name = "two"
description = "Two sizes, read and written"

[[run]]
workload = "random-mixed-8k"
label = "io"
read = [100, 0]
block_size = ["4KiB", "8KiB"]
queue_depth = [4]
time = "1s"
warm_up = "0s"
"#;

/// The suite on storage of that service time, in a folder of that name.
fn run(folder: TempDir, name: &str, service: &str) -> TempDir {
    let line = format!(
        "suite two.toml --engine sim --sim-service-time {service} --interval 100ms --quiet \
         --no-save --into {name}"
    );
    let (ended, folder) = Cli::line_in(folder, &line).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    folder
}

fn three() -> TempDir {
    let cli = Cli::new(["version"]).file("two.toml", SUITE);
    let (_, folder) = cli.end();
    let folder = run(folder, "gen8-off", "2ms");
    let folder = run(folder, "gen8-on", "1ms");
    // Of the last one run is missing.
    let folder = run(folder, "gen9", "500us");
    let kept = folder.path().join("gen9/pass01-003-io-r0-4KiB.json");
    std::fs::remove_file(kept).expect("it was there");
    folder
}

#[test]
fn suites_are_joined_by_work_and_not_by_their_order() {
    let line = "compare gen8-off gen8-on gen9 --metric iops,mean";
    let folder = Cli::line_in(three(), line).check(0, include_str!("matrix/text.txt"), "");
    let line = "compare gen8-off gen8-on gen9 --metric iops -o markdown";
    let markdown = include_str!("matrix/markdown.txt");
    let folder = Cli::line_in(folder, line).check(0, markdown, "");
    let line = "compare gen8-off gen8-on gen9 --metric iops -o csv";
    let folder = Cli::line_in(folder, line).check(0, include_str!("matrix/csv.txt"), "");
    // One machine made them all: by machine it is one column with the means of three.
    let line = "compare gen8-off gen8-on gen9 --by machine --metric iops --json";
    let (ended, folder) = Cli::line_in(folder, line).end();
    let found: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let columns = found["columns"].as_array().expect("a list");
    assert_eq!((columns.len(), &columns[0]["runs"]), (1, &Value::from(11)));
    let cell = &found["rows"][0]["cells"][0];
    assert_eq!(cell["runs"], 3);
    // 2,000, 4,000 and 8,000, the first requests less.
    let mean = cell["numbers"][0]["value"].as_f64().expect("a number");
    assert!((mean / 4_000.0 - 1.0).abs() < 1e-2, "{mean}");
    let line = "compare gen8-off gen8-on -o junit";
    let refusal = "error: a matrix has no format `junit`\n  because: it passes no verdicts\n  \
                   try:     one of brief, text, json, markdown, csv\n";
    let folder = Cli::line_in(folder, line).check(2, "", refusal);
    let line = "compare gen8-off gen8-on --gate 5%";
    let refusal = "error: --gate does not evaluate a matrix\n  because: a matrix shows numbers by \
                   workload and machine\n  try:     use --gate with runs of one workload, as \
                   tag:before tag:after\n";
    Cli::line_in(folder, line).check(2, "", refusal);
}

/// Without --matrix: what lies in two folders, as `FOLDER/*.json` names it.
#[test]
fn runs_of_several_workloads_are_a_matrix_by_themselves() {
    let of = |folder: &str| {
        let names = [
            "suite.json",
            "pass01-001-io-r100-4KiB.json",
            "pass01-002-io-r100-8KiB.json",
        ];
        names.map(|name| format!("{folder}/{name}")).join(" ")
    };
    let line = format!(
        "compare --metric iops {} -- {}",
        of("gen8-off"),
        of("gen8-on")
    );
    let two = include_str!("matrix/two.txt");
    Cli::line_in(three(), &line).check(0, two, "");
}

#[test]
fn a_page_of_a_matrix_has_no_script() {
    let line = "report --matrix gen8-off gen8-on gen9 -o matrix.html";
    let said = "written: matrix.html (html)\n";
    let folder = Cli::line_in(three(), line).check(0, "", said);
    let page = std::fs::read_to_string(folder.path().join("matrix.html")).expect("a page");
    assert_eq!(page.matches("<script").count(), 0);
    // Of each row with different numbers the best is the darkest: four rows, three numbers, and
    // the best of MB/s and of the mean time are those of IOPS.
    assert_eq!(
        page.matches("heat5").count() - style_mentions(&page, "heat5"),
        12
    );
}

/// How often the style itself names a class.
fn style_mentions(page: &str, class: &str) -> usize {
    let styles = page.split("<style>").skip(1);
    let styles = styles.filter_map(|rest| rest.split("</style>").next());
    styles.map(|style| style.matches(class).count()).sum()
}
