//! `fathom selftest` under Wine: the engines keep what they write. Nothing is claimed of a disk.

use std::path::Path;

use anyhow::Result;
use serde_json::Value;

use super::Programs;

const LINE: &str = "selftest --short --json ein␣Ordner";

/// Each test with its answer; those of a disk are left out.
const EXPECTED: [(&str, &str); 12] = [
    ("content, iocp 4KiB", "passed"),
    ("content, iocp 64KiB", "passed"),
    ("content, iocp 1MiB", "passed"),
    ("content, sync 4KiB", "passed"),
    ("content, sync 64KiB", "passed"),
    ("content, sync 1MiB", "passed"),
    ("direct I/O", "skipped"),
    ("counters", "skipped"),
    OPEN_LOAD,
    ("commits", "skipped"),
    ("load generator", "passed"),
    ("peer", "skipped"),
];

/// On a busy machine it decides nothing.
const OPEN_LOAD: (&str, &str) = ("open load", "passed");

/// How many of the self-test's answers are not as expected, a file that it left included.
pub(super) fn failures(programs: &Programs, folder: &Path) -> Result<usize> {
    let answer = programs.on_windows(LINE, folder)?;
    let told: Value = serde_json::from_slice(&answer.stdout).unwrap_or_default();
    let tests = told["tests"].as_array().into_iter().flatten();
    let found: Vec<(&str, &str)> = tests
        .map(|test| {
            let word = |key: &str| test[key].as_str().unwrap_or_default();
            (word("test"), word("answer"))
        })
        .map(|found| match found {
            ("open load", "skipped") => OPEN_LOAD,
            other => other,
        })
        .collect();
    let is_left = folder.join("ein Ordner/fathom-selftest.dat").exists();
    let is_right = found == EXPECTED && answer.status == Some(0) && !is_left;
    if !is_right {
        let words = String::from_utf8_lossy(&answer.stderr);
        println!(
            "fathom {LINE}\n  status {:?}, left {is_left}, {told:#}\n{words}",
            answer.status
        );
    }
    Ok(usize::from(!is_right))
}
