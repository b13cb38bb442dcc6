//! `fathom verify`: what one run stamped and another process checks.

use crate::command::Cli;
use std::io::{Seek as _, SeekFrom, Write as _};
use tempfile::TempDir;

/// A file of 1 MiB that a run has stamped and kept.
fn stamped() -> TempDir {
    let run = [
        "run",
        "random-write-4k",
        "--target",
        "stamped",
        "--keep",
        "--verify",
        "stamp",
        "--size",
        "1MiB",
        "--ios",
        "100",
        "--warm-up",
        "0s",
        "--engine",
        "psync",
        "--no-direct",
        "--seed",
        "5",
        "--quiet",
        "--output",
        "json:result.json",
    ];
    Cli::new(run).check(0, "", "")
}

fn verify(folder: TempDir, more: &[&str]) -> (Option<i32>, String, String) {
    let words = [&["verify", "stamped", "--quiet"], more].concat();
    let (ended, _) = Cli::in_folder(folder, words).end();
    (ended.status, ended.stdout, ended.stderr)
}

#[test]
fn what_was_stamped_is_good() {
    let (status, stdout, stderr) = verify(stamped(), &[]);
    assert_eq!((status, stderr.as_str()), (Some(0), ""));
    assert_eq!(
        stdout.lines().next(),
        Some("GOOD  1 MiB from offset 0 of stamped")
    );
}

#[test]
fn one_damaged_byte_is_found() {
    let folder = stamped();
    let file = std::fs::OpenOptions::new()
        .write(true)
        .open(folder.path().join("stamped"));
    let mut file = file.expect("the file was kept");
    file.seek(SeekFrom::Start(8192 + 100)).expect("a place");
    file.write_all(&[0xFF, 0, 0xFF]).expect("written");
    drop(file);
    let (status, stdout, stderr) = verify(folder, &["--offset", "8KiB", "--size", "512B"]);
    let expected = "\
WRONG  512 B from offset 8192 of stamped
BLOCKS  OF 512 B
     1  read
     1  wrong: damaged

offset 8192: damaged
";
    assert_eq!(
        (status, stdout.as_str(), stderr.as_str()),
        (Some(3), expected, "")
    );
}

#[test]
fn another_seed_is_another_run() {
    let (status, stdout, stderr) = verify(stamped(), &["--seed", "6", "--size", "1KiB"]);
    let expected = "\
WRONG  1 KiB from offset 0 of stamped
BLOCKS  OF 512 B
     2  read
     2  wrong: of a run with another seed

offset 0: of a run with another seed
offset 512: of a run with another seed
";
    assert_eq!(
        (status, stdout.as_str(), stderr.as_str()),
        (Some(3), expected, "")
    );
}

#[test]
fn what_cannot_be_checked_is_refused() {
    let missing = "error: cannot open nowhere\n  because: no such file or directory\n";
    Cli::new(["verify", "nowhere"]).check(4, "", missing);
    let empty =
        "error: there is nothing to check in empty\n  because: it holds 0 B from there on\n";
    Cli::new(["verify", "empty"])
        .file("empty", "")
        .check(2, "", empty);
    let directory = "error: cannot verify .\n  because: it is a directory\n  try:     the file \
                     that a run with --keep has left\n";
    Cli::new(["verify", "."]).check(2, "", directory);
    let odd = "error: cannot verify some from offset 1 for 512 bytes: self-describing blocks are \
               512 bytes each; give multiples of 512\n  try:     --offset and --size as multiples \
               of 512 B that the target holds\n";
    Cli::new(["verify", "some", "--offset", "1"])
        .file("some", [0; 1024])
        .check(2, "", odd);
}
