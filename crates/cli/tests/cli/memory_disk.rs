//! A memory disk of the test's own, where all is well but that it compresses.

use crate::command::Cli;
use crate::document;
use crate::kernel::{MIB, beyond_the_machine, codes, load};
use crate::privileged::{Zram, is_root};
use fathom_verdict::Code;
use std::fs::{File, OpenOptions};
use std::io::Read as _;

/// Written everywhere, with bytes that cannot be compressed.
fn written() -> Option<Zram> {
    let disk = Zram::new(32 * MIB)?;
    let mut random = File::open("/dev/urandom").expect("random bytes");
    let mut device = OpenOptions::new()
        .write(true)
        .open(disk.path())
        .expect("a device");
    std::io::copy(&mut (&mut random).take(32 * MIB), &mut device).expect("it is as large");
    device.sync_all().expect("it is on the device");
    Some(disk)
}

/// Of twenty runs of a healthy device nineteen at least say nothing of the storage, but that it is
/// memory, as its name says.
#[test]
fn twenty_runs_raise_no_alarm() {
    if !is_root("a memory disk") {
        return;
    }
    let Some(disk) = written() else {
        return;
    };
    let reads = load("reads", 100, true);
    let runs = (0..20).map(|_| codes(&reads, &disk.path(), None));
    let alarms: Vec<Vec<Code>> = runs
        .filter(|codes| beyond_the_machine(codes) != [Code::MemoryTarget])
        .collect();
    assert!(alarms.len() <= 1, "{alarms:?}");
}

/// Zeros are kept as a mark, repeats are not looked for, and nothing is buffered.
#[test]
fn zeros_that_are_not_kept_are_found_by_a_probe() {
    if !is_root("a memory disk") {
        return;
    }
    let Some(disk) = written() else {
        return;
    };
    let target = disk.path().to_string_lossy().into_owned();
    let given_up = format!("{target}=data");
    let words = format!(
        "run load.toml --target {target} --destroy {given_up} --engine psync --probe --quiet \
         --no-save --output json:result.json"
    );
    let (ended, folder) = Cli::line(&words)
        .file("load.toml", load("reads", 100, true))
        .end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let result = document::read(&folder.path().join("result.json"));
    let asked = [
        Code::Compresses,
        Code::Dedupes,
        Code::FlushFree,
        Code::WritebackAck,
    ];
    let caveats = result["caveats"].as_array().expect("a list").iter();
    let found: Vec<(&str, &str)> = caveats
        .filter_map(|one| Some((one["level"].as_str()?, one["code"].as_str()?)))
        .filter(|(_, code)| asked.iter().any(|asked| asked.name() == *code))
        .collect();
    assert_eq!(found, [("note", "compresses")]);
}

/// What was measured is told, with what could not be made durable of it.
#[test]
fn writes_that_fail_behind_the_page_cache_are_in_the_result() {
    if !is_root("a memory disk") {
        return;
    }
    let Some(disk) = Zram::new(32 * MIB) else {
        return;
    };
    disk.limit(MIB);
    let target = disk.path().to_string_lossy().into_owned();
    let words = format!(
        "run load.toml --target {target} --destroy {target} --engine psync --quiet --no-save \
         --output json"
    );
    let writes = load("writes", 0, false);
    let (ended, _) = Cli::line(&words).file("load.toml", &writes).end();
    let result: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap_or_default();
    let errors = result["phases"][0]["jobs"][0]["errors"].as_array();
    let last = errors.and_then(|all| all.last()).cloned();
    let flush = serde_json::json!({
        "op": "flush",
        "errno": 5,
        "message": "Input/output error",
        "count": 1,
        "target": target,
        "first_offsets": [],
    });
    assert_eq!(last, Some(flush), "{}", ended.stderr);
    let caveats = result["caveats"].as_array().expect("caveats");
    let of_errors = caveats.iter().filter(|one| one["code"] == "io_errors");
    assert_eq!(of_errors.count(), 1);
}
