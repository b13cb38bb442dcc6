//! `fathom fit`: a recorded load on volumes of known limits.

use crate::command::{Cli, Ended};
use crate::document::fields;
use crate::learn::{capture, database, mixed};
use fathom_capture::{Early, Flags, Request, Task};
use serde_json::{Value, json};

/// 2,000 random reads of 4 KiB a second for 10 s, at equal gaps, from 1 GiB.
fn constant() -> Vec<u8> {
    reads(20_000, 10, |number| number * 500_000)
}

/// 12,000 reads in 3 s, and 20 a second for 1,000 s after them.
fn burst() -> Vec<u8> {
    reads(32_000, 1_003, |number| match number.checked_sub(12_000) {
        None => number * 250_000,
        Some(later) => 3_000_000_000 + later * 50_000_000,
    })
}

fn reads(count: u64, seconds: u64, at_ns: fn(u64) -> u64) -> Vec<u8> {
    changed_reads(count, seconds, at_ns, |_| ())
}

fn changed_reads(
    count: u64,
    seconds: u64,
    at_ns: fn(u64) -> u64,
    change: fn(&mut Request),
) -> Vec<u8> {
    let request = |number: u64| Request {
        at_ns: at_ns(number),
        service_ns: Some(1_200_000 + mixed(number) % 300_000),
        device: 0,
        offset: mixed(number) % 262_144 * 4096,
        bytes: 4096,
        flags: Flags::READ,
        task: 0,
        early: Early::default(),
    };
    let task = Task {
        thread: 7,
        name: "db".into(),
        process: Some(7),
        process_name: Some("db".into()),
    };
    let mut requests: Vec<Request> = (0..count).map(request).collect();
    requests.iter_mut().for_each(change);
    capture(&requests, &[task], seconds * 1_000_000_000)
}

fn fit(words: &str, trace: Vec<u8>) -> Ended {
    let words = fathom_tools::shell_words(&format!("fit db.capture {words}")).expect("words");
    Cli::new(words).file("db.capture", trace).end().0
}

const DAY: &str = "--as-of 2026-11-21 --built-in";

/// The page with the example.
const DOCS: &str = include_str!("../../../../docs/fit.md");

#[test]
fn the_example_of_the_page_is_what_is_printed() {
    let example = DOCS.split("```text\n").nth(1).expect("an example");
    let example = example.split("```").next().unwrap_or_default();
    let (command, printed) = example.split_once('\n').expect("a command");
    let words = command
        .strip_prefix("$ fathom fit db.capture")
        .expect("a command");
    let ended = fit(words, constant());
    let found = (ended.status, ended.stderr.as_str(), ended.stdout.as_str());
    assert_eq!(found, (Some(0), "", printed));
}

/// The first paragraph in one line.
fn first(ended: &Ended) -> String {
    let text = if ended.stdout.is_empty() {
        &ended.stderr
    } else {
        &ended.stdout
    };
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    words.join(" ")
}

/// A trace and the words of a fit; below it the status and the answer or the error.
const ANSWERS: &str = include_str!("fit_answers.txt");

#[test]
fn every_answer_is_a_sentence_and_a_status() {
    let commands = ANSWERS.split("\n\n").filter_map(|case| case.lines().next());
    let answers = commands.map(|command| {
        let (trace, words) = command.split_once(' ').expect("a trace and words");
        let trace = match trace {
            "open" => constant(),
            "burst" => burst(),
            // 10 s on two days that are a month apart.
            "gap" => reads(20_000, 30 * 86_400 + 20, |number| {
                number * 1_000_000 + number / 10_000 * 30 * 86_400_000_000_000
            }),
            "untimed" => changed_reads(
                20_000,
                10,
                |number| number * 500_000,
                |one| one.service_ns = None,
            ),
            "large" => changed_reads(
                2_000,
                10,
                |number| number * 5_000_000,
                |one| one.bytes = 1 << 20,
            ),
            // Each second request is a second late.
            "mixed" => reads(20_000, 10, |number| {
                number * 500_000 - number % 2 * number.min(2_000) * 500_000
            }),
            _ => database(),
        };
        // A path has no prices of a day.
        let day = Some(DAY).filter(|_| !words.contains("--on ./"));
        let ended = fit(&format!("{words} {}", day.unwrap_or_default()), trace);
        let status = ended.status.unwrap_or_default();
        format!("{command}\n{status}: {}\n", first(&ended))
    });
    assert_eq!(answers.collect::<Vec<_>>().join("\n"), ANSWERS);
}

#[test]
fn programs_get_all_numbers() {
    let ended = fit(
        &format!("--on io1:100GiB:1500iops --json {DAY}"),
        constant(),
    );
    let answer: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let paths = [
        "fit_version",
        "method",
        "original.requests",
        "original.iops",
        "original.touched_bytes",
        "targets.0.answer",
        "targets.0.asked_iops",
        "targets.0.held_share",
        "targets.0.size_bytes",
        "targets.0.cost.total",
        "targets.0.played.waiting_at_end",
        "targets.0.played.limits.0.limit",
        "targets.0.played.limits.0.per_second",
    ];
    let expected = json!([
        1,
        "replay",
        20_000,
        2_000.0,
        1_073_741_824_u64,
        "does_not_fit",
        2_000.0,
        0.999_901_041_6,
        107_374_182_400_u64,
        110.0,
        5_000,
        "io1 IOPS",
        1_500.0
    ]);
    assert_eq!(fields(&answer, &paths), expected);
}

/// What is printed above the targets.
const COMPARED: &str = "\
2 of 4 targets fit; the cheapest fits: p99 1.06 ms [1.05 ms, 1.08 ms] on gp3:100GiB (today 1.50 ms),
8.00 USD a month for the disks

                      fits          IOPS      p50      p99           interval    p99.9       a month
recorded                           2,000  1.35 ms  1.50 ms                     1.50 ms
gp3:100GiB            yes          2,000   471 µs  1.06 ms  1.05 ms … 1.08 ms  1.38 ms      8.00 USD
io2:100GiB:16000iops  yes          2,000   471 µs  1.06 ms  1.05 ms … 1.08 ms  1.38 ms  1,052.50 USD
io1:100GiB:1500iops   no           1,500   1.67 s   3.30 s    3.30 s … 3.30 s   3.33 s    110.00 USD
gp9:1TiB              cannot tell

requests    the recorded requests at their recorded times. The load is open: 0 % of the requests
            wait for earlier ones
";

#[test]
fn targets_are_compared_in_a_table() {
    let words = "--on gp3:100GiB --on io2:100GiB:16000iops --on io1:100GiB:1500iops --on gp9:1TiB";
    let ended = fit(&format!("{words} {DAY}"), constant());
    let above = ended.stdout.split("\n\ngp3:100GiB\n").next();
    assert_eq!(above, Some(COMPARED.trim_end()));
}

/// The same on storage whose requests take 300 µs each, one after another.
const ON_PATH: &str = "\
fits: 2,000 IOPS (today 2,000), p50 300 µs [299 µs, 301 µs] (today 1.35 ms), p99 300 µs [300 µs, 300
µs] (today 1.50 ms) on ./new; head room up to 1.5 times the rate

                     IOPS      p50         interval       p99         interval    p99.9
recorded            2,000  1.35 ms                    1.50 ms                   1.50 ms
./new               2,000   300 µs  299 µs … 301 µs    300 µs  300 µs … 300 µs   300 µs
1.5 times the rate  3,000   300 µs  299 µs … 301 µs    300 µs  300 µs … 300 µs   300 µs
2 times the rate    3,333   500 ms  255 ms … 981 ms    990 ms  625 ms … 1.57 s   999 ms
3 times the rate    3,333   1.33 s  680 ms … 2.62 s    2.64 s  1.67 s … 4.19 s   2.67 s
4 times the rate    3,333   1.75 s  892 ms … 3.44 s    3.47 s  2.19 s … 5.50 s   3.50 s
recorded to itself  ± 0 %  ± 0.3 %                   ± 0.07 %

requests    the recorded requests at their recorded times. The load is open: 0 % of the requests
            wait for earlier ones
load        asked 2,000 IOPS, served 2,000 IOPS
state       QUALIFIED
finding     [simulated] virtual time: the numbers describe a model of storage, not a device; try:
            measure the real storage before you rely on these numbers
times       recorded times start when the driver gets a request, those on the path at its submission
            to the kernel
";

#[test]
fn a_path_is_measured() {
    let words = "--on ./new --headroom --no-save --quiet --engine sim --sim-service-time 300us \
                 --sim-servers 1";
    let ended = fit(words, constant());
    let found = (ended.status, ended.stderr.as_str(), ended.stdout.as_str());
    assert_eq!(found, (Some(0), "", ON_PATH));
}

/// 2,500 reads and writes of 4 KiB in 5 s, from 16 MiB.
fn small() -> Vec<u8> {
    changed_reads(
        2_500,
        5,
        |number| number * 2_000_000,
        |one| {
            one.offset %= 16 << 20;
            if one.offset % 3 == 0 {
                one.flags = Flags::WRITE;
            }
        },
    )
}

#[test]
fn a_directory_gets_a_scratch_file_which_goes() {
    let words = "fit db.capture --on . --scale 10 --quiet --no-save -o json:fit.json".split(' ');
    let cli = Cli::new(words).file("db.capture", small());
    let (ended, folder) = cli.end();
    assert_eq!(ended.stderr, "written: fit.json (json)\n");
    let answer = std::fs::read(folder.path().join("fit.json")).expect("an answer");
    let answer: Value = serde_json::from_slice(&answer).expect("JSON");
    let paths = [
        "method",
        "scale",
        "original.requests",
        "on_path.path",
        "on_path.got.asked_iops",
        "on_path.run_id",
    ];
    let expected = json!(["replay", 10.0, 2_500, ".", 5_000.0, null]);
    assert_eq!(fields(&answer, &paths), expected);
    let entries = folder.path().read_dir().expect("a folder");
    let mut names: Vec<_> = entries
        .map(|one| one.expect("an entry").file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["db.capture", "fit.json"]);
}

#[test]
fn a_file_of_somebody_else_is_kept() {
    let words = "fit db.capture --on ./own.dat --replace-results --quiet --no-save".split(' ');
    let cli = Cli::new(words).file("db.capture", small());
    let (ended, folder) = cli.file("own.dat", "mine").end();
    let first_line = ended.stderr.lines().next();
    let kept = std::fs::read_to_string(folder.path().join("own.dat")).expect("it is there");
    let found = (ended.status, first_line, kept.as_str());
    let refusal = "error: cannot open DIR/own.dat for writing";
    assert_eq!(found, (Some(4), Some(refusal), "mine"));
}

#[test]
fn a_device_is_no_trace() {
    let expected = "error: cannot read /dev/null as a trace\n  because: it is a device, and a \
                    trace is a file\n  try:     record the requests of a device with `fathom \
                    capture`\n";
    Cli::line("fit /dev/null --on gp3:1TiB").check(2, "", expected);
}

#[test]
fn a_trace_is_not_replaced_by_the_answer() {
    let expected = "error: cannot write to t\n  because: it is a trace that is read, and would be \
                    lost\n  try:     name another file with --output\n";
    let cli = Cli::line("fit t --on gp3:1TiB -o json:t --overwrite");
    cli.file("t", constant()).check(2, "", expected);
}

#[test]
fn a_trace_is_not_overwritten_by_the_load_that_it_holds() {
    let expected = "error: db.capture is no target\n  because: the load would overwrite a file of \
                    this command\n  try:     --on with another path\n";
    let cli = Cli::line("fit db.capture --on ./db.capture --overwrite");
    cli.file("db.capture", small()).check(2, "", expected);
    let words = "run --replay db.capture --target ./db.capture --overwrite --quiet --no-save";
    let cli = Cli::line(words).file("db.capture", small());
    let (ended, folder) = cli.end();
    let expected = "error: DIR/db.capture is no target\n  because: it is the recording that is \
                    replayed, and would be lost\n  try:     another target\n";
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(2), expected));
    let kept = std::fs::read(folder.path().join("db.capture")).expect("it is there");
    assert_eq!(kept, small());
}
