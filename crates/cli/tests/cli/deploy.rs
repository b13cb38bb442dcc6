//! The files of `deploy/`: each option in them is one of the command that they call.

use crate::command::Cli;
use std::collections::BTreeSet;

/// Files below `deploy/`, each with the command that it calls.
const FILES: [(&str, &str); 4] = [
    ("github/action.yml", "run"),
    ("gitlab/fathom.yml", "run"),
    ("systemd/fathom-watch.service", "watch"),
    ("systemd/fathom-suite@.service", "suite"),
];

/// Words that begin with two hyphens, without what follows an equals sign.
fn options(text: &str) -> BTreeSet<String> {
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'));
    let words = lines.flat_map(str::split_whitespace);
    let words = words.map(|word| word.trim_matches(|c: char| "'\"(),`".contains(c)));
    let words = words.filter(|word| word.starts_with("--"));
    let names = words.map(|word| word.split(['=', ',']).next().unwrap_or(word));
    names.map(str::to_owned).collect()
}

#[test]
fn each_option_exists() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy");
    for (file, command) in FILES {
        let text = std::fs::read_to_string(format!("{folder}/{file}")).expect("the file");
        let used = options(&text);
        let known = options(&Cli::new([command, "--help"]).stdout());
        let unknown: Vec<&String> = used.difference(&known).collect();
        assert_eq!((file, unknown, used.is_empty()), (file, Vec::new(), false));
    }
}
