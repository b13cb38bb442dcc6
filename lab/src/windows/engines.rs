//! The contract of engines, with those of Windows under Wine, and the calls of Windows themselves.

use std::process::Command;

use anyhow::Result;
use xtask::sources;

use super::TARGET;
use super::wine::Wine;

/// What Wine cannot show: a test and the reason, which has the version of Wine before it.
const SKIPPED: [(&str, &str); 2] = [
    (
        "windows::iocp_files::a_misaligned_direct_request_is_refused",
        "ignores FILE_FLAG_NO_BUFFERING",
    ),
    (
        "windows::sync_files::a_misaligned_direct_request_is_refused",
        "ignores FILE_FLAG_NO_BUFFERING",
    ),
];

/// Whether the suite passes but for what is skipped by name.
pub(super) fn keep_their_contract(wine: &Wine) -> Result<bool> {
    let skips = tempfile::NamedTempFile::new()?;
    let mut cargo = tests("fathom-engine", &["--test", "conformance"], wine);
    let status = cargo.env("FATHOM_SKIPS", skips.path()).status()?;
    let calls = tests("fathom-platform", &["--lib"], wine).status()?;
    let text = std::fs::read_to_string(skips.path())?;
    let mut skipped: Vec<&str> = text.lines().collect();
    skipped.sort_unstable();
    let expected = SKIPPED.iter().map(|(test, _)| *test);
    let named = skipped.iter().filter_map(|line| line.split(": ").next());
    let as_expected = named.eq(expected)
        && (skipped.iter().zip(SKIPPED)).all(|(line, (_, reason))| line.ends_with(reason));
    if !as_expected {
        println!("the skipped tests are not those that Wine cannot show:\n{text}");
    }
    println!(
        "the engines of Windows {} their contract under {}, with {} tests skipped by name",
        if status.success() { "keep" } else { "break" },
        wine.version,
        skipped.len()
    );
    if !calls.success() {
        println!("the calls of Windows do not answer as they should");
    }
    Ok(status.success() && calls.success() && as_expected)
}

/// Tests of a package, which cargo runs there.
fn tests(package: &str, words: &[&str], wine: &Wine) -> Command {
    let mut cargo = Command::new("cargo");
    cargo
        .current_dir(sources::root())
        .args(["test", "--locked", "--quiet", "--package", package])
        .args(words)
        .args(["--target", TARGET]);
    wine.runs_tests(&mut cargo, TARGET);
    cargo
}
