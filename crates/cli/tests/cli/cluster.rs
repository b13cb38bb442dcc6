//! Many members, one measurement: processes of this machine in the place of hosts.

use crate::command::{Cli, Ended};
use crate::document;
use crate::executable::write_script;
use serde_json::Value;
use std::path::Path;
use tempfile::TempDir;

/// What stands in for ssh: it runs the command here, whatever the host, but for hosts that are
/// down.
const SSH: &str = "#!/bin/sh\n\
    host=$1; shift\n\
    case $host in\n\
    down*) echo \"ssh: connect to host $host port 22: No route to host\" >&2; exit 255;;\n\
    motd*) echo 'Welcome to this host';;\n\
    old*) exec sh -c 'printf \"\\013\\0\\0\\0FTHM\\001\\0000.0.9\"; cat >/dev/null';;\n\
    cut*) \"$@\" | exec dd bs=1 count=12000 status=none;;\n\
    esac\n\
    exec \"$@\"\n";

fn small(hosts: &str, time: &str, options: &[&str]) -> (Ended, TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let ssh = folder.path().join("stand-in");
    write_script(&ssh, SSH);
    let (ssh, target) = (
        ssh.display().to_string(),
        folder.path().display().to_string(),
    );
    let words = [
        "run",
        "random-read-4k",
        "--hosts",
        hosts,
        "--ssh",
        &ssh,
        "--fathom",
        env!("CARGO_BIN_EXE_fathom"),
        "--target",
        &target,
        "--engine",
        "psync",
        "--no-direct",
        "--size",
        "1MiB",
        "--time",
        time,
        "--warm-up",
        "200ms",
        "--interval",
        "200ms",
        "--no-save",
        "--quiet",
        "--output",
        "json:result.json",
    ];
    Cli::new(words.iter().chain(options)).end()
}

fn read(folder: &Path) -> Value {
    document::read(&folder.join("result.json"))
}

fn total(members: &[Value], field: &str) -> u64 {
    let phases = members
        .iter()
        .filter_map(|member| member["phases"][0][field].as_u64());
    phases.sum()
}

#[test]
fn four_members_are_one_result_that_adds_up() {
    let (ended, folder) = small("a[1-2]", "600ms", &["--per-host", "2"]);
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let document = read(folder.path());
    let members = document["cluster"]["members"].as_array().expect("members");
    let names: Vec<String> = members
        .iter()
        .map(|one| {
            format!(
                "{} {} {} {}",
                one["rank"], one["host"], one["index"], one["state"]
            )
        })
        .collect();
    assert_eq!(
        names,
        [
            "0 \"a1\" 0 \"finished\"",
            "1 \"a1\" 1 \"finished\"",
            "2 \"a2\" 0 \"finished\"",
            "3 \"a2\" 1 \"finished\""
        ]
    );
    let read = &document["phases"][0]["jobs"][0]["read"];
    assert_eq!(read["ios"].as_u64(), Some(total(members, "ios")));
    assert_eq!(read["service_ns"]["count"], read["ios"]);
    let seeds: std::collections::BTreeSet<u64> = members
        .iter()
        .filter_map(|one| one["seed"].as_u64())
        .collect();
    assert_eq!(seeds.len(), 4);
    let codes: Vec<&str> = document["caveats"]
        .as_array()
        .expect("caveats")
        .iter()
        .filter_map(|one| one["code"].as_str())
        .collect();
    let on_one = codes
        .iter()
        .filter(|code| **code == "members_on_one_machine");
    assert_eq!(on_one.count(), 1, "{codes:?}");
    let left: Vec<_> = std::fs::read_dir(folder.path())
        .expect("the folder")
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("fathom."))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_host_that_does_not_come_is_named_and_nothing_is_measured() {
    for (hosts, why) in [
        (
            "a1,down2",
            "down2 (rank 1) is missing: ssh: connect to host down2 port 22: No route to host",
        ),
        (
            "a1,motd2",
            "motd2 (rank 1) is missing: instead of fathom, this answered: `Welcome to this host`; \
             if a shell printed it, make its start-up files silent where there is no terminal",
        ),
    ] {
        let (ended, _folder) = small(hosts, "600ms", &[]);
        let expected = format!(
            "{why}\nnothing is measured: 1 of 2 members are missing\nerror: nothing was \
             measured\n\x20 because: 1 of 2 members are missing\n  try:     fix the cause above, \
             or use --allow-missing to measure with the other members\n"
        );
        assert_eq!(
            (ended.status, ended.stderr.as_str()),
            (Some(4), expected.as_str())
        );
    }
}

#[test]
fn the_others_are_measured_where_that_is_allowed() {
    let (ended, folder) = small("a1,down2", "600ms", &["--allow-missing"]);
    assert_eq!(ended.status, Some(7), "{}", ended.stderr);
    let document = read(folder.path());
    let states: Vec<&Value> = document["cluster"]["members"]
        .as_array()
        .expect("members")
        .iter()
        .map(|one| &one["state"])
        .collect();
    assert_eq!(states, ["finished", "missing"]);
    let caveats = document["caveats"].as_array().expect("caveats");
    let missing = caveats.iter().find(|one| one["code"] == "member_missing");
    assert_eq!(missing.map(|one| &one["level"]), Some(&"qualified".into()));
}

#[test]
fn a_member_that_is_cut_off_is_named_with_what_is_counted_of_it() {
    let (ended, folder) = small("a1,cut2", "3s", &[]);
    assert_eq!(ended.status, Some(7), "{}", ended.stderr);
    let lost = ended
        .stderr
        .lines()
        .find(|line| line.starts_with("cut2 (rank 1) is lost: "));
    let lost = lost.expect(&ended.stderr);
    let counted = lost.rsplit("; ").next().unwrap_or_default();
    assert!(counted.starts_with("counted up to interval "), "{lost}");
    let document = read(folder.path());
    let members = document["cluster"]["members"].as_array().expect("members");
    assert_eq!(
        (&members[0]["state"], &members[1]["state"]),
        (&"finished".into(), &"lost".into())
    );
    let read = &document["phases"][0]["jobs"][0]["read"];
    assert_eq!(read["ios"].as_u64(), Some(total(members, "ios")));
    assert!(total(&members[1..], "ios") > 0);
}

#[test]
fn options_of_many_hosts_need_many_hosts() {
    let words = ["run", "random-read-4k", "--per-host", "2", "--target", "x"];
    let (ended, _folder) = Cli::new(words).end();
    assert_eq!(
        (ended.status, ended.stderr.as_str()),
        (
            Some(2),
            "error: --per-host has nothing to change\n  because: one host measures alone\n  \
             try:     \
             use --hosts, --launch or --launched\n"
        )
    );
}
