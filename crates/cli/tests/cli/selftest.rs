//! `fathom selftest`: a table of answers, and nothing left behind.

use crate::command::Cli;
use serde_json::Value;

#[test]
fn each_engine_passes_and_the_file_is_gone() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().to_str().expect("a path of letters");
    let (ended, _own) = Cli::new(["selftest", "--short", "--json", place]).end();
    let answer: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let tests = answer["tests"].as_array().expect("tests");
    let failed: Vec<&Value> = tests
        .iter()
        .filter(|test| test["answer"] == "FAILED")
        .collect();
    assert_eq!(failed, Vec::<&Value>::new());
    let of_psync = tests.iter().filter_map(|test| {
        let name = test["test"].as_str()?;
        Some((name, test["answer"].as_str()?, test["seen"].as_str()?))
            .filter(|_| name.starts_with("content, psync"))
    });
    assert_eq!(
        of_psync.collect::<Vec<_>>(),
        [
            (
                "content, psync 4KiB",
                "passed",
                "16,384 of 16,384 writes, 65,536 blocks of 512 bytes read back, 0 wrong"
            ),
            (
                "content, psync 64KiB",
                "passed",
                "1,024 of 1,024 writes, 65,536 blocks of 512 bytes read back, 0 wrong"
            ),
            (
                "content, psync 1MiB",
                "passed",
                "64 of 64 writes, 65,536 blocks of 512 bytes read back, 0 wrong"
            ),
        ]
    );
    assert_eq!(ended.status, Some(0));
    let left: Vec<_> = folder.path().read_dir().expect("a folder").collect();
    assert_eq!(left.len(), 0, "{left:?}");
}

#[test]
fn a_file_of_somebody_is_left_alone() {
    let cli = Cli::new(["selftest", "--short"]).file("fathom-selftest.dat", "precious");
    let path = cli.path("fathom-selftest.dat");
    let (ended, _folder) = cli.end();
    let expected = "error: DIR/fathom-selftest.dat exists already\n  because: the self-test writes \
                    a file of that name, and removes it\n  try:     use another directory, or move \
                    the file away\n";
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(4), expected));
    assert_eq!(std::fs::read(&path).expect("it is there"), b"precious");
}

#[test]
fn what_cannot_be_written_to_is_no_place_for_it() {
    let (ended, _folder) = Cli::new(["selftest", "--short", "/proc"]).end();
    assert_eq!((ended.status, ended.stdout.as_str()), (Some(4), ""));
}

#[test]
fn what_is_no_directory_is_refused() {
    let (ended, _folder) = Cli::new(["selftest", "nowhere"]).end();
    assert_eq!(
        ended.stderr,
        "error: cannot test in nowhere\n  because: it is not a directory\n  try:     use a \
         directory on the disk to test with\n"
    );
    assert_eq!((ended.status, ended.stdout.as_str()), (Some(4), ""));
}
