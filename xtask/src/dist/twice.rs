//! The same commit, cloned into two folders and packaged in each: the sums have to agree.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use super::{program, root, sums};
use crate::metadata;

/// Makes everything twice; true when all sums are the same.
pub(super) fn run() -> Result<bool> {
    let place = tempfile::tempdir().context("cannot make a folder")?;
    let mut told = Vec::new();
    // Paths of different lengths, as a path may also shift what comes after it.
    for name in ["one", "another/folder/with-a-longer-name"] {
        let folder = place.path().join(name);
        program::output(
            Command::new("git")
                .args(["clone", "--quiet"])
                .arg(root())
                .arg(&folder),
        )?;
        program::output(
            Command::new(metadata::cargo())
                .args([
                    "run",
                    "--locked",
                    "--quiet",
                    "--package",
                    "xtask",
                    "--",
                    "dist",
                ])
                .env_remove("CARGO_TARGET_DIR")
                .current_dir(&folder),
        )?;
        let file = folder.join("target/dist-files").join(sums::NAME);
        let sums = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        // The next one finds the room that this one took.
        fs::remove_dir_all(folder.join("target"))?;
        told.push(sums);
    }
    let is_same = told[0] == told[1];
    print!("{}", told[0]);
    if is_same {
        println!("the same from two folders");
    } else {
        println!("from the other folder:\n{}", told[1]);
    }
    Ok(is_same)
}
