//! `fathom blame`: the cause by name, and what cannot be explained.

use crate::command::Cli;
use fathom_capture::file::{Device, Tail};
use fathom_capture::{Early, Flags, Head, Request, Task, Writer};
use serde_json::Value;

const MICROSECOND: u64 = 1000;

fn task(thread: i32, name: &str) -> Task {
    Task {
        thread,
        name: name.into(),
        process: Some(thread),
        process_name: Some(name.into()),
    }
}

fn request(task: u32, at_us: u64, held_us: u64, service_us: u64, bytes: u64) -> Request {
    Request {
        at_ns: at_us * MICROSECOND,
        service_ns: Some(service_us * MICROSECOND),
        device: 0,
        offset: at_us * 4096,
        bytes,
        flags: if task == 0 { Flags::READ } else { Flags::WRITE },
        task,
        early: Early {
            queued_ns: Some((held_us + 2) * MICROSECOND),
            asked_ns: Some(held_us * MICROSECOND),
            inserted_ns: None,
            above: None,
        },
    }
}

/// 2,000 reads of 4 KiB, each fortieth of which waits for 16 writes of 1 MiB.
fn requests() -> Vec<Request> {
    let mut all = Vec::new();
    for number in 0..2000 {
        let at_us = number * 1000 + number / 40 * 10_000;
        if number % 40 < 39 {
            all.push(request(0, at_us, 1, 80 + number % 7, 4096));
            continue;
        }
        let write = |position: u64| request(1, at_us, 1, (position + 1) * 250, 1 << 20);
        all.extend((0..16).map(write));
        all.push(request(0, at_us + 4000, 3990, 80, 4096));
    }
    all
}

fn capture(events: &[&str], requests: &[Request]) -> Vec<u8> {
    let device = |name: &str, number: &str| Device {
        name: name.into(),
        number: number.into(),
        size_bytes: 1 << 40,
    };
    let head = Head {
        made_by: "fathom".into(),
        devices: vec![device("vda", "254:0"), device("vdb", "254:16")],
        events: events.iter().map(|name| (*name).to_owned()).collect(),
        ..Head::default()
    };
    let mut bytes = Vec::new();
    let mut writer = Writer::begin(&mut bytes, &head).expect("memory");
    writer.add_task(task(812, "db\x1b[31m"));
    writer.add_task(task(4711, "dd"));
    for request in requests {
        writer.add(*request).expect("memory");
    }
    let tail = Tail {
        length_ns: 3_000_000_000,
        requests: requests.len() as u64,
        ..Tail::default()
    };
    writer.end(&tail).expect("memory");
    bytes
}

const EVENTS: [&str; 3] = ["block_bio_queue", "block_rq_issue", "block_rq_complete"];

#[test]
fn the_neighbour_is_named() {
    let expected = "\
p99 of `db\\u001b[31m` (pid 812) is 4.07 ms in the block layer: it waited for 16 \
     large writes of `dd` (pid 4711)
a.capture: 2,000 requests of `db\\u001b[31m` (pid 812), from the queue of the \
     block layer to completion

OF           MEAN TIME  SUBMIT    HELD  DEVICE
p50            86.0 µs   2.3 %   1.2 %  96.5 %
p99            4.07 ms  0.05 %  98.0 %   2.0 %
slowest 100    2.08 ms   0.1 %  95.9 %   4.0 %

IN THE DEVICE    MEAN SIZE  AHEAD OF SLOW  OF USUAL  TIME OF SLOW  OF USUAL
`dd` (pid 4711)      1 MiB           16.0       0.0        98.0 %       0 %
";
    let file = capture(&EVENTS, &requests());
    let folder = Cli::new(["blame", "a.capture"])
        .file("a.capture", &file)
        .check(0, expected, "");
    let words = ["blame", "a.capture", "--process", "812", "--json"];
    let printed = Cli::in_folder(folder, words).stdout();
    let printed: Value = serde_json::from_str(&printed).expect("JSON");
    let cause = &printed["blame"]["cause"];
    let found = (&cause["kind"], &cause["owner"]["name"], &cause["bytes"]);
    let expected = (&"neighbour".into(), &"dd".into(), &1_048_576.0.into());
    assert_eq!(found, expected);
}

#[test]
fn requests_to_two_devices_are_qualified() {
    let mut requests = requests();
    requests[0].device = 1;
    let file = capture(&EVENTS, &requests);
    let cli = Cli::new(["blame", "a.capture"]).file("a.capture", file);
    let printed = cli.stdout();
    let warning: Vec<_> = printed.lines().skip(2).take(1).collect();
    let expected = [
        "QUALIFIED: these requests went to 2 devices, and the slowest of them may be the only \
         cause. Look at one device at a time.",
    ];
    assert_eq!(warning, expected);
}

#[test]
fn what_cannot_be_explained_is_refused() {
    let without = "error: cannot explain the requests of a.capture\n  because: it does not have \
                   what happens to requests before their issue\n  try:     a file of `fathom \
                   capture --events blame`\n";
    let file = capture(&EVENTS[1..], &requests());
    let cli = Cli::new(["blame", "a.capture"]).file("a.capture", file);
    cli.check(4, "", without);
    let unknown = "error: cannot explain requests of `nobody` in a.capture\n  because: it has \
                   fewer than 100 of these; its requests: 2000 of `db\\u001b[31m` (pid 812), 800 \
                   of `dd` (pid 4711)\n  try:     another --process, or a longer capture\n";
    let file = capture(&EVENTS, &requests());
    let cli = Cli::new(["blame", "a.capture", "--process", "nobody"]).file("a.capture", file);
    cli.check(4, "", unknown);
}
