//! The states that a job of fio leaves of its writes, and the job that verifies by them.

use crate::command::Cli;
use serde_json::{Value, json};
use tempfile::TempDir;

const STATE: &str = "local-a-0-verify.state";

/// The status, the requests of reads and writes, and the error of a job of 512 KiB over `data`.
fn job(folder: TempDir, words: &[&str]) -> (Value, TempDir) {
    let all = [
        "fio",
        "--name=a",
        "--filename=data",
        "--bs=4k",
        "--size=512k",
    ];
    let all = all.into_iter().chain(words.iter().copied());
    let all = all.chain([
        "--verify=md5",
        "--output-format=json",
        "--no-save",
        "--quiet",
    ]);
    let (ended, folder) = Cli::in_folder(folder, all).end();
    let report: Value = serde_json::from_str(&ended.stdout).unwrap_or_default();
    let job = &report["jobs"][0];
    let ios = |direction: &str| job[direction]["total_ios"].clone();
    let row = json!([ended.status, ios("read"), ios("write"), job["error"]]);
    (row, folder)
}

/// What a job that wrote some of the file leaves is read back exactly: no more and no less.
#[test]
fn a_job_verifies_what_another_has_come_to() {
    let cases = [
        ("write", "read", "1"),
        ("randwrite", "randread", "1"),
        ("write", "read", "4"),
        ("randwrite", "randread", "4"),
    ];
    for (writes, reads, depth) in cases {
        let (writes, reads) = (format!("--rw={writes}"), format!("--rw={reads}"));
        let depth = format!("--iodepth={depth}");
        let engine = "--ioengine=libaio";
        let folder = tempfile::tempdir().expect("a folder");
        // What was there before does not describe itself.
        std::fs::write(folder.path().join("data"), vec![0; 512 << 10]).expect("a file");
        let save = [
            &writes,
            &depth,
            engine,
            "--number_ios=40",
            "--verify_state_save=1",
            "--overwrite",
        ];
        let (row, folder) = job(folder, &save);
        assert_eq!(row, json!([0, 40, 40, 0]), "{writes}");
        let load = "--verify_state_load=1";
        let (row, folder) = job(folder, &[&reads, &depth, engine, load]);
        assert_eq!(row, json!([0, 40, 0, 0]), "{reads}");
        let (row, folder) = job(folder, &[&writes, &depth, engine, load, "--verify_only"]);
        assert_eq!(row, json!([0, 40, 0, 0]), "{writes}");
        // Without it the rest is read too, which nobody has written.
        let (row, _) = job(folder, &[&reads, &depth, engine, "--continue_on_error=all"]);
        assert_eq!(row[3], json!(84), "{row}");
    }
}

#[test]
fn all_that_was_written_is_kept_as_fio_keeps_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let (row, folder) = job(folder, &["--rw=write", "--verify_state_save=1"]);
    assert_eq!(row, json!([0, 128, 128, 0]));
    let found = std::fs::read(folder.path().join(STATE)).expect("it is kept");
    let mut expected = vec![0; 192];
    let head = [3, 0, 0, 0, 0, 0, 0, 0, 0xa8, 0, 0, 0, 0, 0, 0, 0];
    expected[..16].copy_from_slice(&head);
    // Places, depth, files and writes; the name, and the last place.
    (expected[24], expected[32], expected[36], expected[40]) = (1, 1, 1, 128);
    expected[112] = b'a';
    expected[184..187].copy_from_slice(&[0, 0xf0, 7]);
    let sum = found[16..20].to_vec();
    expected[16..20].copy_from_slice(&sum);
    assert_eq!(found, expected);
}

/// Nobody asked for it and nothing is cut off: nothing is left in anybody's folder.
#[test]
fn a_whole_job_leaves_no_state_unasked() {
    for words in [
        &["--rw=write"][..],
        &["--rw=write", "--verify_state_save=0"],
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let (row, folder) = job(folder, words);
        assert_eq!(row, json!([0, 128, 128, 0]));
        let left = std::fs::read_dir(folder.path()).expect("a folder");
        let left: Vec<_> = left
            .map(|entry| entry.expect("a file").file_name())
            .collect();
        assert_eq!(left, ["data"]);
    }
}

#[test]
fn a_state_that_is_not_there_or_damaged_is_named() {
    let words = [
        "fio",
        "--name=a",
        "--filename=data",
        "--size=4k",
        "--rw=read",
        "--verify=md5",
        "--verify_state_load=1",
    ];
    let told = |why: &str| {
        format!(
            "\
error: cannot use the state {STATE}: {why}
 --> command line:1:59
  |
1 | --name=a --filename=data --size=4k --rw=read --verify=md5 --verify_state_load=1
  |                                                           ^^^^^^^^^^^^^^^^^^^^^
  = help: the folder in which the writes ran, with verify_state_save=1
"
        )
    };
    Cli::new(words)
        .file("data", [0; 4096])
        .check(2, "", &told("no such file or directory"));
    Cli::new(words)
        .file("data", [0; 4096])
        .file(STATE, [3, 0, 0, 0, 0, 0, 0, 0, 9])
        .check(
            2,
            "",
            &told("it is damaged: its length or its checksum is not what it says"),
        );
}
