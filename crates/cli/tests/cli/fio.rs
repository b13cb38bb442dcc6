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
    let words = "fio jobs.fio --quiet --output-format=json --output=out.json";
    let (ended, folder) = Cli::line(words).file("jobs.fio", JOBS).end();
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
    let words = "fio --name=x --ioengine=null --size=64k --quiet --minimal";
    let (ended, _) = Cli::line(words).end();
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
    // Where fio says nothing, neither do we unless asked.
    let words = ["fio", "--parse-only", "a.fio"];
    Cli::new(words).file("a.fio", twice).check(0, "", "");
    let words = ["fio", "--parse-only", "--notes", "a.fio"];
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

/// Columns of a log that do not depend on the clock.
fn columns(folder: &std::path::Path, name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join(name)).expect("a log");
    let line = |line: &str| {
        let fields: Vec<&str> = line.split(", ").collect();
        format!("{} {}", fields[2], fields[3])
    };
    text.lines().map(line).collect()
}

/// The clones' lines are the same, one after another; a second run adds its own.
#[test]
fn one_log_has_the_lines_of_all_clones() {
    let folder = tempfile::tempdir().expect("a folder");
    let jobs = "[a]\nioengine=null\nsize=16k\nnumjobs=2\nwrite_bw_log=run\nper_job_logs=0\n";
    std::fs::write(folder.path().join("a.fio"), jobs).expect("a job file");
    let words = ["fio", "a.fio", "--output=out.txt"];
    let (ended, folder) = Cli::in_folder(folder, words).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let (ended, folder) = Cli::in_folder(folder, words).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    assert_eq!(columns(folder.path(), "run_bw.log").len(), 16);
}

#[test]
fn logs_have_the_names_and_lines_of_fio() {
    let jobs = "[global]\nioengine=null\nsize=16k\nwrite_lat_log=run\n[a]\nwrite_bw_log\n\
                [b]\nrw=write\nbs=8k\nnumjobs=2\nstonewall\nwrite_iops_log=b\n";
    let words = ["fio", "a.fio", "--quiet", "--output=out.txt"];
    let (ended, folder) = Cli::new(words).file("a.fio", jobs).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let entries = std::fs::read_dir(folder.path()).expect("the folder");
    let mut names: Vec<String> = entries
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "a.fio",
            "a_bw.1.log",
            "b_iops.2.log",
            "b_iops.3.log",
            "out.txt",
            "run_clat.1.log",
            "run_clat.2.log",
            "run_clat.3.log",
            "run_lat.1.log",
            "run_lat.2.log",
            "run_lat.3.log",
            "run_slat.1.log",
            "run_slat.2.log",
            "run_slat.3.log",
        ]
    );
    let of = |name| columns(folder.path(), name);
    assert_eq!(of("a_bw.1.log"), ["0 4096"; 4]);
    assert_eq!(of("run_lat.1.log"), ["0 4096"; 4]);
    assert_eq!(of("b_iops.3.log"), ["1 8192"; 2]);
    assert_eq!(of("run_slat.3.log"), [""; 0]);
}

/// fio replaces whatever is there. So do we where it is the result of an earlier call; what
/// somebody else has written takes a word.
#[test]
fn only_files_of_earlier_calls_are_replaced() {
    let job = "fio --name=a --ioengine=null --size=64k --bs=4k --rw=read --no-save --quiet";
    let outputs = [
        (
            "--output=notes",
            "notes",
            "cannot write the result to notes",
        ),
        (
            "--write_bw_log=notes",
            "notes_bw.1.log",
            "cannot write the log notes_bw.1.log",
        ),
        (
            "--write_iolog=notes",
            "notes",
            "cannot write the trace notes",
        ),
        (
            "--bandwidth-log",
            "agg-read_bw.log",
            "cannot write the log agg-read_bw.log",
        ),
    ];
    for (option, name, thing) in outputs {
        let words = || job.split(' ').chain([option]);
        let mine = "the only copy\n";
        let refusal = format!(
            "error: {thing}\n  because: the file exists (14 bytes)\n  try:     another name, or \
             --replace-results to replace it\n"
        );
        let folder = Cli::new(words()).file(name, mine).check(4, "", &refusal);
        let read = |folder: &tempfile::TempDir| {
            std::fs::read_to_string(folder.path().join(name)).expect("it is there")
        };
        assert_eq!(read(&folder), mine);
        let (ended, folder) = Cli::in_folder(folder, words().chain(["--replace-results"])).end();
        assert_eq!(
            (ended.status, ended.stderr.as_str()),
            (Some(0), ""),
            "{option}"
        );
        assert_ne!(read(&folder), mine);
        let (ended, _) = Cli::in_folder(folder, words()).end();
        assert_eq!(
            (ended.status, ended.stderr.as_str()),
            (Some(0), ""),
            "{option} again"
        );
    }
}

#[test]
fn what_is_asked_about_the_program_is_answered_as_fio_does() {
    Cli::new(["fio", "--version"]).check(0, "fio-3.33\n", "");
    Cli::new(["fio", "--enghelp=foo"]).check(1, "IO engine foo not found\n", "");
    Cli::new(["fio", "--showcmd", "a.fio"])
        .file("a.fio", "[global]\nsize=1m\n[a]\nrw=read\n[b]\nstonewall\n")
        .check(
            0,
            "fio --size=1m --name=a --rw=read --name=b --stonewall\n",
            "",
        );
    let runtime = "runtime, timeout        : kept\n";
    Cli::new(["fio", "--cmdhelp=runtime"]).check(0, runtime, "");
}

#[test]
fn standard_error_is_empty_where_it_is_no_terminal() {
    let words = "fio --name=x --ioengine=null --size=1MiB --minimal";
    let (ended, _) = Cli::line(words).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let (ended, _) = Cli::new(words.split(' ').chain(["--notes"])).end();
    let first = ended.stderr.lines().next();
    let note = "note: kept: `size=1MiB`: fio reads 1000000, whatever the spelling promises";
    assert_eq!((ended.status, first), (Some(0), Some(note)));
}

/// One report after another, each whole, of what there is by then.
#[test]
fn reports_of_what_there_is_so_far_come_before_the_last() {
    let words = "fio --name=a --ioengine=null --size=1m --rw=randread --runtime=1 \
                 --time_based --status-interval=200ms --output-format=json";
    let (ended, _folder) = Cli::line(words).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let reports = serde_json::Deserializer::from_str(&ended.stdout).into_iter::<Value>();
    let reports: Vec<Value> = reports.map(|report| report.expect("a report")).collect();
    let (last, before) = reports.split_last().expect("reports");
    assert!(!before.is_empty());
    let ios: Vec<u64> = reports
        .iter()
        .map(|report| {
            report["jobs"][0]["read"]["total_ios"]
                .as_u64()
                .expect("a count")
        })
        .collect();
    assert!(ios.is_sorted() && ios[ios.len() - 2] > 0, "{ios:?}");
    // Only of a run that has ended is it known how far it is to be trusted.
    assert!(last.get("fathom").is_some() && before.iter().all(|one| one.get("fathom").is_none()));
}

/// Three engines in one file are three engines, and the output says what ran.
#[test]
fn each_job_has_the_engine_of_its_section() {
    let jobs = "[global]\nsize=256k\nbs=4k\nrw=randread\n\
                [one]\nioengine=psync\n[two]\nioengine=libaio\niodepth=4\n\
                [three]\nioengine=null\niodepth=4\n";
    let words = "fio jobs.fio --quiet --output-format=json --output=out.json";
    let (ended, folder) = Cli::line(words).file("jobs.fio", jobs).end();
    assert_eq!(
        (ended.status, ended.stdout.as_str(), ended.stderr.as_str()),
        (Some(0), "", "")
    );
    let document = crate::document::read(&folder.path().join("out.json"));
    assert_eq!(
        document["fathom"]["engines"],
        json!({"one": "psync", "two": "libaio", "three": "null"})
    );
    assert_eq!(
        counts(&document),
        json!([["one", 0, 0, 64], ["two", 0, 0, 64], ["three", 0, 0, 64]])
    );
    // A synchronous engine submits nothing apart.
    let jobs = document["jobs"].as_array().expect("jobs");
    let submitted: Vec<_> = jobs
        .iter()
        .map(|job| &job["read"]["slat_ns"]["N"])
        .collect();
    assert_eq!(submitted, [&json!(0), &json!(64), &json!(64)]);
}

/// fio 3.33 writes these numbers for the same words.
#[test]
fn logs_hold_the_priority_of_each_request() {
    let of = |more: &[&'static str]| -> Vec<String> {
        let words = "fio --name=a --rw=randwrite --size=256k --write_iops_log=log \
                     --log_prio=1 --output=out";
        let (ended, folder) = Cli::new(words.split(' ').chain(more.iter().copied())).end();
        assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
        let text = std::fs::read_to_string(folder.path().join("log_iops.1.log")).expect("a log");
        let mut found: Vec<_> = text
            .lines()
            .filter_map(|line| line.split(", ").nth(4))
            .collect();
        assert_eq!(found.len(), 64);
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(str::to_owned).collect()
    };
    assert_eq!(of(&["--ioengine=psync"]), ["0x0000"]);
    assert_eq!(of(&["--ioengine=psync", "--prio=3"]), ["0x4003"]);
}

/// Of every request there is a line in each log, and percentiles where they are asked for.
#[test]
fn the_parts_of_a_latency_have_percentiles_and_logs() {
    let words = "fio --name=a --ioengine=null --iodepth=4 --rw=randread --size=1m \
                 --slat_percentiles=1 --lat_percentiles=1 --clat_percentiles=0 \
                 --percentile_list=50:100 --write_lat_log=log --output-format=json+ \
                 --output=out.json";
    let (ended, folder) = Cli::line(words).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let document = crate::document::read(&folder.path().join("out.json"));
    let reads = &document["jobs"][0]["read"];
    let found = |part: &str| {
        let latency = &reads[part];
        let bins = latency["bins"].as_object();
        let counted: Option<u64> = bins.map(|bins| bins.values().filter_map(Value::as_u64).sum());
        let percentiles = latency["percentile"].as_object();
        (
            latency["N"].as_u64(),
            counted,
            percentiles.map(serde_json::Map::len),
        )
    };
    assert_eq!(found("slat_ns"), (Some(256), Some(256), Some(2)));
    assert_eq!(found("lat_ns"), (Some(256), Some(256), Some(2)));
    assert_eq!(found("clat_ns"), (Some(256), None, None));
    let times = |part: &str| -> Vec<u64> {
        let path = folder.path().join(format!("log_{part}.1.log"));
        let text = std::fs::read_to_string(path).expect("a log");
        let column = |line: &str| line.split(", ").nth(1).and_then(|word| word.parse().ok());
        text.lines().filter_map(column).collect()
    };
    let both: Vec<u64> = times("slat")
        .into_iter()
        .zip(times("clat"))
        .map(|(s, c)| s + c)
        .collect();
    assert_eq!((both.len(), both), (256, times("lat")));
}

/// The report that comes due as the run ends is not left out: one a second and the last one.
#[test]
fn a_report_that_is_due_at_the_end_is_told() {
    let words = "fio --name=a --ioengine=null --size=1m --rate_iops=100 --time_based \
                 --runtime=1 --status-interval=1 --output-format=terse --output=out.txt";
    let (ended, folder) = Cli::line(words).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let text = std::fs::read_to_string(folder.path().join("out.txt")).expect("a report");
    assert_eq!(text.lines().count(), 2);
}

#[test]
fn what_is_read_back_to_be_checked_is_among_the_reads() {
    let jobs = "\
[global]
size=1m
bs=4k
verify=crc32c
[writes]
rw=write
[mixed]
stonewall
rw=randrw
";
    let words = "fio jobs.fio --output-format=json --output=out.json";
    let (ended, folder) = Cli::line(words).file("jobs.fio", jobs).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let document = crate::document::read(&folder.path().join("out.json"));
    let ios = |job: usize, direction: &str| {
        let figures = &document["jobs"][job][direction];
        json!([figures["total_ios"], figures["io_kbytes"]])
    };
    let found = [ios(0, "read"), ios(0, "write"), ios(1, "read")];
    assert_eq!(
        found,
        [json!([256, 1024]), json!([256, 1024]), json!([256, 1024])]
    );
}

/// fio tells 100 % at the depth that is held, and of each call how much it handed over.
#[test]
fn depths_and_calls_have_their_shares() {
    let words = "fio --name=a --ioengine=null --iodepth=16 --size=1m --output-format=json \
                 --output=out.json";
    let (ended, folder) = Cli::line(words).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let document = crate::document::read(&folder.path().join("out.json"));
    let of = |what: &str| {
        let shares = document["jobs"][0][what].as_object().expect("shares");
        let shares = shares.values().filter_map(Value::as_f64);
        shares.sum::<f64>().round() as u64
    };
    let found = ["iodepth_level", "iodepth_submit", "iodepth_complete"].map(of);
    assert_eq!(found, [100; 3]);
    assert_eq!(document["jobs"][0]["iodepth_submit"]["0"], 0.0);
}

#[test]
fn times_of_logs_can_be_of_the_day() {
    let words = "fio --name=a --ioengine=null --size=16k --write_iops_log=a \
                 --log_unix_epoch=1 --output=out.txt";
    let (ended, folder) = Cli::line(words).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let path = folder.path().join("a_iops.1.log");
    let text = std::fs::read_to_string(path).expect("a log");
    let digits = text
        .lines()
        .map(|line| line.split(',').next().map(str::len));
    assert_eq!(digits.collect::<Vec<_>>(), [Some(13); 4]);
}

#[test]
fn idle_processors_are_told_of() {
    let words = "fio --name=a --ioengine=null --size=16k --idle-prof=percpu \
                 --output-format=json --output=out.json";
    let (ended, folder) = Cli::line(words).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let document = crate::document::read(&folder.path().join("out.json"));
    let told = document["cpu_idleness"].as_object().expect("idleness");
    let shared = ["system", "cpu-0", "unit_mean", "unit_stddev"];
    assert_eq!(shared.map(|name| told.contains_key(name)), [true; 4]);
}
