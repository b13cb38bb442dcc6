//! `fathom learn`: a twin that runs, and what cannot be learned.

use crate::command::Cli;
use fathom_capture::file::{Device, Tail};
use fathom_capture::{Early, Flags, Head, Request, Task, Writer};
use serde_json::Value;

const SECONDS: u64 = 20;

/// A number that looks random (SplitMix64).
pub(crate) fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// A database for 20 s: 500 random requests of 8 KiB per second to 1 GiB, of which 70 % are reads,
/// at instants of their own; and a log that writes 16 KiB, flushes, and waits for a millisecond.
pub(crate) fn database() -> Vec<u8> {
    let task = |thread, name: &str| Task {
        thread,
        name: name.into(),
        process: Some(thread),
        process_name: Some(name.into()),
    };
    let request = |task, at_ns, service_ns, offset, bytes, flags| Request {
        at_ns,
        service_ns: Some(service_ns),
        device: 0,
        offset,
        bytes,
        flags,
        task,
        early: Early::default(),
    };
    let mut all = Vec::new();
    let length_ns = SECONDS * 1_000_000_000;
    for number in 0..SECONDS * 500 {
        let at_ns = mixed(3 * number + 1) % length_ns;
        let offset = mixed(3 * number + 2) % 131_072 * 8192;
        let drawn = mixed(3 * number + 3);
        let flags = if drawn % 10 < 7 {
            Flags::READ
        } else {
            Flags::WRITE
        };
        all.push(request(
            0,
            at_ns,
            80_000 + drawn % 100_000,
            offset,
            8192,
            flags,
        ));
    }
    let (mut at_ns, mut offset) = (0, 1 << 40);
    while at_ns < length_ns {
        let drawn = mixed(at_ns);
        let write_ns = 50_000 + drawn % 50_000;
        let flush_ns = 200_000 + drawn % 300_000;
        all.push(request(1, at_ns, write_ns, offset, 16_384, Flags::WRITE));
        all.push(request(1, at_ns + write_ns, flush_ns, 0, 0, Flags::FLUSH));
        at_ns += write_ns + flush_ns + 1_000_000;
        offset += 16_384;
    }
    all.sort_by_key(|request| request.at_ns);
    capture(&all, &[task(812, "db"), task(815, "db-log")], length_ns)
}

pub(crate) fn capture(requests: &[Request], tasks: &[Task], length_ns: u64) -> Vec<u8> {
    let head = Head {
        made_by: "fathom".into(),
        devices: vec![Device {
            name: "vda".into(),
            number: "254:0".into(),
            size_bytes: 1 << 41,
        }],
        ..Head::default()
    };
    let mut bytes = Vec::new();
    let mut writer = Writer::begin(&mut bytes, &head).expect("memory");
    for task in tasks {
        writer.add_task(task.clone());
    }
    for request in requests {
        writer.add(*request).expect("memory");
    }
    let tail = Tail {
        length_ns,
        requests: requests.len() as u64,
        ..Tail::default()
    };
    writer.end(&tail).expect("memory");
    bytes
}

const REPORT: &str = include_str!("learn_report.txt");

const TWIN: &str = include_str!("learn_twin.toml");

#[test]
fn a_twin_is_written_and_runs() {
    let words = "learn db.capture -o twin.toml".split(' ');
    let (ended, folder) = Cli::new(words).file("db.capture", database()).end();
    let twin = std::fs::read_to_string(folder.path().join("twin.toml")).expect("it was written");
    let found = (
        ended.status,
        ended.stderr.as_str(),
        ended.stdout.as_str(),
        twin.as_str(),
    );
    assert_eq!(found, (Some(0), "", REPORT, TWIN));
    let words = "simulate twin.toml --volume gp3:1TiB --time 2 --quiet --no-save".split(' ');
    let (ended, _folder) = Cli::new(words).file("twin.toml", &twin).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let words = "run twin.toml --target new.dat --size 2GiB --engine null --time 100ms \
                 --warm-up 0s --quiet --no-save";
    let words = words.split_whitespace();
    let (ended, _folder) = Cli::new(words).file("twin.toml", &twin).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_capture_of_the_twin_is_compared() {
    let words = "learn db.capture --against db.capture --json".split(' ');
    let (ended, _folder) = Cli::new(words).file("db.capture", database()).end();
    let answer: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let axes = answer["fidelity"]["axes"].as_array().expect("a list");
    let distances: Vec<&Value> = axes.iter().map(|axis| &axis["distance"]).collect();
    // The trace is equal to itself on all axes, also in its service times.
    assert_eq!(distances, vec![&Value::from(0.0); 10]);
    assert_eq!(
        (&answer["axes_near"], &answer["axes_compared"]),
        (&10.into(), &10.into())
    );
}

#[test]
fn nothing_is_learned_from_nothing() {
    let empty = "error: nothing can be learned from t\n  because: it has no read, write or \
                 discard\n  try:     a capture of some seconds, while the application works\n";
    Cli::new(["learn", "t"])
        .file("t", capture(&[], &[], 1_000_000_000))
        .check(4, "", empty);
    let foreign = "error: cannot read t\n  because: its format is unknown\n  \
                   try:     a file in one of the formats that docs/capture.md lists\n";
    Cli::new(["learn", "t"])
        .file("t", "text")
        .check(4, "", foreign);
}

#[test]
fn a_trace_is_a_recording_for_need() {
    let words = "need db.capture --json".split(' ');
    let (ended, _folder) = Cli::new(words).file("db.capture", database()).end();
    let answer: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    assert_eq!(
        (ended.status, &answer["schema"]),
        (Some(0), &"fathom-need".into())
    );
}

#[test]
fn a_trace_is_not_replaced_by_its_twin() {
    let words = "learn t -o ./t --overwrite";
    let expected = "error: cannot write to t\n  because: it is a trace that is read, and \
                    would be lost\n  try:     name another file with --output\n";
    let cli = Cli::line(words).file("t", database());
    cli.check(2, "", expected);
}

#[test]
fn a_pipe_is_not_learned_from() {
    let expected = "error: cannot read - as a trace\n  because: a trace is read twice, and a pipe \
                    can be read once\n  try:     save it in a file\n";
    Cli::new(["learn", "-"]).check(2, "", expected);
}
