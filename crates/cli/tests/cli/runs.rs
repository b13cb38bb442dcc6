//! Runs from the command line to the result.

use crate::command::Cli;
use crate::document::{fields, read, without_chance};
use serde_json::{Value, json};
use std::io::Write as _;
use tempfile::TempDir;

const SIM: &str = "run random-read-4k --engine sim --time 3s --warm-up 1s --sim-service-time \
                   100us --sim-servers 4";

fn names_in(folder: &TempDir) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path()).expect("the folder is there");
    let mut names: Vec<String> = entries
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("UTF-8")
        })
        .collect();
    names.sort();
    names
}

#[test]
fn a_simulated_run_has_the_numbers_of_queueing_theory() {
    let run = format!("{SIM} --quiet --output json:result.json");
    let folder = Cli::line(run).check(0, "", "");
    let result = read(&folder.path().join("result.json"));
    let paths = [
        "schema_version",
        "provenance.engine.name",
        "phases.0.ended_by",
        "phases.0.measured_ns",
        "phases.0.jobs.0.read.iops",
        "phases.0.jobs.0.read.errors",
        "phases.0.jobs.0.queue_depth_held",
    ];
    // Four servers of 100 µs serve 40,000 a second; 32 requests wait 800 µs each.
    let expected = json!([1, "sim", "duration", 3_000_000_000_u64, 40_000.0, 0, 32.0]);
    assert_eq!(fields(&result, &paths), expected);
}

#[test]
fn the_same_seed_is_the_same_result() {
    let run = |seed: &str| -> Value {
        let run = format!(
            "{SIM} --seed {seed} --rate '5000 IOPS' --arrivals poisson --quiet --output \
             json:result.json"
        );
        let folder = Cli::line(run).check(0, "", "");
        without_chance(read(&folder.path().join("result.json")))
    };
    let first = run("1");
    assert_eq!(run("1"), first);
    assert_ne!(run("2"), first);
}

/// What is printed of the simulated run where nothing else is asked for.
const BRIEF: &str = "simulated engine sim: 40,000 random 4 KiB read IOPS, p99 800 µs        \
                     QUALIFIED
simulated: random-read-4k · sim · 4.0 s
                                      service time
                    \
                     IOPS    ±   MB/s     p50     p99   p99.9     max
read  4 KiB  ×32  40,000  0 \
                     %  163.8  800 µs  800 µs  800 µs  800 µs  ! 1
! 1     [simulated] virtual \
                     time: the numbers describe a model of storage, not a
        device
        \
                     try: measure the real storage before you rely on these numbers
in all 1 warning and 1 note
\
                     fathom show @latest --full · fathom report @latest -o run.html
";

#[test]
fn progress_is_a_line_a_second() {
    let (ended, _folder) = Cli::line(format!("{SIM} --output json:result.json")).end();
    let expected = "\
engine sim: asked for
[1/1 main warm-up 1s/1s]  read 39,996 IOPS 163.8 MB/s  p50 800 µs  p99 800 µs  max 800 µs
[1/1 main 1s/3s]  read 40,000 IOPS 163.8 MB/s  p50 800 µs  p99 800 µs  max 800 µs
[1/1 main 2s/3s]  read 40,000 IOPS 163.8 MB/s  p50 800 µs  p99 800 µs  max 800 µs
[1/1 main 3s/3s]  read 40,000 IOPS 163.8 MB/s  p50 800 µs  p99 800 µs  max 800 µs
written: result.json (json)
";
    assert_eq!(ended.stderr, expected);
    assert_eq!((ended.status, ended.stdout.as_str()), (Some(0), BRIEF));
}

#[test]
fn progress_that_nobody_reads_holds_nothing_up() {
    let (reader, mut writer) = std::io::pipe().expect("a pipe");
    let size = rustix::pipe::fcntl_setpipe_size(&writer, 4096).expect("it is empty");
    writer.write_all(&vec![b' '; size]).expect("it has room");
    let run = format!("{SIM} --output json:result.json");
    let (ended, folder) = Cli::line(run).stderr_to(writer).end();
    assert_eq!(ended.status, Some(0));
    let result = read(&folder.path().join("result.json"));
    assert_eq!(fields(&result, &["phases.0.ended_by"]), json!(["duration"]));
    drop(reader);
}

#[test]
fn the_null_engine_needs_nothing() {
    let run = "run random-read-4k --target null --engine null --ios 1000 --warm-up 0s --size \
               1MiB --quiet --no-live --output json:result.json";
    let folder = Cli::line(run).check(0, "", "");
    assert_eq!(names_in(&folder), ["result.json"]);
    let result = read(&folder.path().join("result.json"));
    let paths = [
        "provenance.engine.name",
        "phases.0.ended_by",
        "phases.0.jobs.0.read.ios",
    ];
    assert_eq!(fields(&result, &paths), json!(["null", "amount", 1000]));
}

/// A short run on a real file of 4 MiB.
const REAL: &str = "run random-mixed-8k --engine psync --no-direct --size 4MiB --ios 200 --warm-up \
                    0s --quiet --output json:result.json";

#[test]
fn the_file_that_was_made_is_removed() {
    let folder = Cli::line(REAL).check(0, "", "");
    assert_eq!(names_in(&folder), ["result.json"]);
    let result = read(&folder.path().join("result.json"));
    let paths = [
        "provenance.targets.0.made_by_fathom",
        "provenance.targets.0.size_bytes",
        "phases.0.ended_by",
    ];
    assert_eq!(fields(&result, &paths), json!([true, 4 << 20, "amount"]));
}

#[test]
fn the_file_that_was_made_is_kept_on_demand() {
    let run = format!("{REAL} --target scratch --keep");
    let folder = Cli::line(run).check(0, "", "");
    assert_eq!(names_in(&folder), ["result.json", "scratch"]);
    let size = std::fs::metadata(folder.path().join("scratch"))
        .expect("a file")
        .len();
    assert_eq!(size, 4 << 20);
}

#[test]
fn without_a_target_it_says_where_it_works() {
    let (ended, folder) = Cli::line(REAL.replace("--quiet ", "")).end();
    let note = "note: no --target is given: a scratch file is made in the current directory, and \
                removed at the end";
    assert_eq!(ended.stderr.lines().next(), Some(note));
    let told = "written: result.json (json)";
    assert_eq!(ended.stderr.lines().last(), Some(told));
    assert_eq!(ended.status, Some(0));
    assert!(ended.stdout.lines().count() <= 24, "{}", ended.stdout);
    assert_eq!(names_in(&folder), ["result.json"]);
}

#[test]
fn quick_runs_its_profile_with_changes() {
    let run = "quick . --engine psync --no-direct --size 8MiB --ios 8 --warm-up 0s --quiet \
               --output json:result.json";
    let folder = Cli::line(run).check(0, "", "");
    assert_eq!(names_in(&folder), ["result.json"]);
    let result = read(&folder.path().join("result.json"));
    let names: Vec<&Value> = result["phases"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|phase| &phase["name"])
        .collect();
    let expected = [
        "sequential-read",
        "random-read-deep",
        "random-read-single",
        "sequential-write",
        "random-write-deep",
        "random-write-single",
        "commit",
    ];
    assert_eq!(json!(names), json!(expected));
}

#[test]
fn a_device_that_fails_is_told_by_the_status() {
    // Everything beyond the first 4 KiB of the full device fails; writes to it always do.
    let run = "run random-write-4k --target /dev/full --destroy /dev/full --engine psync \
               --no-direct --size 1MiB --ios 10 --warm-up 0s --quiet --output \
               json:result.json";
    let folder = Cli::line(run).check(3, "", "");
    let result = read(&folder.path().join("result.json"));
    let paths = [
        "phases.0.jobs.0.failed",
        "phases.0.jobs.0.errors.0.op",
        "phases.0.jobs.0.errors.0.errno",
    ];
    assert_eq!(fields(&result, &paths), json!([10, "write", 28]));
}

#[test]
fn a_rate_beyond_the_storage_is_a_limit_missed() {
    let run = format!("{SIM} --rate '100000 IOPS' --quiet --output json:result.json");
    let folder = Cli::line(run).check(1, "", "");
    let result = read(&folder.path().join("result.json"));
    let paths = ["state", "caveats.0.code"];
    assert_eq!(fields(&result, &paths), json!(["suspect", "overloaded"]));
}

/// Four threads share each burst, one of which ends in the warm-up and three in the measured time.
#[test]
fn bursts_are_counted_once_and_without_those_of_the_warm_up() {
    let workload = r#"
name = "bursts"
[[phase]]
warm_up = "1s"
duration = "3s"
[[phase.job]]
size = "64MiB"
block_size = "8KiB"
read = 0
random = 100
threads = 4
queue_depth = 4
pacing = { cyclic = { every = "1s", bytes = "1MiB" } }
"#;
    let words = "run bursts.toml --engine sim --no-save --quiet --full";
    let text = Cli::line(words).file("bursts.toml", workload).stdout();
    let line = text.lines().find(|line| line.starts_with("bursts "));
    let line = line.map(|line| line.split(',').next().unwrap_or_default());
    assert_eq!(line, Some("bursts      3 bursts in 4 threads each"));
}
