//! The table of dialects, over the corpus of each.

#![allow(
    clippy::disallowed_methods,
    reason = "tests read files and start programs of their own"
)]

use fathom_programs::{detect, dialects, find};
use fathom_tools::Nowhere;

fn folder(dialect: &str) -> std::io::Result<Vec<(String, String)>> {
    let folder = format!("{}/tests/corpus/{dialect}", env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        files.push((name, std::fs::read_to_string(entry.path())?));
    }
    files.sort();
    Ok(files)
}

#[test]
fn names_are_found() {
    for dialect in dialects() {
        assert_eq!(
            find(dialect.name).map(|found| found.name),
            Some(dialect.name)
        );
    }
    assert!(find("iozone").is_none());
}

#[test]
fn no_file_of_any_corpus_makes_any_dialect_panic() {
    for corpus in dialects() {
        for (name, text) in folder(corpus.name).expect(corpus.name) {
            for dialect in dialects() {
                for text in std::iter::once(text.as_str()).chain(text.lines()) {
                    if let Err(found) = (dialect.translate)(text, &name, &Nowhere) {
                        assert!(!found.is_empty(), "{}: {name}", dialect.name);
                    }
                }
            }
        }
    }
}

#[test]
fn diskspd_is_known_by_its_first_word_or_its_elements() {
    let cases = [
        ("line", "diskspd -b8K x", Some("diskspd")),
        ("line", "/opt/bin/DiskSpd.exe x", Some("diskspd")),
        ("p.xml", "<Profile><TimeSpans><TimeSpan>", Some("diskspd")),
        ("p.xml", "<Other/>", None),
        ("x", "", None),
    ];
    for (file, text, name) in cases {
        assert_eq!(
            detect(file, text).map(|dialect| dialect.name),
            name,
            "{text}"
        );
    }
}
