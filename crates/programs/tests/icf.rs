//! Configuration files of Iometer: `corpus/iometer/*.icf` in, all that is said about them out.
#![allow(clippy::disallowed_methods, reason = "tests make files of their own")]

use fathom_iometer as iometer;
use fathom_tools::{Nowhere, native};
use proptest::prelude::*;

fn files() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus/iometer");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("a readable file")
        .map(|entry| entry.expect("a readable file").path())
        .collect();
    paths.sort();
    assert_ne!(paths.len(), 0);
    let read = |path: std::path::PathBuf| {
        let name = path
            .file_name()
            .expect("a readable file")
            .to_str()
            .expect("a readable file")
            .to_owned();
        (
            name,
            std::fs::read_to_string(&path).expect("a readable file"),
        )
    };
    paths.into_iter().map(read).collect()
}

#[test]
fn every_file_is_understood_or_refused() {
    for (name, text) in files() {
        let drawn = match iometer::translate(&text, &name, &Nowhere) {
            Ok(translation) => {
                let notes = translation.notes.iter().map(|note| format!("{note}\n"));
                let notes: String = notes.collect();
                let printed = native::print(&translation.workload);
                assert_eq!(
                    native::parse(&printed, "printed.toml"),
                    Ok(translation.workload),
                    "{name}"
                );
                format!("{notes}{printed}")
            }
            Err(errors) => {
                let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
                errors.join("\n")
            }
        };
        insta::assert_snapshot!(name.trim_end_matches(".icf"), drawn);
    }
}

#[test]
fn a_file_is_known_by_its_first_lines() {
    let all: Vec<(String, u8)> = files()
        .into_iter()
        .map(|(name, text)| {
            let sure = iometer::detect("x.txt", &text);
            (name, sure)
        })
        .filter(|(name, sure)| {
            (*sure == 0) != matches!(&name[..], "error-empty.icf" | "error-not-a-file.icf")
        })
        .collect();
    assert_eq!(all, []);
    assert_eq!(iometer::detect("x.ICF", ""), 60);
}

#[test]
fn a_file_with_a_byte_order_mark_is_the_same() {
    for (name, text) in files() {
        let marked = format!("\u{feff}{text}");
        let read = |text: &str| iometer::translate(text, &name, &Nowhere).map_err(|_| ());
        assert_eq!(read(&marked), read(&text), "{name}");
        let sure = |text: &str| iometer::detect("x.txt", text);
        assert_eq!(sure(&marked), sure(&text), "{name}");
    }
}

#[test]
fn the_page_is_that_of_the_table() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/dialects/iometer.md"
    );
    if std::env::var_os("FATHOM_WRITE_DOCS").is_some() {
        std::fs::write(path, iometer::page()).unwrap();
    }
    let page = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(page, iometer::page());
}

fn check(text: &str) {
    match iometer::translate(text, "x.icf", &Nowhere) {
        Ok(translation) => {
            let found = fathom_core::spec::validate::validate(&translation.workload);
            assert_eq!(found, [], "{text}");
        }
        Err(errors) => {
            let drawn: String = errors.iter().map(ToString::to_string).collect();
            assert_ne!(drawn, "");
        }
    }
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "(Version 1\n)?\\PC*") {
        check(&text);
    }

    /// Files that are nearly right: some line of one is changed, dropped or doubled.
    #[test]
    fn no_damage_makes_it_panic(
        which in 0_usize..100,
        at in 0_usize..200,
        what in 0_u8..4,
        word in "[0-9]{1,20}|[0-9, ]{1,12}|'?[a-zA-Zü ,]{0,12}",
    ) {
        let files = files();
        let (_, text) = &files[which % files.len()];
        let mut lines: Vec<&str> = text.lines().collect();
        if !lines.is_empty() {
            let at = at % lines.len();
            match what {
                0 => lines[at] = &word,
                1 => { lines.remove(at); }
                2 => lines.insert(at, lines[at]),
                _ => lines.truncate(at),
            }
        }
        check(&lines.join("\n"));
    }
}
