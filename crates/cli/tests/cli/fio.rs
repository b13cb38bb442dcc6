//! fio's inputs, run by the null engine so that only the clock differs.

use crate::command::Cli;
use serde_json::{Value, json};

const JOBS: &str = "\
[global]
ioengine=null
size=1m
bs=4k
[reads]
rw=randread
numjobs=2
group_reporting
[mixed]
stonewall
rw=rw
number_ios=64
";

fn counts(document: &Value) -> Value {
    let jobs = document["jobs"].as_array().expect("jobs");
    let row = |job: &Value| {
        let ios = |direction: &str| job[direction]["total_ios"].as_u64().unwrap_or(0);
        json!([
            job["jobname"],
            job["groupid"],
            job["error"],
            ios("read") + ios("write")
        ])
    };
    jobs.iter().map(row).collect()
}

#[test]
fn a_job_file_gives_the_json_of_fio() {
    let words = [
        "fio",
        "jobs.fio",
        "--quiet",
        "--output-format=json",
        "--output=out.json",
    ];
    let (ended, folder) = Cli::new(words).file("jobs.fio", JOBS).end();
    assert_eq!(
        (ended.status, ended.stdout.as_str(), ended.stderr.as_str()),
        (Some(0), "", "")
    );
    let document = crate::document::read(&folder.path().join("out.json"));
    assert_eq!(
        counts(&document),
        json!([["reads", 0, 0, 512], ["mixed", 1, 0, 64]])
    );
    assert_eq!(document["global options"]["bs"], "4k");
    assert_eq!(
        document["jobs"][1]["job options"],
        json!({"rw": "rw", "number_ios": "64"})
    );
}

#[test]
fn a_command_line_gives_a_terse_line() {
    let words = [
        "fio",
        "--name=x",
        "--ioengine=null",
        "--size=64k",
        "--quiet",
        "--minimal",
    ];
    let (ended, _) = Cli::new(words).end();
    let first: Vec<&str> = ended.stdout.split(';').take(6).collect();
    let version = concat!("fio-3.33-fathom-", env!("CARGO_PKG_VERSION"));
    assert_eq!(ended.status, Some(0));
    assert_eq!(first, ["3", version, "x", "0", "0", "64"]);
}

#[test]
fn what_is_wrong_or_hardly_meant_is_shown_in_its_place() {
    let wrong = "[a]\nsize=1m\niodepht=4\n";
    Cli::new(["fio", "a.fio"]).file("a.fio", wrong).check(
        2,
        "",
        "\
error: unknown option `iodepht`
 --> a.fio:3:1
  |
3 | iodepht=4
  | ^^^^^^^
  = help: did you mean `iodepth`?
  = help: docs/dialects/fio.md lists all options
",
    );
    let twice = "[a]\nsize=1MiB\ndirect=1\nbuffered=0\n";
    let words = ["fio", "--parse-only", "a.fio"];
    Cli::new(words).file("a.fio", twice).check(
        0,
        "",
        "\
warning: direct and buffered are one switch, written twice
 --> a.fio:4:1
  |
4 | buffered=0
  | ^^^^^^^^^^
  = help: direct alone

note: kept: `size=1MiB`: fio reads 1000000, whatever the spelling promises
",
    );
}

#[test]
fn a_file_that_is_not_there_is_named() {
    Cli::new(["fio", "none.fio"]).check(
        2,
        "",
        "\
error: cannot read the job file none.fio
  because: no such file or directory
  try:     the path of a job file; options begin with --
",
    );
}
