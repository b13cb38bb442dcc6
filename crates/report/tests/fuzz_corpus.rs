//! The corpora of the fuzz targets, findings included, through what the fuzzer calls.

#![allow(
    clippy::disallowed_methods,
    reason = "tests read files and start programs of their own"
)]

#[path = "../../../fuzz/entry.rs"]
#[allow(unreachable_pub)] // The fuzzer uses it as a library.
mod entry;

use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn every_text_of_the_corpora_is_read_or_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let names = |path: &Path| -> BTreeSet<String> {
        let entries = std::fs::read_dir(path).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        names
            .map(|name| name.into_string().expect("a name in UTF-8"))
            .collect()
    };
    let known: BTreeSet<String> = entry::TARGETS.map(|(name, _)| name.to_owned()).into();
    assert_eq!(names(&folder), known);
    for target in &known {
        let texts = names(&folder.join(target));
        assert!(!texts.is_empty(), "{target} has a corpus");
        for name in texts {
            let path = folder.join(target).join(&name);
            let bytes = std::fs::read(&path).expect("a file");
            // The fuzzer makes the same of bytes that are no text: nothing.
            if let Ok(text) = String::from_utf8(bytes) {
                eprintln!("{}", path.display());
                entry::run(target, &text);
            }
        }
    }
}

/// Nothing else in the workspace builds the fuzzer's programs, so what they consist of is compared.
#[test]
fn every_target_has_its_program_and_every_crate_is_named() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a text");
    let manifest = read("Cargo.toml");
    let program = |line: &str| {
        Some(
            line.strip_prefix("path = \"targets/")?
                .split_once('.')?
                .0
                .to_owned(),
        )
    };
    let programs: BTreeSet<String> = manifest.lines().filter_map(program).collect();
    let known: BTreeSet<String> = entry::TARGETS.map(|(name, _)| name.to_owned()).into();
    assert_eq!(programs, known);
    for target in &known {
        assert_eq!(
            read(&format!("targets/{target}.rs")),
            format!(
                "#![no_main]\n\nlibfuzzer_sys::fuzz_target!(|text: &str| \
                 fathom_fuzz::run(\"{target}\", text));\n"
            )
        );
    }
    let named = |line: &str| {
        let name = line
            .strip_prefix("use fathom_")?
            .split(|sign: char| !sign.is_alphanumeric());
        name.into_iter().next().map(str::to_owned)
    };
    let depended = |line: &str| Some(line.strip_prefix("fathom-")?.split_once(' ')?.0.to_owned());
    let used: BTreeSet<String> = read("entry.rs").lines().filter_map(named).collect();
    let dependencies: BTreeSet<String> = manifest.lines().filter_map(depended).collect();
    assert_eq!(used, dependencies);
}
