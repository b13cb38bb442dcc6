//! What the tools of this machine make, in files: all that `wipefs` finds in it is found here, and
//! nothing else. Tools that are not installed are skipped by name.
#![allow(clippy::disallowed_methods, reason = "tests make files of their own")]
#![expect(clippy::unwrap_used, reason = "a test's helpers are tests too")]

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use fathom_device::signature::{Extent, canonical_name, detect};

/// Ways to make something, a line each, where `IMAGE`, `DIR`, `OTHER` and `KEY` stand for a file, a
/// folder with a file in it, a second file, and one with a passphrase.
const RECIPES: &str = include_str!("recipes.txt");

const SIZE_BYTES: u64 = 512 << 20;

#[test]
fn all_that_tools_make_is_found() {
    let (mut skipped, mut strange) = (Vec::new(), Vec::new());
    for recipe in RECIPES.lines() {
        match signatures(recipe) {
            Ok((theirs, ours)) if theirs == ours => {}
            Ok((theirs, ours)) => strange.push(format!("{recipe}: {theirs:?}, not {ours:?}")),
            Err(reason) => skipped.push(format!("{recipe}: {reason}")),
        }
    }
    eprintln!(
        "skipped {} of {}: {skipped:#?}",
        skipped.len(),
        RECIPES.lines().count()
    );
    assert_eq!(strange, [""; 0]);
}

/// What wipefs and what we find in what a recipe makes, or why it makes nothing.
fn signatures(recipe: &str) -> Result<(BTreeSet<&'static str>, BTreeSet<&'static str>), String> {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    for name in ["IMAGE", "OTHER"] {
        File::create(place(name))
            .unwrap()
            .set_len(SIZE_BYTES)
            .unwrap();
    }
    fs::create_dir(place("DIR")).unwrap();
    fs::write(place("DIR").join("file"), "content").unwrap();
    fs::write(place("KEY"), "passphrase").unwrap();
    let mut words = recipe.split(' ').map(|word| match word {
        "IMAGE" | "OTHER" | "DIR" | "KEY" => place(word).to_string_lossy().into_owned(),
        other => other.to_owned(),
    });
    let program = words.next().unwrap();
    let mut command = Command::new(&program);
    command.args(words).current_dir(folder.path());
    run(&mut command, ",,L\n")?;
    let image = place("IMAGE");
    let listed = run(
        Command::new("wipefs")
            .args(["--no-act", "--noheadings", "--output", "TYPE"])
            .arg(&image),
        "",
    )?;
    // The record that protects a GPT is a part of that.
    let names = listed.split_whitespace().filter(|name| *name != "PMBR");
    let mut theirs: BTreeSet<_> = names
        .map(|name| canonical_name(name).unwrap_or_else(|| panic!("{name} has no name here")))
        .collect();
    // The end of a boot sector alone is no table.
    if ["exfat", "ntfs", "vfat"]
        .iter()
        .any(|one| theirs.contains(one))
    {
        theirs.remove("mbr");
    }
    if theirs.is_empty() {
        return Err("wipefs does not know it".to_owned());
    }
    let mut ours = ours(&image);
    // A bridge between the two has both, of which wipefs names one.
    if theirs.contains("udf") {
        ours.remove("iso9660");
    }
    Ok((theirs, ours))
}

fn ours(image: &Path) -> BTreeSet<&'static str> {
    let file = File::open(image).unwrap();
    let found = detect(&file, Extent::whole(file.metadata().unwrap().len())).unwrap();
    found.iter().map(|signature| signature.name).collect()
}

fn run(command: &mut Command, input: &str) -> Result<String, String> {
    let path = std::env::var("PATH").unwrap_or_default();
    let spawned = command
        .env("PATH", format!("{path}:/usr/sbin:/sbin"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = spawned.map_err(|error| error.to_string())?;
    // A tool that reads nothing has closed its end.
    let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes());
    let output = child.wait_with_output().unwrap();
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
    }
}
