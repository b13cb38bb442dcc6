//! `fathom profiles`.

use crate::command::Cli;
use serde_json::Value;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../profiles"))
}

/// Names of the files in the top folder `profiles`.
fn files() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).expect("the folder is there");
    let mut names: Vec<String> = entries
        .filter_map(|entry| {
            let name = entry.expect("an entry").file_name().into_string().ok()?;
            Some(name.strip_suffix(".toml")?.to_owned())
        })
        .collect();
    names.sort();
    names
}

fn listed() -> Vec<(String, String)> {
    let json = Cli::new(["profiles", "--json"]).stdout();
    let list = crate::document::listed(&json, "profiles");
    let word = |entry: &Value, key: &str| entry[key].as_str().expect("a text").to_owned();
    list.iter()
        .map(|entry| (word(entry, "name"), word(entry, "description")))
        .collect()
}

#[test]
fn every_file_is_listed() {
    let mut names: Vec<String> = listed().into_iter().map(|(name, _)| name).collect();
    names.sort();
    assert_eq!(names, files());
}

#[test]
fn the_table_is_the_list_in_columns() {
    let table = Cli::new(["profiles"]).stdout();
    let listed = listed();
    let width = listed.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let head = ("NAME".to_owned(), "DESCRIPTION".to_owned());
    let lines: Vec<String> = std::iter::once(&head)
        .chain(&listed)
        .map(|(name, description)| format!("{name:<width$}  {description}\n"))
        .collect();
    assert_eq!(table, lines.concat());
}

#[test]
fn what_is_shown_is_the_file() {
    for name in files() {
        let text = std::fs::read_to_string(folder().join(format!("{name}.toml"))).expect("a file");
        assert_eq!(
            Cli::new(["profiles", "show", &name]).stdout(),
            text,
            "{name}"
        );
        assert_eq!(Cli::new(["profiles", &name]).stdout(), text, "{name}");
    }
}

#[test]
fn a_name_that_is_none_is_answered() {
    let cases = [
        (
            "quik",
            "error: there is no profile `quik`\n  try:     quick\n",
        ),
        (
            "something-else",
            "error: there is no profile `something-else`\n  try:     `fathom profiles` lists them; \
             a file ends in .toml or has a slash\n",
        ),
        (
            "oltp",
            "error: there is no profile `oltp`\n  because: each database has its own\n  try:     \
             ms-oltp, pg-oltp or oltp-db\n",
        ),
        (
            "exchange-server",
            "error: there is no profile `exchange-server`\n  because: its source contradicts \
             itself: 8 KiB in the job file, 4 KiB in the text; Exchange had 4 KiB pages in \
             2003, 8 KiB in 2007 and 32 KiB since 2010\n  try:     exchange-2003, exchange-2007 or \
             exchange-2010\n",
        ),
    ];
    for (name, stderr) in cases {
        Cli::new(["profiles", "show", name]).check(2, "", stderr);
        Cli::new(["profiles", name]).check(2, "", stderr);
        Cli::new(["run", name]).check(2, "", stderr);
    }
}

#[test]
fn a_word_of_rw_is_led_to_its_option() {
    let stderr =
        "error: there is no profile `randread`\n  try:     `fathom run --rw randread DIR`\n";
    Cli::new(["run", "randread"]).check(2, "", stderr);
}
