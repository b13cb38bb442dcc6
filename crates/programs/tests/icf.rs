//! Configuration files of Iometer: `corpus/iometer/*.icf` in, all that is said about them out.
#![allow(clippy::disallowed_methods, reason = "tests make files of their own")]

#[path = "corpus/files.rs"]
mod files;
#[path = "corpus/outcome.rs"]
mod outcome;

use fathom_iometer as iometer;
use fathom_tools::Nowhere;
use files::{drawn, files};
use outcome::check;
use proptest::prelude::*;

#[test]
fn every_file_is_understood_or_refused() {
    for (name, text) in files("iometer") {
        let drawn = drawn(&name, iometer::translate(&text, &name, &Nowhere));
        insta::assert_snapshot!(name.trim_end_matches(".icf"), drawn);
    }
}

#[test]
fn a_file_is_known_by_its_first_lines() {
    let all: Vec<(String, u8)> = files("iometer")
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
    for (name, text) in files("iometer") {
        let marked = format!("\u{feff}{text}");
        let read = |text: &str| iometer::translate(text, &name, &Nowhere).map_err(|_| ());
        assert_eq!(read(&marked), read(&text), "{name}");
        let sure = |text: &str| iometer::detect("x.txt", text);
        assert_eq!(sure(&marked), sure(&text), "{name}");
    }
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "(Version 1\n)?\\PC*") {
        check(&iometer::translate(&text, "x.icf", &Nowhere));
    }

    /// Files that are nearly right: some line of one is changed, dropped or doubled.
    #[test]
    fn no_damage_makes_it_panic(
        which in 0_usize..100,
        at in 0_usize..200,
        what in 0_u8..4,
        word in "[0-9]{1,20}|[0-9, ]{1,12}|'?[a-zA-Zü ,]{0,12}",
    ) {
        let files = files("iometer");
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
        let text = lines.join("\n");
        check(&iometer::translate(&text, "x.icf", &Nowhere));
    }
}
