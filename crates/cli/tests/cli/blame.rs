//! `fathom blame`: the cause by name, and what cannot be explained.

use crate::command::Cli;
use fathom_capture::file::{Device, Tail};
use fathom_capture::{Above, Early, Flags, Followed, Head, Last, Matched, Request, Task, Writer};
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
    capture_of(events, requests, Matched::default())
}

fn capture_of(events: &[&str], requests: &[Request], matched: Matched) -> Vec<u8> {
    let device = |name: &str, number: &str| Device {
        name: name.into(),
        number: number.into(),
        size_bytes: 1 << 40,
    };
    let head = Head {
        made_by: "fathom".into(),
        devices: vec![device("vda", "254:0"), device("vdb", "254:16")],
        volumes: vec![device("dm-0", "253:0"), device("dm-1", "253:1")],
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
        matched,
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

/// The text of a capture after its first line.
fn explained(file: Vec<u8>) -> Vec<String> {
    let cli = Cli::new(["blame", "a.capture"]).file("a.capture", file);
    let printed = cli.stdout();
    printed.lines().map(str::to_owned).collect()
}

#[test]
fn each_of_two_devices_has_its_share() {
    let mut requests = requests();
    requests[0].device = 1;
    let printed = explained(capture(&EVENTS, &requests));
    let expected = [
        "DISK   OF ALL  OF SLOW  TIME OF SLOW  ALONE",
        "vda   100.0 %  100.0 %       100.0 %    0 %",
        "vdb    0.05 %      0 %           0 %    0 %",
    ];
    assert_eq!(printed[8..11], expected, "{printed:#?}");
}

/// 2,000 reads of a volume on two disks, the second of which takes 3 ms for each fortieth one.
fn striped() -> Vec<Request> {
    let read = |number: u64| {
        let is_late = number % 40 == 39;
        let service_us = if is_late { 3000 } else { 80 + number % 7 };
        let mut read = request(0, number * 5000, 1, service_us, 4096);
        read.device = (number % 2) as u16;
        read.early.above = Some(Above {
            volume: 0,
            last: Some(Last {
                queued_ns: 10 * MICROSECOND,
                after_ns: 7 * MICROSECOND,
                alone_ns: 0,
            }),
        });
        read
    };
    (0..2000).map(read).collect()
}

#[test]
fn the_slow_disk_of_a_volume_is_named() {
    let file = capture(&EVENTS, &striped());
    let printed = explained(file.clone());
    let expected = [
        "p99 of `db\\u001b[31m` (pid 812) is 3.02 ms in the block layer: 100.0 % of the slow \
         requests waited for vdb, which served 50.0 % of all",
        "a.capture: 2,000 requests of `db\\u001b[31m` (pid 812), from the queue of the block \
         layer to completion",
        "",
        "OF           MEAN TIME  SUBMIT    HELD  DEVICE  LAYERS",
        "p50             100 µs   2.0 %   1.0 %  83.0 %  14.0 %",
        "p99            3.02 ms  0.07 %  0.03 %  99.4 %   0.5 %",
        "slowest 100    1.56 ms   0.1 %  0.06 %  98.9 %   0.9 %",
        "",
        "DISK  OF ALL  OF SLOW  TIME OF SLOW  ALONE",
        "vda   50.0 %      0 %           0 %    0 %",
        "vdb   50.0 %  100.0 %        99.5 %    0 %",
    ];
    let printed: Vec<_> = printed.iter().map(|line| line.trim_start()).collect();
    assert_eq!(printed, expected);
    let cli = Cli::new(["blame", "a.capture", "--json"]).file("a.capture", file);
    let printed: Value = serde_json::from_str(&cli.stdout()).expect("JSON");
    let found = (&printed["state"], &printed["blame"]["volumes"][0]);
    assert_eq!(found, (&"valid".into(), &"dm-0".into()));
    for part in printed["blame"]["parts"].as_array().expect("a list") {
        let of = |name: &str| part["parts"][name].as_u64().unwrap_or(0);
        let below = of("submit_ns") + of("held_ns") + of("device_ns");
        // 10 µs from its queue to the issue, 3 of which are below the volume, and 7 afterwards.
        assert_eq!(
            of("layers_ns"),
            part["requests"].as_u64().unwrap_or(0) * 14_000
        );
        assert!(below > of("layers_ns"), "{part}");
    }
}

#[test]
fn a_volume_that_is_not_followed_is_not_split() {
    let matched = Matched {
        followed: 1500,
        not_followed: 500,
        ..Matched::default()
    };
    let file = capture_of(&EVENTS, &striped(), matched);
    let refused = "error: cannot explain the requests of a.capture\n  because: the kernel does not \
                   record which disks served 500 of 2000 requests of dm-0, dm-1\n  try:     \
                   `fathom capture --device DISK --events blame` records one disk alone\n";
    let cli = Cli::new(["blame", "a.capture"]).file("a.capture", file);
    cli.check(4, "", refused);
}

/// The requests of one volume are explained, and those of another are left out by name.
#[test]
fn only_a_volume_that_is_not_followed_is_left_out() {
    let mut requests = striped();
    for number in 0..200 {
        // Slower than all others.
        let mut read = request(0, number * 5000 + 2500, 1, 9000, 4096);
        read.early.above = Some(Above {
            volume: 1,
            last: requests[0].early.above.and_then(|above| above.last),
        });
        requests.push(read);
    }
    requests.sort_by_key(|request| request.at_ns);
    let counts = |followed, not_followed| Followed {
        followed,
        not_followed,
    };
    let matched = Matched {
        of_volumes: vec![counts(2000, 3), counts(200, 40)],
        ..Matched::default()
    };
    let printed = explained(capture_of(&EVENTS, &requests, matched));
    let expected = [
        "p99 of `db\\u001b[31m` (pid 812) is 3.02 ms in the block layer: 100.0 % of the slow \
         requests waited for vdb, which served 50.0 % of all",
        "a.capture: 2,000 requests of `db\\u001b[31m` (pid 812), from the queue of the block \
         layer to completion",
        "QUALIFIED: left out: the kernel does not record which disks served 40 of 240 requests of \
         dm-1",
        "QUALIFIED: 3 requests of volumes not followed to the disks, left out and perhaps the \
         slowest",
    ];
    let printed: Vec<_> = printed.iter().map(|line| line.trim_start()).collect();
    assert_eq!(printed[..4], expected);
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
