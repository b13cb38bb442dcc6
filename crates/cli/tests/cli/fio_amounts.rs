//! How much a job of fio's does in each direction, how it ends and how long its file is
//! afterwards: beside fio itself.

use crate::command::Cli;
use serde_json::Value;
use std::path::Path;

/// What became of a call: its status, requests and bytes of reads and writes and the error of each
/// job, and the length of each file.
#[derive(Debug, PartialEq, Eq)]
struct Done {
    status: Option<i32>,
    jobs: Vec<String>,
    files: Vec<(String, u64)>,
}

fn done(status: Option<i32>, report: &str, folder: &Path) -> Done {
    let report = report.find('{').map_or("", |begin| &report[begin..]);
    let report: Value = serde_json::from_str(report).unwrap_or_default();
    let jobs = report["jobs"].as_array().cloned().unwrap_or_default();
    let of = |job: &Value| {
        let counts = ["read", "write"].map(|direction| {
            let of = &job[direction];
            format!("{} {} {}", direction, of["total_ios"], of["io_bytes"])
        });
        format!("{}, error {}", counts.join(", "), job["error"])
    };
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let entries = entries.map(|entry| entry.expect("an entry of it"));
    let mut files: Vec<(String, u64)> = entries
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, entry.metadata().expect("it is there").len())
        })
        .collect();
    files.sort();
    Done {
        status,
        jobs: jobs.iter().map(of).collect(),
        files,
    }
}

/// Runs a call beside fio in folders of their own, where a file `old` has 64 KiB; whether fio is
/// there.
fn both_do_the_same(words: &str) -> bool {
    const PLAIN: &str = "--output-format=json --name=x --size=64k --bs=4k --ioengine=psync \
                         --verify_state_save=0";
    let words: Vec<&str> = PLAIN.split(' ').chain(words.split(' ')).collect();
    let folder = || {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("old"), vec![0; 65536]).expect("written");
        folder
    };
    let by_fio = folder();
    let mut fio = std::process::Command::new("fio");
    let Ok(ended) = fio.args(&words).current_dir(by_fio.path()).output() else {
        return false;
    };
    let report = String::from_utf8_lossy(&ended.stdout);
    let expected = done(ended.status.code(), &report, by_fio.path());
    let ours = ["fio", "--no-save", "--quiet"]
        .into_iter()
        .chain(words.clone());
    let (ended, by_us) = Cli::in_folder(folder(), ours).end();
    let found = done(ended.status, &ended.stdout, by_us.path());
    assert_eq!(found, expected, "{}: {}", words.join(" "), ended.stderr);
    true
}

/// Of any size that has more in it than a header.
#[test]
fn blocks_of_any_size_are_checked() {
    let calls = [
        "--filename=f --rw=randwrite --verify=crc32c --bs=6000",
        "--filename=f --rw=write --verify=crc32c --bs=64",
        "--filename=f --rw=write --verify=sha512 --bs=300",
        "--filename=f --rw=randwrite --verify=md5 --bs=6000 --verify_interval=600",
        "--filename=f --rw=write --verify=crc64 --bs=1000 --verify_interval=700",
        "--filename=f --rw=write --verify=pattern --verify_pattern=0xab --bs=1001",
    ];
    if !calls.into_iter().all(both_do_the_same) {
        fathom_testing::skip("fio is not installed");
    }
}

/// A part that begins at the end of its files, or behind it, has no requests.
#[test]
fn nothing_is_done_behind_the_end_of_files() {
    let calls = [
        "--filename=old --rw=read --offset=64k --filesize=64k",
        "--filename=old --rw=randread --offset=65k --filesize=64k --size=32k",
        "--filename=old --rw=read --offset=64k --filesize=64k --loops=2 --io_size=1m",
        "--filename=old --rw=read --filesize=64k --offset_increment=64k --numjobs=2",
        "--filename=f --rw=read --offset=64k --filesize=64k",
    ];
    if !calls.into_iter().all(both_do_the_same) {
        fathom_testing::skip("fio is not installed");
    }
}

/// Where `fallocate` takes no room with its length, what only writes leaves the length to them.
#[test]
fn files_that_grow_end_with_the_last_whole_request() {
    let calls = [
        "--filename=f --rw=randwrite --bs=3k --fallocate=none",
        "--filename=f --rw=write --bs=3k --fallocate=keep",
        "--filename=f --rw=randwrite --bs=3k --fallocate=truncate",
        "--filename=f --rw=write --bs=3k --fallocate=none --number_ios=5",
        "--filename=f --rw=write --fallocate=none --io_size=10k",
        "--filename=f --rw=randwrite --bs=3k",
        "--filename=f --rw=randread --bs=3k --fallocate=none",
    ];
    if !calls.into_iter().all(both_do_the_same) {
        fathom_testing::skip("fio is not installed");
    }
}
