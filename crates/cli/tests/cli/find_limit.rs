//! `--find-limit` and `--cap`: why a run was not faster, in virtual time.

use crate::command::Cli;
use crate::document;
use serde_json::{Value, json};

fn bound(options: &[&str]) -> Value {
    let words = "run random-read-4k --engine sim --sim-servers 8 --sim-service-time 100us \
                 --time 20s --warm-up 0s --quiet --output json:result.json";
    let (ended, folder) = Cli::new(words.split(' ').chain(options.iter().copied())).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let result = document::read(&folder.path().join("result.json"));
    assert_eq!(result["phases"].as_array().map(Vec::len), Some(1));
    result["phases"][0]["bound"].clone()
}

fn answer(bound: &Value) -> Value {
    document::fields(bound, &["kind", "name", "confirmed"])
}

#[test]
fn eight_servers_are_full_at_depth_32_and_not_at_depth_4() {
    let full = bound(&["--find-limit"]);
    assert_eq!(
        answer(&full),
        json!(["beyond_host", "outside this host", true])
    );
    assert_eq!(
        full["sentence"],
        "outside this host: twice the outstanding requests left 80,000 IOPS and took 2.00 times as \
         long. The device, a link or an unknown limit is saturated, and it limits requests: \
         another size did not change their number"
    );
    let roomy = bound(&["--find-limit", "--queue-depth", "4"]);
    assert_eq!(answer(&roomy), json!(["queue_depth", "queue depth", false]));
}

#[test]
fn a_limit_that_is_known_is_named() {
    let named = bound(&["--cap", "vm=78000iops", "--cap", "disk=200000iops"]);
    assert_eq!(answer(&named), json!(["cap", "vm", false]));
    let confirmed = bound(&["--find-limit", "--cap", "vm=78000iops"]);
    assert_eq!(answer(&confirmed), json!(["cap", "vm", true]));
}

#[test]
fn a_run_that_nobody_asked_about_is_left_alone() {
    assert_eq!(bound(&[]), Value::Null);
}
