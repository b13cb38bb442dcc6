//! Engines of fio that move no bytes, and flags of requests.

use crate::command::Cli;
use serde_json::Value;
use std::os::unix::fs::MetadataExt as _;
use tempfile::TempDir;

const MIB: u64 = 1 << 20;

/// Runs a call that ends well, in a folder; gives its JSON and the folder.
fn run(folder: TempDir, words: &[&str]) -> (Value, TempDir) {
    let all = [&["fio", "--output-format=json", "--quiet"], words].concat();
    let (ended, folder) = Cli::in_folder(folder, all).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let begin = ended.stdout.find('{').expect("JSON");
    let report = serde_json::from_str(&ended.stdout[begin..]).expect("JSON");
    (report, folder)
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Length of a file, and the whole MiB that it takes.
fn size(folder: &TempDir, name: &str) -> (u64, u64) {
    let meta = std::fs::metadata(folder.path().join(name)).expect("it is there");
    (meta.len(), meta.blocks() * 512 / MIB)
}

/// Reads, writes and trims that a job has done.
fn requests(report: &Value, job: usize) -> [u64; 3] {
    ["read", "write", "trim"].map(|way| {
        let ios = report["jobs"][job][way]["total_ios"].as_u64();
        ios.expect("a number")
    })
}

/// As fio 3.33 leaves them.
#[test]
fn room_is_allocated_given_back_and_cut_off() {
    let words = ["--name=a", "--filename=f", "--bs=64k", "--size=4m"];
    let with = |folder, more: &[&str]| run(folder, &[&words[..], more].concat());
    let (report, folder) = with(folder(), &["--ioengine=falloc", "--rw=write"]);
    assert_eq!(requests(&report, 0), [0, 64, 0]);
    assert_eq!(size(&folder, "f"), (4 * MIB, 4));
    let (report, folder) = with(folder, &["--ioengine=falloc", "--rw=randtrim"]);
    assert_eq!(requests(&report, 0), [0, 0, 64]);
    assert_eq!(size(&folder, "f"), (4 * MIB, 0));
    let (report, folder) = with(folder, &["--ioengine=ftruncate", "--rw=write"]);
    assert_eq!(requests(&report, 0), [0, 64, 0]);
    // The last one sets the length to where it would begin.
    assert_eq!(size(&folder, "f"), (4 * MIB - 65_536, 0));
}

/// What nobody allowed to be written is left alone, whatever way it would change.
#[test]
fn files_of_others_keep_their_room_and_length() {
    let theirs = vec![7; 4 * MIB as usize];
    for (engine, rw) in [
        ("falloc", "trim"),
        ("falloc", "write"),
        ("ftruncate", "write"),
    ] {
        let words = [
            "fio",
            "--name=a",
            "--filename=f",
            "--bs=64k",
            "--size=4m",
            &format!("--ioengine={engine}"),
            &format!("--rw={rw}"),
        ];
        let (ended, folder) = Cli::new(words).file("f", &theirs).end();
        assert_eq!(
            (ended.status, ended.stderr.as_str()),
            (
                Some(4),
                "error: cannot open DIR/f for writing\n  because: the file exists (4194304 bytes) \
                 and was not made by fathom, or was changed since\n  try:     --overwrite if \
                 you mean to destroy its contents, or another name\n"
            )
        );
        let kept = std::fs::read(folder.path().join("f")).expect("it is there");
        assert!(kept == theirs);
        assert_eq!(size(&folder, "f"), (4 * MIB, 4));
        let (ended, _) = Cli::in_folder(folder, words.iter().chain(&["--readonly"])).end();
        assert_eq!(ended.status, Some(2), "{}", ended.stderr);
    }
}

#[test]
fn what_room_has_no_answer_to_is_refused() {
    let refused = |engine: &str, more: &str| {
        let words = [
            "fio",
            "--name=a",
            "--filename=f",
            "--size=1m",
            &format!("--ioengine={engine}"),
        ];
        let (ended, folder) = Cli::new(words.into_iter().chain(more.split(' '))).end();
        assert_eq!(ended.status, Some(2), "{more}");
        assert!(!folder.path().join("f").exists());
        ended.stderr.lines().next().unwrap_or_default().to_owned()
    };
    let read = "error: fio's falloc allocates room for a read too; Fathom changes nothing that is \
                only read";
    let invalid = "error: fio ends a job of ftruncate with EINVAL at what is no write";
    let verify = "error: no bytes are written that could be verified";
    assert_eq!(refused("falloc", "--rw=randread"), read);
    assert_eq!(refused("falloc", "--rw=randrw"), read);
    assert_eq!(refused("ftruncate", "--rw=read"), invalid);
    assert_eq!(refused("ftruncate", "--rw=trim"), invalid);
    assert_eq!(refused("falloc", "--rw=write --verify=crc32c"), verify);
}

/// The time is taken, and counts as nothing; the run ends with those that count.
#[test]
fn processor_time_is_taken_beside_requests() {
    let job = "[io]\nioengine=psync\nrw=write\nbs=4k\nsize=2m\nrate_iops=2000\nfilename=f\n[burn]\n\
               ioengine=cpuio\ncpuload=60\ncpuchunks=1000\nnumjobs=2\nexit_on_io_done=1\n";
    let path = folder();
    std::fs::write(path.path().join("a.fio"), job).expect("a file");
    let (report, folder) = run(path, &["a.fio"]);
    let names = report["jobs"].as_array().expect("jobs").iter();
    let names: Vec<&str> = names.filter_map(|job| job["jobname"].as_str()).collect();
    assert_eq!(names, ["io", "burn", "burn"]);
    let all = [0, 1, 2].map(|job| requests(&report, job));
    assert_eq!(all, [[0, 512, 0], [0; 3], [0; 3]]);
    let took = [1, 2].map(|job| report["jobs"][job]["usr_cpu"].as_f64().expect("a number") > 1.0);
    assert_eq!(took, [true; 2]);
    let files = std::fs::read_dir(folder.path())
        .expect("the folder")
        .count();
    assert_eq!(files, 2);
}

#[test]
fn what_takes_processor_time_says_how_much_and_until_when() {
    let refused = |more: &[&str]| {
        let words = ["fio", "--name=a", "--ioengine=cpuio"];
        let (ended, _) = Cli::new(words.iter().chain(more)).end();
        assert_eq!(ended.status, Some(2));
        ended.stderr.lines().next().unwrap_or_default().to_owned()
    };
    let how_much = "error: nothing says how much processor time the job takes";
    assert_eq!(refused(&["--runtime=1"]), how_much);
    let until_when = "error: nothing ends a job that only takes processor time";
    assert_eq!(refused(&["--cpuload=5"]), until_when);
    let alone = ["--cpuload=5", "--exit_on_io_done=1"];
    assert_eq!(refused(&alone), "error: the phase never ends");
}

/// As fio 3.33, which has a block for it in the form for people.
#[test]
fn what_takes_processor_time_is_told() {
    let words = [
        "fio",
        "--name=b",
        "--ioengine=cpuio",
        "--cpuload=20",
        "--runtime=1",
        "--quiet",
    ];
    let (ended, _) = Cli::new(words).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let lines = ended.stdout.lines().map(|line| {
        let words = line.split(':').next().unwrap_or_default();
        words.trim_end().to_owned()
    });
    let lines: Vec<String> = lines.collect();
    let expected = [
        "b",
        "fio-3.33-fathom-0.1.0",
        "Starting 1 process",
        "",
        "b",
        "  cpu",
        "  IO depths",
        "     submit",
        "     complete",
        "     issued rwts",
        "     latency",
        "",
        "Run status group 0 (all jobs)",
    ];
    assert_eq!(lines, expected);
}

/// That no processor has this number is found out by the kernel, which has been asked.
#[test]
fn the_thread_of_the_kernel_is_asked_for() {
    let words = [
        "fio",
        "--name=a",
        "--filename=f",
        "--size=64k",
        "--ioengine=io_uring",
        "--sqthread_poll=1",
        "--sqthread_poll_cpu=4095",
        "--quiet",
    ];
    let (ended, _) = Cli::new(words).end();
    let refusal = "error: io_uring is not available: the kernel does not take this queue depth \
                   (32768 at most) or these polling options\n  try:     --engine libaio\n";
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(4), refusal));
}
