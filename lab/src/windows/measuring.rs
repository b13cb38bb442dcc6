//! Runs that measure a file under Wine: each ends, with requests that completed, and its result is
//! invalid because of where it ran. Its numbers are those of no disk, so none is looked at.

use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::Programs;

/// Where each run leaves its result.
const RESULT: &str = "messung.json";

/// The engine that makes the requests, and the command.
const RUNS: [(&str, &str); 3] = [
    (
        "iocp",
        "run random-read-4k --target ein␣Ordner/Daten.dat --size 4MiB --ios 2000 --warm-up 0s \
         --keep --no-save --quiet -o json:messung.json",
    ),
    (
        "sync",
        "run random-write-4k --target ein␣Ordner/Daten.dat --size 4MiB --ios 2000 --warm-up 0s \
         --engine sync --overwrite --keep --no-save --quiet -o json:messung.json",
    ),
    (
        "iocp",
        "run random-read-4k --target . --size 4MiB --ios 2000 --warm-up 0s --engine iocp \
         --no-save --quiet -o json:messung.json",
    ),
];

/// How many of them are not as expected.
pub(super) fn failures(programs: &Programs, folder: &Path) -> Result<usize> {
    let mut failed = 0;
    for (engine, line) in RUNS {
        let answer = programs.on_windows(line, folder)?;
        let found = facts_in(&folder.join(RESULT));
        let left = folder.join("fathom-data.dat").exists();
        let expected = (Some(engine.to_owned()), "invalid".to_owned(), 1, true);
        if left || !found.as_ref().is_ok_and(|found| *found == expected) {
            failed += 1;
            let told = String::from_utf8_lossy(&answer.stderr);
            println!(
                "fathom {line}\n  status {:?}, {found:?}, left {left}\n{told}",
                answer.status
            );
        }
    }
    Ok(failed)
}

/// What a result says, which is removed.
pub(super) fn facts_in(path: &Path) -> Result<Facts> {
    let text = std::fs::read(path).context("no result")?;
    std::fs::remove_file(path)?;
    Ok(facts(&serde_json::from_slice(&text)?))
}

/// The engine, the state, how often the result states that it ran under Wine, and whether requests
/// completed.
pub(super) type Facts = (Option<String>, String, usize, bool);

fn facts(result: &Value) -> Facts {
    let text = |pointer: &str| result.pointer(pointer).and_then(Value::as_str);
    let caveats = result["caveats"].as_array().into_iter().flatten();
    let emulated = caveats
        .filter(|caveat| caveat["code"] == "emulated")
        .count();
    (
        text("/provenance/engine/name").map(str::to_owned),
        text("/state").unwrap_or_default().to_owned(),
        emulated,
        result
            .pointer("/phases/0/jobs/0/completed")
            .is_some_and(|count| count.as_u64() > Some(0)),
    )
}
