//! Runs of a suite over one file that they lend to each other: it is one file, and it is gone when
//! the last has ended, though files of Windows keep no mark.

use std::path::Path;

use anyhow::Result;

use super::Programs;

const LINE: &str = "suite zwei.toml --target ein␣Ordner --no-save --quiet";

/// A run that writes, and one that reads what it has left.
const SUITE: &str = r#"name = "zwei"
description = "a run that writes, and one that reads what it has left"

[[run]]
workload = "random-write-4k"
label = "schreibt"
size = "4MiB"
time = "1s"
warm_up = "0s"

[[run]]
workload = "random-read-4k"
label = "liest"
size = "4MiB"
time = "1s"
warm_up = "0s"
"#;

/// How many things are not as expected.
pub(super) fn failures(programs: &Programs, folder: &Path) -> Result<usize> {
    std::fs::write(folder.join("zwei.toml"), SUITE)?;
    let answer = programs.on_windows(LINE, folder)?;
    let mut left = Vec::new();
    for entry in std::fs::read_dir(folder.join("ein Ordner"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.starts_with("fathom-") {
            left.push(name);
        }
    }
    let told = String::from_utf8_lossy(&answer.stdout);
    let is_right = left.is_empty() && told.contains("INVALID");
    if !is_right {
        let words = String::from_utf8_lossy(&answer.stderr);
        println!(
            "fathom {LINE}\n  status {:?}, left {left:?}\n{told}{words}",
            answer.status
        );
    }
    Ok(usize::from(!is_right))
}
