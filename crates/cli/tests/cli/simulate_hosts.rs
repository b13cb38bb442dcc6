//! `fathom simulate --hosts`: many hosts in one virtual time.

use crate::command::{Cli, Ended};
use serde_json::Value;

/// Reads that a gp3 volume without extras holds at 3,000 a second, and a phase that writes.
const LOAD: &str = r#"
name = "both"
[[phase]]
name = "reads"
duration = "4s"
warm_up = "1s"
[[phase.job]]
name = "j"
size = "20GiB"
block_size = "8KiB"
random = 100
queue_depth = 16
direct = true
[[phase]]
name = "writes"
duration = "2s"
warm_up = "0s"
[[phase.job]]
name = "w"
size = "20GiB"
block_size = "64KiB"
read = 0
queue_depth = 4
direct = true
"#;

const VOLUME: [&str; 4] = ["--volume", "gp3:1TiB", "--as-of", "2024-01-01"];

fn ended(words: &[&str]) -> Ended {
    let fixed = ["simulate", "load.toml", "--no-save", "--quiet"];
    let words = fixed.into_iter().chain(VOLUME).chain(words.iter().copied());
    Cli::new(words).file("load.toml", LOAD).end().0
}

fn simulate(words: &[&str]) -> Value {
    let words = [words, &["--output", "json"]].concat();
    let ended = ended(&words);
    assert_eq!(ended.stderr, "");
    serde_json::from_str(&ended.stdout).expect("JSON")
}

/// Requests of each member in a phase.
fn each(result: &Value, phase: usize) -> Vec<u64> {
    let members = result["cluster"]["members"].as_array().expect("members");
    let ios = members
        .iter()
        .map(|member| member["phases"][phase]["ios"].as_u64().expect("a count"));
    ios.collect()
}

/// Requests of all in a phase.
fn all(result: &Value, phase: usize, op: &str) -> u64 {
    let ios = &result["phases"][phase]["jobs"][0][op]["ios"];
    ios.as_u64().expect("a count")
}

/// What does not depend on when and where it was run.
fn lasting(mut result: Value) -> Value {
    for gone in ["run_id", "provenance"] {
        result[gone].take();
    }
    result
}

#[test]
fn each_host_has_a_volume_of_its_own() {
    let result = simulate(&["--hosts", "db[1-3]"]);
    let reads = each(&result, 0);
    assert_eq!(reads.iter().sum::<u64>(), all(&result, 0, "read"));
    assert_eq!(
        each(&result, 1).iter().sum::<u64>(),
        all(&result, 1, "write")
    );
    // Each at the limit of its own volume, 3,000 a second, for four seconds.
    for ios in &reads {
        assert!(ios.abs_diff(12_000) < 120, "{reads:?}");
    }
    let members = result["cluster"]["members"].as_array().expect("members");
    let names: Vec<(&Value, &Value)> = members
        .iter()
        .map(|member| (&member["host"], &member["state"]))
        .collect();
    let finished = Value::from("finished");
    let hosts = ["db1", "db2", "db3"].map(Value::from);
    let expected: Vec<(&Value, &Value)> = hosts.iter().map(|host| (host, &finished)).collect();
    assert_eq!(names, expected);
    let origin = &result["provenance"]["origin"]["model"];
    assert_eq!(origin, "gp3:1TiB of each of 3 hosts");
}

#[test]
fn one_volume_is_shared_by_all() {
    for how in ["--shared", "--shared=common", "--shared=interleaved"] {
        let result = simulate(&["--hosts", "4", "--per-host", "2", how]);
        let reads = each(&result, 0);
        let sum = reads.iter().sum::<u64>();
        assert_eq!((reads.len(), sum), (8, all(&result, 0, "read")), "{how}");
        assert!(sum.abs_diff(12_000) < 120, "{how}: {reads:?}");
    }
}

#[test]
fn the_credit_of_all_volumes_is_told_by_the_lowest() {
    let words = ["--volume", "gp2:100GiB", "--as-of", "2024-01-01"];
    let words = [
        &["simulate", "load.toml", "--no-save", "--quiet"],
        &words[..],
    ]
    .concat();
    let names = |hosts: &[&str]| {
        let words = [&words, hosts, &["--output", "json"]].concat();
        let json = Cli::new(words).file("load.toml", LOAD).stdout();
        let result: Value = serde_json::from_str(&json).expect("JSON");
        let intervals = result["phases"][0]["machine"].as_array().expect("levels");
        let gauges = intervals
            .iter()
            .map(|one| one["gauges"][0]["name"].to_string());
        let mut names: Vec<String> = gauges.collect();
        names.dedup();
        (names, intervals.len())
    };
    let each = "\"gp2 IOPS credit, lowest of 3 hosts\"".to_owned();
    assert_eq!(names(&["--hosts", "3"]), (vec![each], 5));
    let one = "\"gp2 IOPS credit\"".to_owned();
    assert_eq!(names(&["--hosts", "3", "--shared"]), (vec![one], 5));
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    for sharing in [&["--hosts", "5"][..], &["--hosts", "5", "--shared"]] {
        let [first, again] = [(); 2].map(|()| lasting(simulate(sharing)).to_string());
        assert_eq!(first, again);
        let other = lasting(simulate(&[sharing, &["--seed", "7"]].concat()));
        assert_ne!(first, other.to_string());
    }
}

#[test]
fn one_host_is_what_it_is_alone() {
    let alone = simulate(&["--fidelity", "discrete"]);
    let one = simulate(&["--hosts", "1"]);
    for phase in 0..2 {
        let of = |result: &Value| {
            let job = &result["phases"][phase]["jobs"][0];
            let op = if phase == 0 { "read" } else { "write" };
            let figures = ["ios", "bytes", "service_histogram"];
            let figures = figures.map(|name| job[op][name].clone());
            (figures, job["submitted"].clone(), job["edges"].clone())
        };
        let ((figures, ..), expected) = (of(&one), of(&alone));
        assert!(
            figures.iter().all(|figure| !figure.is_null()),
            "{figures:?}"
        );
        assert_eq!(of(&one), expected);
    }
}

#[test]
fn what_many_hosts_are_not_asked_is_refused() {
    for (words, expected) in [
        (
            &["--hosts", "2", "--fidelity", "fluid"][..],
            "error: many hosts cannot be followed in closed form\n  because: what members do to \
             each other is followed one request at a time\n  try:     --fidelity discrete, or one \
             host\n",
        ),
        (
            &["--hosts", "2", "--shared", "--instance", "m5.large"],
            "error: --instance cannot stand before a volume that many hosts share\n  because: each \
             host has an instance of its own, and the model of a volume one for all\n  try:     \
             without --instance, or without --shared\n",
        ),
        (
            &["--hosts", "64", "--shared=interleaved"],
            "error: gp3:1TiB is too small for `both`\n  because: it has 1 TiB, and the workload \
             uses 1.25 TiB\n  try:     a larger volume, or --size 16GiB\n",
        ),
    ] {
        let ended = ended(words);
        assert_eq!((ended.status, ended.stderr.as_str()), (Some(2), expected));
    }
}

#[test]
fn a_warm_up_shorter_than_an_interval_is_a_row_of_its_own_length() {
    let load = LOAD.replace("warm_up = \"1s\"", "warm_up = \"300ms\"");
    let load = load.replace("duration = \"4s\"", "duration = \"2500ms\"");
    let fixed = ["simulate", "load.toml", "--no-save", "--quiet"];
    let words = fixed.into_iter().chain(VOLUME);
    let words = words.chain(["--hosts", "2", "--interval", "1s", "--output", "json"]);
    let text = Cli::new(words.collect::<Vec<_>>())
        .file("load.toml", &load)
        .stdout();
    let result: Value = serde_json::from_str(&text).expect("JSON");
    let intervals = result["phases"][0]["intervals"].as_array().expect("rows");
    let row = |one: &Value| {
        let milli = |name: &str| one[name].as_u64().expect("a time") / 1_000_000;
        let ios = one["jobs"][0]["read"]["ios"].as_u64().expect("a count");
        let length = milli("length_ns");
        // Two volumes of 3,000 requests a second each; what is in flight shifts a few.
        assert!((ios * 1000 / length).abs_diff(6000) < 300, "{one}");
        (one["part"].to_string(), milli("start_ns"), length)
    };
    let rows: Vec<_> = intervals.iter().map(row).collect();
    let part = |name: &str, start, length| (format!("\"{name}\""), start, length);
    let expected = [
        part("warm_up", 0, 300),
        part("measure", 300, 1000),
        part("measure", 1300, 1000),
        part("measure", 2300, 500),
    ];
    assert_eq!(rows, expected);
}
