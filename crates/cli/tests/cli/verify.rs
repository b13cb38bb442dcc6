//! `fathom verify`: what one run stamped and another process checks.

use crate::command::Cli;
use fathom_load::verify::{Stamp, examine, stamp as stamp_block};
use std::collections::BTreeSet;
use std::io::{Seek as _, SeekFrom, Write as _};
use tempfile::TempDir;

/// A file of 1 MiB that a run has stamped and kept.
fn stamped() -> TempDir {
    stamp(tempfile::tempdir().expect("a folder"), "100")
}

/// The same in a folder, by so many writes.
fn stamp(folder: TempDir, ios: &str) -> TempDir {
    let run = format!(
        "run random-write-4k --target stamped --keep --verify stamp --size 1MiB --ios {ios} \
         --warm-up 0s --engine psync --no-direct --seed 5 --store history.db --quiet --output \
         json:result.json"
    );
    Cli::line_in(folder, run).check(0, "", "")
}

/// Puts these bytes into the kept file, which stays the same.
fn put_back(folder: &TempDir, bytes: &[u8]) {
    let path = folder.path().join("stamped");
    let mut file = std::fs::OpenOptions::new()
        .write(true)
        .open(path)
        .expect("the file was kept");
    file.write_all(bytes).expect("written");
    file.sync_all().expect("written");
}

/// With RUN for the name of the run.
fn verify(folder: TempDir, more: &[&str]) -> (Option<i32>, String, String) {
    let words = [&["verify", "stamped", "--quiet"], more].concat();
    let store: &[&str] = if more.contains(&"--store") {
        &[]
    } else {
        &["--store", "history.db"]
    };
    let words = [&words, store].concat();
    let (ended, _) = Cli::in_folder(folder, words).end();
    let run = ended
        .stdout
        .split("\ncompared with the last write of ")
        .nth(1);
    let stdout = match run.and_then(|rest| rest.split(' ').next()) {
        Some(run) => ended.stdout.replace(run, "RUN"),
        None => ended.stdout,
    };
    (ended.status, stdout, ended.stderr)
}

#[test]
fn what_was_stamped_is_good() {
    let (status, stdout, stderr) = verify(stamped(), &[]);
    assert_eq!((status, stderr.as_str()), (Some(0), ""));
    let said: Vec<&str> = stdout.lines().take(4).collect();
    let expected = [
        "GOOD  1 MiB from offset 0 of stamped",
        "compared with the last write of RUN to each block of 4 KiB",
        "BLOCKS  OF 512 B",
        " 2,048  read",
    ];
    assert_eq!(said, expected);
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
    let expected = "WRONG  512 B from offset 8192 of stamped
compared with the last write of RUN \
                    to each block of 4 KiB
BLOCKS  OF 512 B
     1  read
     1  wrong: damaged

\
                    offset 8192: damaged
";
    assert_eq!(
        (status, stdout.as_str(), stderr.as_str()),
        (Some(3), expected, "")
    );
}

/// Writes that were acknowledged and are not there, each block of which is whole: a snapshot that
/// was rolled back, a cache that was lost.
#[test]
fn what_was_there_before_is_no_longer_good() {
    let folder = stamped();
    let before = std::fs::read(folder.path().join("stamped")).expect("kept");
    let _ = std::fs::remove_file(folder.path().join("result.json"));
    let folder = stamp(folder, "200");
    let after = std::fs::read(folder.path().join("stamped")).expect("kept");
    let requests = || (0..1 << 20).step_by(4096);
    let changed = |at: &usize| before[*at..*at + 4096] != after[*at..*at + 4096];
    let lost = requests().filter(changed).count() * 8;
    put_back(&folder, &before);
    let (status, stdout, stderr) = verify(folder, &[]);
    assert_eq!((status, stderr.as_str()), (Some(3), ""));
    let said: Vec<&str> = stdout
        .lines()
        .filter(|line| line.contains("wrong"))
        .collect();
    let lost = fathom_core::figure::count(lost as u64);
    assert_eq!(said, [format!("{lost:>6}  wrong: lost")]);
}

/// What a run left whose clock was a day ahead is newer than all that was written since, and no
/// less lost where it is still there.
#[test]
fn a_clock_that_was_ahead_hides_no_lost_write() {
    let folder = stamped();
    let mut before = std::fs::read(folder.path().join("stamped")).expect("kept");
    let told = |block: &[u8], offset| examine(block, offset, Some(5)).expect("stamped");
    let blocks = before.chunks(512).zip((0..).step_by(512));
    let newest = blocks
        .map(|(block, offset)| told(block, offset).sequence)
        .max();
    // In 512 ns; what was laid out has no time of its own.
    let sequence = newest.unwrap_or(0) + (86_400_000_000_000 >> 9);
    for (block, offset) in before.chunks_exact_mut(512).zip((0..).step_by(512)) {
        let ahead = Stamp {
            sequence,
            ..told(block, offset)
        };
        stamp_block(block, offset, ahead);
    }
    let _ = std::fs::remove_file(folder.path().join("result.json"));
    let folder = stamp(folder, "200");
    let after = std::fs::read(folder.path().join("stamped")).expect("kept");
    let run = |block: &[u8]| block[40..48].to_vec();
    let last = after.chunks(512).map(run).collect::<BTreeSet<_>>();
    let blocks = before.chunks(512).zip(after.chunks(512));
    let lost = blocks.filter(|(one, other)| run(one) != run(other)).count();
    // The two runs, each with its own identity, and no other difference but the order.
    assert_eq!((last.len(), lost > 400), (2, true));
    put_back(&folder, &before);
    let (status, stdout, stderr) = verify(folder, &[]);
    let said: Vec<&str> = stdout
        .lines()
        .filter(|line| line.contains("wrong") || line.starts_with("note"))
        .collect();
    let lost = fathom_core::figure::count(lost as u64);
    let note = format!(
        "note: by the clock, {lost} blocks are of a run after that one. If a run outside of this \
         history wrote to the target since, verify with its history (--store)"
    );
    assert_eq!(
        (status, said, stderr.as_str()),
        (
            Some(3),
            vec![note.as_str(), &format!("{lost:>6}  wrong: lost")],
            ""
        )
    );
}

#[test]
fn without_an_account_nothing_is_called_good() {
    let note = |why: &str| {
        format!(
            "WHOLE  512 B from offset 0 of stamped\nnote: outdated data would not be detected, \
             because {why}. Each block is compared only with its own stamp\n"
        )
    };
    let check = |store: &str, why: &str| {
        let (status, stdout, stderr) = verify(stamped(), &["--size", "512B", "--store", store]);
        let said = stdout.split_once("BLOCKS").map(|(said, _)| said);
        assert_eq!(
            (status, said, stderr.as_str()),
            (Some(0), Some(&*note(why)), "")
        );
    };
    check("new.db", "there is no history");
    let folder = Cli::new(["history"]).with("FATHOM_STORE", "empty.db");
    let folder = folder.check(0, "no run has been kept yet\n", "");
    let store = folder.path().join("empty.db");
    check(
        &store.to_string_lossy(),
        "no run of the history wrote to it",
    );
    // A copy that has the name is another file.
    let folder = stamped();
    let path = folder.path().join("stamped");
    let copy = folder.path().join("copy");
    std::fs::copy(&path, &copy).expect("copied");
    std::fs::rename(&copy, &path).expect("renamed");
    let (status, stdout, _) = verify(folder, &["--size", "512B"]);
    let said = stdout.lines().nth(1).unwrap_or_default();
    let (_, said) = said.split_once(" wrote to ").unwrap_or_default();
    let expected = "another file or device that had this name. Each block is compared only with \
                    its own stamp";
    assert_eq!((status, said), (Some(0), expected));
}

#[test]
fn another_seed_is_another_run() {
    let (status, stdout, stderr) = verify(stamped(), &["--seed", "6", "--size", "1KiB"]);
    let expected = "WRONG  1 KiB from offset 0 of stamped
compared with the last write of RUN to \
                    each block of 4 KiB
BLOCKS  OF 512 B
     2  read
     2  wrong: of a run with \
                    another seed

offset 0: of a run with another seed
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
