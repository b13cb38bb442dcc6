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
        // The writes that are not made are counted as fio counts them.
        let (row, folder) = job(folder, &[&writes, &depth, engine, load, "--verify_only"]);
        assert_eq!(row, json!([0, 40, 40, 0]), "{writes}");
        // Without it the rest is read too, which nobody has written.
        let (row, _) = job(folder, &[&reads, &depth, engine, "--continue_on_error=all"]);
        assert_eq!(row[3], json!(84), "{row}");
    }
}

/// What is read are the places that were written, each once, whichever requests wrote them; a
/// byte that was changed there is found, one that was changed elsewhere is not.
#[test]
fn only_what_a_load_has_written_is_verified_later() {
    let cases: [(&[&str], bool); 5] = [
        (&["--rw=randwrite", "--io_size=256k"], false),
        (&["--rw=randwrite", "--io_size=1m", "--norandommap"], false),
        (&["--rw=write", "--io_size=1m"], true),
        (&["--rw=randrw", "--rwmixread=70"], false),
        (&["--rw=rw"], false),
    ];
    for (load, is_all) in cases {
        let folder = tempfile::tempdir().expect("a folder");
        let data = folder.path().join("data");
        std::fs::write(&data, vec![0; 512 << 10]).expect("a file");
        let writing = [load, &["--do_verify=0", "--overwrite"]].concat();
        let (row, folder) = job(folder, &writing);
        let (reads, writes) = (row[1].clone(), row[2].clone());
        assert_eq!(row, json!([0, reads, writes, 0]), "{load:?}");
        let written = std::fs::read(&data).expect("a file");
        let blocks = written.chunks(4096).map(|block| block[0] != 0);
        let blocks: Vec<bool> = blocks.collect();
        let places = blocks.iter().filter(|is| **is).count() as u64;
        assert_eq!(is_all, places == 128, "{load:?}");
        let only = [load, &["--verify_only"]].concat();
        let (row, folder) = job(folder, &only);
        let all = places + reads.as_u64().expect("a number");
        assert_eq!(row, json!([0, all, writes, 0]), "{load:?}");
        assert_eq!(std::fs::read(&data).expect("a file"), written, "{load:?}");
        let mut folder = folder;
        for is_written in [false, true] {
            let Some(number) = blocks.iter().position(|is| *is == is_written) else {
                continue;
            };
            let mut damaged = written.clone();
            damaged[number * 4096 + 9] ^= 1;
            std::fs::write(&data, &damaged).expect("a file");
            let error = if is_written { 84 } else { 0 };
            let found;
            (found, folder) = job(folder, &only);
            assert_eq!(found[3], json!(error), "{load:?} {is_written}");
            assert_eq!(std::fs::read(&data).expect("a file"), damaged, "{load:?}");
        }
    }
}

/// The state of a load that reads as well tells how many requests there were.
#[test]
fn a_mixed_load_is_verified_as_far_as_it_came() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("data"), vec![0; 512 << 10]).expect("a file");
    let load = ["--rw=randrw", "--number_ios=40", "--overwrite"];
    let save = [&load[..], &["--do_verify=0", "--verify_state_save=1"]].concat();
    let (written, folder) = job(folder, &save);
    let only = ["--rw=randrw", "--verify_only", "--verify_state_load=1"];
    let (row, _) = job(folder, &only);
    let ios = |row: &Value, at: usize| row[at].as_u64().expect("a number");
    assert_eq!(ios(&written, 1) + ios(&written, 2), 40);
    let reads = json!(ios(&written, 1) + ios(&written, 2));
    assert_eq!(row, json!([0, reads, written[2], 0]));
}

/// What no flush has covered is not counted on.
#[test]
fn only_what_was_flushed_is_in_a_state_that_asks_for_it() {
    let cases: [(&[&str], u64); 3] = [
        (&["--rw=write", "--fsync=16", "--verify_policy=fsynced"], 32),
        (
            &["--rw=write", "--fsync=16", "--verify_policy=completed"],
            40,
        ),
        (
            &["--rw=randwrite", "--fsync=16", "--verify_policy=fsynced"],
            32,
        ),
    ];
    for (load, expected) in cases {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("data"), vec![0; 512 << 10]).expect("a file");
        let save = ["--number_ios=40", "--overwrite", "--verify_state_save=1"];
        let (row, folder) = job(folder, &[load, &save[..]].concat());
        assert_eq!(row, json!([0, 40, 40, 0]), "{load:?}");
        let only = [load, &["--verify_only", "--verify_state_load=1"]].concat();
        let (row, _) = job(folder, &only);
        assert_eq!(row, json!([0, expected, expected, 0]), "{load:?}");
    }
}

/// Neither is a file made that is not there, nor one emptied that could grow.
#[test]
fn verifying_alone_makes_and_empties_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let (row, folder) = job(folder, &["--rw=write", "--verify_only"]);
    assert_ne!(row[0], json!(0));
    assert_eq!(
        std::fs::read_dir(folder.path()).expect("a folder").count(),
        0
    );
    let data = folder.path().join("data");
    std::fs::write(&data, vec![7; 512 << 10]).expect("a file");
    let (row, _folder) = job(folder, &["--rw=write", "--verify_only", "--overwrite"]);
    assert_eq!(row[3], json!(84));
    assert_eq!(std::fs::read(&data).expect("a file"), vec![7; 512 << 10]);
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

/// A position that goes back by no whole number of blocks leaves places between them, each of
/// which is read all the same.
#[test]
fn writes_at_steps_of_their_own_are_all_read_back() {
    for step in ["--rw=write:-10k", "--rw=write:-8704", "--rw=write:3k"] {
        let folder = tempfile::tempdir().expect("a folder");
        let data = folder.path().join("data");
        std::fs::write(&data, vec![0; 512 << 10]).expect("a file");
        let load = [step, "--io_size=128k", "--overwrite"];
        let (row, folder) = job(folder, &load);
        assert_eq!(row, json!([0, 32, 32, 0]), "{step}");
        let only = [step, "--io_size=128k", "--verify_only"];
        let (row, folder) = job(folder, &only);
        assert_eq!(row, json!([0, 32, 32, 0]), "{step}");
        let mut damaged = std::fs::read(&data).expect("a file");
        let last = damaged.iter().rposition(|byte| *byte != 0);
        damaged[last.expect("something is written")] ^= 1;
        std::fs::write(&data, &damaged).expect("a file");
        let (row, _folder) = job(folder, &only);
        assert_eq!(row[3], json!(84), "{step}");
    }
}

/// The command is run when the state is there, and the file that ended the run is gone.
#[test]
fn a_trigger_ends_a_run_and_its_command_follows() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("now"), "").expect("an empty file");
    let words = [
        "--rw=write",
        "--do_verify=0",
        "--verify_state_save=1",
        "--time_based",
        "--runtime=1h",
        "--trigger-file=now",
        "--trigger=ls > seen; exit 3",
    ];
    let (row, folder) = job(folder, &words);
    assert_eq!((&row[0], &row[3]), (&json!(0), &json!(0)), "{row}");
    let seen = std::fs::read_to_string(folder.path().join("seen")).expect("what it said");
    assert_eq!(seen, format!("data\n{STATE}\nseen\n"));
    let after = ["--trigger-timeout=1ms", "--rw=write", "--do_verify=0"];
    let after = [&after[..], &["--time_based", "--runtime=1h"]].concat();
    let (row, _folder) = job(folder, &after);
    assert_eq!((&row[0], &row[3]), (&json!(0), &json!(0)), "{row}");
}
