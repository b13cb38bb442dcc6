//! `fathom run --replay`, of a part of a trace: by process, by role, by region.

use crate::command::Cli;
use crate::document::{fields, read};
use fathom_capture::file::{Device, Head, Tail};
use fathom_capture::{Early, Flags, Request, Task, Writer};
use serde_json::{Value, json};
use tempfile::TempDir;

const LOG_START: u64 = 8 << 20;

/// A database: 300 random requests of 8 KiB in 4 MiB, 2 of 3 of them reads, and a log at 8 MiB that
/// writes 100 times 16 KiB and flushes each time; 10 ms in all.
fn capture() -> Vec<u8> {
    let head = Head {
        devices: vec![Device {
            number: "8:0".into(),
            ..Device::default()
        }],
        ..Head::default()
    };
    let mut bytes = Vec::new();
    let mut writer = Writer::begin(&mut bytes, &head).expect("memory");
    for name in ["pages", "appender"] {
        writer.add_task(Task {
            name: name.into(),
            ..Task::default()
        });
    }
    let request = |at_ns, task, offset, bytes, flags| Request {
        at_ns,
        service_ns: Some(10_000),
        device: 0,
        offset,
        bytes,
        flags,
        task,
        early: Early::default(),
    };
    for number in 0..100_u64 {
        let at_ns = number * 100_000;
        for part in 0..3 {
            let page = (number * 3 + part) * 197 % 512;
            let flags = if part == 1 { Flags::WRITE } else { Flags::READ };
            let one = request(at_ns + part, 0, page * 8192, 8192, flags);
            writer.add(one).expect("memory");
        }
        let offset = LOG_START + number * 16_384;
        for (delay, offset, bytes, flags) in [
            (20_000, offset, 16_384, Flags::WRITE),
            (40_000, 0, 0, Flags::FLUSH),
        ] {
            let one = request(at_ns + delay, 1, offset, bytes, flags);
            writer.add(one).expect("memory");
        }
    }
    writer.end(&Tail::default()).expect("memory");
    bytes
}

fn words(more: &str) -> Vec<String> {
    let words = "run --replay t --replay-speed max --target new.dat --keep --engine psync \
                 --no-save --seed 7 --salt 7 -o json:r.json";
    let all = words.split_whitespace().chain(more.split_whitespace());
    all.map(str::to_owned).collect()
}

/// Reads, writes and flushes that a replay made, the requests of the trace, and the selected ones.
fn counts(folder: &TempDir) -> Value {
    let of = [
        "read.ios",
        "write.ios",
        "flush.ios",
        "replay.recorded",
        "replay.selected",
    ];
    let paths = of.map(|path| format!("phases.0.jobs.0.{path}"));
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    fields(&read(&folder.path().join("r.json")), &paths)
}

/// What a replay did, and the bytes of its file.
fn replayed(more: &str) -> (Value, Vec<u8>) {
    let (ended, folder) = Cli::new(words(more)).file("t", capture()).end();
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    let written = std::fs::read(folder.path().join("new.dat")).expect("it is kept");
    (counts(&folder), written)
}

#[test]
fn a_role_its_process_and_its_region_are_the_same_requests() {
    let all = replayed("--quiet");
    assert_eq!(all.0, json!([200, 200, 100, 500, 500]));
    let log = json!([null, 100, 100, 500, 200]);
    let role = replayed("--replay-role log --quiet");
    assert_eq!(role.0, log);
    assert_eq!(role.1.len() as u64, LOG_START + 100 * 16_384);
    // The same requests with the same seed leave the same bytes.
    assert!(role == replayed("--replay-role log --quiet"));
    assert!(role == replayed("--replay-process appender --quiet"));
    assert!(role == replayed("--replay-region 8MiB.. --quiet"));
    let data = replayed("--replay-role data --quiet");
    assert_eq!(data.0, json!([200, 100, null, 500, 300]));
    let inside = replayed("--replay-region 0..4KiB --quiet");
    assert_eq!(inside.0, json!([1, null, 100, 500, 101]));
    let both = replayed("--replay-region ..4MiB --replay-process pages --quiet");
    assert_eq!(both.0, data.0);
}

#[test]
fn what_remains_is_stated() {
    let (ended, _folder) = Cli::new(words("--replay-region 8MiB.."))
        .file("t", capture())
        .end();
    let first = ended.stderr.lines().next();
    assert_eq!(first, Some("t: replaying 200 of 500 recorded requests"));
}

#[test]
fn a_selection_without_requests_is_refused() {
    let refused = "error: the trace t has no role backup\n  because: its roles are data, log\n  \
                   try:     a name that `fathom learn` prints for the trace\n";
    Cli::new(words("--replay-role backup"))
        .file("t", capture())
        .check(2, "", refused);
    let refused = "error: the trace t has no request of the selected processes, roles and \
                   offsets\n  because: the trace has 500 requests, and the selection excludes \
                   all\n  try:     a larger region, or fewer conditions\n";
    Cli::new(words("--replay-region 1TiB.."))
        .file("t", capture())
        .check(2, "", refused);
    let refused = "error: invalid value '2MiB..1MiB' for '--replay-region <START..END>': the \
                   region ends before it starts\n  try:     `fathom run --help`\n";
    Cli::new(words("--replay-region 2MiB..1MiB"))
        .file("t", capture())
        .check(2, "", refused);
}

/// The requests of two recorded threads, and whether they kept their order.
fn in_order(more: &str) -> Value {
    let (ended, folder) = Cli::new(words(more)).file("t", capture()).end();
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    let of = ["read.ios", "write.ios", "threads", "replay.order"];
    let paths = of.map(|path| format!("phases.0.jobs.0.{path}"));
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    fields(&read(&folder.path().join("r.json")), &paths)
}

#[test]
fn threads_share_the_requests_and_keep_their_order() {
    assert_eq!(in_order("--quiet"), json!([200, 200, 1, true]));
    let two = in_order("--replay-threads 2 --quiet");
    assert_eq!(two, json!([200, 200, 2, true]));
    let free = in_order("--replay-threads 2 --replay-speed unordered --quiet");
    assert_eq!(free, json!([200, 200, 2, null]));
    let timed = in_order("--replay-threads 2 --replay-speed 100 --quiet");
    assert_eq!(timed, json!([200, 200, 2, null]));
    let refused = "error: 3 threads cannot share the trace t\n  because: according to it, 2 \
                   threads issued its requests\n  try:     fewer threads\n";
    Cli::new(words("--replay-threads 3"))
        .file("t", capture())
        .check(2, "", refused);
}
