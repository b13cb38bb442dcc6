//! Texts that are refused, and all that is said about each: `errors/*.toml` in, snapshots out.

#![allow(
    clippy::disallowed_methods,
    reason = "tests read files and start programs of their own"
)]

use fathom_core::spec::fields::JOB;
use fathom_tools::native::parse;

#[test]
fn every_refusal_quotes_its_lines_and_names_the_remedy() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/errors");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    assert_ne!(paths.len(), 0);
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let found = parse(&text, &format!("{name}.toml")).expect_err(name);
        let drawn: Vec<String> = found.iter().map(ToString::to_string).collect();
        insta::assert_snapshot!(name, drawn.join("\n\n"));
    }
}

#[test]
fn a_word_that_is_like_no_key_gets_the_list_of_the_table() {
    let found = parse("name = \"x\"\ncolour = \"blue\"\n", "x.toml").expect_err("no such key");
    let [finding] = &found[..] else {
        panic!("one finding, not {found:?}");
    };
    let drawn = finding.to_string();
    let (_, list) = drawn.split_once("the keys here are ").expect("a list");
    let listed: Vec<&str> = list
        .split([',', ' ', '\n'])
        .filter(|w| !w.is_empty())
        .collect();
    for key in JOB.keys() {
        assert_eq!(
            listed.iter().filter(|word| **word == key).count(),
            1,
            "{key}"
        );
    }
}
