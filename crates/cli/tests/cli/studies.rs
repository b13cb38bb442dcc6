//! The pages of `docs/studies`: each command in them prints what stands below it. To write them
//! anew: `FATHOM_WRITE_DOCS=1 cargo test -p fathom-cli --test cli studies`.

use crate::command::Cli;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const PROMPT: &str = "    $ ";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/studies")
}

/// The words of a line as a shell takes them, with double quotes.
fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for (index, part) in line.split('"').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// What a command of a page prints, the files of the studies beside it. Of a shell a page knows
/// `> /dev/null`, `| head -N` and `| sed -n "/^A/,/^B/p;…"`.
fn printed(home: TempDir, line: &str) -> (String, TempDir) {
    if let Some(silent) = line.strip_suffix(" > /dev/null") {
        return (String::new(), printed(home, silent).1);
    }
    if let Some((command, count)) = line.split_once(" | head -") {
        let (output, home) = printed(home, command);
        let count: usize = count.parse().expect("a number of lines");
        let first: Vec<&str> = output.lines().take(count).collect();
        return (first.join("\n"), home);
    }
    if let Some((command, ranges)) = line.split_once(" | sed -n \"") {
        let (output, home) = printed(home, command);
        return (parts(&output, ranges.trim_end_matches('"')), home);
    }
    let words = words(line).into_iter().skip(1);
    let (ended, home) = Cli::in_folder(home, words).end();
    assert_eq!(
        (ended.status, ended.stderr.as_str()),
        (Some(0), ""),
        "{line}"
    );
    (ended.stdout, home)
}

/// The lines from one that begins with A to the next that begins with B, of each `/^A/,/^B/p`; `$`
/// for an empty line.
fn parts(output: &str, ranges: &str) -> String {
    let ranges: Vec<(&str, &str)> = ranges
        .split(';')
        .map(|range| {
            let range = range.trim_start_matches("/^").trim_end_matches("/p");
            range.split_once("/,/^").expect("a range of lines")
        })
        .collect();
    let is_at = |line: &str, begin: &str| match begin {
        "$" => line.is_empty(),
        begin => line.starts_with(begin),
    };
    let mut open: Option<&str> = None;
    let mut text = String::new();
    for line in output.lines() {
        let begins = ranges.iter().find(|(begin, _)| is_at(line, begin));
        if open.is_none() && begins.is_none() {
            continue;
        }
        text.push_str(line);
        text.push('\n');
        open = match open {
            Some(end) => (!is_at(line, end)).then_some(end),
            None => begins.map(|(_, end)| *end),
        };
    }
    text
}

/// The page with what its commands print now. Commands of a page share a folder.
fn renewed(page: &str) -> String {
    let (_, mut home) = Cli::new(["version"]).end();
    for entry in std::fs::read_dir(folder().join("inputs")).expect("a folder") {
        let file = entry.expect("an entry").path();
        let name = file.file_name().expect("a file");
        std::fs::copy(&file, home.path().join(name)).expect("a copy");
    }
    let mut text = String::new();
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        text.push_str(line);
        text.push('\n');
        let Some(command) = line
            .strip_prefix(PROMPT)
            .filter(|_| line.starts_with(PROMPT))
        else {
            continue;
        };
        // What it printed when the page was written ends where the text goes on.
        while lines
            .next_if(|line| {
                line.is_empty() || line.starts_with("    ") && !line.starts_with(PROMPT)
            })
            .is_some()
        {}
        let (output, after) = printed(home, command);
        home = after;
        if !output.is_empty() {
            text.push('\n');
        }
        for line in output.trim_end().lines() {
            let indented = format!("    {line}");
            text.push_str(indented.trim_end());
            text.push('\n');
        }
        let is_silent_row = output.is_empty();
        let next = lines.peek();
        if next.is_some_and(|next| !(is_silent_row && next.starts_with(PROMPT))) {
            text.push('\n');
        }
    }
    text
}

#[test]
fn the_pages_of_the_studies_print_what_they_say() {
    let pages = std::fs::read_dir(folder()).expect("a folder");
    let mut pages: Vec<PathBuf> = pages.map(|entry| entry.expect("an entry").path()).collect();
    pages.retain(|path| path.extension().is_some_and(|end| end == "md"));
    pages.sort();
    assert!(pages.len() >= 6, "{pages:?}");
    for path in pages {
        let page = std::fs::read_to_string(&path).expect("a page");
        let found = renewed(&page);
        if std::env::var_os("FATHOM_WRITE_DOCS").is_some() {
            std::fs::write(&path, &found).expect("a page");
        } else {
            assert_eq!(page, found, "{}", path.display());
        }
    }
}

#[test]
fn a_target_that_is_no_directory_is_refused_before_anything_is_computed() {
    let refusal = "error: cannot measure in /nowhere\n  because: it is not a directory\n  try:     \
                   --target with a directory on the disk to measure\n";
    Cli::new(["studies", "proliant", "--target", "/nowhere"]).check(4, "", refusal);
}

/// A study with a claim that is computed on a target where no file can be made.
#[test]
fn a_command_that_fails_is_not_reproduced() {
    let ended = Cli::new(["studies", "proliant", "--target", "/proc", "--json"])
        .end()
        .0;
    let document: serde_json::Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let claims = document["studies"][0]["claims"].as_array().expect("claims");
    let failed = claims.iter().filter(|claim| claim["reproduced"] == false);
    let failed: Vec<_> = failed
        .map(|claim| (claim["figure"].clone(), claim["needs_target"].clone()))
        .collect();
    let expected = [(serde_json::Value::Null, serde_json::Value::Bool(true))];
    assert_eq!((ended.status, failed), (Some(1), expected.to_vec()));
}

/// The list is made without running anything.
#[test]
fn the_list_has_every_claim() {
    let listed = Cli::new(["studies", "--json"]).end().0;
    let document: serde_json::Value = serde_json::from_str(&listed.stdout).expect("JSON");
    let studies = document["studies"].as_array().expect("studies");
    let count = |study: &serde_json::Value| study["claims"].as_array().map_or(0, Vec::len);
    let found: usize = studies.iter().map(count).sum();
    let claims: usize = fathom_tools::studies::studies()
        .iter()
        .map(|study| study.claims.len())
        .sum();
    assert_eq!((listed.status, found), (Some(0), claims));
}
