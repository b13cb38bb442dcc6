//! What stands over a simulated volume, and what the checks say of it.

use crate::command::Cli;
use crate::document;
use crate::kernel::known;
use fathom_verdict::Code;
use serde_json::{Value, json};

const VOLUME: &str = "local-nvme:480GB:4000iops:500MB/s";

/// A load of mixed requests with flushes, in virtual time.
const MIXED: &str = r#"
name = "mixed"
[[phase]]
name = "p"
duration = "4s"
warm_up = "1s"
[[phase.job]]
name = "j"
size = "1GiB"
block_size = "16KiB"
read = 50
random = 100
queue_depth = 8
direct = true
fsync_every = 64
"#;

/// Writes that are read again and compared.
const VERIFIED: &str = r#"
name = "verified"
[[phase]]
name = "write"
warm_up = "0s"
[[phase.job]]
name = "j"
size = "32MiB"
block_size = "16KiB"
read = 0
random = 0
direct = true
verify = "stamp"
stop_ios = 2000
[[phase]]
name = "read"
warm_up = "0s"
[[phase.job]]
name = "j"
size = "32MiB"
block_size = "16KiB"
read = 100
random = 0
direct = true
verify = "check"
stop_ios = 2000
"#;

fn result(load: &str, layers: &str) -> Value {
    let volume = format!("{VOLUME}{layers}");
    let words = format!(
        "simulate load.toml --volume '{volume}' --quiet --no-save --output json:result.json"
    );
    let (_, folder) = Cli::line(&words).file("load.toml", load).end();
    document::read(&folder.path().join("result.json"))
}

/// What is said of every simulation, and of every one as short as these.
const ALWAYS: [Code; 4] = [Code::Simulated, Code::Assumed, Code::Course, Code::ShortRun];

/// Codes of the other caveats.
fn codes(result: &Value) -> Vec<Code> {
    let mut codes = known(result);
    codes.retain(|code| !ALWAYS.contains(code));
    codes
}

#[test]
fn each_layer_raises_what_it_should_and_nothing_else() {
    let cases: [(&str, &str, &[Code]); 16] = [
        (MIXED, "", &[]),
        (MIXED, " + counters", &[]),
        (MIXED, " + noise:2% + counters", &[]),
        (MIXED, " + counters + wbcache:4MiB:100MB/s", &[]),
        (MIXED, " + counters + readcache:30%", &[Code::CacheReads]),
        (MIXED, " + counters:reads=2%", &[Code::CacheReads]),
        (MIXED, " + counters:writes=50%", &[Code::WritesDeferred]),
        (MIXED, " + counters:flushes=0%", &[Code::FlushMissing]),
        (
            MIXED,
            " + counters + wbcache:4MiB:100MB/s:noflush",
            &[Code::FlushMissing],
        ),
        (
            MIXED,
            " + counters + neighbour:500iops:16KiB:reads",
            &[Code::Neighbour],
        ),
        (MIXED, " + fail:1/1000:ENOSPC", &[Code::IoErrors]),
        (MIXED, " + short:1/1000:reads", &[Code::ShortTransfers]),
        (VERIFIED, "", &[]),
        (VERIFIED, " + torn:1/1000", &[Code::VerifyFailed]),
        (VERIFIED, " + lost:1/1000", &[Code::VerifyFailed]),
        (VERIFIED, " + misdirected:1/1000", &[Code::VerifyFailed]),
    ];
    for (load, layers, expected) in cases {
        assert_eq!(codes(&result(load, layers)), expected, "{layers}");
    }
}

/// Like a twin: its pauses and flushes have patterns, which an option replaces.
const PATTERN: &str = r#"
name = "pattern"
[[phase]]
name = "p"
warm_up = "0s"
[[phase.job]]
name = "j"
size = "1GiB"
block_size = "16KiB"
read = 0
think = "1ms"
pauses = [{ share = 50, length = 1 }, { share = 50, length = 9 }]
fdatasync_every = 2
sync_pattern = [1, 3]
stop_ios = 800
"#;

#[test]
fn options_replace_the_patterns_of_a_workload() {
    let requests = |options: &str| {
        let words = format!(
            "simulate load.toml --volume '{VOLUME}' {options} --quiet --no-save \
             --output json:result.json"
        );
        let (_, folder) = Cli::line(words).file("load.toml", PATTERN).end();
        let result = document::read(&folder.path().join("result.json"));
        let job = &result["phases"][0]["jobs"][0];
        [&job["write"]["ios"], &job["flush"]["ios"]].map(Value::clone)
    };
    assert_eq!(requests(""), [json!(800), json!(400)]);
    assert_eq!(requests("--sync-every 8"), [json!(800), json!(100)]);
    assert_eq!(requests("--rate 500"), [json!(800), json!(400)]);
}

/// A minute of reads, 32 at a time.
const DEEP: &str = r#"
name = "deep"
[[phase]]
name = "measure"
warm_up = "2s"
duration = "60s"
[[phase.job]]
name = "j"
size = "1GiB"
block_size = "4KiB"
read = 100
random = 100
queue_depth = 32
direct = true
"#;

#[test]
fn the_tail_rests_on_as_many_events_as_there_were_stalls() {
    // At 25 and at 50 seconds, each in all that were outstanding.
    let found = result(DEEP, " + stall:200ms/25s");
    let caveats = found["caveats"].as_array().expect("a list").iter();
    let told: Vec<&str> = caveats
        .filter(|caveat| caveat["code"] == "few_events")
        .filter_map(|caveat| caveat["message"].as_str())
        .collect();
    let expected = "p99.99 of read is based on 2 events. The 64 slowest requests completed \
                    together at 25.000 s and 50.000 s of the phase. A longer run may show another \
                    value";
    assert_eq!(told, [expected]);
    // Every twelve seconds: of the 160 that are alike not all are kept.
    assert_eq!(
        codes(&result(DEEP, " + stall:200ms/12s")),
        Vec::<Code>::new()
    );
}

/// Of 2000 writes of 32 blocks two are spoilt.
#[test]
fn reading_back_finds_what_was_not_kept() {
    let (written, _) = VERIFIED
        .split_once("[[phase]]\nname = \"read\"")
        .expect("two phases");
    let load = written.replace("\"stamp\"", "\"read_back\"");
    let cases = [
        ("", 0, json!({})),
        (" + lost:1/1000", 2 * 32, json!({"lost": 64})),
        (" + torn:1/1000", 2 * 16, json!({"torn": 32})),
        (" + misdirected:1/1000", 2 * 32, json!({"lost": 64})),
    ];
    for (layers, wrong, kinds) in cases {
        let found = result(&load, layers);
        let verified = &found["phases"][0]["jobs"][0]["verified"];
        let mut expected = json!({"blocks": 64_000, "wrong": wrong});
        if wrong > 0 {
            expected["kinds"] = kinds;
        }
        assert_eq!(*verified, expected, "{layers}");
        let failed: &[Code] = if wrong > 0 {
            &[Code::VerifyFailed]
        } else {
            &[]
        };
        assert_eq!(codes(&found), failed, "{layers}");
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let layers = " + gc:20ms/64MiB + neighbour:500iops + noise:2% + slc:1GiB:400MB/s:100MB/s \
                  + counters";
    let one = document::without_chance(result(MIXED, layers));
    let again = document::without_chance(result(MIXED, layers));
    assert_eq!(one, again);
}

#[test]
fn an_honest_device_counts_what_was_asked() {
    let found = result(MIXED, " + counters");
    let ratios = document::fields(
        &found,
        &[
            "phases.0.ledger.read_ratio",
            "phases.0.ledger.write_ratio",
            "phases.0.ledger.split",
        ],
    );
    assert_eq!(ratios, json!([1.0, 1.0, 1.0]));
}

#[test]
fn a_run_takes_the_same_volumes() {
    let words = "run load.toml --engine sim --sim-volume \
                 'local-nvme:480GB:4000iops:500MB/s + stall:2s@2s + counters' --quiet \
                 --no-save --output json:result.json";
    let (ended, folder) = Cli::line(words).file("load.toml", MIXED).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let found = document::read(&folder.path().join("result.json"));
    let longest = &found["phases"][0]["jobs"][0]["read"]["service_ns"]["max"];
    let longest_s = longest.as_u64().expect("a time") / 1_000_000_000;
    assert_eq!(longest_s, 2);
}

#[test]
fn a_layer_without_a_volume_to_change_is_refused() {
    let cases: [(&[&str], &str); 3] = [
        (
            &["--sim-volume", "gp3:1TiB"],
            "error: --sim-volume has nothing to change\n  because: no volume is simulated\n  \
             try:     --engine sim\n",
        ),
        (
            &["--engine", "sim", "--sim-volume", "gp3:1TiB + stall:1s"],
            "error: cannot read `stall:1s` in the volume `gp3:1TiB + stall:1s`\n  because: \
             `stall:1s` is not how a layer of that name is written\n  try:     stall:100ms/10s or \
             stall:200ms@30s, with `reads` or `writes`\n",
        ),
        (
            &["--engine", "sim", "--sim-volume", "stall:1s/10s"],
            "error: cannot read the volume `stall:1s/10s`\n  because: a layer stands over a \
             volume, and none is there\n  try:     as in gp2:250GiB + stall:100ms/10s\n",
        ),
    ];
    for (words, stderr) in cases {
        let fixed = ["run", "load.toml", "--quiet", "--no-save"];
        let words = fixed.into_iter().chain(words.iter().copied());
        Cli::new(words)
            .file("load.toml", MIXED)
            .check(2, "", stderr);
    }
}
