//! Pure crates do no I/O of their own, start no thread and no process. What builds one may.
//!
//! That they read no clock is clippy's to find: the clock's functions are disallowed everywhere.

use crate::finding::{Finding, Rule};
use crate::layers::LayerTable;
use crate::rust_text::{inside, line_at, product_code};
use crate::sources::Source;

/// Modules of the standard library that reach for the system.
const IMPURE: [&str; 4] = ["fs", "net", "process", "thread"];

pub(super) fn check(table: &LayerTable, source: &Source) -> Vec<Finding> {
    if !table.is_pure(&source.path) || source.path.ends_with("/build.rs") {
        return Vec::new();
    }
    let code = product_code(&source.path, &source.text);
    let mut findings = Vec::new();
    for (start, _) in code.match_indices("std::") {
        let named = start + "std::".len();
        let modules = if code[named..].starts_with('{') {
            first_words(inside(&code, named))
        } else {
            vec![&code[named..named + word_length(&code[named..])]]
        };
        for module in modules.into_iter().filter(|module| IMPURE.contains(module)) {
            let message = format!("`std::{module}` in a crate that layers.toml calls pure");
            let line = line_at(&code, start);
            findings.push(Finding::new(&source.path, line, Rule::Purity, message));
        }
    }
    findings
}

/// The first word of each element of a list, inner lists skipped.
fn first_words(list: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut depth = 0_usize;
    let mut start = 0;
    for (position, c) in list.char_indices().chain([(list.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                let element = list[start..position].trim_start();
                words.push(&element[..word_length(element)]);
                start = position + 1;
            }
            _ => {}
        }
    }
    words
}

fn word_length(text: &str) -> usize {
    text.find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::source;

    const TABLE: &str = "\
        [[crate]]\nname = \"a\"\nlayer = 0\npurpose = \"\"\nmay_use = []\npure = true\n\
        [[crate]]\nname = \"b\"\nlayer = 1\npurpose = \"\"\nmay_use = []\n";

    #[test]
    fn system_modules_are_found_in_pure_crates_however_they_are_named() {
        let table = LayerTable::parse(TABLE).unwrap();
        let text = "use std::fs;\nuse std::{fmt, io::{self, net}, thread::Builder};\n\
            fn f() { std::process::exit(1) }\nuse std::io::Write; // std::net\n";
        let found = |line, module| {
            let message = format!("`std::{module}` in a crate that layers.toml calls pure");
            Finding::new("crates/a/src/x.rs", line, Rule::Purity, message)
        };
        let expected = [found(1, "fs"), found(2, "thread"), found(3, "process")];
        assert_eq!(check(&table, &source("crates/a/src/x.rs", text)), expected);
        assert_eq!(check(&table, &source("crates/b/src/x.rs", text)), []);
        assert_eq!(check(&table, &source("crates/a/tests/x.rs", text)), []);
        assert_eq!(check(&table, &source("crates/a/build.rs", text)), []);
    }
}
