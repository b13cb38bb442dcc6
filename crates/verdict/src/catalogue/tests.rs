use super::*;
use crate::check::CHECKS;
use crate::fitness::{Facts, FileFacts, fitness};
use fathom_core::result::Health;
use std::path::{Path, PathBuf};

const BEGIN: &str = "<!-- checks:begin -->";
const END: &str = "<!-- checks:end -->";

/// Compares a file with what it has to be; with `FATHOM_WRITE_DOCS` set it writes it anew.
fn matches(path: &str, found: &str, expected: &str) {
    if std::env::var_os("FATHOM_WRITE_DOCS").is_some() {
        std::fs::write(path, expected).expect("it can be written");
        return;
    }
    assert_eq!(found, expected, "FATHOM_WRITE_DOCS=1 writes {path}");
}

#[test]
fn the_page_shows_what_the_tables_hold() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/checks.md");
    let text = std::fs::read_to_string(path).expect("the page");
    let (before, _) = text.split_once(BEGIN).expect("where it begins");
    let expected = format!("{before}{BEGIN}\n\n{}\n{END}\n", page::page());
    matches(path, &text, &expected);
}

/// What `fathom check` says of a target with which everything is wrong.
fn unfit() -> Vec<Example> {
    let all_wrong = Facts {
        file_system: Some("btrfs".into()),
        read_only: true,
        is_mounted: true,
        direct_align_bytes: Some(0),
        available_bytes: Some(300 << 20),
        misaligned: vec![("sdb1".into(), 32_256, 4096)],
        slow_links: vec![("nvme0n1".into(), "8 GT/s × 2".into(), "8 GT/s × 4".into())],
        busy_arrays: vec![("md0".into(), "resync".into())],
        health: vec![(
            "nvme0n1".into(),
            Health {
                critical_warning: 0b1001,
                ..Health::default()
            },
        )],
        limits: vec!["io.max 8:0 riops=1000".into()],
        idle: vec![("sda".into(), 1_234.0, 52e6)],
        steal_percent: Some(6.5),
        file: Some(FileFacts {
            size_bytes: 10 << 30,
            allocated_bytes: 3 << 30,
            unwritten_bytes: 1 << 30,
            encoded_bytes: 2 << 30,
            shared_bytes: 10 << 30,
        }),
        ..Facts::default()
    };
    let in_memory = Facts {
        file_system: Some("tmpfs".into()),
        ..Facts::default()
    };
    let mut found = fitness(&all_wrong);
    found.extend(fitness(&in_memory));
    let order = |code: &str| FITNESS.iter().position(|entry| entry.code == code);
    found.sort_by_key(|caveat| order(&caveat.code));
    let example = |caveat| Example {
        before: true,
        caveat,
    };
    found.into_iter().map(example).collect()
}

/// Those of codes that no check raises are held against what raises them by tests there.
#[test]
fn the_examples_are_what_is_said() {
    let of_results = raised::all().into_iter().map(|caveat| Example {
        before: false,
        caveat,
    });
    let mut expected: Vec<Example> = of_results.chain(unfit()).collect();
    let is_elsewhere = |code: &str| ELSEWHERE.iter().any(|entry| entry.code == code);
    let elsewhere = examples().into_iter();
    expected.extend(elsewhere.filter(|one| !one.before && is_elsewhere(&one.caveat.code)));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/catalogue/examples.txt");
    let text = std::fs::read_to_string(path).expect("the examples");
    matches(path, &text, &examples::written(&expected));
}

fn sorted<'a>(codes: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut codes: Vec<&str> = codes.collect();
    codes.sort_unstable();
    codes
}

#[test]
fn every_code_has_an_entry_and_no_entry_is_without_a_check() {
    let codes = CHECKS.iter().flat_map(|one| one.codes).copied();
    let entries = CATALOGUE.iter().map(|entry| entry.code);
    assert_eq!(sorted(entries), sorted(codes));
}

#[test]
fn every_code_is_in_one_group() {
    for before in [false, true] {
        let groups = GROUPS.iter().filter(|group| group.before == before);
        let grouped = groups.flat_map(|group| group.codes).copied();
        let known: Vec<&Entry> = if before {
            FITNESS.iter().collect()
        } else {
            CATALOGUE.iter().chain(ELSEWHERE).collect()
        };
        let known = known.into_iter().map(|entry| entry.code);
        assert_eq!(sorted(grouped), sorted(known));
    }
}

#[test]
fn every_code_has_an_example() {
    let topics = GROUPS.iter().flat_map(Group::topics);
    let without = topics.filter(|topic| topic.examples.is_empty());
    let without: Vec<&str> = without.map(|topic| topic.entry.code).collect();
    assert_eq!(without, Vec::<&str>::new());
}

/// Sources of a folder, without those of tests.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let inside = |path: PathBuf| match path.file_name().and_then(|name| name.to_str()) {
        Some("tests" | "tests.rs" | "fixture" | "raised.rs") => Vec::new(),
        _ if path.is_dir() => sources(&path),
        _ => vec![path],
    };
    paths.flat_map(inside).collect()
}

/// The codes of caveats that a source makes outside its tests.
fn made(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let program = text.split("#[cfg(test)]\nmod").next().unwrap_or_default();
    let calls = program.split("Caveat::new(").skip(1);
    let literal = |call: &str| {
        let rest = call.trim_start().strip_prefix('"')?;
        rest.split('"').next().map(str::to_owned)
    };
    calls.filter_map(literal).collect()
}

#[test]
fn every_code_that_a_program_makes_is_known() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the crates");
    let folders = std::fs::read_dir(crates).expect("the crates");
    let folders = folders.map(|entry| entry.expect("a crate").path().join("src"));
    let known = |code: &str| {
        let mut all = CATALOGUE.iter().chain(ELSEWHERE).chain(FITNESS);
        all.any(|entry| entry.code == code)
    };
    let files = folders.flat_map(|folder| sources(&folder));
    let codes = files.flat_map(|file| made(&file));
    let mut unknown: Vec<String> = codes.filter(|code| !known(code)).collect();
    unknown.dedup();
    assert_eq!(unknown, Vec::<String>::new());
}
