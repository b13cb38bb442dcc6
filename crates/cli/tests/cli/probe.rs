//! `--require`, and `--probe`: what the storage does, asked by writes of our own, in virtual time.

use crate::command::Cli;
use crate::document;
use serde_json::{Value, json};

const RUN: &str = "run random-write-4k --time 1s --warm-up 0s --quiet --output json:result.json";

/// The simulated volume takes 5 ms for everything.
const SLOW: &str = "--engine sim --sim-service-time 5ms";

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// Where all takes as long, no probe finds anything, and each is there.
#[test]
fn a_plain_volume_passes_all_probes() {
    let (ended, folder) = Cli::line(format!("{RUN} --probe {SLOW}")).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let result = document::read(&folder.path().join("result.json"));
    assert_eq!(result["phases"].as_array().map(Vec::len), Some(1));
    let probes = result["micro_probes"].as_array().expect("there are probes");
    let seen: Vec<Value> = probes
        .iter()
        .map(|probe| {
            let max = |what: &str| probe[what]["max"].clone();
            json!([probe["kind"], max("service_ns"), max("flush_ns")])
        })
        .collect();
    let takes = |kind: &str| json!([kind, 5_000_000, null]);
    assert_eq!(
        seen,
        [
            takes("read"),
            takes("write"),
            takes("shifted"),
            json!(["write_flush", 5_000_000, 5_000_000]),
            json!(["flush", null, 5_000_000]),
            takes("write_durable"),
            takes("data_random"),
            takes("data_zeros"),
            takes("data_repeated"),
        ]
    );
    let caveats = result["caveats"].as_array().expect("a list").iter();
    let codes: Vec<&str> = caveats.map(|caveat| text(&caveat["code"])).collect();
    assert_eq!(codes, ["simulated", "short_run"]);
}

#[test]
fn probes_are_refused_where_they_would_ask_nothing() {
    let (ended, _) = Cli::line(format!("{RUN} --probe --engine sim --no-direct")).end();
    assert_eq!(
        (ended.status, ended.stderr.as_str()),
        (
            Some(2),
            "error: --probe cannot ask the storage of random-write-4k\n  because: the probes need \
             direct I/O, but all jobs are buffered or start with an empty file\n  try:     \
             --direct, or without --probe\n"
        )
    );
}

#[test]
fn a_state_that_will_not_do_ends_with_a_status_of_its_own() {
    let words = |state: &str| {
        let (ended, _) = Cli::line(format!(
            "run random-read-4k --time 6s --warm-up 0s --quiet --engine sim --output \
             json:result.json --require '{state}'"
        ))
        .end();
        (ended.status, ended.stderr)
    };
    // A simulated result is QUALIFIED.
    assert_eq!(words("qualified"), (Some(0), String::new()));
    assert_eq!(words("VALID"), (Some(7), String::new()));
    let refused = "error: invalid value 'good' for '--require <STATE|LIMIT>': `good` is not a \
                   valid requirement: expected a state (valid, qualified, suspect) or a limit, \
                   such as `p99<=2ms` or `iops>=30000`\n  try:     `fathom run --help`\n";
    assert_eq!(words("good"), (Some(2), refused.to_owned()));
    // Every request takes 100 µs, 32 at a time.
    assert_eq!(words("iops>=300k"), (Some(0), String::new()));
    assert_eq!(words("main:read.p99<100us"), (Some(1), String::new()));
    assert_eq!(words("write.iops>=1"), (Some(5), String::new()));
    let both = |one, other| {
        let load = "run random-read-4k --engine sim --time 6s --warm-up 0s --quiet -o json";
        let words = load
            .split(' ')
            .chain(["--require", one, "--require", other]);
        Cli::new(words).end().0.status
    };
    // A limit that was missed is worse than a warning.
    assert_eq!(both("valid", "main:read.p99<100us"), Some(1));
    assert_eq!(both("main:read.p99<100us", "valid"), Some(1));
    assert_eq!(both("valid", "write.iops>=1"), Some(7));
    let unknown = "error: --require names no phase `sub`\n  because: the phases are main\n  \
                   try:     \
                   use one of them, or no phase for all\n";
    assert_eq!(words("sub:iops>1"), (Some(2), unknown.to_owned()));
}

/// A write-back cache before cells that take 5 ms: writes end sooner than reads.
#[test]
fn a_write_back_cache_is_found_out() {
    let volume = "--engine sim --sim-volume 'st1:1TiB + wbcache:64GiB:200MB/s:2ms'";
    let reads = RUN.replace("write", "read");
    let (ended, folder) = Cli::line(format!("{reads} --probe {volume}")).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let result = document::read(&folder.path().join("result.json"));
    let caveats = result["caveats"].as_array().expect("a list").iter();
    let found = caveats.filter(|caveat| caveat["code"] == "writeback_ack");
    let messages: Vec<&str> = found.map(|caveat| text(&caveat["message"])).collect();
    assert_eq!(
        messages,
        ["a single write took 2.00 ms and a single read 4.42 ms. A buffer acknowledges writes"]
    );
}

/// Writes past two buffers of known size, and not as far as a third is large.
#[test]
fn the_size_of_a_buffer_is_found() {
    let found = |layer: &str| {
        // It only reads: what it wrote would be in the buffer before.
        let reads = RUN.replace("write", "read");
        let (ended, folder) = Cli::line(format!(
            "{reads} --size 8GiB --cliff 6GB --engine sim --sim-volume \
             'gp3:4TiB:80000iops:2000MB/s + {layer}'"
        ))
        .end();
        assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
        let result = document::read(&folder.path().join("result.json"));
        let report = result["cliff"].clone();
        assert_eq!(
            report["written_bytes"],
            6_000_000_000_u64 / (1 << 20) * (1 << 20) + (1 << 20)
        );
        report["cliff"].clone()
    };
    let near = |value: &Value, expected: f64| {
        let ratio = value.as_f64().expect("a number") / expected;
        assert!((ratio - 1.0).abs() < 0.05, "{value} is not {expected}");
    };
    let flash = found("slc:2GiB:1GB/s:500MB/s:100MB/s");
    near(&flash["accepted_bytes"], 2.147e9);
    near(&flash["burst_bytes_per_second"], 1e9);
    near(&flash["drain_bytes_per_second"], 0.5e9);
    let cache = found("wbcache:2GiB:200MB/s:10ms");
    near(&cache["capacity_bytes"], 2.147e9);
    near(&cache["drain_bytes_per_second"], 0.2e9);
    assert_eq!(found("slc:20GiB:1GB/s:500MB/s:100MB/s"), Value::Null);
}
